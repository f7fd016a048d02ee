"""What scripts may call, and the features and settings that add tools [asked of 0.169.0, 0.171.0]."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Answer, Codex

LITE, CLASSIC, UNKNOWN = "gpt-6.1-sol", "gpt-5.5", "gpt-5.4"
SERVER = [{"name": "srv", "status": "connected", "tools": [{"name": "one"}], "instructions": "Says it."}]


def scripts(answer: Answer, tool: str = "functions.exec") -> str:
    return answer.tool(tool).description


@pytest.mark.parametrize(
    ("feature", "lite", "classic"),
    [
        ("deferred_executor", "wait_for_environment", "wait_for_environment"),
        ("multi_env_copy_file", "multi_env_copy_file", "multi_env_copy_file"),
        ("executor_capability_discovery_v2", "skills__read", "skills.read"),
    ],
)
def test_a_feature_adds_a_tool(codex: Codex, feature: str, lite: str, classic: str) -> None:
    on = {"features": {feature: True}}
    assert f"### `{lite}`" in scripts(codex(model=LITE, settings=on))
    assert f"### `{lite}`" not in scripts(codex(model=LITE))
    assert classic in codex(model=CLASSIC, settings=on).tools
    assert classic in codex(model=UNKNOWN, settings=on).tools


def test_scripts_search_deferred_tools(codex: Codex) -> None:
    on = {"features": {"code_mode_tool_search": True}}
    assert "### `tool_search`" in scripts(codex(model=LITE, settings=on, servers=SERVER))
    assert "### `tool_search`" not in scripts(codex(model=LITE, settings=on))
    assert "### `tool_search`" not in scripts(codex(model=LITE, servers=SERVER))


def test_a_plan(codex: Codex) -> None:
    on = {"tools": {"update_plan": {"enabled": True}}}
    assert "### `update_plan`" in scripts(codex(model=LITE, settings=on))
    assert "update_plan" in codex(model=CLASSIC, settings=on).tools
    assert "If you keep a list of steps" in codex(model=CLASSIC, settings=on).text("base.updates")
    assert "If you keep a list of steps" not in codex(model=CLASSIC).text("base.updates")
    assert codex(model=UNKNOWN, settings=on).section("base.planning").present
    assert not codex(model=UNKNOWN).section("base.planning").present


def test_questions_can_be_ruled_out(codex: Codex) -> None:
    off = {"tools": {"experimental_request_user_input": {"enabled": False}}}
    asks = {"functions.request_user_input", "functions.request_user_input_async"}
    assert asks <= set(codex(model=LITE).tools)
    assert not asks & set(codex(model=LITE, settings=off).tools)
    assert "request_user_input" not in codex(model=CLASSIC, settings=off).tools


@pytest.mark.parametrize("key", ["update_plan", "experimental_request_user_input"])
def test_such_a_setting_is_a_table(codex: Codex, key: str) -> None:
    assert "agent-refuses" in codex({"home/.codex/config.toml": f"[tools]\n{key} = true\n"}).codes
    assert "agent-refuses" not in codex({"home/.codex/config.toml": f"[tools]\n{key} = {{}}\n"}).codes


def test_resources_by_their_environment(codex: Codex) -> None:
    on = {"features": {"multi_environment_mcp": True}}
    schema: Any = codex(model=CLASSIC, settings=on, servers=SERVER).tool("read_mcp_resource").input_schema
    assert "environment_id" in schema["properties"]
    schema = codex(model=CLASSIC, servers=SERVER).tool("read_mcp_resource").input_schema
    assert "environment_id" not in schema["properties"]


@pytest.mark.parametrize(
    ("feature", "section", "says"),
    [
        ("command_sessions_world_state", "command_sessions", "<command_sessions>"),
        ("deferred_executor", "environments", "## Execution environments"),
        ("skill_catalog_deltas", "skills", "## Host skills\n\n## Skills"),
    ],
)
@pytest.mark.parametrize("model", [LITE, CLASSIC, UNKNOWN])
def test_a_feature_adds_a_text(codex: Codex, model: str, feature: str, section: str, says: str) -> None:
    assert says in codex(model=model, settings={"features": {feature: True}}).text(section)


# --- features.code_mode -----------------------------------------------------------------------------------------------


def of_code_mode(codex: Codex, model: str, text: str, **given: Any) -> Answer:
    return codex({"home/.codex/config.toml": f"[features.code_mode]\n{text}\n"}, model=model, **given)


def test_how_long_a_script_runs(codex: Codex) -> None:
    assert "how long to wait, 30000 unless" in scripts(codex(model=LITE))
    assert "how long to wait, 1234 unless" in scripts(of_code_mode(codex, LITE, "default_exec_yield_time_ms = 1234"))


@pytest.mark.parametrize("model", [LITE, CLASSIC, "gpt-5.6-luna"])
def test_a_server_whose_tools_are_never_deferred(codex: Codex, model: str) -> None:
    listed = of_code_mode(codex, model, 'direct_only_tool_namespaces = ["mcp__srv"]', servers=SERVER)
    assert "mcp__srv.one" in listed.tools
    assert "- mcp__srv" not in listed.text("tools")
    other = of_code_mode(codex, model, 'direct_only_tool_namespaces = ["srv"]', servers=SERVER)
    assert "mcp__srv.one" not in other.tools
    assert "- mcp__srv: Says it." in other.text("tools")


def test_namespaces_of_the_clients_own(codex: Codex) -> None:
    answer = of_code_mode(codex, LITE, 'direct_only_tool_namespaces = ["functions", "clock"]')
    assert {"functions.exec_command", "functions.apply_patch", "clock.curr_time"} <= set(answer.tools)
    assert "###" not in scripts(answer)
    without = of_code_mode(codex, LITE, 'excluded_tool_namespaces = ["clock"]')
    assert "clock__curr_time" not in scripts(without)
    assert "clock.curr_time" not in without.tools


def test_the_namespaces_of_a_script(codex: Codex) -> None:
    answer = codex(model=UNKNOWN, settings={"features": {"code_mode_only": True}}, servers=SERVER)
    assert "\n\n## mcp__srv\nSays it.\n\n### `mcp__srv__one`" in scripts(answer, "exec")
    assert "\n\n## multi_agent_v1\nTools to start" in scripts(answer, "exec")


def test_tools_beside_a_script_say_how_it_calls_them(codex: Codex) -> None:
    answer = codex(model=UNKNOWN, settings={"features": {"code_mode": True}}, servers=SERVER)
    assert "declare const tools: { mcp__srv__one(" in answer.tool("mcp__srv.one").description
    assert (
        "declare const tools: { multi_agent_v1__close_agent(" in answer.tool("multi_agent_v1.close_agent").description
    )
    assert "declare const" not in answer.tool("request_user_input").description


# --- clock and window -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "features", "sleeps"),
    [
        (LITE, "", True),
        (LITE, "sleep_tool = false", False),
        (CLASSIC, "", False),
        (CLASSIC, 'sleep_tool = {mode = "always_on"}', True),
        (CLASSIC, 'sleep_tool = {mode = "model_driven"}', False),
        (CLASSIC, 'sleep_tool = {enabled = false, mode = "always_on"}', False),
        (LITE, "current_time_reminder = true", False),
        (LITE, "current_time_reminder = {enabled = true, sleep_tool = true}", True),
        (CLASSIC, "current_time_reminder = {enabled = true, sleep_tool = true}", True),
        (CLASSIC, "current_time_reminder = {enabled = false, sleep_tool = true}", False),
        (LITE, "sleep_tool = false\ncurrent_time_reminder = {enabled = true, sleep_tool = true}", False),
    ],
)
def test_the_tool_that_waits(codex: Codex, model: str, features: str, sleeps: bool) -> None:
    answer = codex({"home/.codex/config.toml": f"[features]\n{features}\n"}, model=model)
    assert ("clock.sleep" in answer.tools) is sleeps


@pytest.mark.parametrize(
    ("model", "keys", "says"),
    [
        (LITE, "", "A task may take longer"),
        (CLASSIC, "", ""),
        (UNKNOWN, "", ""),
        (LITE, 'guidance_message = "Mine."', "\nMine.\n"),
        (CLASSIC, 'guidance_message = "Mine."', "\nMine.\n"),
        (LITE, 'guidance_message = ""', ""),
        (LITE, "reminder_threshold_tokens = 5\nreminder_message_template = 'x'", ""),
        (LITE, "use_history_notes_extension = true", "A task may take longer"),
    ],
)
def test_guidance_across_windows(codex: Codex, model: str, keys: str, says: str) -> None:
    config = f"[features.token_budget]\nenabled = true\n{keys}\n"
    section = codex({"home/.codex/config.toml": config}, model=model).section("context_window_guidance")
    assert section.present is bool(says)
    assert says in section.text


def test_what_is_not_modelled_is_named(codex: Codex) -> None:
    config = "[features.token_budget]\nenabled = true\ncontext_window_as_tool_output = true\n"
    answer = codex({"home/.codex/config.toml": config}, env={"CODEX_EXEC_SERVER_URL": "ws://127.0.0.1:9"})
    assert answer.codes.count("not-modelled") == 2


def test_no_place_for_commands(codex: Codex) -> None:
    files: dict[str, str | bytes] = {"workspace/AGENTS.md": "Mine.", "home/.codex/AGENTS.md": "Home."}
    answer = codex(files, env={"CODEX_EXEC_SERVER_URL": "none"}, servers=SERVER)
    assert "Mine." not in answer.instructions
    assert "Home." in answer.instructions
    assert "<cwd>" not in answer.text("environment")
    assert "mcp__srv" not in answer.text("tools")
    assert codex(files, env={"CODEX_EXEC_SERVER_URL": ""}).instructions.endswith("Mine.")


@pytest.mark.parametrize(("cwd", "starts"), [("", False), ("docs", False), ("sub", True), ("/none", False)])
def test_a_server_needs_its_folder(codex: Codex, cwd: str, starts: bool) -> None:
    files: dict[str, str | bytes] = {
        "home/.codex/config.toml": f'[mcp_servers.srv]\ncommand = "x"\ncwd = "{cwd}"\n', "workspace/sub/a": "",
    }  # fmt: skip
    assert ("mcp__srv" in codex(files, servers=SERVER).text("tools")) is starts


def test_servers_without_a_prefix_can_be_listed(codex: Codex) -> None:
    def tools(names: str) -> list[str]:
        config = f"[features.non_prefixed_mcp_tool_names]\nenabled = true\n{names}\n"
        return codex({"home/.codex/config.toml": config}, model=UNKNOWN, servers=SERVER).tools

    assert "srv.one" in tools("")
    assert "srv.one" in tools('server_names = ["srv"]')
    assert "mcp__srv.one" in tools('server_names = ["other"]')
