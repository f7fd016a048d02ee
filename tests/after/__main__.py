"""`python -m tests.after [record] …`: recorded runs against the forecast, "N of M" last; `record` makes runs."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from . import recording
from .checking import check

STORE = Path(__file__).parent / "store"


def main() -> None:
    """Hold the forecast against recorded runs."""
    parser = argparse.ArgumentParser(prog="python -m tests.after", description=__doc__)
    parser.add_argument("--recordings", type=Path, default=STORE, help="a folder of recorded runs")
    parser.add_argument("--agent", help="only this agent's")
    parser.add_argument("--only", default="", help="only runs whose name holds this")
    parser.add_argument("--verbose", action="store_true", help="say what differs")
    given = parser.parse_args()
    right = of = 0
    for path in sorted(given.recordings.rglob("*.json")):
        run = json.loads(path.read_text())
        if given.only not in path.stem or given.agent not in (None, run["situation"]["agent"]):
            continue
        try:
            found = check(run)
        except Exception as error:
            found = [f"{type(error).__name__}: {error}"]
        of += 1
        right += not found
        if found and given.verbose:
            sys.stdout.write("\n    ".join((f"{path.stem}:", *found[:6])) + "\n")
    sys.stdout.write(f"{right} of {of}\n")


if __name__ == "__main__":
    recording.main(sys.argv[2:]) if sys.argv[1:2] == ["record"] else main()
