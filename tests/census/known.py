"""Which mistakes are known: what can't be predicted, with the reason, and what is still to be mended."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from .comparing import Verdict

_FOLDER = Path(__file__).parent
EXCUSED = _FOLDER / "excused.json"
"""{agent: {part of a row's key: why promptscope doesn't predict it, and how the app says so}}, written by hand."""

PENDING = _FOLDER / "pending.json"
"""{agent: {row's key: verdict}}, written by `python -m tests.census pending`."""


def excuse(agent: str, key: str) -> str | None:
    """Why a row is left out of the count, if it is."""
    return next((reason for part, reason in _excused().get(agent, {}).items() if part in key), None)


@cache
def _excused() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads(EXCUSED.read_text())
    return found


def pending(agent: str) -> dict[str, str]:
    """The agent's known mistakes."""
    found: dict[str, str] = (json.loads(PENDING.read_text()) if PENDING.exists() else {}).get(agent, {})
    return found


def write_pending(agent: str, found: Iterable[Verdict]) -> None:
    """Write down an agent's mistakes anew."""
    everything = json.loads(PENDING.read_text()) if PENDING.exists() else {}
    wrong = {one.row.key: one.name for one in found if not one.is_right and not excuse(agent, one.row.key)}
    everything[agent] = dict(sorted(wrong.items()))
    PENDING.write_text(json.dumps(dict(sorted(everything.items())), ensure_ascii=False, indent=1) + "\n")
