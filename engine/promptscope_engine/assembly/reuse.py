"""Sections, tools and files of the last assembly that are drafted the same way again: they are not made twice.

Two drafts are the same if they are in all that an assembly could show of them. `==` is not enough: to it 1 is True, and
the order in which a schema names its keys does not matter. Nor is it fast enough: hundreds of parts share a few
conditions, which are compared once.
"""

from collections.abc import Callable, Sequence
from functools import cache
from operator import attrgetter
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.prompt.conditions import Facts
from promptscope_engine.prompt.drafts import Draft, FileDraft, Place, SectionDraft, Span, ToolDraft, label
from promptscope_engine.prompt.model import field_names
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.workspace import Workspace

from .wording import Wordings

Joint = tuple[str, tuple[str, str]]
"""What is before a section, and the two labels behind it."""


def joints(sections: Sequence[tuple[Place, bool]]) -> list[Joint]:
    """What is before and behind each section, from its place and whether it is present, in order.

    Only present sections are neighbours: see `Place`.
    """
    present = [n for n, (_, ok) in enumerate(sections) if ok]
    found: list[Joint] = [("", ("", ""))] * len(sections)
    places = [None, *(sections[n][0] for n in present), None]
    for number, last, place, following in zip(present, places, places[1:], places[2:], strict=False):
        assert place is not None
        if last is place is following:  # as are thousands of rules
            found[number] = (place.gap, ("", ""))
            continue
        first = last is None or not place.joins(last)
        closes = place.closes if following is None or not following.joins(place) else ""
        if following is None or following.run != place.run:
            ends = place.ends
        else:
            ends = "" if following.joins(place) else place.between
        found[number] = (place.opens if first else place.gap, (closes, ends))
    return found


def framed(spans: Sequence[Span], around: Joint) -> Sequence[Span]:
    """A section's spans with the labels that join it to its neighbours."""
    before, behind = around
    if not before and not any(behind):
        return spans
    opening, closing = [before] if before else [], filter(None, behind)
    return (*map(label, opening), *spans, *map(label, closing))


_PLAIN = frozenset({str, bytes, int, float, bool, type(None)})

_NOT_PIECES = attrgetter(*(name for name in SectionDraft.__struct_fields__ if name != "spans"))
_NOT_TEXTS = attrgetter(
    *(name for name in ToolDraft.__struct_fields__ if name not in ("description", "listed", "loaded"))
)


class Alike:
    """Compares the parts of two drafts, all of which live as long as it does."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], bool] = {}

    def sections(self, one: SectionDraft, other: SectionDraft, facts: Facts) -> bool:
        """Whether an assembly under these facts is the same with either. What is absent is not written for this."""
        if one is other:
            return True
        if not self.all(_NOT_PIECES(one), _NOT_PIECES(other)):
            return False
        return self.spans(one.spans, other.spans) if other.when.holds(facts) else True

    def tools(self, one: ToolDraft, other: ToolDraft) -> bool:
        """Whether an assembly is the same with either."""
        if one is other:
            return True
        same = self.all(_NOT_TEXTS(one), _NOT_TEXTS(other)) and (one.loaded is None) is (other.loaded is None)
        if same and one.loaded and other.loaded:
            same = self.tools(one.loaded, other.loaded)
        return same and self.spans(one.description, other.description) and self.spans(one.listed, other.listed)

    def spans(self, one: Sequence[Span], other: Sequence[Span]) -> bool:
        """Whether they are the same text, of the same origins, under the same conditions."""
        if len(one) != len(other):
            return False
        for a, b in zip(one, other, strict=True):
            if a is b:
                continue
            if a.text != b.text or not (a.origin is b.origin or a.origin == b.origin):
                return False
            if a.when is not b.when and not self.values(a.when, b.when):
                return False
        return True

    def values(self, one: Any, other: Any) -> bool:
        """Whether two values are equal, and their parts of the same types in the same order."""
        if one is other:
            return True
        kind = one.__class__
        if kind is not other.__class__:
            return False
        if kind is tuple or kind is list:
            return self.all(one, other)
        if kind is dict:
            return self.all(tuple(one.items()), tuple(other.items()))
        values = None if kind in _PLAIN else _values(kind)
        if values is None:
            return bool(one == other)
        pair = id(one), id(other)
        known = self._known.get(pair)
        if known is None:
            known = self._known[pair] = self.all(values(one), values(other))
        return known

    def all(self, one: Sequence[Any], other: Sequence[Any]) -> bool:
        """Whether two rows are of one length, with equal values in one order."""
        if len(one) != len(other):
            return False
        for a, b in zip(one, other, strict=True):
            if a is b or (a.__class__ is str and b.__class__ is str and a == b):
                continue
            if not self.values(a, b):
                return False
        return True


@cache
def _values(kind: Any) -> Callable[[Any], tuple[Any, ...]] | None:
    """What gets the fields of a value, in a tuple even if it is one; None for types without."""
    names = field_names(kind)
    return attrgetter(*names, "__class__") if names else None


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


class LastDrafts:
    """What each agent drafted last, for a screen or a loop that assembles one workspace again and again."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._caches: dict[str, _DraftCache] = {}

    def reused(self, agent_id: str, drafted: Draft, counter: Counter, wordings: Wordings) -> tuple[Draft, Reuse]:
        """The draft with the last one's objects wherever they are the same, and what was made of those.

        Equal facts become one object. If they are those of the last time, as after a file was saved, so does every
        section and tool that is drafted as then.
        """
        facts = self.workspace.same(f"facts of {agent_id}", drafted.facts)
        sections = {section.id: section for section in drafted.sections}
        tools = {tool.name: tool for tool in drafted.tools}
        reuse, cache = Reuse(), self._caches.get(agent_id)
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
        self._caches[agent_id] = _DraftCache(facts, counter, wordings, sections, tools, reuse.made)
        drafted = replace(drafted, facts=facts)
        if len(sections) == len(drafted.sections) and len(tools) == len(drafted.tools):  # no two of one name
            drafted = replace(drafted, sections=tuple(sections.values()), tools=tuple(tools.values()))
        return drafted, reuse
