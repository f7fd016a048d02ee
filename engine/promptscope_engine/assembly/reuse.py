"""Sections, tools and files of the last assembly that are drafted the same way again: they are not made twice."""

from collections.abc import Sequence
from itertools import compress, count
from operator import is_not
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.prompt.conditions import Facts
from promptscope_engine.prompt.drafts import Draft, FileDraft, SectionDraft, ToolDraft
from promptscope_engine.prompt.equality import Alike
from promptscope_engine.prompt.memo import KeptWith
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.workspace import Workspace

from .joints import Joint
from .wording import Wordings

PartDraft = SectionDraft | ToolDraft | FileDraft

_Made = dict[int, tuple[PartDraft, Joint | int | None, Any]]
"""By the identity of a draft: the draft (so that no other one gets its identity), what is around it (for a tool that a
section describes: the tokens of that section), and what was made of it."""


class Row(Struct, frozen=True):
    """All drafts of one kind, what was made of each, and what was around it (for files: nothing)."""

    drafts: tuple[PartDraft, ...]
    made: tuple[Any, ...]
    around: tuple[Joint, ...] = ()

    def changed(self, drafts: Sequence[PartDraft]) -> list[int] | None:
        """The indices at which there are other drafts now; None if there are fewer or more."""
        if len(drafts) != len(self.drafts):
            return None
        return list(compress(count(), map(is_not, drafts, self.drafts)))


class Reuse:
    """What was made of drafts the last time, and what is made now, for the next time."""

    def __init__(self, before: _Made | None = None, rows_before: dict[str, Row] | None = None) -> None:
        self._before, self._rows_before = before or {}, rows_before or {}
        self.made: _Made = {}
        self.rows: dict[str, Row] = {}

    def last(self, draft: PartDraft) -> Any:
        """What was made of a draft the last time, whatever was around it."""
        kept = self._before.get(id(draft))
        return None if kept is None else kept[2]

    def get(self, draft: PartDraft, around: Joint | int | None) -> Any:
        """What was made of a draft the last time, between the same neighbours."""
        kept = self._before.get(id(draft))
        if kept is None or kept[1] != around:
            return None
        self.made[id(draft)] = kept
        return kept[2]

    def keep(self, draft: PartDraft, around: Joint | int | None, made: object, *counts: int | None) -> None:
        """Keep what was made, unless it has to be made again with counts."""
        if None not in counts:
            self.made[id(draft)] = (draft, around, made)

    def row(self, name: str, drafts: Sequence[PartDraft]) -> tuple[Row, list[int]] | None:
        """The last row of this name and the indices of other drafts in it; None if the rows can't be compared."""
        last = self._rows_before.get(name)
        changed = last.changed(drafts) if last else None
        return None if last is None or changed is None else (last, changed)

    def take_over(self, last: Row, changed: Sequence[int]) -> list[Any]:
        """What was made of all drafts but the changed ones, which are to be filled in."""
        same = [True] * len(last.drafts)
        for index in changed:
            same[index] = False
        kept = list(map(id, compress(last.drafts, same)))
        self.made.update(zip(kept, map(self._before.__getitem__, kept), strict=True))
        return list(last.made)

    def keep_row(self, name: str, row: Row) -> None:
        """Keep a whole row, if everything in it is counted."""
        if all(map(self.made.__contains__, map(id, row.drafts))):
            self.rows[name] = row


class _DraftCache(Struct, frozen=True):
    """What an agent drafted last, by id and name, and what was made of it.

    It is good for the same facts, counter and wordings.
    """

    facts: Facts
    counter: Counter
    wordings: Wordings
    sections: dict[str, SectionDraft]
    tools: dict[str, ToolDraft]
    made: _Made
    rows: dict[str, Row]


_DRAFTS: KeptWith[Workspace, dict[str, _DraftCache]] = KeptWith()


def reused(
    agent_id: str, drafted: Draft, counter: Counter, wordings: Wordings, workspace: Workspace
) -> tuple[Draft, Reuse]:
    """The draft with the last one's objects wherever they are the same, and what was made of those.

    Equal facts become one object. If they are those of the last time, as after a file was saved, so does every section
    and tool that is drafted as then.
    """
    caches = _DRAFTS.get(workspace, None, dict[str, _DraftCache])
    facts = workspace.same(f"facts of {agent_id}", drafted.facts)
    sections = {section.id: section for section in drafted.sections}
    tools = {tool.name: tool for tool in drafted.tools}
    reuse, cache = Reuse(), caches.get(agent_id)
    if cache is not None and cache.facts is facts:
        alike = Alike()
        for name, section in sections.items():
            known = cache.sections.get(name)
            if known is not None and alike.sections(known, section, facts):
                sections[name] = known
        for name, tool in tools.items():
            known_tool = cache.tools.get(name)
            if known_tool is not None and alike.tools(known_tool, tool):
                tools[name] = known_tool
        if cache.counter is counter and cache.wordings == wordings:
            reuse = Reuse(cache.made, cache.rows)
    caches[agent_id] = _DraftCache(facts, counter, wordings, sections, tools, reuse.made, reuse.rows)
    drafted = replace(drafted, facts=facts)
    if len(sections) == len(drafted.sections) and len(tools) == len(drafted.tools):  # no two of one name
        drafted = replace(drafted, sections=tuple(sections.values()), tools=tuple(tools.values()))
    return drafted, reuse
