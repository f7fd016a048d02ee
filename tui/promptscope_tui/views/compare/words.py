"""Phrases of a comparison: marks, counts, a name for each side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from promptscope_engine.insight.comparison import Change, Compared, Comparison
from promptscope_tui.text.words import number, percent

MARKS: dict[Change, str] = {"added": "+", "removed": "−", "changed": "~", "moved": "↕"}


def difference(tokens: int | None) -> str:
    """`+1,240`, `−612`, `±0`, `…` while it is unknown."""
    if tokens is None:
        return "…"
    return "±0" if tokens == 0 else f"+{tokens:,}" if tokens > 0 else f"−{-tokens:,}"


def counts(what: str, changes: Iterable[Change]) -> str:
    """`2 sections changed, 1 added`; nothing for no change."""
    found = Counter(changes)
    parts = [f"{found[change]} {change}" for change in MARKS if found[change]]
    if not parts:
        return ""
    first, _, rest = parts[0].partition(" ")
    return ", ".join([f"{first} {what if first == '1' else what + 's'} {rest}", *parts[1:]])


def all_counts(found: Comparison) -> str:
    """What differs, by kind: `1 section changed; 2 tools added`."""
    kinds = (
        ("section", found.sections),
        ("tool", found.tools),
        ("file", found.files),
        ("diagnostic", found.problems),
    )
    return "; ".join(filter(None, (counts(what, [each.change for each in changes]) for what, changes in kinds)))


def whose(side: Compared) -> str:
    """`roo 3.28.16 › code`."""
    return " › ".join(filter(None, (f"{side.agent} {side.agent_version}", side.mode)))


def totals(found: Comparison) -> str:
    """`18,623 → 18,942 tok (+319), 9.5% of the window`."""
    before, after = number(found.before.tokens), number(found.after.tokens)
    share = percent(found.after.tokens, found.after.window)
    return f"{before} → {after} tok ({difference(found.tokens)})" + (f", {share} of the window" if share else "")
