"""A definition and the files that it names, as materials."""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.inputs.errors import unknown
from promptscope_engine.inputs.params import Params, flatten
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.conditions import ALWAYS, Facts, show
from promptscope_engine.prompt.drafts import Span, Window, computed, environment, param_value
from promptscope_engine.prompt.model import ModeChoice
from promptscope_engine.tokens.models import context_window
from promptscope_engine.workspace import Workspace

from .definition import values_of
from .materials import Materials
from .reading import Places, Read
from .tables import Conditions, ListedTool, Tables
from .texts import MACHINE, OwnTexts, texts_of

_OPENAI = re.compile(r"(?:.*/)?(?:gpt-|chatgpt|codex|o[1-9](?:-|$))")


def gather(inputs: Inputs, workspace: Workspace, read: Read, params: type[Params]) -> Gathered[Materials]:
    """Everything that the definition says under these inputs. Raises ScenarioError."""
    places = Places.of(read.path, inputs, workspace)
    own = texts_of(read, params, places)
    for mistake in own.mistakes:
        raise mistake
    tables = Tables(own)
    tools = tables.tools()
    facts = _facts(inputs, read, params)
    values = _values(inputs, facts)
    lists = {
        "modes": [{"slug": computed("modes", mode.slug), "name": computed("modes", mode.name)} for mode in facts.modes],
        "tools": lambda: list(_offered(own, tools, conditions, facts)),
    }

    def there(path: str) -> bool:
        return workspace.kind(places.absolute(path)) is not None

    by_name = {**dict.fromkeys(own.headings), **{each.name: each for each in tools}}
    conditions: Conditions = Conditions(own, by_name, there, {**lists, **values}, inputs.agent_version)
    tables.add_row(read.path, "definition", ALWAYS, "")
    _own_rows(own, conditions, facts, tables)
    tables.draft(conditions, values)
    drafts = (each for made in tables.drafts.values() for each in made if each.when.holds(facts))
    standing = [span for each in drafts for span in each.spans]
    injected = "".join(span.text for span in standing if span.origin.path == read.path)
    tables.add_row(read.path, "definition", ALWAYS, injected)
    for path, number, state in tables.tool_files:
        tables.add_row(path, "tool", conditions.of_tool(number) & state.condition, "")
    definition = read.definition
    for number in range(len(definition.tool)):
        conditions.of_tool(number)  # what is wrong with it is said, though no file of it is there
    materials = Materials(
        own,
        conditions,
        tables,
        tools,
        protocol=definition.protocol or ("chat" if _OPENAI.match(facts.model or "") else "anthropic"),
        model=facts.model,
        window=Window(definition.window or context_window(facts.model), definition.reserve, definition.compact_at),
    )
    return Gathered(facts, materials, tuple(tables.rows()), tuple(tables.diagnostics))


def _offered(
    own: OwnTexts, tools: tuple[ListedTool, ...], conditions: Conditions, facts: Facts
) -> Iterator[dict[str, Any]]:
    """What a text that goes through the tools may name, each under the tool's own condition."""
    groups = own.headings | {each.name: each.group for each in tools}
    for name, group in groups.items():
        yield {
            "name": computed("tools", name),
            "group": computed("tools", group),
            "description": partial(conditions.description, name),
            "input_schema": partial(conditions.schema, name, facts),
            "when": conditions.offered(name),
        }


def _own_rows(own: OwnTexts, conditions: Conditions, facts: Facts, tables: Tables) -> None:
    """The files with the texts."""
    scope = conditions.scope
    for name in own.headings:
        file = own.sources.tools[name].file
        tables.add_row(own.files[file], "tool", conditions.of_tool(name), "")
        own.own_tool(name, scope).description[:]  # what is wrong with it is said now
    for draft in own.sections(scope, dict.fromkeys(own.tables, tuple)):
        path = own.files[own.sources.sections[draft.id].file]
        standing = (span.text for span in draft.spans if span.origin.path == path and span.when.holds(facts))
        tables.add_row(path, "section", draft.when, "".join(standing))
    for file, path in own.files.items():
        if file in own.problems:
            tables.add_row(path, file.partition("s/")[0], own.has_text(file), "")


def _facts(inputs: Inputs, read: Read, params: type[Params]) -> Facts:
    definition = read.definition
    modes = tuple(
        ModeChoice(mode.slug, mode.name or mode.slug, source=f"line {read.line('mode', number, 'slug')}")
        for number, mode in enumerate(definition.mode)
    )
    first = modes[0].slug if modes else None
    mode = inputs.mode or definition.default_mode or first
    slugs = [each.slug for each in modes]
    if mode is not None and mode not in slugs:
        raise unknown("mode", mode, slugs or ["none"], where="mode")
    flat, model = flatten(inputs.params.model_dump()), inputs.model or definition.model
    return Facts(flat, values_of(params), mode, modes, model, inputs.agent_version)


def _values(inputs: Inputs, facts: Facts) -> Mapping[str, Span]:
    """What `{{name}}` in a text stands for."""
    machine = {f"environment.{name}": getattr(inputs.environment, name) or "" for name in MACHINE}
    machine["environment.date"] = machine["environment.date"][:10]  # a prompt that names the second is never cached
    machine["environment.workspace"] = inputs.workspace
    values = {
        name: param_value(name, value if isinstance(value, str) else show(value))
        for name, value in facts.params.items()
    }
    values |= {name: environment(name.partition(".")[2], text) for name, text in machine.items()}
    values |= {f"params.{name}": value for name, value in list(values.items()) if name in facts.params}
    return values | {"mode": param_value("mode", facts.mode or ""), "model": param_value("model", facts.model or "")}
