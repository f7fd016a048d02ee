"""Items, options and tools in both shapes, per model and feature (docs/agents/codex.md#request)."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest
from tests.support.frozen import frozen_scenario

from promptscope_engine import Workspace, assemble
from promptscope_engine.agents.codex.gates import model_named, models
from promptscope_engine.agents.codex.gather.mcp import fitting, normalised
from promptscope_engine.agents.codex.gather.session import added
from promptscope_engine.assembly.assembler import descriptions

from .conftest import COUNTER, Codex

pytestmark = pytest.mark.slow

SERVER: dict[str, Any] = {
    "name": "a.b-@",
    "instructions": "First line\nsecond",
    "tools": [{"name": "z-x", "description": "Z."}, {"name": "a", "inputSchema": {"properties": {"q": {}}}}],
}


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("gpt-5.5", "gpt-5.5"), ("gpt-5.5-2026-01-01", "gpt-5.5"), ("openai/gpt-5.5", "gpt-5.5"), ("a/b/gpt-5.5", ""),
        ("GPT-5.5", ""), ("gpt-5", ""), ("gpt-6-sol-x", "gpt-6-sol"), ("", ""),
    ],
)  # fmt: skip
def test_models_by_name(name: str, slug: str) -> None:
    assert (model_named(name).slug, model_named(name).name) == (slug, name)


def test_an_unknown_model_is_told_with_its_line(codex: Codex) -> None:
    answer = codex({"home/.codex/config.toml": '\nmodel = "o3"\n'}, model=None)
    [found] = answer.assembly.diagnostics
    assert (found.code, found.line) == ("unknown-model", 2)
    assert answer.body["reasoning"] == {"summary": "auto"}
    assert answer.body["text"] is None


@pytest.mark.parametrize(
    "case",
    [
        ("gpt-5.5", {}, {"effort": "medium"}, {"verbosity": "low"}, None),
        ("gpt-daybreak-red-latest", {}, {"effort": "medium", "context": "all_turns"}, {"verbosity": "high"}, None),
        (
            "gpt-6.1-sol",
            {"model_reasoning_effort": "ultra"},
            {"effort": "xhigh", "context": "all_turns"},
            {"verbosity": "low"},
            None,
        ),
        (
            "gpt-5.5",
            {"model_reasoning_summary": "concise"},
            {"effort": "medium", "summary": "concise"},
            {"verbosity": "low"},
            None,
        ),
        (
            "gpt-5.5",
            {"model_verbosity": "high", "service_tier": "fast"},
            {"effort": "medium"},
            {"verbosity": "high"},
            "priority",
        ),
        ("gpt-5.5", {"service_tier": "flex"}, {"effort": "medium"}, {"verbosity": "low"}, "flex"),
    ],
)
def test_options(codex: Codex, case: tuple[str, dict[str, Any], dict[str, str], dict[str, str], str | None]) -> None:
    model, settings, reasoning, text, tier = case
    body = codex(model=model, settings=settings).body
    assert (body["reasoning"], body["text"], body["service_tier"]) == (reasoning, text, tier)
    assert body["parallel_tool_calls"] is (model == "gpt-5.5")


def test_a_schema_for_the_answer(codex: Codex) -> None:
    wanted = {"type": "json_schema", "strict": True, "schema": {"type": "object"}, "name": "codex_output_schema"}
    assert codex(args={"outputSchema": {"type": "object"}}).body["text"]["format"] == wanted
    answer = codex({"workspace/s.json": '{"type": "object"}'}, args={"outputSchema": "s.json"})
    assert answer.body["text"]["format"] == wanted
    assert "is not valid JSON" in codex(args={"outputSchema": "none.json"}).message("agent-refuses")


@pytest.mark.parametrize("model", [*models(), "another"])
def test_each_model_has_its_shape(codex: Codex, model: str) -> None:
    body = codex(model=model).body
    first = body["input"][0]
    assert (first["type"] == "additional_tools") is (body["tools"] is None) is model_named(model).lite
    assert body["input"][-1]["content"][-1]["text"] == "hi"


def test_windows(codex: Codex) -> None:
    sizes = {
        m: codex(model=m).assembly.tokens.window for m in ("gpt-5.5", "gpt-6.1-terra", "gpt-daybreak-red-latest", "x")
    }
    assert list(sizes.values()) == [258_400, 475_000, 353_400, 258_400]
    small = codex(settings={"model_context_window": 50_000, "model_auto_compact_token_limit": 9_000}).assembly.tokens
    assert (small.window, small.compact_at) == (47_500, 9_000)


def test_a_base_of_ones_own(codex: Codex) -> None:
    files: dict[str, str | bytes] = {
        "home/.codex/config.toml": 'instructions = "key "\nmodel_instructions_file = "base.md"\n',
        "home/.codex/base.md": "\n file \n",
    }
    assert codex(files).parts[0] == ["file"]
    files["home/.codex/config.toml"] = 'instructions = "key "\n'
    answer = codex(files)
    assert answer.parts[0] == ["key "]
    assert not answer.section("base.personality").present


@pytest.mark.parametrize(("model", "gone"), [("gpt-5.5", True), ("gpt-6.1-sol", True), ("another", False)])
def test_without_personality(codex: Codex, model: str, gone: bool) -> None:
    answer = codex(model=model, settings={"personality": "none"})
    assert answer.section("base.personality").present is not gone
    assert codex(model=model, settings={"personality": "friendly"}).section("base.personality").present


def test_a_developer_text_is_sent_as_it_is(codex: Codex) -> None:
    answer = codex({"home/.codex/config.toml": "developer_instructions = '''\n  a\nb '''\n"})
    assert answer.parts[1][0] == "  a\nb "
    origin = answer.section("developer_instructions").fragments[0].origin
    assert (origin.kind, origin.start_line, origin.end_line) == ("file", 2, 3)
    escaped = codex({"home/.codex/config.toml": 'developer_instructions = "a\\nb"\n'})
    assert escaped.section("developer_instructions").fragments[0].origin.kind == "computed"


def test_parts_that_are_switched_off(codex: Codex) -> None:
    answer = codex(
        model="gpt-6.1-sol",
        settings={
            "include_environment_context": False,
            "include_permissions_instructions": False,
            "include_collaboration_mode_instructions": False,
        },
    )
    absent = [s.id for s in answer.assembly.sections if not s.present]
    assert {"environment", "permissions", "collaboration_mode", "skills"} <= set(absent)
    assert answer.parts[2][-1].startswith("<skills_instructions>")


def test_memory(codex: Codex) -> None:
    files: dict[str, str | bytes] = {"home/.codex/memories/memory_summary.md": "\n known \n"}
    text = codex(files, settings={"features": {"memories": True}}).text("memory")
    assert "\n========= MEMORY_SUMMARY BEGINS =========\nknown\n========= MEMORY_SUMMARY ENDS =========\n" in text
    assert not codex().section("memory").present


# --- tools ------------------------------------------------------------------------------------------------------------


def test_every_hidden_tool_is_a_row_of_its_own(codex: Codex) -> None:
    answer = codex(model="gpt-6.1-sol")
    inside = [tool.name for tool in answer.assembly.tools if tool.present and tool.section == "functions.exec"]
    assert inside == [
        "apply_patch", "create_goal", "exec_command", "get_goal", "list_mcp_resource_templates", "list_mcp_resources",
        "read_mcp_resource", "update_goal", "view_image", "write_stdin", "clock__curr_time",
    ]  # fmt: skip
    description = answer.tool("functions.exec").description
    assert all(f"\n### `{name}`\n" in description for name in inside)
    assert answer.tool("exec_command").description.strip() in description


@pytest.mark.parametrize(
    ("feature", "gone"),
    [
        ("goals", {"get_goal", "create_goal", "update_goal"}), ("view_image", {"view_image"}),
        ("shell_tool", {"exec_command", "write_stdin"}), ("sleep_tool", {"clock.sleep"}), ("multi_agent", set()),
        ("unified_exec", set()),
    ],
)  # fmt: skip
def test_features_that_remove(codex: Codex, feature: str, gone: set[str]) -> None:
    before = codex(model="gpt-6.1-sol").tools
    after = codex(model="gpt-6.1-sol", args={"disable": [feature]}).tools
    assert set(before) - set(after) == gone


def test_parameters_by_feature(codex: Codex) -> None:
    def names(**features: bool) -> set[str]:
        return {p.name for p in codex(settings={"features": features}).tool("exec_command").parameters}

    assert names() - names(unified_exec_tty=False) == {"tty"}
    assert names(exec_permission_approvals=True) - names() == {"additional_permissions"}
    lite = codex(model="gpt-6.1-sol", settings={"features": {"unified_exec_tty": False}})
    assert "tty?:" not in lite.tool("functions.exec").description


@pytest.mark.parametrize("name", ["exec_permission_approvals", "request_permissions"])
@pytest.mark.parametrize("model", ["gpt-5.5", "gpt-6-sol"])
def test_a_command_may_ask_for_permissions_of_its_own(codex: Codex, name: str, model: str) -> None:
    """By either name of the feature [0.169.0]."""
    assert "with_additional_permissions" not in str(codex(model=model).body)
    assert "with_additional_permissions" in str(codex(model=model, args={"enable": [name]}).body)


def test_sub_agents_of_both_kinds(codex: Codex) -> None:
    assert "multi_agent_v1.spawn_agent" in codex(model="x").tools
    assert "- multi_agent_v1: Tools" in codex(model="gpt-5.6-luna").text("tools")
    table = "[features.multi_agent_v2]\nenabled = true\nmax_concurrent_threads_per_session = 7\n"
    second = codex({"home/.codex/config.toml": table})
    assert "collaboration.spawn_agent" in second.tools
    assert "At most 7 agents" in second.text("multi_agent_role")
    assert not second.section("tools").present
    assert "tool_search" not in second.tools


def test_roles_of_ones_own(codex: Codex, place: Path) -> None:
    files: dict[str, str | bytes] = {
        "home/.codex/agents/t.toml": 'name = "tester"\ndescription = "Tests."\ndeveloper_instructions = "x"\n',
        "home/.codex/config.toml": '[agents.author]\ndescription = "Writes."\n',
    }
    schema = codex(files, model="x").tool("multi_agent_v1.spawn_agent").input_schema
    said = schema["properties"]["agent_type"]["description"]
    assert said.index("author: {\nWrites.\n}") < said.index("tester: {\nTests.\n}") < said.index("default: {")
    bare = codex({"home/other/x": ""}, model="gpt-6.1-sol", env={"CODEX_HOME": str(place / "home/other")})
    assert "agent_type" not in bare.tool("collaboration.spawn_agent").input_schema["properties"]


def test_servers_are_named_or_sent(codex: Codex) -> None:
    deferred = codex(servers=[SERVER])
    assert deferred.text("tools").split("\n")[2] == "- mcp__a_b__: First line"
    assert not deferred.tool("mcp__a_b__.a").present
    assert "tool_search" in deferred.tools
    sent = codex(model="x", servers=[SERVER])
    [namespace] = [tool for tool in sent.body["tools"] if tool.get("name") == "mcp__a_b__"]
    assert namespace["description"] == SERVER["instructions"]
    assert [tool["name"] for tool in namespace["tools"]] == ["a", "z_x"]
    short = codex(model="x", servers=[SERVER], settings={"features": {"non_prefixed_mcp_tool_names": True}})
    assert "a_b__.a" in short.tools


@pytest.mark.parametrize(
    ("config", "kept", "resources"),
    [
        ({}, ["a", "z_x"], True), ({"enabled_tools": ["z-x"]}, ["z_x"], True), ({"enabled_tools": ["z_x"]}, [], True),
        ({"disabled_tools": ["a"]}, ["z_x"], True), ({"enabled": False}, [], False),
    ],
)  # fmt: skip
def test_tools_of_a_server_are_filtered(codex: Codex, config: dict[str, Any], kept: list[str], resources: bool) -> None:
    answer = codex(model="x", servers=[SERVER], settings={"mcp_servers": {SERVER["name"]: config}})
    assert [name.rpartition(".")[2] for name in answer.tools if name.startswith("mcp__")] == kept
    assert ("read_mcp_resource" in answer.tools) is resources


def test_servers_that_do_not_answer(codex: Codex) -> None:
    settings = {"mcp_servers": {"s": {"command": "x"}}}
    unknown = codex(settings=settings)
    assert unknown.codes == ["mcp-not-connected"]
    assert "read_mcp_resource" in unknown.tools
    down = [{"name": "s", "status": "disconnected"}]
    assert codex(settings=settings, servers=down).codes == ["mcp-not-connected"]
    required = {"mcp_servers": {"s": {"command": "x", "required": True}}}
    assert "is required" in codex(settings=required, servers=down).message("agent-refuses")


@pytest.mark.parametrize(
    ("name", "config", "why"),
    [
        ("my server", {}, "may contain only ASCII"),
        ("é", {}, "may contain only ASCII"),
        ("s", {"environment_id": "cloud"}, "no environment cloud"),
        ("s", {"startup_timeout_sec": 0.01}, "times out"),
        ("s", {"startup_timeout_ms": 10}, "times out"),
        ("s", {"cwd": "none"}, "folder does not exist"),
    ],
)
def test_a_server_that_cannot_start_offers_nothing_and_says_why(
    codex: Codex, name: str, config: dict[str, Any], why: str
) -> None:
    server = {"name": name, "tools": [{"name": "t"}]}
    answer = codex(model="x", servers=[server], settings={"mcp_servers": {name: {"command": "x", **config}}})
    assert not [tool for tool in answer.tools if tool.startswith("mcp__")]
    [row] = [row for row in answer.assembly.servers if row.name == name]
    assert why in row.why.text


@pytest.mark.parametrize(
    ("name", "wire"), [("a.b", "a_b"), ("my-srv", "my_srv"), ("a@b:1", "a_b_1"), ("x" * 70, "x" * 70)]
)
def test_names_on_the_wire(name: str, wire: str) -> None:
    assert fitting(name) == wire


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        (None, {"type": "object", "properties": {}}),
        (
            {"$schema": "s", "properties": {"b": {"type": "array"}, "a": {"enum": [1]}}},
            {
                "type": "object",
                "properties": {
                    "a": {"type": "string", "enum": [1]},
                    "b": {"type": "array", "items": {"type": "string"}},
                },
            },
        ),
        (
            {"properties": {"o": {"type": "object", "default": {}}, "n": {"minimum": 1}, "t": True}},
            {
                "type": "object",
                "properties": {
                    "n": {"type": "number"},
                    "o": {"type": "object", "properties": {}},
                    "t": {"type": "string"},
                },
            },
        ),
        (
            {"properties": {"r": {"$ref": "#/$defs/d"}}, "$defs": {"d": {"const": 1}}},
            {
                "type": "object",
                "properties": {"r": {"$ref": "#/$defs/d"}},
                "$defs": {"d": {"type": "string", "enum": [1]}},
            },
        ),
        (
            {"properties": {"u": {"anyOf": [{"type": "null"}, {"format": "date"}]}, "m": {"type": ["string", "null"]}}},
            {
                "type": "object",
                "properties": {
                    "m": {"type": ["string", "null"]},
                    "u": {"anyOf": [{"type": "null"}, {"type": "string"}]},
                },
            },
        ),
    ],
)
def test_schemas_of_servers(given: Any, sent: dict[str, Any]) -> None:
    assert normalised(given) == sent
    assert list(normalised(given)["properties"]) == sorted(sent["properties"])


@pytest.mark.parametrize(
    ("settings", "mode", "live"),
    [
        ({}, None, False), ({"web_search": "live"}, None, True), ({"web_search": "indexed"}, None, True),
        ({}, "danger-full-access", True), ({"web_search": "cached"}, "danger-full-access", False),
        ({"features": {"web_search_request": True}}, None, True), ({"tools": {"web_search": True}}, None, False),
    ],
)  # fmt: skip
def test_the_web_search(codex: Codex, settings: dict[str, Any], mode: str | None, live: bool) -> None:
    [tool] = [tool for tool in codex(settings=settings, mode=mode).body["tools"] if tool["type"] == "web_search"]
    indexed = {"indexed_web_access": True} if settings.get("web_search") == "indexed" else {}
    known = {"search_content_types": ["text", "image"]}
    assert tool == {"type": "web_search", "external_web_access": live, **indexed, **known}


def test_more_on_the_web_search(codex: Codex) -> None:
    table = {"context_size": "low", "allowed_domains": ["x.org"], "location": {"city": "Bergen"}}
    answer = codex(model="x", settings={"tools": {"web_search": table}})
    assert answer.body["tools"][-1] == {
        "type": "web_search", "external_web_access": False, "search_context_size": "low",
        "filters": {"allowed_domains": ["x.org"]}, "user_location": {"type": "approximate", "city": "Bergen"},
    }  # fmt: skip
    assert "web_search" not in codex(settings={"web_search": "disabled"}).tools
    assert "has no web search with an API key" in codex(model="gpt-6.1-sol").tool("web_search").why.text


def test_scripts_alone_leave_a_model_that_is_not_known_its_namespaces_inside(codex: Codex) -> None:
    answer = codex(model="x", servers=[SERVER], settings={"features": {"code_mode_only": True}})
    assert [tool.get("name", tool["type"]) for tool in answer.body["tools"]] == [
        "exec", "wait", "request_user_input", "web_search",
    ]  # fmt: skip
    text = answer.tool("exec").description
    assert "### `mcp__a_b____a`" in text
    assert "### `multi_agent_v1__spawn_agent`" in text
    known = codex(servers=[SERVER], settings={"features": {"code_mode_only": True}})
    assert "### `mcp__" not in known.tool("exec").description


def test_agents_of_the_second_kind_stand_beside_scripts(codex: Codex) -> None:
    on = {"features": {"code_mode_only": True, "multi_agent_v2": True}}
    assert [tool.get("name", tool["type"]) for tool in codex(settings=on).body["tools"]] == [
        "exec", "wait", "request_user_input", "collaboration", "web_search",
    ]  # fmt: skip


def test_the_clock_comes_with_a_model_or_a_feature(codex: Codex) -> None:
    on = {"features": {"current_time_reminder": True}}
    for model, settings, there in (("gpt-6-sol", {}, True), ("gpt-5.6-sol", {}, False), ("gpt-5.6-sol", on, True)):
        text = codex(model=model, settings=settings).tool("functions.exec").description
        assert ("### `clock__curr_time`" in text) is there


def test_only_scripts(codex: Codex) -> None:
    answer = codex(servers=[SERVER], settings={"features": {"code_mode_only": True}})
    assert [tool.get("name", tool["type"]) for tool in answer.body["tools"]] == [
        "exec", "wait", "request_user_input", "web_search",
    ]  # fmt: skip
    assert answer.tool("exec.exec_command").present


# --- hooks, images, the prompt ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("output", "text"),
    [
        (" a \n", "a"), ("", ""), ("{}", ""), ("{not json", ""), ("[1]", ""), ("x {", "x {"),
        ('{"hookSpecificOutput": {"additionalContext": " b "}}', "b"), ('{"hookSpecificOutput": 1}', ""),
    ],
)  # fmt: skip
def test_what_a_hook_adds(output: str, text: str) -> None:
    assert added(output) == text


def test_hooks_stand_around_the_prompt(codex: Codex) -> None:
    one = '[{"hooks": [{"type": "command", "command": "x"}]}]'
    files: dict[str, str | bytes] = {
        "home/.codex/hooks.json": f'{{"hooks": {{"SessionStart": {one}, "UserPromptSubmit": {one}}}}}'
    }
    outputs = {"SessionStart": "before", "UserPromptSubmit": "after"}
    assert codex(files, hooks=outputs).parts[-1] == ["hi"]
    trusted = codex(files, hooks=outputs, args={"bypassHookTrust": True})
    assert trusted.parts[-3:] == [["before"], ["hi"], ["after"]]
    off = codex(hooks=outputs, args={"bypassHookTrust": True, "disable": ["hooks"]})
    assert off.parts[-1] == ["hi"]


def test_images_come_before_the_prompt(codex: Codex) -> None:
    png = b"\x89PNG\r\n\x1a\nrest"
    answer = codex({"workspace/a": png, "workspace/b.png": "x"}, args={"images": ["b.png", "a", "none.png"]})
    content = answer.body["input"][-1]["content"]
    assert [block["type"] for block in content] == ["input_text"] * 2 + ["input_image"] + ["input_text"] * 3
    assert content[1]["text"] == '<image name=[Image #2] path="a">'
    assert content[2]["image_url"] == f"data:image/png;base64,{base64.b64encode(png).decode()}"
    assert "`none.png`" in content[4]["text"]
    assert answer.codes == ["image", "image"]


def test_a_chatgpt_login(codex: Codex) -> None:
    assert codex(model="gpt-6.1-sol", auth="chatgpt").body["input"][-1] == {"type": "configuration_update"}
    classic = codex(auth="chatgpt")
    assert {"image_gen.imagegen", "read_mcp_resource"} <= set(classic.tools)
    assert classic.body["input"][-1]["content"][0]["text"] == "hi"


def test_the_prompt_goes_as_it_is(codex: Codex) -> None:
    assert codex(prompt=" /init @file\r\n").parts[-1] == [" /init @file\r\n"]


def test_the_window_and_the_time(codex: Codex) -> None:
    answer = codex(settings={"features": {"token_budget": True, "current_time_reminder": True}})
    budget = answer.parts[2]
    assert (budget[0], len(budget), budget[2]) == ("<context_window>", 3, "</context_window>")
    assert answer.parts[-1][0].startswith("<current_time_reminder>")
    assert "clock.curr_time" in answer.tools


def test_plan_mode_is_for_sessions_in_a_terminal(codex: Codex) -> None:
    for model in ("gpt-6.1-sol", "gpt-5.5"):
        planning = codex(model=model, entry="interactive", collaboration="plan").text("collaboration_mode")
        assert planning.startswith("<collaboration_mode># Plan Mode (Conversational)\n\n")
        assert "request_user_input availability" not in planning
    headless = codex(model="gpt-6.1-sol", collaboration="plan")
    assert headless.text("collaboration_mode").startswith("<collaboration_mode># Collaboration Mode: Default\n")
    assert not codex(entry="interactive").section("collaboration_mode").present


@pytest.mark.parametrize(
    ("limit", "compact_at"), [(None, 244_800), (-1, 244_800), (0, 244_800), (1, 1), (9_000, 9_000)]
)
def test_where_a_conversation_is_compacted(codex: Codex, limit: int | None, compact_at: int) -> None:
    settings = {} if limit is None else {"model_auto_compact_token_limit": limit}
    assert codex(settings=settings).assembly.tokens.compact_at == compact_at


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"\x89PNG\r\n\x1a\nx", "image/png"),
        (b"\x89PNG\r\n\x1a", None),
        (b"\xff\xd8\xffx", "image/jpeg"),
        (b"GIF89a", "image/gif"),
        (b"RIFF1234WEBP", "image/webp"),
        (b"RIFF1234WEBPmore", "image/webp"),
        (b"RIFF1234WAVE", None),
        (b"RIFX1234WEBP", None),
        (b"RIFF123WEBP", None),
        (b"<svg>", None),
        (b"", None),
    ],
)
def test_an_image_is_known_by_its_first_bytes(codex: Codex, data: bytes, kind: str | None) -> None:
    answer = codex({"workspace/a": data}, args={"images": ["a"]})
    sent = [b["image_url"] for b in answer.body["input"][-1]["content"] if b["type"] == "input_image"]
    assert sent == ([f"data:{kind};base64,{base64.b64encode(data).decode()}"] if kind else [])
    assert ("image" in answer.codes) is (kind is None)


@pytest.mark.parametrize(("size", "is_sent"), [(20 * 2**20 - 1, True), (20 * 2**20, True), (20 * 2**20 + 1, False)])
def test_so_large_an_image_is_sent(codex: Codex, size: int, is_sent: bool) -> None:
    answer = codex({"workspace/a": b"GIF8".ljust(size)}, args={"images": ["a"]})
    assert answer.file("workspace/a").present is is_sent


def test_the_headings_of_a_base_are_its_sections(codex: Codex) -> None:
    sections = [s for s in codex(model="gpt-6.1-sol").assembly.sections if s.id.startswith("base.")]
    assert [(s.id, s.title, s.parent) for s in sections[:7]] == [
        ("base.intro", "Introduction", None),
        ("base.permission", "When to ask the user for permission", None),
        ("base.autonomy", "Autonomy and persistence", None),
        ("base.personality", "Personality", None),
        ("base.writing", "Writing style", "base.personality"),
        ("base.communication", "Technical communication", "base.personality"),
        ("base.working", "Working with the user", None),
    ]
    plain = codex(model="gpt-6.1-sol", settings={"personality": "none"}).assembly.sections
    assert [s.id for s in plain if s.id.startswith("base.") and not s.present] == [
        "base.personality", "base.writing", "base.communication",
    ]  # fmt: skip


def test_the_reminder_has_the_date(codex: Codex) -> None:
    on = {"features": {"current_time_reminder": True}}
    assert codex(settings=on).text("current_time_reminder").endswith("2026-01-02</current_time_reminder>")


def test_what_a_server_says_of_itself_and_of_its_tools(codex: Codex) -> None:
    tools = [{"name": "t", "description": "Does it."}, {"name": "u", "description": None}]
    servers = [{"name": "told", "instructions": "Use it.", "tools": tools}, {"name": "mute", "tools": tools}]
    body = codex(model="x", servers=servers).body
    found = {tool["name"]: tool for tool in body["tools"] if tool.get("name", "").startswith("mcp__")}
    assert [(name, space["description"]) for name, space in found.items()] == [
        ("mcp__mute", "Tools of an MCP server."), ("mcp__told", "Use it."),
    ]  # fmt: skip
    assert [(t["name"], t["description"]) for t in found["mcp__told"]["tools"]] == [("t", "Does it."), ("u", "")]


def test_which_parameters_a_tool_needs(codex: Codex) -> None:
    answer = codex(model="x")
    needed = {
        name: [p.name for p in answer.tool(name).parameters if p.required]
        for name in ("exec_command", "write_stdin", "view_image", "multi_agent_v1.spawn_agent", "apply_patch")
    }
    assert needed == {
        "exec_command": ["cmd"], "write_stdin": ["session_id"], "view_image": ["path"],
        "multi_agent_v1.spawn_agent": [], "apply_patch": [],
    }  # fmt: skip


def test_nothing_of_the_window_is_kept_back(codex: Codex) -> None:
    assert codex().assembly.tokens.reserve == 0


def described(place: Path, **features: bool) -> dict[str, list[tuple[str, str]]]:
    """The kinds of origin of each description, and its text; of a model that is given every tool at the start."""
    scenario = frozen_scenario(
        "codex", place, model="x", mcp_servers=[SERVER], params={"settings": {"features": features}}
    )
    found = descriptions(scenario, Workspace(), COUNTER)
    return {
        name: [(f.origin.kind, f.origin.name or f.origin.id or "") for f in fragments]
        for name, fragments in found.items()
    }


def test_who_describes_a_tool(place: Path) -> None:
    """The client or a server: only of the client's own words ours stand in for others."""
    found = described(place)
    assert found["mcp__a_b__.z_x"] == [("computed", "mcp.mcp__a_b__.z_x")]
    for own in ("list_mcp_resources", "multi_agent_v1.close_agent", "exec_command"):
        assert found[own] == [("builtin", f"tools.{own}")]
    nested = {name for kind, name in described(place, code_mode_only=True)["exec"] if kind == "computed"}
    assert nested == {"mcp.exec.mcp__a_b____z_x", "mcp.a.b-@", "default_exec_yield_time_ms"}


