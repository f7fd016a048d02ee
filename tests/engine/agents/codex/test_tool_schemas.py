"""Tools as declarations for scripts, and the schemas of MCP tools as they are sent (docs/agents/codex.md#tools)."""

from __future__ import annotations

from typing import Any

import pytest

from promptscope_engine.agents.codex.gather.mcp import normalised
from promptscope_engine.agents.codex.texts import ToolText
from promptscope_engine.agents.codex.tools import declaration
from promptscope_engine.prompt.conditions import ALWAYS
from promptscope_engine.prompt.leaves import flag

from .conftest import Codex


def declared(schema: Any) -> str:
    """What is between the fences."""
    text = "".join(span.text for span in declaration("p.t", ToolText("", "", schema, "R")))
    assert text.startswith("\n\nexec tool declaration:\n```ts\ndeclare const tools: { ")
    assert text.endswith("; };\n```")
    return text.partition("tools: { ")[2].removesuffix("; };\n```")


def test_a_tool_without_a_schema_takes_a_text() -> None:
    assert declared(None) == "t(input: string): Promise<R>"


def test_a_tool_without_parameters() -> None:
    assert declared({"properties": {}}) == "t(args: {}): Promise<R>"


def test_what_is_not_required_may_be_left_out() -> None:
    properties = {"a": {"type": "string", "description": "First."}, "b": {"type": "integer"}}
    for required, a, b in (([], "?", "?"), (["a"], "", "?"), (["b"], "?", ""), (["a", "b"], "", "")):
        schema = {"properties": properties, "required": required}
        assert declared(schema) == f"t(args: {{\n  // First.\n  a{a}: string;\n  b{b}: number;\n}}): Promise<R>"
    assert declared({"properties": properties}) == declared({"properties": properties, "required": []})


def test_a_parameter_goes_with_its_condition() -> None:
    gate = flag("x", yes="", no="")
    schema = {"properties": {"a": {"type": "string"}, "b": {"type": "string"}}}
    assert [span.when for span in declaration("p.t", ToolText("", "", schema, "R"), {"b": gate})][2:4] == [ALWAYS, gate]


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "string"}, "string"),
        ({"type": "number"}, "number"),
        ({"type": "boolean"}, "boolean"),
        ({"type": "null"}, "null"),
        ({"type": ["string", "null"]}, "string | null"),
        ({}, "unknown"),
        ({"type": "string", "enum": ["a"]}, '"a"'),
        ({"enum": ["a", "b"]}, '"a" | "b"'),
        ({"enum": [1, None, True]}, "1 | null | true"),
        ({"oneOf": [{"type": "string"}, {"type": "number"}]}, "string | number"),
        ({"allOf": [{"type": "string"}, {"type": "number"}]}, "string & number"),
        ({"$ref": "#/$defs/X"}, "unknown"),
        ({"type": "array", "items": {"type": "string"}}, "Array<string>"),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, 'Array<"a" | "b">'),
        ({"type": "object"}, "{}"),
        ({"type": "object", "properties": {}}, "{}"),
        ({"type": "object", "properties": {"x": {"type": "string"}}}, "{ x?: string; }"),
        ({"type": "object", "properties": {"x-y": {"type": "string"}}}, '{ "x-y"?: string; }'),
        ({"type": "object", "additionalProperties": False}, "{}"),
        ({"type": "object", "additionalProperties": True}, "{ [key: string]: unknown; }"),
        (
            {"type": "object", "properties": {"x": {}}, "additionalProperties": {"type": "number"}},
            "{ x?: unknown; [key: string]: number; }",
        ),
        ({"anyOf": [{"type": "string"}, {"type": "object"}]}, "string | {}"),
        (
            {"type": "object", "properties": {"x": {"type": "string"}, "y": {}}, "required": ["x"]},
            "{ x: string; y?: unknown; }",
        ),
    ],
)
def test_types(schema: dict[str, Any], kind: str) -> None:
    assert declared({"properties": {"a": schema}, "required": ["a"]}) == f"t(args: {{ a: {kind}; }}): Promise<R>"


