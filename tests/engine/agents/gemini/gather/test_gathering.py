"""From scenario, disk and machine to materials."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.engine.agents.gemini.conftest import MANIFEST, SETTINGS, UNTRUSTED, Project, codes, text_of

from promptscope_engine import ScenarioError, Workspace
from promptscope_engine.agents.gemini.gather.gathering import roots
from promptscope_engine.assembly.resolve import resolve

pytestmark = pytest.mark.slow


def derived(project: Project, param: str, **given: Any) -> list[tuple[object, str]]:
    """What an input comes to that nobody set, and why."""
    found = project.gathered(**given)
    return [(each.computed, each.because.evaluate(found.facts).text) for each in found.derived if each.param == param]


@pytest.mark.parametrize(
    ("general", "given", "reason"),
    [
        ({}, {}, ("default", "it is the mode of a session that names none")),
        ({"defaultApprovalMode": "auto_edit"}, {}, ("auto_edit", "`general.defaultApprovalMode` is auto_edit")),
        ({"defaultApprovalMode": "yolo"}, {}, ("default", "it is the mode of a session that names none")),
        ({"defaultApprovalMode": "auto_edit"}, {"mode": "plan"}, None),
        ({}, {"mode": "default"}, None),
        ({"plan": {"enabled": False}}, {"mode": "plan"}, ("default", "`general.plan.enabled` is off")),
        ({"plan": {"enabled": False}, "defaultApprovalMode": "plan"}, {}, ("default", "`general.plan.enabled` is off")),
        ({"plan": {"enabled": False}}, {"mode": "yolo"}, None),
        ({}, {**UNTRUSTED, "mode": "yolo"}, ("default", "the folder is not trusted")),
        ({"defaultApprovalMode": "auto_edit"}, UNTRUSTED, ("default", "the folder is not trusted")),
    ],
)
def test_what_decides_the_mode(
    project: Project, general: dict[str, Any], given: dict[str, Any], reason: tuple[str, str] | None
) -> None:
    project.write({SETTINGS: json.dumps({"general": general})})
    assert [(mode, text[: len(reason[1])]) for mode, text in derived(project, "mode", **given) if reason] == (
        [reason] if reason else []
    )
    assert bool(derived(project, "mode", **given)) is (reason is not None)


@pytest.mark.parametrize(
    ("settings", "given", "reason"),
    [
        ({}, {}, ("gemini-3.8-flash", "the model that `auto` asks first routes to flash")),
        ({}, {"model": "auto"}, ("gemini-3.8-flash", "the model that `auto` asks first routes to flash")),
        ({"model": {"name": "pro"}}, {}, ("gemini-3.1-pro-preview", "`model.name` is pro")),
        ({"model": {"name": "pro"}}, {"env": {"GEMINI_MODEL": "mine"}}, ("mine", "`env.GEMINI_MODEL` is mine")),
        ({"model": {"name": "pro"}}, {"model": "mine"}, None),
        ({"model": {"name": 5}}, {}, ("gemini-3.8-flash", "the model that `auto` asks first routes to flash")),
    ],
)
def test_what_decides_the_model(
    project: Project, settings: dict[str, Any], given: dict[str, Any], reason: tuple[str, str] | None
) -> None:
    project.write({SETTINGS: json.dumps(settings)})
    found = [(model, text.partition(" (in ")[0]) for model, text in derived(project, "model", **given)]
    assert found == ([reason] if reason else [])


@pytest.mark.parametrize(
    ("configured", "plans"),
    [
        ({}, "{home}/.gemini/tmp/workspace/00000000-0000-4000-8000-000000000001/plans"),
        ({"e": "docs"}, "{cwd}/docs"),
        ({"e": ""}, "{home}/.gemini/tmp/workspace/00000000-0000-4000-8000-000000000001/plans"),
        ({"e": 5}, "{home}/.gemini/tmp/workspace/00000000-0000-4000-8000-000000000001/plans"),
        ({"d": "first", "e": "docs"}, "{cwd}/first"),
        ({"e": "."}, "{cwd}"),
        ({"e": "../workspace-2"}, "{home}/.gemini/tmp/workspace/00000000-0000-4000-8000-000000000001/plans"),
    ],
)
def test_the_folder_of_plans_of_an_extension(project: Project, configured: dict[str, Any], plans: str) -> None:
    for name, folder in configured.items():
        project.write({MANIFEST.format(name): json.dumps({"name": name, "plan": {"directory": folder}})})
    assert project.gathered().materials.plans == plans.format(home=project.home, cwd=project.cwd)
    [(folder, why)] = derived(project, "settings.general.plan.directory")
    named = next((name for name, folder in configured.items() if folder and folder != 5), None)
    assert (folder, why) == (
        plans.format(home=project.home, cwd=project.cwd),
        f"the extension {named} names it" if named else "it is in the session's folder",
    )
    given = {"settings": {"general": {"plan": {"directory": "own"}}}}
    assert project.gathered(**given).materials.plans == f"{project.cwd}/own"


@pytest.mark.parametrize(("folders", "named"), [(9, 9), (10, 10), (11, 10)])
def test_folders_that_are_missing_keep_the_client_from_starting(project: Project, folders: int, named: int) -> None:
    found = project.gathered(args={"includeDirectories": [f"none{number}" for number in range(folders)]})
    assert found.refused is not None
    assert found.refused.message.startswith("the client refuses to start: ")
    assert found.refused.message.endswith(f" and {named - 3} more")


def test_headless_the_client_refuses_a_folder_that_is_not_trusted(project: Project) -> None:
    assembly = project.assemble(env={"GEMINI_CLI_TRUST_WORKSPACE": "false"})
    assert codes(assembly)["agent-refuses"].severity == "error"
    assert (assembly.request.system, assembly.request.messages, assembly.request.tools) == ((), (), ())
    assert not [s for s in assembly.sections if s.present]


def test_a_folder_that_is_not_trusted_has_the_usual_mode(project: Project) -> None:
    assembly = project.assemble(dialog=True, mode="yolo", env={"GEMINI_CLI_TRUST_WORKSPACE": "false"})
    assert assembly.mode == "default"
    assert "mode-not-trusted" in codes(assembly)


def test_an_unknown_mode_names_the_nearest(project: Project) -> None:
    with pytest.raises(ScenarioError, match="auto_edit"):
        project.assemble(mode="autoedit")


def test_the_folder_of_plans_has_to_lie_in_the_workspace(project: Project) -> None:
    def shown(directory: str) -> str:
        assembly = project.assemble(mode="plan", settings={"general": {"plan": {"directory": directory}}})
        return text_of(assembly, "plan").partition("`")[2].partition("`")[0]

    assert shown("docs/plans") == "docs/plans/"
    assert shown("").endswith("/00000000-0000-4000-8000-000000000001/plans/")
    project.write({"home/.gemini/settings.json": '{"general": {"plan": {"directory": 5}}}'})
    assert text_of(project.assemble(mode="plan"), "plan").partition("`")[2].partition("`")[0] == shown("")
    project.write({"home/.gemini/settings.json": "{}"})
    Path(project.cwd, "out").symlink_to(project.home)
    assert shown("out/plans").endswith("/00000000-0000-4000-8000-000000000001/plans/")
    assert shown("../elsewhere").endswith("/00000000-0000-4000-8000-000000000001/plans/")


@pytest.mark.parametrize("enabled", [True, False])
def test_the_folder_of_plans_counts_only_with_plan_mode(project: Project, enabled: bool) -> None:
    project.write({"workspace/docs/plans/p.md": "p"})
    settings = {"general": {"plan": {"directory": "docs/plans", "enabled": enabled}}}
    directories = text_of(project.assemble(settings=settings), "session.directories")
    assert (f"  - {project.cwd}/docs/plans\n" in directories) is enabled


def test_the_folders_that_a_scenario_names(project: Project) -> None:
    args = {"includeDirectories": ["~", "~/a", "~b", "../x"], "policy": ["~/p"]}
    _, inputs = resolve(project.scenario(args=args), Workspace())
    home, root = project.home, str(project.root)
    named = [home, home, f"{home}/a", f"{project.cwd}/~b", f"{root}/x", f"{home}/p"]
    named += [f"{root}/managed{name}" for name in ("", "/system-defaults.json", "/settings.json")]
    assert list(roots(inputs)) == [*named, root]  # the neighbours of a folder that the scenario vouches for
    assert "" not in roots(replace(inputs, workspace="/alone"))
    _, inputs = resolve(project.scenario(args=args, **UNTRUSTED), Workspace())
    assert list(roots(inputs)) == named


@pytest.mark.parametrize(
    ("threshold", "compression"),
    [
        (None, 0.5), (0, 0.5), (-1, 0.5), (0.01, 0.01), (1, 1.0), (1.1, 0.5), (2, 0.5), (True, 0.5), ("0.7", 0.7),
        ("x", 0.5),
    ],
)  # fmt: skip
def test_where_the_conversation_is_compressed(project: Project, threshold: object, compression: float) -> None:
    project.write({SETTINGS: json.dumps({"model": {"compressionThreshold": threshold}})})
    assert project.gathered().materials.compression == compression


ON = "{} is on (not set in ~/.gemini/settings.json)"
NONE_LEFT = {
    "skills": {"disabled": ["skill-creator", "antigravity-support"]},
    "agents": {"overrides": {name: {"enabled": False} for name in ("codebase_investigator", "cli_help", "generalist")}},
}


@pytest.mark.parametrize(
    ("settings", "skills", "agents"),
    [
        ({}, f"{ON} and there are skills", f"{ON} and there are sub-agents"),
        (NONE_LEFT, "no skill is left", "no sub-agent is left"),
        ({"skills": {"enabled": False}, "experimental": {"enableAgents": False}}, "{} is off", "{} is off"),
        ({**NONE_LEFT, "experimental": {"enableAgents": False}}, "no skill is left", "{} is off"),
    ],
)
def test_why_there_are_skills_and_sub_agents(
    project: Project, settings: dict[str, Any], skills: str, agents: str
) -> None:
    found = project.gathered(settings=settings)
    said = [
        gate.evaluate(found.facts).text for gate in (found.materials.gates["skills"], found.materials.gates["agents"])
    ]
    assert said == [skills.format("`skills.enabled`"), agents.format("`experimental.enableAgents`")]


@pytest.mark.parametrize(
    ("given", "trusted"),
    [
        ({}, (True, None)),
        ({"trusted": True}, (True, True)),
        ({"trusted": False}, (True, None)),
        ({"trusted": False, **UNTRUSTED}, (False, False)),
        ({"trusted": True, **UNTRUSTED}, (True, True)),
    ],
)
def test_what_is_said_of_trust_counts_where_it_decides(
    project: Project, given: dict[str, Any], trusted: tuple[bool, bool | None]
) -> None:
    derived = {each.param: (each.computed, each.given) for each in project.gathered(**given).derived}
    assert derived["trusted"] == trusted


@pytest.mark.parametrize("home", [None, "/elsewhere"])
def test_another_home_is_a_setting_of_its_own(project: Project, home: str | None) -> None:
    env = {} if home is None else {"GEMINI_CLI_HOME": home}
    derived = {each.param: (each.computed, each.given) for each in project.gathered(env=env).derived}
    assert derived["env.GEMINI_CLI_HOME"] == (project.home, home)
