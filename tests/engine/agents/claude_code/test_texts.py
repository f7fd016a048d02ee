"""Conditions that several parts share: what they say, and what would turn them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from promptscope_engine.agents.claude_code.versions import Layout

if TYPE_CHECKING:
    from promptscope_engine.agents.claude_code.texts import Gates
    from promptscope_engine.prompt.conditions import Condition, Facts

    from .conftest import Project

pytestmark = pytest.mark.slow

V100, V329, V330 = "2.1.100", "2.1.329", "2.1.330"
OLDER, CURRENT = "claude-sonnet-4-5-20250929", "claude-opus-5-5"


def found(project: Project, version: str = V329, **more: Any) -> tuple[Gates, Facts]:
    gathered = project.gathered(version, **more)
    return gathered.materials.gates, gathered.facts


def levers(condition: Condition, facts: Facts) -> list[tuple[str, object]]:
    """What would turn the condition's verdict."""
    turned = condition.levers(facts, not condition.holds(facts))
    return [(lever.param, lever.value) for lever in turned or ()]


@pytest.mark.parametrize(
    "case",
    [
        (V329, CURRENT, "B", True, [("model", OLDER)]),
        (V329, CURRENT, "A'", False, [("model", OLDER)]),
        (V329, CURRENT, "A", False, [("agent_version", V100)]),
        (V329, OLDER, "A'", True, [("model", CURRENT)]),
        (V330, OLDER, "B", False, [("model", CURRENT)]),
        (V100, OLDER, "A", True, [("agent_version", V329), ("model", OLDER)]),
        (V100, OLDER, "B", False, [("agent_version", V329), ("model", CURRENT)]),
        (V100, OLDER, "A'", False, [("agent_version", V329), ("model", OLDER)]),
    ],
)
def test_what_leads_to_another_layout(
    project: Project, case: tuple[str, str, Layout, bool, list[tuple[str, str]]]
) -> None:
    version, model, layout, holds, turned = case
    gates, facts = found(project, version, model=model)
    for condition, what in ((gates.layout_is(layout), "a prompt"), (gates.messages_are(layout), "messages")):
        assert condition.holds(facts) is holds
        assert levers(condition, facts) == turned
        wanted = "" if holds else f", not {layout}"
        assert condition.evaluate(facts).text == f"{model} has {what} of the layout {gates.layout} in {version}{wanted}"


def test_of_two_layouts_either_will_do_and_a_model_is_nearer_than_a_version(project: Project) -> None:
    gates, facts = found(project, model=CURRENT)
    assert gates.layout_is("A'", "B").holds(facts)
    assert levers(gates.layout_is("A'", "B"), facts) == [("agent_version", V100)]
    assert levers(gates.layout_is("A", "B"), facts) == [("model", OLDER)]
    assert levers(gates.layout_is("A", "A'", "B"), facts) == []


@pytest.mark.parametrize(
    ("model", "holds", "turned"),
    [
        ("claude-opus-5", True, [("model", CURRENT)]),
        ("claude-opus-4-8", True, [("model", CURRENT)]),
        ("claude-sonnet-5", False, [("model", "claude-opus-5")]),
        (CURRENT, False, [("model", "claude-opus-5")]),
        ("claude-opus-4-7", False, [("model", "claude-opus-5")]),
    ],
)
def test_a_condition_on_models(project: Project, model: str, holds: bool, turned: list[tuple[str, str]]) -> None:
    gates, facts = found(project, model=model)
    condition = gates.model_is("opus", (5, 0), (4, 8))
    assert condition.holds(facts) is holds
    assert levers(condition, facts) == turned
    wanted = "" if holds else ", not claude-opus-5 or claude-opus-4-8"
    assert condition.evaluate(facts).text == f"the model is {model}{wanted}"


def test_another_model_than_the_current_one_is_another_family(project: Project) -> None:
    gates, facts = found(project, model=CURRENT)
    assert levers(gates.model_is("opus", (5, 5)), facts) == [("model", "claude-sonnet-5-5")]


@pytest.mark.parametrize(
    ("env", "holds", "turned"),
    [
        ({}, True, [("env.ANTHROPIC_BASE_URL", "http://localhost:8080")]),
        (
            {"ANTHROPIC_BASE_URL": "https://api.anthropic.com"},
            True,
            [("env.ANTHROPIC_BASE_URL", "http://localhost:8080")],
        ),
        ({"ANTHROPIC_BASE_URL": "http://x"}, False, [("env.ANTHROPIC_BASE_URL", "https://api.anthropic.com")]),
    ],
)
def test_whose_host_it_is(project: Project, env: dict[str, str], holds: bool, turned: list[tuple[str, str]]) -> None:
    gates, facts = found(project, env=env)
    assert gates.first_party.holds(facts) is holds
    assert levers(gates.first_party, facts) == turned


@pytest.mark.parametrize(
    ("version", "env", "holds", "text"),
    [
        (V329, {}, True, "tool search is on by default"),
        (V100, {}, True, "the host is the first-party one, where tool search is on"),
        (V100, {"ANTHROPIC_BASE_URL": "http://x"}, False, "tool search is off at a custom host"),
        (V329, {"ANTHROPIC_BASE_URL": "http://x"}, True, "tool search is on by default"),
        (V100, {"ANTHROPIC_BASE_URL": "http://x", "ENABLE_TOOL_SEARCH": " TRUE "}, True, "tool search is on"),
        (V329, {"ENABLE_TOOL_SEARCH": "false"}, False, "`ENABLE_TOOL_SEARCH` is off"),
        (V329, {"ENABLE_TOOL_SEARCH": "auto"}, False, "the tools are few"),
        (V329, {"ENABLE_TOOL_SEARCH": " "}, True, "tool search is on by default"),
    ],
)
def test_what_is_said_of_tool_search(
    project: Project, version: str, env: dict[str, str], holds: bool, text: str
) -> None:
    gates, facts = found(project, version, env=env, model="sonnet")
    assert gates.tool_search.holds(facts) is holds
    assert text in gates.tool_search.evaluate(facts).text
    assert [param for param, _ in levers(gates.tool_search, facts)] in (["env.ENABLE_TOOL_SEARCH"], ["args.bare"])


