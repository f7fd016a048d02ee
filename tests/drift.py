"""How much the models explain of recordings that others keep, one folder for each version.

    uv run --group test python tests/drift.py FOLDER [--agent claude-code] [--last 5] [--every]

FOLDER holds recordings as public archives do, `captures/AGENT/VERSION/variants/NAME/trace.jsonl` (such as the
repository WEIFENG2333/phistory), or any files that `promptscope import` reads below AGENT/VERSION. Printed is a row for
each: how many characters of its main request the prediction explains, how many it has word for word, and which modelled
version it was compared with. `--last` takes the newest versions of each agent, `--every` all variants of a version
instead of the first. Nothing is learned, and nothing is written.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from promptscope_engine.captures.files import read_capture
from promptscope_engine.captures.model import CaptureError
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.fitting import verify
from promptscope_engine.tokens.counter import counter_for
from promptscope_engine.workspace import Workspace
from promptscope_tui.session.releases import Archived, archived, first_of_versions

_MAX_BYTES = 64 * 1024 * 1024


def newest(found: list[Archived], last: int) -> Iterator[Archived]:
    """Of each agent the last versions."""
    for _, of_agent in groupby(found, key=lambda each: each.agent):
        versions = [list(group) for _, group in groupby(of_agent, key=lambda each: each.version)]
        for variants in versions[-last:]:
            yield from variants


def explained(recording: Archived) -> str:
    """What the prediction explains, in words."""
    try:
        with recording.path.open("rb") as file:
            capture = read_capture(file.read(_MAX_BYTES))
    except (OSError, CaptureError) as error:
        return f"cannot be read: {error}"
    if capture.main is None:
        return "no request to a model is in it"
    base = Scenario.of({"workspace": str(recording.path.parent), "env": {}})
    try:
        result = verify(capture, capture.main, base, counter_for(None), Workspace())
    except ScenarioError as error:
        return str(error)
    return f"{result.explained:7.1%} {result.equal:7.1%} of {result.characters:7,}  as {result.predicted_version}"


def main() -> int:
    """Print a row for each recording; 1 if there is none."""
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("folder", type=Path)
    args.add_argument("--agent", help="only this one's")
    args.add_argument("--last", type=int, default=5, help="versions of each agent; default: 5")
    args.add_argument("--every", action="store_true", help="every variant of a version")
    options = args.parse_args()
    found = [each for each in archived(options.folder) if options.agent in (None, each.agent)]
    for each in newest(found if options.every else list(first_of_versions(found)), options.last):
        sys.stdout.write(f"{each.agent:14} {each.version:12} {explained(each)}  {each.variant}\n")
        sys.stdout.flush()
    return 0 if found else 1


if __name__ == "__main__":
    sys.exit(main())