def test_what_is_described_has_lines_of_its_own() -> None:
    schema = {"properties": {"a": {"type": "string", "description": "What."}, "b": {}}}
    assert declared(schema) == "t(args: {\n  // What.\n  a?: string;\n  b?: unknown;\n}): Promise<R>"


def test_what_is_described_within_an_object_has_lines_that_are_indented_no_further() -> None:
    inner = {
        "type": "object",
        "properties": {"x": {"type": "string", "description": "Deep,\n\n  in two lines."}, "y": {}},
    }
    schema = {"properties": {"a": {"type": "array", "items": inner}}, "required": ["a"]}
    assert declared(schema) == (
        "t(args: { a: Array<{\n  // Deep,\n  // in two lines.\n  x?: string;\n  y?: unknown;\n}>; }): Promise<R>"
    )


def test_a_reference_is_written_out() -> None:
    own = {"type": "object", "properties": {"next": {"$ref": "#/$defs/X"}}}
    schema = {"properties": {"a": {"$ref": "#/$defs/X"}}, "$defs": {"X": own}}
    assert declared(schema) == "t(args: { a?: { next?: unknown; }; }): Promise<R>"


# --- schemas of MCP tools ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("schema", [None, 5, [], {}, {"properties": 5}, {"type": "object", "title": "T"}])
def test_a_whole_schema_is_an_object_with_properties(schema: Any) -> None:
    assert normalised(schema) == {"type": "object", "properties": {}}


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        (True, {"type": "string"}),
        (5, {"type": "string"}),
        ({}, {}),
        ({"type": "what"}, {}),
        ({"description": "D", "default": 1}, {}),
        ({"type": "integer", "minimum": 1, "title": "T"}, {"type": "integer"}),
        ({"type": ["string", "null"]}, {"type": ["string", "null"]}),
        ({"type": ["string", "what", 5]}, {"type": "string"}),
        ({"const": "a"}, {"type": "string", "enum": ["a"]}),
        ({"enum": ["a"]}, {"type": "string", "enum": ["a"]}),
        ({"enum": ["a"], "minimum": 1}, {"type": "string", "enum": ["a"]}),
        ({"const": 1, "minimum": 1}, {"type": "string", "enum": [1]}),
        ({"format": "date", "minimum": 1}, {"type": "string"}),
        ({"minimum": 1}, {"type": "number"}),
        ({"maximum": 1}, {"type": "number"}),
        ({"exclusiveMinimum": 1}, {"type": "number"}),
        ({"multipleOf": 2}, {"type": "number"}),
        ({"items": {"type": "number"}, "enum": []}, {"type": "array", "enum": [], "items": {"type": "number"}}),
        ({"prefixItems": [], "format": "x"}, {"type": "array", "items": {"type": "string"}}),
        ({"type": "array"}, {"type": "array", "items": {"type": "string"}}),
        (
            {"required": ["a"], "items": {}},
            {"type": "object", "items": {}, "properties": {}, "required": ["a"]},
        ),
        ({"additionalProperties": True}, {"type": "object", "properties": {}, "additionalProperties": True}),
        (
            {"additionalProperties": {"minimum": 1}},
            {"type": "object", "properties": {}, "additionalProperties": {"type": "number"}},
        ),
        ({"type": "object", "properties": 5}, {"type": "object", "properties": {}}),
        ({"anyOf": [{"type": "null"}, True]}, {"anyOf": [{"type": "null"}, {"type": "string"}]}),
        ({"anyOf": 5}, {"anyOf": []}),
        (
            {"oneOf": [{}, {"const": 1}], "description": "D"},
            {"description": "D", "oneOf": [{}, {"type": "string", "enum": [1]}]},
        ),
        ({"enum": ["a"], "allOf": [{"minimum": 1}]}, {"enum": ["a"], "allOf": [{"type": "number"}]}),
        ({"anyOf": [], "type": "string"}, {"type": "string", "anyOf": []}),
        ({"$ref": "#/$defs/x", "title": "T"}, {"$ref": "#/$defs/x"}),
        ({"$defs": {"b": {}, "a": True}}, {}),
    ],
)
def test_the_schema_of_a_parameter(given: Any, sent: dict[str, Any]) -> None:
    found = normalised({"properties": {"p": given}})["properties"]
    assert found == {"p": sent}


