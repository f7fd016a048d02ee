"""What OpenCode 1.18.33 takes in its settings and variables, and what keeps it from starting."""

from __future__ import annotations

import json
from typing import Any

import pytest

from promptscope_engine import Assembly

from .conftest import Ask

SERVER = {"name": "docs", "instructions": "Ask docs.", "tools": [{"name": "find"}]}


def refuses(assembly: Assembly) -> bool:
    return "agent-refuses" in {each.code for each in assembly.diagnostics}


def tools(assembly: Assembly) -> list[str]:
    return [tool.name for tool in assembly.tools if tool.present]


@pytest.mark.parametrize(
    ("said", "starts"),
    [
        ({"whitelist": ["claude-sonnet-4-5"]}, True),
        ({"whitelist": ["other"]}, False),
        ({"whitelist": []}, False),
        ({"whitelist": ["other"], "models": {"claude-sonnet-4-5": {}}}, False),
        ({"whitelist": "claude-sonnet-4-5"}, False),
        ({"whitelist": None}, False),
        ({"blacklist": ["claude-sonnet-4-5"]}, False),
        ({"blacklist": []}, True),
        ({"models": {"claude-sonnet-4-5": {"limit": {"context": 1000}}}}, False),
        ({"models": {"claude-sonnet-4-5": {"limit": {"context": 1000, "output": 100}}}}, True),
    ],
)
def test_a_model_that_the_lists_of_its_provider_leave_out(ask: Ask, said: dict[str, Any], starts: bool) -> None:
    found = ask({"ws/opencode.json": json.dumps({"provider": {"anthropic": said}})})
    assert refuses(found) is not starts


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({}, "more than 2000 lines or 51200 bytes"),
        ({"max_lines": 5}, "more than 5 lines or 51200 bytes"),
        ({"max_bytes": 70000, "other": 1}, "more than 2000 lines or 70000 bytes"),
    ],
)
def test_bash_says_how_much_output_is_kept(ask: Ask, said: dict[str, Any], words: str) -> None:
    found = ask({"ws/opencode.json": json.dumps({"tool_output": said})})
    assert words in next(tool.description for tool in found.tools if tool.name == "bash")


@pytest.mark.parametrize("said", [{"max_lines": 0}, {"max_bytes": "5"}, {"max_lines": 1.5}, "5", None])
def test_limits_of_output_that_it_does_not_take(ask: Ask, said: object) -> None:
    assert refuses(ask({"ws/opencode.json": json.dumps({"tool_output": said})}))


@pytest.mark.parametrize(("cwd", "there"), [("docs", True), ("none", False), ("", True), (".", True)])
def test_a_server_is_started_in_a_folder_that_is_there(ask: Ask, cwd: str, there: bool) -> None:
    server = {"type": "local", "command": ["docs-server"], "cwd": cwd}
    files = {"ws/docs/a.md": "x", "ws/opencode.json": json.dumps({"mcp": {"docs": server}})}
    assert ("docs_find" in tools(ask(files, mcp_servers=[SERVER]))) is there


@pytest.mark.parametrize(
    ("value", "has_bash"),
    [('{"bash": "deny"}', False), ('"deny"', True), ("[]", True), ("broken", True), ('{"bash": 5}', True), ("", True)],
)
def test_permissions_in_a_variable_never_keep_it_from_starting(ask: Ask, value: str, has_bash: bool) -> None:
    found = ask(env={"OPENCODE_PERMISSION": value})
    assert not refuses(found)
    assert ("bash" in tools(found)) is has_bash


@pytest.mark.parametrize(
    ("value", "starts"), [("wrk_1", True), ("wrkx", True), ("", True), ("w", False), ("WRK", False)]
)
def test_a_workspace_has_a_name_of_its_kind(ask: Ask, value: str, starts: bool) -> None:
    assert refuses(ask(env={"OPENCODE_WORKSPACE_ID": value})) is not starts


@pytest.mark.parametrize(("below", "above"), [("home/.config/opencode/opencode.json", "ws/opencode.json")])
def test_a_permission_for_everything_leaves_room_for_others(ask: Ask, below: str, above: str) -> None:
    found = ask({below: '{"permission": "deny"}', above: '{"permission": {"bash": "allow"}}'})
    assert tools(found) == ["bash"]
    by_variable = ask({above: '{"permission": "deny"}'}, env={"OPENCODE_PERMISSION": '{"bash": "allow"}'})
    assert tools(by_variable) == ["bash"]


@pytest.mark.parametrize(("color", "starts"), [("#ff0000", True), ("accent", True), ("red", False), ("#f00", False)])
def test_colours_of_an_agent(ask: Ask, color: str, starts: bool) -> None:
    agent = f'---\ndescription: Helps.\ncolor: "{color}"\n---\nHelp.\n'
    assert refuses(ask({"ws/.opencode/agents/helper.md": agent})) is not starts
