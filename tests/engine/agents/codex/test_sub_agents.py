"""What the settings say of sub-agents: `agents`, `features.multi_agent_v2` [asked of 0.169.0, 0.171.0]."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Answer, Codex

SECOND = "gpt-6.1-sol"
UNKNOWN = "gpt-5.4"
TOOLS = {"followup_task", "interrupt_agent", "list_agents", "send_message", "spawn_agent", "wait_agent"}
ROLE, MODE = "multi_agent_role", "multi_agent_mode"


def second(codex: Codex, model: str = SECOND, **keys: Any) -> Answer:
    """With these keys of the feature, which is off by itself: the model alone brings sub-agents of the second kind."""
    lines = [f"{key} = {str(value).lower() if isinstance(value, bool) else repr(value)}" for key, value in keys.items()]
    return codex({"home/.codex/config.toml": "\n".join(["[features.multi_agent_v2]", *lines])}, model=model)


def own(answer: Answer, namespace: str = "collaboration") -> set[str]:
    """The tools of a namespace, without it."""
    return {tool.partition(".")[2] for tool in answer.tools if tool.startswith(f"{namespace}.")}


def present(answer: Answer, section: str) -> bool:
    return answer.section(section).present


@pytest.mark.parametrize("value", [{}, {"enabled": False}, {"usage_hint_enabled": False}, {"non_code_mode_only": True}])
def test_what_changes_nothing(codex: Codex, value: dict[str, Any]) -> None:
    assert second(codex, **value).body["input"] == codex(model=SECOND).body["input"]


@pytest.mark.parametrize(
    ("key", "value", "missing"),
    [
        ("wait_agent_enabled", False, {"wait_agent"}),
        ("disable_direct_message", True, {"followup_task", "send_message"}),
        ("disable_native_tools", True, TOOLS),
    ],
)
def test_tools_that_a_key_takes_away(codex: Codex, key: str, value: bool, missing: set[str]) -> None:
    assert own(second(codex, **{key: value})) == TOOLS - missing
    assert own(second(codex, **{key: not value})) == TOOLS


def test_the_tools_within_scripts(codex: Codex) -> None:
    answer = second(codex, non_code_mode_only=False)
    assert not own(answer)
    assert "### `collaboration__spawn_agent`" in answer.tool("functions.exec").description


def test_another_namespace(codex: Codex) -> None:
    assert own(second(codex, tool_namespace="crew"), "crew") == TOOLS
    assert "agent-refuses" in second(codex, tool_namespace="web").codes
    assert "agent-refuses" in second(codex, tool_namespace="mcp__any").codes


def test_waiting_is_not_spoken_of_without_its_tool(codex: Codex) -> None:
    assert "`wait_agent` with a long time" in second(codex).text(ROLE)
    assert "`wait_agent` with a long time" not in second(codex, wait_agent_enabled=False).text(ROLE)


def test_the_bounds_of_waiting(codex: Codex) -> None:
    def said(**keys: int) -> str:
        schema: Any = second(codex, **keys).tool("collaboration.wait_agent").input_schema
        return str(schema["properties"]["timeout_ms"]["description"])

    assert "10000 to 3600000; 30000" in said()
    assert "1000 to 100000; 20000" in said(
        min_wait_timeout_ms=1000, max_wait_timeout_ms=100000, default_wait_timeout_ms=20000
    )


def test_a_model_cannot_be_chosen_where_none_is_shown(codex: Codex) -> None:
    answer = second(codex, expose_spawn_agent_model_overrides=False)
    schema: Any = answer.tool("collaboration.spawn_agent").input_schema
    assert not {"model", "reasoning_effort"} & schema["properties"].keys()
    assert "gpt-6" not in answer.tool("collaboration.spawn_agent").description
    assert "`reasoning_effort`" not in answer.text(ROLE)


def test_texts_of_the_users_own(codex: Codex) -> None:
    assert second(codex, root_agent_usage_hint_text="Mine.").text("multi_agent_role.own") == "Mine."
    assert not present(second(codex, root_agent_usage_hint_text="Mine."), ROLE)
    assert second(codex, multi_agent_mode_hint_text="Mine.").text(MODE) == "<multi_agent_mode>Mine.</multi_agent_mode>"
    assert second(codex, usage_hint_text="Mine.").tool("collaboration.spawn_agent").description.endswith("\nMine.")
    first = second(codex, UNKNOWN, usage_hint_text="Mine.").tool("multi_agent_v1.spawn_agent").description
    assert "\n\nMine." in first
    assert "What to keep" not in first


def test_an_empty_text_takes_the_clients_away(codex: Codex) -> None:
    assert not present(second(codex, multi_agent_mode_hint_text=""), MODE)
    assert not present(second(codex, root_agent_usage_hint_text=""), ROLE)


def test_a_skill_stands_in_for_the_tools(codex: Codex) -> None:
    answer = second(codex, disable_native_tools=True)
    assert not present(answer, ROLE)
    assert "described by a skill" in answer.text(MODE)


# --- agents ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("agents", "feature", "threads"),
    [
        ("", "", 4),
        ("max_threads = 1", "", 2),
        ("max_concurrent_threads_per_session = 2", "", 3),
        ("max_threads = 3\nmax_concurrent_threads_per_session = 2", "", 3),
        ("max_threads = 3", "max_concurrent_threads_per_session = 2", 2),
    ],
)
def test_how_many_work_at_once(codex: Codex, agents: str, feature: str, threads: int) -> None:
    config = f"[agents]\n{agents}\n[features.multi_agent_v2]\n{feature}\n"
    answer = codex({"home/.codex/config.toml": config}, model=SECOND)
    assert f"At most {threads} agents" in answer.text(ROLE)


@pytest.mark.parametrize(
    ("model", "agents", "feature", "kinds"),
    [
        (SECOND, "enabled = false", False, set()),
        (SECOND, "enabled = false", True, {"collaboration"}),
        (SECOND, "max_depth = 0", False, {"collaboration"}),
        (UNKNOWN, "", False, {"multi_agent_v1"}),
        (UNKNOWN, "enabled = false", False, set()),
        (UNKNOWN, "enabled = false", True, {"collaboration"}),
        (UNKNOWN, "max_depth = 0", False, set()),
        (UNKNOWN, "max_depth = 1", False, {"multi_agent_v1"}),
    ],
)
def test_which_kind_there_is(codex: Codex, model: str, agents: str, feature: bool, kinds: set[str]) -> None:
    config = f"[agents]\n{agents}\n[features]\n{'multi_agent_v2 = true' if feature else ''}\n"
    tools = codex({"home/.codex/config.toml": config}, model=model).tools
    assert {tool.partition(".")[0] for tool in tools if tool.endswith(".spawn_agent")} == kinds
    assert "- multi_agent_v1" not in codex(model="gpt-5.5", settings={"agents": {"enabled": False}}).text("tools")


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ('model = "gpt-5.5"', "the model `gpt-5.5`, whatever"),
        ('model_reasoning_effort = "low"', "the effort `low`, whatever"),
        ('model = "gpt-5.5"\nmodel_reasoning_effort = "low"', "the model `gpt-5.5` with the effort `low`"),
        ('service_tier = "fast"', ""),
    ],
)
@pytest.mark.parametrize("model", [SECOND, UNKNOWN])
def test_a_role_with_a_model_of_its_own(codex: Codex, model: str, settings: str, says: str) -> None:
    role = f'name = "helper"\ndescription = "It helps."\ndeveloper_instructions = "Help."\n{settings}\n'
    answer = codex({"home/.codex/agents/helper.toml": role}, model=model)
    [tool] = [tool for tool in answer.assembly.tools if tool.present and tool.name.endswith(".spawn_agent")]
    schema: Any = tool.input_schema
    _, _, own_text = schema["properties"]["agent_type"]["description"].partition("helper: {\n")
    assert own_text.partition("\n}")[0] == "It helps." + ("\n- It always has " if says else "") + (
        f"{says}" if says.endswith("whatever") else says and f"{says}, whatever"
    ) + (" you name." if says else "")
