"""Sections, tools and files of the last assembly that are drafted the same way again: they are not made twice."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.prompt.conditions import Facts
from promptscope_engine.prompt.drafts import Draft, FileDraft, SectionDraft, ToolDraft
from promptscope_engine.prompt.equality import Alike
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.workspace import Workspace

from .joints import Joint
from .wording import Wordings

PartDraft = SectionDraft | ToolDraft | FileDraft

_Made = dict[int, tuple[PartDraft, Joint | int | None, Any]]
"""By the identity of a draft: the draft (so that no other one gets its identity), what is around it (for a tool that a
section describes: the tokens of that section), and what was made of it."""


class Reuse:
    """What was made of drafts the last time, and what is made now, for the next time."""

    def __init__(self, before: _Made | None = None) -> None:
        self._before = before or {}
        self.made: _Made = {}

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


def reused(
    agent_id: str, drafted: Draft, counter: Counter, wordings: Wordings, workspace: Workspace
) -> tuple[Draft, Reuse]:
    """The draft with the last one's objects wherever they are the same, and what was made of those.

    Equal facts become one object. If they are those of the last time, as after a file was saved, so does every section
    and tool that is drafted as then.
    """
    caches: dict[str, _DraftCache] = workspace.drafted
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
            reuse = Reuse(cache.made)
    caches[agent_id] = _DraftCache(facts, counter, wordings, sections, tools, reuse.made)
    drafted = replace(drafted, facts=facts)
    if len(sections) == len(drafted.sections) and len(tools) == len(drafted.tools):  # no two of one name
        drafted = replace(drafted, sections=tuple(sections.values()), tools=tuple(tools.values()))
    return drafted, reuse
