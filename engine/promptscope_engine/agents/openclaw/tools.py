"""The tools with their texts: a bullet in the section Tooling, and name, description and schema in the request.

A tool costs in both places, and the same conditions decide over both.
"""

from collections.abc import Iterator
from functools import cache

from msgspec.structs import replace

from promptscope_engine.agents.kit.texts import parameters_of
from promptscope_engine.agents.openclaw.materials import Materials
from promptscope_engine.agents.openclaw.params import ToolStandIn
from promptscope_engine.agents.openclaw.texts import FOLDER, NO_PARAMETERS, tool_text
from promptscope_engine.agents.openclaw.tool_policy import normal
from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts
from promptscope_engine.prompt.drafts import LazySequence, Span, ToolDraft, builtin, label, param_value


def tool_drafts(materials: Materials) -> tuple[ToolDraft, ...]:
    """Every tool of the run: the agent's own, or those that stand in for them."""
    stand_ins = materials.tool_stand_ins
    plain = [_own(offer.name) for offer in materials.offers] if stand_ins is None else map(_stand_in, stand_ins)
    told = summaries(materials)
    names = {offer.key: js_trim(offer.name) for offer in materials.offers}
    return tuple(
        replace(draft, when=offer.when, listed=LazySequence(bullet(offer.key, names[offer.key], told.get(offer.key))))
        for draft, offer in zip(plain, materials.offers, strict=True)
    )


@cache
def _own(name: str) -> ToolDraft:
    """The tool without its condition: the same in every run."""
    text = tool_text(name)
    return ToolDraft(
        name=name,
        group=text.group,
        description=(builtin(f"tools.{name}", text.description),) if text.description else (),
        parameters=parameters_of(text.schema),
        input_schema=text.schema,
        reference=f"tools.{name}",
    )


def _stand_in(tool: ToolStandIn) -> ToolDraft:
    parameters = NO_PARAMETERS if tool.parameters is None else tool.parameters
    own = normal(tool.name)
    return ToolDraft(
        name=tool.name,
        group=tool.pluginId or (tool_text(own).group if own in FOLDER.sources.tools else "tools"),
        description=(param_value("tools", tool.description or ""),),
        parameters=parameters_of(parameters),
        input_schema=parameters,
    )


def summaries(materials: Materials) -> dict[str, str]:
    """What the caller tells about the tools, by lower-cased name: the whole description, not its first line."""
    told: dict[str, Json] = materials.prompt.value("toolSummaries") or {}
    if not materials.prompt.passes("toolSummaries"):
        stand_ins = materials.tool_stand_ins
        written = (
            [tool_text(offer.name).description for offer in materials.offers]
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


def bullet(key: str, name: str, summary: str | None, when: Condition = ALWAYS) -> Iterator[Span]:
    """`- name: summary`. A built-in summary overrides the caller's; without any there is the name alone."""
    built_in = tool_text(key).summary
    text = built_in or summary
    yield label(f"\n- {name}" + (": " if text else ""), when=when)
    if built_in:
        yield builtin(f"tooling.{key}", built_in, when=when)
    elif summary:
        # several lines stay several lines: the caller's description is kept whole
        yield param_value(f"tools.{key}.description", summary, when=when)
