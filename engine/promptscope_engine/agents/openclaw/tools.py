"""The tools with their texts: a bullet in the section Tooling, and name, description and schema in the request.

A tool costs in both places, and the same conditions decide over both. One that waits is in the directory alone.
"""

from collections.abc import Iterator, Mapping
from functools import cache

from msgspec.structs import replace

from promptscope_engine.agents.kit.text.texts import parameters_of
from promptscope_engine.agents.openclaw.directory import described, row
from promptscope_engine.agents.openclaw.materials import Materials
from promptscope_engine.agents.openclaw.params import ToolStandIn
from promptscope_engine.agents.openclaw.texts import NEWER, NO_PARAMETERS, tool_text
from promptscope_engine.agents.openclaw.tool_policy import Offer
from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts
from promptscope_engine.prompt.drafts import (
    DEFERRED,
    Choice,
    LazySequence,
    Span,
    ToolDraft,
    builtin,
    computed,
    label,
    param_value,
)
from promptscope_engine.prompt.spans import joined


def tool_drafts(materials: Materials) -> tuple[ToolDraft, ...]:
    """Every tool of the run: the agent's own, or those that stand in for them, and those of servers."""
    told, version = summaries(materials), materials.version
    found = []
    for offer in materials.offers:
        draft = _own(offer.name, version, offer.form) if offer.given is None else _given(offer, version)
        if offer.adds:
            draft = replace(draft, description=(*draft.description, computed(f"tools.{offer.name}.adds", offer.adds)))
        listed = bullet(offer.key, js_trim(offer.name), told.get(offer.key), version=version)
        draft = replace(draft, when=offer.when, listed=LazySequence(listed))
        found.append(
            draft if offer.waits is None or not offer.created else _waiting(draft, offer, offer.waits, materials)
        )
    return tuple(found)


def _waiting(draft: ToolDraft, offer: Offer, waits: Condition, materials: Materials) -> ToolDraft:
    """A tool that is not sent while others find it: what the prompt has of it is its row in the directory."""
    draft = replace(draft, variant=Choice(((offer.when & waits, DEFERRED),), None))
    if not waits.holds(Facts()):
        return draft
    most = materials.row_chars
    shown = row(offer, joined(draft.description), most) if offer.row and most is not None else ()
    section = "tooling" if most is None else "deferred_tools"
    loaded = replace(draft, when=~waits, listed=())
    return replace(draft, section=section, description=tuple(shown), listed=(), reference=None, loaded=loaded)


@cache
def _own(name: str, version: str, form: str) -> ToolDraft:
    """The tool without its condition: the same in every run."""
    text = tool_text(name, version, form)
    return ToolDraft(
        name=name,
        group=text.group,
        description=(builtin(f"tools.{name}", text.description),) if text.description else (),
        parameters=parameters_of(text.schema),
        input_schema=text.schema,
        reference=f"tools.{name}{f'@{form}' if form else ''}",
    )


def _given(offer: Offer, version: str) -> ToolDraft:
    """A tool that the scenario brings, or a server."""
    tool: ToolStandIn | None = offer.given
    assert tool is not None
    parameters = NO_PARAMETERS if tool.parameters is None else tool.parameters
    text = tool.description or ""
    of_server = offer.server is not None
    spans = (computed(f"mcp.{tool.name}", text),) if of_server else (param_value("tools", text),)
    known = tool_text(js_trim(tool.name).lower(), version)
    return ToolDraft(
        name=tool.name,
        group="MCP" if of_server else tool.pluginId or known.group,
        description=spans,
        parameters=parameters_of(parameters),
        input_schema=parameters,
        server=offer.server,
    )


def summaries(materials: Materials) -> Mapping[str, str]:
    """What the caller tells about the tools, by lower-cased name: the whole description, not its first line.

    Later versions tell nothing but their own summaries.
    """
    if materials.version >= NEWER:
        return {}
    told: dict[str, Json] = materials.prompt.value("toolSummaries") or {}
    if not materials.prompt.passes("toolSummaries"):
        # a later tool of the same name replaces an earlier one
        written = ((offer, described(offer, materials.version)) for offer in materials.offers)
        told = {offer.name: text for offer, text in written if text and offer.when.holds(Facts())}
    trimmed = ((js_trim(name).lower(), js_trim(text)) for name, text in told.items() if isinstance(text, str))
    return {name: text for name, text in trimmed if text}


def bullet(key: str, name: str, summary: str | None, when: Condition = ALWAYS, *, version: str) -> Iterator[Span]:
    """`- name: summary`. A built-in summary overrides the caller's; without any there is the name alone."""
    built_in = tool_text(key, version).summary
    text = built_in or summary
    yield label(f"\n- {name}" + (": " if text else ""), when=when)
    if built_in:
        kind = "tooling" if version < NEWER else "bullets"  # a tool is named `wait`, as is a line about waiting
        yield builtin(f"{kind}.{key}", built_in, when=when)
    elif summary:
        # several lines stay several lines: the caller's description is kept whole
        yield param_value(f"tools.{key}.description", summary, when=when)
