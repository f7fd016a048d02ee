"""Every lever that is offered acts: what it promised is there once it is applied."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from promptscope_engine import Scenario, Workspace, assemble
from promptscope_engine.agents.openclaw.gather.tools import switched_on
from promptscope_engine.agents.openclaw.levers import SettingLevers, count, overlay, positive
from promptscope_engine.agents.openclaw.tool_policy import Policy, denied_by, lists_of, without
from promptscope_engine.prompt.conditions import Facts, Setting
from promptscope_engine.prompt.model import Assembly, Lever, Reason

from .conftest import Claw

pytestmark = pytest.mark.slow


def assembled(place: Path, params: dict[str, Any], workspace: Workspace | None = None, **more: Any) -> Assembly:
    values = {
        "agent": "openclaw",
        "agent_version": "2026.2.24",
        "workspace": str(place / "workspace"),
        "home": str(place / "home"),
        "env": {},
    }
    environment = {"platform": "linux", "arch": "x64", "timezone": "UTC", "hostname": "h"}
    scenario = Scenario.model_validate({**values, "environment": environment, "params": params, **more})
    return assemble(scenario, workspace, cached_only=True)


def applied(place: Path, params: dict[str, Any], why: Reason) -> Assembly:
    scenario = Scenario(params=params)
    for lever in why.levers:
        scenario = scenario.with_value(lever.param, lever.value)
    return assembled(place, scenario.params, model=scenario.model, mode=scenario.mode)


def test_an_agents_own_policy_has_no_lever(place: Path) -> None:
    config = {"agents": {"list": [{"id": "main", "tools": {"deny": ["exec"]}}]}}
    tool = next(t for t in assembled(place, {"config": config}).tools if t.name == "exec")
    assert tool.why.text == "absent: `agents.list[0].tools.deny` denies it (in `config`)"
    assert tool.why.levers == ()
    assert "agents.list[0].tools.deny" in tool.why.remedy


def test_a_tool_names_every_step_that_removes_it(place: Path) -> None:
    config = {"tools": {"profile": "minimal", "deny": ["group:automation"]}}
    tool = next(t for t in assembled(place, {"config": config}).tools if t.name == "cron")
    assert "`tools.profile (minimal)` does not allow it" in tool.why.text
    assert "`tools.deny` denies it (group:automation)" in tool.why.text


def test_a_skill_comes_in_by_its_lever(place: Path) -> None:
    gates = {
        "env": 'metadata: {"openclaw": {"requires": {"env": ["KEY_OF_MINE"]}}}\n',
        "config": 'metadata: {"openclaw": {"requires": {"config": ["channels.slack"]}}}\n',
        "off": "",
    }
    for name, more in gates.items():
        path = place / "workspace" / "skills" / name / "SKILL.md"
        path.parent.mkdir(parents=True)
        path.write_text(f"---\nname: {name}\ndescription: d\n{more}---\n")
    params: dict[str, Any] = {"config": {"skills": {"entries": {"off": {"enabled": False}}}}}
    assembly = assembled(place, params)
    for name in gates:
        file = next(f for f in assembly.files if f.path.endswith(f"/{name}/SKILL.md"))
        assert not file.present
        after = applied(place, params, file.why)
        assert next(f for f in after.files if f.path == file.path).present


def test_a_skill_over_a_limit_names_the_limit_that_takes_it_in(place: Path) -> None:
    skills = [{"name": f"s{n}", "description": "d", "filePath": f"/s/{n}/SKILL.md"} for n in range(6)]
    for limit in ({"maxSkillsInPrompt": 3}, {"maxSkillsPromptChars": 700}):
        params = {"skills": skills, "config": {"skills": {"limits": limit}}}
        files = [f for f in assembled(place, params).files if f.kind == "skill"]
        last = files[-1]
        assert not last.present
        assert [edge.wanted > edge.allowed for edge in last.limits].count(True) == 1
        after = [f for f in applied(place, params, last.why).files if f.kind == "skill"]
        assert all(f.present for f in after)


def test_an_overlay_lies_over_the_file_and_leaves_the_rest(claw: Claw) -> None:
    files: dict[str, str | bytes] = {"home/.openclaw/openclaw.json": "{tools: {deny: ['exec', 'read']}, // both\n}"}
    assembly = claw(files, configOverlay={"tools": {"deny": ["exec"]}})
    there = {tool.name: tool.present for tool in assembly.tools}
    assert there["read"]
    assert not there["exec"]


def test_keys_with_a_dot_are_nested_into_the_value() -> None:
    assert overlay(("tools", "deny"), ["x"]) == Lever("configOverlay.tools.deny", ["x"])
    lever = overlay(("tools", "byProvider", "a/b-4.6", "deny"), [])
    assert lever == Lever("configOverlay.tools.byProvider", {"a/b-4.6": {"deny": []}})


def test_a_group_is_written_out_without_the_tool() -> None:
    policy = Policy("step", ("read",), ("group:runtime", "web_*", "tts"), path=("tools",))
    assert denied_by(policy, "process", lists_of("2026.2.24")) == "group:runtime"
    assert without(policy, "process", lists_of("2026.2.24")) == ["exec", "web_*", "tts"]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("agents", "list", 0, "id"), "a"),
        (("agents", "list", 1), {"id": "b"}),
        (("agents", "list", 2), None),
        (("agents", "list", 2, "id"), None),
        (("agents", "main"), None),
        (("agents", "main", 0), None),
        (("agents", "main", "id"), None),
        ("agents.name", "x"),
        ("agents.name.more", None),
    ],
)
def test_a_path_leads_to_a_value_or_to_nothing(path: str | tuple[str | int, ...], value: object) -> None:
    settings = SettingLevers({"agents": {"list": [{"id": "a"}, {"id": "b"}], "name": "x"}})
    assert settings.get(path) == value


def test_a_setting_has_a_line_where_it_is_set_in_the_file() -> None:
    values = {"tools": {"deny": ["exec"]}}
    settings = SettingLevers(values, "/c.json", "`c.json`", '{\n"tools": {\n"deny": ["exec"]}}')
    assert (settings.source("tools.deny").line, settings.source("tools.deny").is_set) == (3, True)
    assert (settings.source("tools.allow").line, settings.source("tools.allow").is_set) == (None, False)
    assert replace(settings, text="").source("tools.deny").line is None
    overlaid = replace(settings, overlaid={"tools": {"deny": []}})
    assert (overlaid.source("tools.deny").shown, overlaid.source("tools.deny").line) == ("`configOverlay`", None)


def test_a_setting_is_overlaid_by_a_param_of_its_name_where_there_can_be_one() -> None:
    dotted = ("tools", "byProvider", "a/b-4.6")
    assert SettingLevers({}).source("a.b").overlay == "configOverlay.a.b"
    assert SettingLevers({}).source(dotted).overlay is None
    assert SettingLevers({}).source(("agents", "list", 0, "id")).overlay is None
    assert SettingLevers({}, simulated=False).source("a.b").overlay is None
    assert SettingLevers({"tools": {"byProvider": {"a/b-4.6": 1}}}).source(dotted).is_set


@pytest.mark.parametrize(
    ("simulated", "on", "off", "levers"),
    [
        (True, 1, 0, [Lever("configOverlay.a.b", 1), Lever("configOverlay.a.b", 0)]),
        (True, 1, None, [Lever("configOverlay.a.b", 1), None]),
        (True, None, None, [None, None]),
        (False, 1, 0, [None, None]),
    ],
)
def test_a_deciding_setting_has_the_levers_that_can_be_set(
    simulated: bool, on: int | None, off: int | None, levers: list[Lever | None]
) -> None:
    found = SettingLevers({}, simulated=simulated).decides("a.b", True, "yes", "no", on=on, off=off)
    assert isinstance(found, Setting)
    assert [found.on, found.off] == levers
    assert found.source.overlay == ("configOverlay.a.b" if any(levers) else None)


@pytest.mark.parametrize(
    ("written", "usual", "is_on"),
    [
        (None, True, True),
        (None, False, False),
        (True, False, True),
        (False, True, False),
        ("no", True, True),
        (1, False, False),
    ],
)
def test_a_switch_is_turned_either_way(written: Any, usual: bool, is_on: bool) -> None:
    """Also the one that is on unless it is switched off."""
    found = SettingLevers({"a": written}).switch("a", usual=usual)
    assert isinstance(found, Setting)
    assert found.holds(Facts()) is is_on
    assert (found.on, found.off) == (Lever("configOverlay.a", True), Lever("configOverlay.a", False))


def test_a_plugin_that_is_usually_on_can_be_switched_off() -> None:
    found = switched_on(SettingLevers({}), "openai", usual=True)
    assert found.levers(Facts(), False) == (Lever("configOverlay.plugins.entries.openai.enabled", False),)


@pytest.mark.parametrize(
    ("value", "found", "not_below"),
    [
        (1, 1, 1), (2.9, 2, 2), (0.5, 0, 0), (0, 7, 0), (-1, 7, 0), (-0.5, 7, 0), (True, 7, 7), (False, 7, 7),
        ("1", 7, 7), (None, 7, 7), (float("inf"), 7, 7), (float("nan"), 7, 7),
    ],
)  # fmt: skip
def test_a_number_that_is_none_is_the_default(value: Any, found: int, not_below: int) -> None:
    """A positive one, and one from 0 on."""
    assert (positive(value, 7), count(value, 7)) == (found, not_below)
