"""What keeps Claude Code from starting: each was asked of the client."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from .conftest import ENVIRONMENT

if TYPE_CHECKING:
    from .conftest import Project

LATEST = "2.1.332"


def said(
    project: Project, managed: dict[str, Any] | None = None, env: dict[str, str] | None = None, **top: Any
) -> list[str]:
    project.write({"managed/managed-settings.json": json.dumps(managed or {})})
    found = project.assemble(LATEST, env=env or {}, managed=str(project.root / "managed"), **top)
    return [d.message for d in found.diagnostics if d.code == "agent-refuses"]


@pytest.mark.parametrize(
    ("key", "value", "refuses"),
    [
        *[("requiredMaximumVersion", value, True) for value in ("1.0.0", "v1.0.0", "2.1.332-beta", "2.1.331")],
        *[("requiredMaximumVersion", value, False) for value in ("2.1.332", "99.0.0", "2.1", "x", "")],
        *[("requiredMinimumVersion", value, True) for value in ("99.0.0", "v2.1.333")],
        *[("requiredMinimumVersion", value, False) for value in ("2.1.332", "1.0.0", "2.1.332-beta", "100", "x")],
        ("minimumVersion", "99.0.0", False),
    ],
)
def test_versions_that_an_organisation_wants(project: Project, key: str, value: str, refuses: bool) -> None:
    assert bool(said(project, {key: value})) is refuses


def test_an_organisations_settings_count_and_no_others(project: Project) -> None:
    project.write({"home/.claude/settings.json": '{"requiredMaximumVersion": "1.0.0", "disableSideloadFlags": true}'})
    assert said(project, params={"args": {"print": True, "pluginDir": ["p"]}}) == []


@pytest.mark.parametrize(
    ("args", "flag"),
    [
        ({"pluginDir": ["p"]}, "--plugin-dir"),
        ({"agents": {}}, "--agents"),
        ({"mcpConfig": ['{"mcpServers": {"a": {"command": "a"}}}']}, "--mcp-config"),
        ({"mcpConfig": ['{"mcpServers": {}}']}, ""),
        ({"addDir": ["."], "systemPrompt": "x", "settingSources": "user", "strictMcpConfig": True}, ""),
    ],
)
def test_what_the_command_line_may_not_bring_along(project: Project, args: dict[str, Any], flag: str) -> None:
    found = said(project, {"disableSideloadFlags": True}, params={"args": {"print": True, **args}})
    assert [text.rpartition(" ")[2] for text in found] == ([flag] if flag else [])


@pytest.mark.parametrize(("value", "refuses"), [("x", True), ("false", False), (False, False)])
def test_a_wrong_type_closes_all_the_same(project: Project, value: Any, refuses: bool) -> None:
    args = {"args": {"print": True, "pluginDir": ["p"]}}
    assert bool(said(project, {"disableSideloadFlags": value}, params=args)) is refuses


@pytest.mark.parametrize(
    "wanted", [{"forceLoginOrgUUID": "0"}, {"forceLoginOrgUUID": 7}, {"forceLoginMethod": "console"}]
)
@pytest.mark.parametrize(
    ("env", "refuses"),
    [
        ({"ANTHROPIC_API_KEY": "k"}, True),
        ({"ANTHROPIC_AUTH_TOKEN": "t"}, True),
        ({"ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}, True),
        ({"ANTHROPIC_BASE_URL": "http://127.0.0.1:9", "CLAUDE_CODE_OAUTH_TOKEN": "t"}, False),
        ({}, False),
    ],
)
def test_a_sign_in_of_the_organisation_takes_no_key(
    project: Project, wanted: dict[str, Any], env: dict[str, str], refuses: bool
) -> None:
    assert bool(said(project, wanted, env)) is refuses


@pytest.mark.parametrize(
    ("helper", "refuses"),
    [
        ({"path": "bin/true"}, True),
        ({"path": "/bin/none"}, True),
        ({"path": "/bin/true"}, True),
        ({}, False),
        ("x", False),
    ],
)
def test_a_helper_that_gives_no_settings(project: Project, helper: Any, refuses: bool) -> None:
    assert bool(said(project, {"policyHelper": helper})) is refuses


def test_a_helper_that_may_give_some_is_named(project: Project) -> None:
    program = project.root / "helper"
    project.write(
        {"helper": "#!/bin/sh\n", "managed/managed-settings.json": json.dumps({"policyHelper": {"path": str(program)}})}
    )
    program.chmod(0o755)
    found = project.assemble(LATEST, managed=str(project.root / "managed"))
    assert [d.code for d in found.diagnostics if d.code in ("policy-helper", "agent-refuses")] == ["policy-helper"]


@pytest.mark.parametrize(
    ("value", "refuses"), [("1", True), ("true", True), ("0", False), ("nope", False), ("", False)]
)
def test_an_environment_cannot_be_kept_from_commands_without_bubblewrap(
    project: Project, value: str, refuses: bool
) -> None:
    env = {"CLAUDE_CODE_SUBPROCESS_ENV_SCRUB": value, "PATH": str(project.root)}
    assert bool(said(project, env=env)) is refuses


def test_files_need_a_token(project: Project) -> None:
    params = {"args": {"print": True, "file": ["a:b"]}}
    assert said(project, params=params) == [
        "Claude Code does not start: --file needs `CLAUDE_CODE_SESSION_ACCESS_TOKEN`"
    ]
    assert said(project, env={"CLAUDE_CODE_SESSION_ACCESS_TOKEN": "t"}, params=params) == []


@pytest.mark.parametrize(
    ("user", "env", "refuses"),
    [
        ("root", {}, True),
        ("root", {"IS_SANDBOX": "true"}, True),
        ("root", {"IS_SANDBOX": "1"}, False),
        ("root", {"CLAUDE_CODE_BUBBLEWRAP": "1"}, False),
        ("ada", {}, False),
    ],
)
def test_root_does_not_bypass_permissions(project: Project, user: str, env: dict[str, str], refuses: bool) -> None:
    environment = {**ENVIRONMENT, "username": user}
    assert bool(said(project, env=env, environment=environment, mode="bypassPermissions")) is refuses
    assert said(project, env=env, environment=environment) == []


@pytest.mark.parametrize(
    ("args", "refuses"),
    [
        ({"allowDangerouslySkipPermissions": True}, True),
        ({"worktree": "a b"}, True),
        ({"worktree": "feat/x"}, False),
        ({"maxBudgetUsd": 0}, True),
        ({"maxBudgetUsd": 0.5}, False),
    ],
)
def test_arguments_that_stop_a_start(project: Project, args: dict[str, Any], refuses: bool) -> None:
    params = {"args": {"print": True, **args}}
    assert bool(said(project, params=params, environment={**ENVIRONMENT, "username": "root"})) is refuses


@pytest.mark.parametrize(
    ("value", "says"), [("auto", True), ("auto:5", True), ("auto:0", False), ("auto:100", False), ("true", False)]
)
def test_a_share_of_the_window_is_measured_by_the_endpoint(project: Project, value: str, says: bool) -> None:
    """It counts the client's own tools too, which promptscope cannot: a note says so where the variable is set."""
    codes = [note.code for note in project.assemble(LATEST, env={"ENABLE_TOOL_SEARCH": value}).diagnostics]
    assert ("tool-search-share" in codes) is says
