"""Which differences are known: those that nobody can predict, with the reason, and those that are being mended."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from .comparing import UNCOUNTED, Difference

_FOLDER = Path(__file__).parent
UNPREDICTABLE = _FOLDER / "unpredictable.json"
"""{recording: {signature: why nobody can predict it}}, written by hand."""

PENDING = _FOLDER / "pending"
"""A file for each client, {recording: [signatures]}, written by `python -m tests.oracle pending`."""


def known(name: str) -> list[str]:
    """The signatures that a recording is known to differ by, sorted."""
    client = name.split("/", maxsplit=1)[0]
    pending = _read(PENDING / f"{client}.json").get(name, [])
    return sorted([*unpredictable(name), *pending])


def unpredictable(name: str) -> dict[str, str]:
    """{signature: reason} of a recording."""
    reasons: dict[str, str] = _read(UNPREDICTABLE).get(name, {})
    return reasons


def signatures(found: Iterable[Difference]) -> list[str]:
    """Those of the differences that count, sorted, each once."""
    return sorted({one.signature for one in found if one.kind not in UNCOUNTED})


def write_pending(client: str, found: Mapping[str, list[str]]) -> None:
    """Write down what is being mended for a client: what differs and is not unpredictable."""
    pending = {}
    for name, all_of_it in sorted(found.items()):
        left = list((Counter(all_of_it) - Counter(list(unpredictable(name)))).elements())
        if left:
            pending[name] = left
    PENDING.mkdir(exist_ok=True)
    rows = [f"{json.dumps(name)}: {json.dumps(left, ensure_ascii=False)}" for name, left in pending.items()]
    (PENDING / f"{client}.json").write_text("{\n" + ",\n".join(rows) + "\n}\n")


def _read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    return found
