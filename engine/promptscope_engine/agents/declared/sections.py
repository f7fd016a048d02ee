"""Every section, in the order of the definition."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from msgspec.structs import replace

from promptscope_engine.agents.kit.texts import parameters_of
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.drafts import SectionDraft, ToolDraft, label
from promptscope_engine.wire.request import chat_tool, wire_tool

from .definition import Protocol
from .materials import Materials

Shape = Callable[[str, str, Json], dict[str, Json]]


def responses_tool(name: str, description: str, input_schema: Json) -> dict[str, Json]:
    """A tool as the Responses API has it."""
    return {"type": "function", "name": name, "description": description, "parameters": input_schema}


SHAPES: Mapping[Protocol, Shape] = {"anthropic": wire_tool, "chat": chat_tool, "responses": responses_tool}

NO_SCHEMA: Json = {"type": "object", "properties": {}}


def tools(materials: Materials) -> Iterator[ToolDraft]:
    """A draft for each tool; those with files of their own come first."""
    shape = SHAPES[materials.protocol]
    own, conditions = materials.own, materials.conditions
    for drafted in (own.own_tool(name, conditions.scope) for name in own.headings):
        sent = drafted.input_schema or NO_SCHEMA
        yield replace(drafted, wire=_wire(drafted.name, shape), input_schema=sent, reference=None)
    for listed in materials.tools:
        name, schema = listed.name, listed.schema
        yield ToolDraft(
            name=name,
            group=listed.group,
            description=listed.description,
            when=conditions.offered(name),
            parameters=parameters_of(schema),
            input_schema=schema,
            wire=_wire(name, shape),
        )


def _wire(name: str, shape: Shape) -> Callable[[str, Json], dict[str, Json]]:
    return lambda description, schema: shape(name, description, schema)


# --- tools ------------------------------------------------------------------------------------------------------------


def sections(materials: Materials) -> list[SectionDraft]:
    """A draft for each section, those of the system prompt first."""
    made = {table: partial(_of_table, materials, table) for table in materials.own.tables}
    found = [_placed(draft, materials.protocol) for draft in materials.own.sections(materials.conditions.scope, made)]
    ids = {draft.id for draft in found}
    found = [draft if draft.parent in ids else replace(draft, parent=None) for draft in found]
    return sorted(found, key=lambda draft: draft.place.channel == "messages")


def _of_table(materials: Materials, table: str) -> Iterator[SectionDraft]:
    """The sections of a table; a heading is in front of their text."""
    for section in materials.sections:
        if section.table == table:
            heading = section.heading and (f"{section.heading}\n" if section.spans else section.heading)
            yield SectionDraft(
                id=section.id,
                title=section.title,
                spans=(*([label(heading)] if heading else ()), *section.spans),
                heading=section.heading,
                when=section.when,
                place=materials.own.place(section.channel),
                stability=section.stability,
                parent=section.parent,
            )


def _placed(draft: SectionDraft, protocol: Protocol) -> SectionDraft:
    """The Responses API has the system prompt as a developer's message."""
    if protocol != "responses" or draft.place.message is not None:
        return draft
    return replace(draft, place=replace(draft.place, message=0, role="developer"))
