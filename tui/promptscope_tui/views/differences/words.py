"""What was sent against what was predicted, in words."""

from __future__ import annotations

from promptscope_engine.insight.verification import Part, PartVerdict, Verification

MOVED = "↕"
MARKS: dict[PartVerdict, str] = {"equal": "=", "other words": "~", "not sent": "−", "not predicted": "+"}


def share(part: float) -> str:
    """`97.8 %`; 100 only if it is all of them."""
    return f"{int(part * 1000) / 10:g} %"


def summary(result: Verification) -> str:
    """`97.8 % of 61,204 characters explained, 2 tools not predicted`."""
    line = f"{share(result.explained)} of {result.characters:,} characters explained"
    counts = ((len(result.tools.unpredicted), "not predicted"), (len(result.tools.missing), "not sent"))
    for count, what in counts:
        if count:
            line += f", {count} tool{'s' if count > 1 else ''} {what}"
    moved = sum(part.moved is not None for part in result.parts)
    return f"{line}, {moved} section{'s' * (moved > 1)} moved" if moved else line


def moved(part: Part) -> str:
    """`moved behind RULES`; "" of what stands in its place."""
    if part.moved is None:
        return ""
    return f"moved behind {part.moved}" if part.moved else "moved to the start"


def whose(result: Verification) -> str:
    """`claude-code 2.1.329; 3.1 % word for word`."""
    return f"{result.agent} {result.version or 'of an unknown version'}; {share(result.equal)} word for word"
