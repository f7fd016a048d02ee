"""Parts of a client that the model does not know, and parts that it has no longer, as they were learned."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import TypeVar

from msgspec.structs import replace

from promptscope_engine.agents.kit.disk.servers import PREFIX
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.learned import ADDED, OPTION, AddedSection, AddedTool, LearnedVersion, Moved, filled, values_of
from promptscope_engine.prompt.conditions import Fact, stated
from promptscope_engine.prompt.drafts import Draft, Place, SectionDraft, Span, ToolDraft
from promptscope_engine.prompt.model import Diagnostic, Origin
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.repository import repository_root

_GROUP = "Learned"
_TITLE = 60
"""Characters of a title that is made of a section's first line."""

P = TypeVar("P", SectionDraft, ToolDraft)


IN_GIT, WITH_SERVERS, CONFIGURED = "place.git", "place.servers", "place.configured"
"""What a folder has: git's repository around it, MCP servers that answered, servers that need not have answered yet."""


def given_in(draft: Draft, inputs: Inputs, workspace: Workspace) -> Callable[[str], Json]:
    """The value of an input by its dotted name: a param, a variable, the mode or the model; or what the folder has."""
    places: Mapping[str, Callable[[], bool]] = {
        IN_GIT: lambda: repository_root(inputs.workspace, workspace) is not None,
        WITH_SERVERS: lambda: bool(inputs.mcp_servers) or any(tool.name.startswith(PREFIX) for tool in draft.tools),
        CONFIGURED: lambda: bool(inputs.mcp_servers or draft.servers),
    }

    def given(name: str) -> Json:
        kind, _, rest = name.partition(".")
        if name in places:
            return places[name]()
        if kind == "env":
            return inputs.env.get(rest)
        if name in ("mode", "model"):
            return inputs.mode if name == "mode" else inputs.model
        try:
            found: Json = reduce(getattr, name.split("."), inputs.params)
        except AttributeError:  # of another version
            return None
        return found

    return given


def with_learned_parts(draft: Draft, learned: LearnedVersion, inputs: Inputs, given: Callable[[str], Json]) -> Draft:
    """The draft without the parts that ended, and with the tools that were added; sections where they are sent.

    What could not be read of it is a diagnostic. `given` has the inputs.
    """
    if not (learned.ended or learned.added or learned.moved or learned.sections or learned.names or learned.flaws):
        return draft
    values = values_of(inputs.workspace, inputs.home)
    ended = {each.part: each.why for each in learned.ended if _fits(each.only, given)}
    sections = [_named(_ended(each, each.id, ended), learned.names) for each in draft.sections]
    for moved in learned.moved:
        _move(sections, moved)
    for number, new in enumerate(learned.sections, 1):
        _add(sections, new, number, values, _seen(new, learned, given))
    tools = [_ended(each, f"tools.{each.name}", ended) for each in draft.tools]
    for added in learned.added:
        names = [tool.name for tool in tools]
        if added.name not in names:
            at = names.index(added.after) + 1 if added.after in names else len(tools)
            tools.insert(at, _tool(added, values, _seen(added, learned, given)))
    flaws = [Diagnostic("warning", "learned-file", each.message, each.path, each.line) for each in learned.flaws]
    return replace(draft, sections=tuple(sections), tools=tuple(tools), diagnostics=(*draft.diagnostics, *flaws))


def _move(sections: list[SectionDraft], moved: Moved) -> None:
    section = next((each for each in sections if each.id == moved.part), None)
    others = [each for each in sections if each is not section]
    is_beside = str.startswith if moved.beside.endswith(":") else str.__eq__
    places = [at for at, each in enumerate(others) if is_beside(each.id, moved.beside)]
    if section and places:
        at = places[0] if moved.is_before else places[-1]
        place = others[at].place if moved.is_before else _apart(others[at])
        others.insert(at + (not moved.is_before), replace(section, place=place))
        sections[:] = others


def _apart(beside: SectionDraft) -> Place:
    """The place behind a section of one text, on a line of its own."""
    place = beside.place
    ends_line = not beside.spans or beside.spans[-1].text.endswith("\n")
    return place if place.gap or ends_line else replace(place, gap="\n")


def _add(sections: list[SectionDraft], new: AddedSection, number: int, values: Mapping[str, str], when: Fact) -> None:
    """Put a new section behind the last one of a part: with a name of the client's in its block, else in one apart."""
    places = [at for at, each in enumerate(sections) if each.id == new.after]
    if not places:
        return
    text, name = filled(new.text, values), f"{ADDED}{new.name or number}"
    if any(each.id == name for each in sections):  # another text of that section
        name = f"{name}.{number}"
    place = sections[places[-1]].place
    own = replace(place, gap=place.gap or "\n\n") if new.name else Place(name, place.message, place.role)
    title = new.name or next((line.strip("#<> ") for line in text.splitlines() if line.strip()), name)[:_TITLE]
    span, names = Span(text, Origin("learned", id=name)), (new.name,) if new.name else ()
    at = places[0] if new.is_before else places[-1] + 1
    sections.insert(at, SectionDraft(name, title, (span,), when=when, place=own, names=names))


def _named(section: SectionDraft, names: Mapping[str, Sequence[str]]) -> SectionDraft:
    """The section with the names that the client has for it."""
    own = tuple(names.get(section.id, ()))
    return replace(section, names=own) if own else section


def _seen(new: AddedTool | AddedSection, learned: LearnedVersion, given: Callable[[str], Json]) -> Fact:
    sent, seen = not new.only or any(_fits(way, given) for way in new.only), learned.sent_in(new)
    is_of_option = any(name.startswith(OPTION) for way in new.only for name in way)
    said = seen if sent or is_of_option else f"{seen}, none of them with these inputs"
    return stated("version", "learned", sent, said)


def _fits(only: Mapping[str, Json], given: Callable[[str], Json]) -> bool:
    return all(given(name) == value for name, value in only.items())


def _ended(part: P, name: str, ended: Mapping[str, str]) -> P:
    why = ended.get(name)
    return part if why is None else replace(part, when=part.when & stated("version", "learned", False, why))


def _tool(added: AddedTool, values: Mapping[str, str], when: Fact) -> ToolDraft:
    description = Span(filled(added.description, values), Origin("learned", id=f"tools.{added.name}"))
    schema: Json = json.loads(filled(added.schema, values))
    return ToolDraft(added.name, _GROUP, (description,), when, input_schema=schema)