def test_definitions_that_nothing_refers_to_are_dropped() -> None:
    defined: Any = {"a": {"items": {"$ref": "#/$defs/b"}}, "b": {"type": "number"}, "c": {"$ref": "#/$defs/a"}}
    found: Any = normalised({"properties": {"p": {"allOf": [{"$ref": "#/$defs/a"}]}}, "$defs": defined})
    assert [*found["$defs"]] == ["a", "b"]
    assert "$defs" not in normalised({"$defs": defined})


def test_parameters_are_sorted() -> None:
    assert list(normalised({"properties": {"b": {}, "a": {}}})["properties"]) == ["a", "b"]  # type: ignore[arg-type]


@pytest.mark.parametrize("key", ["items", "anyOf", "properties", "additionalProperties"])
@pytest.mark.parametrize(("levels", "kind"), [(59, "number"), (60, "number"), (61, "string")])
def test_so_deep_a_schema_is_sent(key: str, levels: int, kind: str) -> None:
    schema: Any = {"type": "number"}
    for _ in range(levels - 1):
        schema = {key: {"items": schema, "anyOf": [schema], "properties": {"p": schema}}.get(key, schema)}
    found: Any = normalised({"properties": {"p": schema}})["properties"]["p"]  # type: ignore[index, call-overload]
    for _ in range(levels - 1):
        found = found[key]
        found = found[0] if key == "anyOf" else found["p"] if key == "properties" else found
    assert found == {"type": kind}


@pytest.mark.parametrize(
    ("tool", "names"),
    [
        ({"name": "find"}, ["find"]),
        ({"name": ""}, []),
        ({}, []),
        ({"name": "find", "enabledForPrompt": True}, ["find"]),
        ({"name": "find", "enabledForPrompt": False}, []),
        ({"name": "", "enabledForPrompt": True}, []),
    ],
)
def test_a_tool_of_a_server_has_a_name_and_is_not_switched_off(
    codex: Codex, tool: dict[str, Any], names: list[str]
) -> None:
    server = {"name": "s", "status": "connected", "tools": [tool]}
    tools = [each.name for each in codex(model="x", servers=[server]).assembly.tools]
    assert [name for name in tools if name.startswith("mcp__s.")] == [f"mcp__s.{name}" for name in names]


def test_facts_of_the_tools_that_are_sent(codex: Codex) -> None:
    """Types, words and what is encrypted on the way [0.169.0]."""
    answer = codex(model="gpt-6.1-sol")
    schemas = {tool.name: tool.input_schema["properties"] for tool in answer.assembly.tools if tool.input_schema}
    assert schemas["functions.wait"]["max_tokens"]["type"] == "number"
    assert schemas["functions.wait"]["yield_time_ms"]["type"] == "number"
    assert schemas["clock.sleep"]["duration_ms"]["type"] == "number"
    for name in ("followup_task", "send_message", "spawn_agent"):
        assert schemas[f"collaboration.{name}"]["message"]["encrypted"] is True
    questions = schemas["functions.request_user_input_async"]["questions"]
    assert (questions["minItems"], questions["items"]["required"]) == (1, ["title"])
    assert questions["items"]["properties"]["options"]["items"] == {"type": "string"}
    scripts = answer.tool("functions.exec").description
    for line in (
        "apply_patch(input: string): Promise<unknown>", "prefix_rule?: Array<string>;", "  current_time: string;",
        '"complete" | "blocked" | "paused";',
    ):  # fmt: skip
        assert line in scripts
    assert "resourceTemplates" not in scripts
