"""The difference of two assemblies: which sections changed, by how much, and their texts side by side."""

from __future__ import annotations

from typing import Literal

from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.model import Assembly, Section

Change = Literal["added", "removed", "changed"]


@frozen
class SectionChange:
    """A section that differs. `tokens` is the difference of its expected tokens, None if one is not counted yet."""

    id: str
    title: str
    change: Change
    tokens: int | None
    before: str
    after: str

    def unified(self, context: int = 2) -> tuple[str, ...]:
        """The lines of a unified diff, without its file headers."""
        from difflib import unified_diff  # 10 ms, which the first frame does without

        lines = unified_diff(self.before.splitlines(), self.after.splitlines(), n=context, lineterm="")
        return tuple(lines)[2:]


def compare(before: Assembly, after: Assembly) -> tuple[SectionChange, ...]:
    """The sections that differ, in the order of `after`, removed ones where they stood in `before`."""
    old = {s.id: s for s in before.sections if s.present}
    new = {s.id: s for s in after.sections if s.present}
    order = list(dict.fromkeys([s.id for s in after.sections] + [s.id for s in before.sections]))
    changes = []
    for section_id in order:
        a, b = old.get(section_id), new.get(section_id)
        if a is b or (a and b and a.text == b.text):  # reasons are not compared: they would all be put into words
            continue
        changes.append(_change(a, b))
    return tuple(changes)


def _change(a: Section | None, b: Section | None) -> SectionChange:
    shown = b or a
    assert shown is not None
    kind: Change = "added" if a is None else "removed" if b is None else "changed"
    counts = [0 if s is None else s.expected_tokens for s in (a, b)]
    tokens = None if counts[0] is None or counts[1] is None else counts[1] - counts[0]
    return SectionChange(shown.id, shown.title, kind, tokens, a.text if a else "", b.text if b else "")