def test_with_scripts_a_tool_says_how_they_call_it(codex: Codex) -> None:
    answer = codex(settings={"features": {"code_mode": True}})
    declared = [
        tool.name for tool in answer.assembly.tools if tool.present and "exec tool declaration" in tool.description
    ]
    assert declared == [
        "exec_command", "write_stdin", "apply_patch", "view_image", "get_goal", "create_goal", "update_goal",
    ]  # fmt: skip


@pytest.mark.parametrize(("model", "tokens"), [("gpt-6.1-sol", 3_524), ("gpt-5.6-sol", 3_434)])
def test_the_tool_that_holds_the_others_was_measured_in_two_variants(codex: Codex, model: str, tokens: int) -> None:
    assert codex(model=model).tool("functions.exec").reference_tokens == tokens


@pytest.mark.parametrize("name", ["zed", "clock.zed"])
def test_a_tool_that_an_edit_offers_is_a_function(place: Path, name: str) -> None:
    edit = {"tool": {"name": name, "description": "Does.", "input_schema": {"type": "object"}}}
    request = assemble(frozen_scenario("codex", place, model="gpt-5.5", edits=[edit]), cached_only=True).to_dict()[
        "request"
    ]
    inner = [each for tool in request["tools"] for each in tool.get("tools", [tool])]
    assert [tool["type"] for tool in inner if tool.get("name") == "zed"] == ["function"]
