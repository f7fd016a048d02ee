"""Which mode and which model a run has: what settings may say, and which of them may."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from .prompts import section

if TYPE_CHECKING:
    from promptscope_engine.prompt.model import Assembly

    from .conftest import Project

USER, SHARED, LOCAL = (
    "home/.claude/settings.json",
    "workspace/.claude/settings.json",
    "workspace/.claude/settings.local.json",
)


def run(project: Project, settings: dict[str, Any], **top: Any) -> Assembly:
    project.write({name: json.dumps(values) for name, values in settings.items()})
    project.workspace.forget(project.workspace.asked)
    return project.assemble("2.1.332", params={"args": {"print": True}}, **top)


@pytest.mark.parametrize("place", [SHARED, LOCAL])
@pytest.mark.parametrize(
    ("mode", "counts"),
    [("bypassPermissions", False), ("auto", False), ("plan", True), ("acceptEdits", True), ("dontAsk", True)],
)
def test_a_project_cannot_set_a_mode_that_needs_more_trust(
    project: Project, place: str, mode: str, counts: bool
) -> None:
    permissions = {"permissions": {"defaultMode": mode}}
    assert run(project, {place: permissions}).mode == (mode if counts else "default")
    assert run(project, {place: {}, USER: permissions}).mode == mode


@pytest.mark.parametrize(
    ("mode", "settings"),
    [
        ("bypassPermissions", {"permissions": {"disableBypassPermissionsMode": "disable"}}),
        ("auto", {"permissions": {"disableAutoMode": "disable"}}),
        ("auto", {"disableAutoMode": "disable"}),
    ],
)
def test_a_setting_forbids_a_mode(project: Project, mode: str, settings: dict[str, Any]) -> None:
    assert run(project, {SHARED: settings}, mode=mode).mode == "default"


def test_a_session_in_the_cloud_starts_without_auto_mode(project: Project) -> None:
    assert project.assemble("2.1.332", env={"CLAUDE_CODE_REMOTE": "1"}).mode == "default"
    assert project.assemble("2.1.332").mode == "auto"


@pytest.mark.parametrize("asked", ["default", "Default", "default[1m]"])
def test_default_is_a_models_name_where_it_is_written(project: Project, asked: str) -> None:
    assert run(project, {USER: {"model": asked}}).model == asked.removesuffix("[1m]")
    assert run(project, {USER: {}}, model=asked.lower()).model == "claude-opus-5-5"


@pytest.mark.parametrize(
    ("settings", "model", "told"),
    [
        ({"modelOverrides": {"claude-opus-5-5": "mine"}}, "mine", "mine"),
        ({"modelOverrides": {"claude-opus-5-5": "mine"}, "model": "opus"}, "mine", "mine"),
        ({"modelOverrides": {"claude-opus-5-5": "mine"}, "model": "claude-opus-5-5"}, "mine", "claude-opus-5-5"),
        ({"modelOverrides": {"claude-sonnet-5-5": "mine"}, "model": "sonnet[1m]"}, "mine", "mine"),
        ({"modelOverrides": {"claude-opus-5-5": "a", "a": "b"}}, "a", "a"),
        *[
            ({"modelOverrides": each}, "claude-opus-5-5", "claude-opus-5-5")
            for each in (
                {"opus": "mine"},
                {"claude-sonnet-5-5": "mine"},
                {"claude-opus-5-5": ""},
                {"claude-opus-5-5": "claude-opus-5-5[1m]"},
            )
        ],
        ({"modelOverrides": {"mine": "other"}, "model": "mine"}, "mine", "mine"),
    ],
)
def test_model_overrides_go_by_the_full_id(project: Project, settings: dict[str, Any], model: str, told: str) -> None:
    found = run(project, {USER: settings})
    assert found.model == model
    assert f" {told}." in section(found, "environment.model").text


def test_the_list_of_skills_has_the_window_of_the_model_that_is_asked(project: Project) -> None:
    project.write(
        {f"workspace/.claude/skills/s{n}/SKILL.md": f"---\ndescription: {'x' * 900}\n---\n" for n in range(20)}
    )
    found = run(project, {USER: {"modelOverrides": {"claude-opus-5-5": "claude-opus-4-6"}}})
    assert "- s19\n" in section(found, "skills").text
    assert "- s19\n" not in section(run(project, {USER: {}}), "skills").text
