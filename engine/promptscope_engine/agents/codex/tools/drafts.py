"""The drafts of the tools: those that travel by themselves, and those that stand in the description of `exec`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from promptscope_engine.agents.codex.materials import Materials
from promptscope_engine.agents.codex.texts import tool_text
from promptscope_engine.agents.kit.tool_schemas import parameters_of
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import ALWAYS
from promptscope_engine.prompt.drafts import Choice, Later, ParameterDraft, Piece, ToolDraft, builtin, computed, guarded

from .table import EXEC, SCRIPT, Row, rows
from .typescript import declaration


def tool_drafts(m: Materials) -> tuple[ToolDraft, ...]:
    """Every tool that the model could have, the absent ones too."""
    every = tuple(rows(m))
    return tuple(_draft(m, row, every) for row in every)


def _draft(m: Materials, row: Row, every: tuple[Row, ...]) -> ToolDraft:
    return ToolDraft(
        name=row.name,
        group=row.text.group,
        description=Later(_description(m, row, every)),
        when=row.when,
        parameters=_parameters(row),
        input_schema=None if row.inside else _schema(row),
        variant=_variant(m, row),
        section=row.inside,
        reference=_measured(m, row),
        wire=row.wire,
    )


def _schema(row: Row) -> Json | Choice[Json]:
    if not row.others:
        return row.text.schema
    return Choice(tuple((when, schema) for when, _, schema in row.others), row.text.schema)


def _measured(m: Materials, row: Row) -> str:
    """The tool as it was measured: within a script's description a tool takes less than by itself."""
    name = row.name.rpartition(".")[2]
    if row.inside:
        return f"tools.nested.{name}"
    if row.name == EXEC:
        return f"tools.{EXEC}" if m.model.current else f"tools.{EXEC}.older"
    return f"tools.{name}" if row.name.startswith("functions.") else f"tools.{row.name}"


def _parameters(row: Row) -> tuple[ParameterDraft, ...]:
    return tuple(replace(p, when=row.gates.get(p.name, ALWAYS)) for p in parameters_of(row.text.schema))


def _variant(m: Materials, row: Row) -> Choice[str | None] | str | None:
    if row.inside:
        return f"inside of {row.inside.rpartition('.')[2]}"
    return Choice(((m.gates["known"], "deferred"),), None) if row.deferred else None


def _description(m: Materials, row: Row, every: tuple[Row, ...]) -> Iterator[Piece]:
    fragment = f"tools.{row.name}"
    if row.inside:
        yield from _nested(row)
        return
    if row.text.group == "MCP" and row.deferred:
        yield computed(f"mcp.{row.name}", row.text.description)
        return
    if row.name == "tool_search":
        named = m.features["deferred_tool_world_state"]
        yield builtin(fragment, row.text.description, when=named)
        yield builtin(fragment, tool_text("tool_search", "alone").description, when=~named)
        return
    if row.name.endswith("request_user_input"):
        anywhere = m.features["default_mode_request_user_input"]
        yield builtin(fragment, row.text.description, when=~anywhere)
        yield builtin(fragment, tool_text("request_user_input", "anywhere").description, when=anywhere)
        return
    if row.text.description:
        yield builtin(fragment, row.text.description)
    if row.name in (EXEC, SCRIPT):
        for other in every:
            if other.inside == row.name:
                yield from guarded(_nested(other), other.when)
    elif not m.model.lite and row.name in _SCRIPTED:
        yield from guarded(_declared(row), m.features["code_mode"])


_SCRIPTED = frozenset(
    {
        "exec_command", "write_stdin", "list_mcp_resources", "list_mcp_resource_templates", "read_mcp_resource",
        "apply_patch", "view_image", "get_goal", "create_goal", "update_goal",
    }
)  # fmt: skip
"""Tools that scripts may call as well: with code mode their description says how."""


def _nested(row: Row) -> Iterator[Piece]:
    """A section of the description of `exec`."""
    name = row.name.rpartition(".")[2]
    fragment = f"tools.{row.name}"
    if name.startswith("clock__"):
        yield builtin(fragment, "\n\n## clock")
    yield builtin(fragment, f"\n\n### `{name}`\n")
    said = row.text.description
    yield computed(f"mcp.{row.name}", said) if _of_server(row) else builtin(fragment, said)
    yield from _declared(row)


def _of_server(row: Row) -> bool:
    """Whether an MCP server describes the tool; the client's own tools for resources are in the same group."""
    return row.text.group == "MCP" and not row.name.endswith(_RESOURCES)


_RESOURCES = ("list_mcp_resources", "list_mcp_resource_templates", "read_mcp_resource")


def _declared(row: Row) -> Iterator[Piece]:
    name = row.name.rpartition(".")[2]
    return declaration(f"tools.{row.name}", name, row.text.schema, row.text.returns, row.gates, row.others)