@pytest.mark.parametrize(
    ("model", "version", "turned"),
    [
        ("claude-3-7-sonnet-20250219", V329, [("model", "opus")]),
        ("claude-haiku-4-5", V100, [("model", "opus")]),
    ],
)
def test_a_model_that_cannot_search_leads_to_one_that_can(
    project: Project, model: str, version: str, turned: list[tuple[str, str]]
) -> None:
    gates, facts = found(project, version, model=model, env={})
    assert not gates.tool_search.holds(facts)
    assert levers(gates.tool_search, facts) == turned


@pytest.mark.parametrize(
    ("value", "defers", "names"),
    [
        ("true", True, True), ("1", True, True), ("AUTO", True, True), ("x", True, True), ("auto:0", True, True),
        ("auto:-3", True, True), ("auto", False, True), ("auto:x", False, True), ("auto:5.5", False, True),
        ("auto:99", False, True), ("auto:100", False, False), ("auto:101", False, False), ("false", False, False),
        ("off", False, False), ("0", False, False),
    ],
)  # fmt: skip
def test_what_becomes_of_tools_that_can_be_deferred(project: Project, value: str, defers: bool, names: bool) -> None:
    gates, facts = found(project, V329, env={"ENABLE_TOOL_SEARCH": value})
    assert (gates.tool_search.holds(facts), gates.names_tools.holds(facts)) == (defers, names)


@pytest.mark.parametrize(
    ("settings", "trailer", "footer"),
    [
        ({}, True, True),
        ({"includeCoAuthoredBy": False}, False, False),
        ({"attribution": {"commit": ""}}, False, True),
        ({"attribution": {"pr": ""}}, True, False),
        ({"attribution": {"commit": "x"}, "includeCoAuthoredBy": False}, True, False),
        ({"attribution": {"commit": "", "pr": ""}}, False, False),
    ],
)
def test_what_is_credited(project: Project, settings: dict[str, Any], trailer: bool, footer: bool) -> None:
    gates, facts = found(project, params={"settings": settings})
    assert (gates.commit_trailer.holds(facts), gates.pull_request_footer.holds(facts)) == (trailer, footer)
    assert gates.attribution.holds(facts) is (trailer or footer)


@pytest.mark.parametrize("version", [V100, V329])
@pytest.mark.parametrize(
    "case",
    [
        ({}, True, True, False, False),
        ({"params": {"args": {"print": True}}}, False, False, False, False),
        ({"params": {"args": {"print": True}}, "env": {"CLAUDE_CODE_ENABLE_TASKS": "1"}}, True, False, False, False),
        ({"env": {"ENABLE_PROMPT_CACHING_1H": "1"}}, True, True, True, False),
        ({"env": {"ENABLE_PROMPT_CACHING_1H": "1", "DISABLE_PROMPT_CACHING": "1"}}, True, True, False, False),
        ({"env": {"DO_NOT_TRACK": "1"}, "mode": "default"}, True, False, False, True),
        ({"env": {"DISABLE_TELEMETRY": "yes"}}, True, True, False, True),
        ({"env": {"DISABLE_TELEMETRY": "0"}}, True, True, False, True),
        ({"env": {"DO_NOT_TRACK": "0"}}, True, True, False, False),
        ({"env": {"DISABLE_GROWTHBOOK": "1"}}, True, True, False, True),
    ],
)
def test_what_sessions_and_variables_decide(
    project: Project, version: str, case: tuple[dict[str, Any], bool, bool, bool, bool]
) -> None:
    more, tasks, auto_mode, hour, quiet = case
    gates, facts = found(project, version, **more)
    newer = version != V100
    assert gates.tasks.holds(facts) is tasks
    assert gates.auto_mode.holds(facts) is (auto_mode and newer)
    assert gates.hour_cache.holds(facts) is (hour and newer)
    assert gates.quiet.holds(facts) is quiet


@pytest.mark.parametrize(
    ("model", "versions"),
    [
        ("claude-sonnet-4-20250514", {V100, V329}),
        ("claude-3-7-sonnet-20250219", set()),
        ("claude-haiku-4-5", {V329}),
        ("no-such-model", {V100, V329}),
    ],
)
def test_which_models_can_search_for_tools(project: Project, model: str, versions: set[str]) -> None:
    able = set()
    for version in (V100, V329):
        gates, facts = found(project, version, model=model, env={"ENABLE_TOOL_SEARCH": "true"})
        able |= {version} if gates.tool_search.holds(facts) else set()
    assert able == versions


@pytest.mark.parametrize(
    ("key", "gone"),
    [
        ("disableWorkflows", {"Workflow", "skills.workflow-authoring"}),
        ("disableAgentView", {"agents.claude"}),
    ],
)
def test_settings_that_take_features_away(project: Project, key: str, gone: set[str]) -> None:
    def offered(value: bool) -> set[str]:
        assembly = project.assemble("2.1.330", params={"settings": {key: value}})
        texts = {f.origin.id for s in assembly.sections for f in s.fragments if f.origin.id}
        return texts | {tool.name for tool in assembly.tools if tool.present}

    assert gone <= offered(False)
    assert not gone & offered(True)
