"""The tools with their texts: a bullet in the section Tooling, and name, description and schema in the request.

A tool costs in both places, and the same conditions decide over both (specs/openclaw.md 2).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from promptscope_engine.agents.kit.settings import mapping, texts
from promptscope_engine.agents.openclaw.materials import Materials
from promptscope_engine.agents.openclaw.params import ToolStandIn
from promptscope_engine.agents.openclaw.tool_policy import GROUPS, normal
from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts
from promptscope_engine.prompt.drafts import Later, ParameterDraft, Piece, ToolDraft, builtin, label, param_value

from .descriptions import DESCRIPTIONS
from .schemas import schema
from .summaries import SUMMARIES

NO_PARAMETERS: Json = {"type": "object", "properties": {}}
GROUP_OF = {name: group for group, names in GROUPS.items() if group != "openclaw" for name in names}
GROUP_OF["whatsapp_login"] = "channel"


def tool_drafts(materials: Materials) -> tuple[ToolDraft, ...]:
    """Every tool of the run: the agent's own, or those that stand in for them."""
    stand_ins = materials.tool_stand_ins
    plain = [_own(offer.name) for offer in materials.offers] if stand_ins is None else map(_stand_in, stand_ins)
    told = summaries(materials)
    names = {offer.key: js_trim(offer.name) for offer in materials.offers}
    return tuple(
        replace(draft, when=offer.when, listed=Later(bullet(offer.key, names[offer.key], told.get(offer.key))))
        for draft, offer in zip(plain, materials.offers, strict=True)
    )


@cache
def _own(name: str) -> ToolDraft:
    """The tool without its condition: the same in every run."""
    text, parameters = DESCRIPTIONS.get(name, ""), schema(name) if name in DESCRIPTIONS else NO_PARAMETERS
    return ToolDraft(
        name=name,
        group=GROUP_OF.get(name, "fs"),
        description=(builtin(f"tools.{name}", text),) if text else (),
        parameters=_parameters(parameters),
        input_schema=parameters,
        reference=f"tools.{name}",
    )


def _stand_in(tool: ToolStandIn) -> ToolDraft:
    parameters = NO_PARAMETERS if tool.parameters is None else tool.parameters
    return ToolDraft(
        name=tool.name,
        group=tool.pluginId or GROUP_OF.get(normal(tool.name), "tools"),
        description=(param_value("tools", tool.description or ""),),
        parameters=_parameters(parameters),
        input_schema=parameters,
    )


def _parameters(parameters: Json) -> tuple[ParameterDraft, ...]:
    required = texts(mapping(parameters).get("required")) or []
    return tuple(ParameterDraft(name, name in required) for name in mapping(mapping(parameters).get("properties")))


def summaries(materials: Materials) -> dict[str, str]:
    """What the caller tells of the tools, by lower-cased name: the whole description, not its first line."""
    told: dict[str, Json] = materials.prompt.value("toolSummaries") or {}
    if not materials.prompt.passes("toolSummaries"):
        stand_ins = materials.tool_stand_ins
        written = (
            [DESCRIPTIONS.get(offer.name, "") for offer in materials.offers]
            if stand_ins is None
            else [js_trim(tool.description or "") or js_trim(tool.label or "") for tool in stand_ins]
        )
        # a later tool of the same name replaces an earlier one
        told = {
            offer.name: text
            for offer, text in zip(materials.offers, written, strict=True)
            if text and offer.when.holds(Facts())
        }
    trimmed = ((js_trim(name).lower(), js_trim(text)) for name, text in told.items() if isinstance(text, str))
    return {name: text for name, text in trimmed if text}


def bullet(key: str, name: str, summary: str | None, when: Condition = ALWAYS) -> Iterator[Piece]:
    """`- name: summary`. A built-in summary overrides the caller's; without any there is the name alone."""
    built_in = SUMMARIES.get(key)
    text = built_in or summary
    yield label(f"\n- {name}" + (": " if text else ""), when=when)
    if built_in:
        yield builtin(f"tooling.{key}", built_in, when=when)
    elif summary:
        # several lines stay several lines: the caller's description is kept whole
        yield param_value(f"tools.{key}.description", summary, when=when)
