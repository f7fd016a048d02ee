"""The hooks of settings, plugins, skills and agents: which run, and what of their output reaches the prompt."""

from __future__ import annotations

import json
from typing import Any

import pytest

from promptscope_engine.prompt.model import Program

from .conftest import Project


def hooks(event: str = "SessionStart", command: str = "echo one", matcher: str | None = None, **more: Any) -> str:
    group: dict[str, Any] = {"hooks": [{"type": "command", "command": command, **more}]}
    return json.dumps({"hooks": {event: [group if matcher is None else {"matcher": matcher, **group}]}}, indent=1)


def listed(project: Project, **more: Any) -> list[Program]:
    return [each for each in project.assemble("2.1.332", **more).programs if each.kind == "hook"]


def test_hooks_of_all_layers_are_listed_with_their_places(project: Project) -> None:
    project.write(
        {
            "home/.claude/settings.json": hooks(command="echo user"),
            "workspace/.claude/settings.json": hooks("UserPromptSubmit", "echo project"),
            "workspace/.claude/settings.local.json": hooks("PreToolUse", "echo local", "Read"),
            "managed/managed-settings.json": hooks("InstructionsLoaded", "echo managed"),
        }
    )
    found = {each.event: each for each in listed(project)}
    assert {event: (each.name, each.source, each.matcher, each.present) for event, each in found.items()} == {
        "SessionStart": ("echo user", "user", "", True),
        "UserPromptSubmit": ("echo project", "project", "", True),
        "PreToolUse": ("echo local", "local", "Read", True),
        "InstructionsLoaded": ("echo managed", "managed", "", True),
    }
    assert found["SessionStart"].path == str(project.root / "home/.claude/settings.json")
    assert found["SessionStart"].line == 6
    assert "10,000 characters" in found["SessionStart"].adds
    assert found["InstructionsLoaded"].adds == ""


@pytest.mark.parametrize(
    ("matcher", "runs"),
    [
        ("", True),
        ("*", True),
        ("startup", True),
        ("startup|resume", True),
        ("start.*", True),
        ("resume", False),
        ("(", False),
    ],
)
def test_a_matcher_of_session_starts_fits_a_new_session(project: Project, matcher: str, runs: bool) -> None:
    project.write({"home/.claude/settings.json": hooks(matcher=matcher)})
    (found,) = listed(project)
    assert found.present is runs
    assert runs or f"the matcher `{matcher}` does not fit" in found.why.text


def test_an_event_that_there_is_not_names_the_nearest(project: Project) -> None:
    project.write({"home/.claude/settings.json": hooks("SessionStarts")})
    (found,) = listed(project)
    assert "there is no event SessionStarts: did you mean SessionStart?" in found.why.text


def test_the_same_hook_in_two_layers_runs_once(project: Project) -> None:
    project.write({"home/.claude/settings.json": hooks(), "workspace/.claude/settings.json": hooks()})
    first, second = listed(project)
    assert (first.present, second.present) == (True, False)
    assert f"{first.path} has the same hook" in second.why.text


@pytest.mark.parametrize(
    ("settings", "params", "running"),
    [
        ({"managed": {"disableAllHooks": True}}, {}, set()),
        ({"home": {"disableAllHooks": True}}, {}, {"managed"}),
        ({"managed": {"allowManagedHooksOnly": True}}, {}, {"managed"}),
        ({}, {"args": {"bare": True}}, {"managed"}),
        ({}, {"args": {"settingSources": "project"}}, {"managed", "project"}),
    ],
)
def test_switches_stop_hooks(
    project: Project, settings: dict[str, Any], params: dict[str, Any], running: set[str]
) -> None:
    places = {
        "home": "home/.claude/settings.json",
        "workspace": "workspace/.claude/settings.json",
        "managed": "managed/managed-settings.json",
    }
    project.write(
        {
            path: json.dumps({**json.loads(hooks(command=f"echo {name}")), **settings.get(name, {})})
            for name, path in places.items()
        }
    )
    found = listed(project, params=params)
    assert len(found) == 3
    assert {each.source for each in found if each.present} == running


def test_hooks_of_plugins_add_up_and_those_of_skills_wait(project: Project) -> None:
    project.write(
        {
            "plug/.claude-plugin/plugin.json": json.dumps(
                {"name": "tool", "hooks": json.loads(hooks("Stop", "echo inline"))["hooks"]}
            ),
            "plug/hooks/hooks.json": hooks(command="echo file"),
            "workspace/.claude/skills/fold/SKILL.md": (
                "---\ndescription: d\nhooks:\n  PostToolUse:\n    - matcher: Read\n      hooks:\n"
                "        - type: command\n          command: echo skill\n---\nbody\n"
            ),
        }
    )
    found = listed(project, params={"args": {"pluginDir": [str(project.root / "plug")]}})
    assert [(each.name, each.present) for each in found] == [
        ("echo file", True),
        ("echo inline", True),
        ("echo skill", False),
    ]
    assert "run once it is called" in found[2].why.text


def test_a_hook_of_an_untrusted_project_is_a_warning_with_its_place(project: Project) -> None:
    project.write({"home/.claude.json": '{"numStartups": 1}', "workspace/.claude/settings.json": hooks()})
    found = project.assemble("2.1.332", params={"args": {"print": True}}).diagnostics
    notes = [each for each in found if each.code == "untrusted-hook"]
    assert [(each.severity, each.path, each.line) for each in notes] == [
        ("warning", str(project.cwd / ".claude/settings.json"), 6)
    ]


def test_hooks_are_never_run(project: Project) -> None:
    witness = project.root / "ran"
    project.write({"workspace/.claude/settings.json": hooks(command=f"touch {witness}")})
    assert listed(project)[0].present
    assert not witness.exists()


@pytest.mark.parametrize(
    "values", ['{"hooks": 7}', '{"hooks": {"SessionStart": 7}}', '{"hooks": {"SessionStart": [{"hooks": [7]}]}}', "{"]
)
def test_hooks_of_a_wrong_shape_do_no_harm(project: Project, values: str) -> None:
    project.write(
        {
            "plug/.claude-plugin/plugin.json": '{"name": "tool"}',
            "plug/hooks/hooks.json": values,
            "workspace/.claude/settings.json": values,
        }
    )
    assert all(not each.name for each in listed(project, params={"args": {"pluginDir": [str(project.root / "plug")]}}))


def test_of_two_plugins_of_one_name_the_first_one_s_hooks_run(project: Project) -> None:
    for folder in ("one", "two"):
        project.write(
            {
                f"{folder}/.claude-plugin/plugin.json": '{"name": "twin"}',
                f"{folder}/hooks/hooks.json": hooks(command=f"echo {folder}"),
            }
        )
    folders = [str(project.root / folder) for folder in ("one", "two")]
    first, second = listed(project, params={"args": {"pluginDir": folders}})
    assert (first.present, second.present) == (True, False)
    assert "another plugin is called twin" in second.why.text
