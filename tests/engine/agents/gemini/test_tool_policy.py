"""Which tools stay: rules and what they come to (docs/agents/gemini.md#tools)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.agents.gemini.conftest import (
    EVERY,
    HEADLESS,
    Project,
    rule,
    tools_of,
)

from promptscope_engine.agents.gemini.tool_policy import Rule, named_tool, policy_of, registers, server_rule

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("mode", "dialog", "tools"),
    [
        ("default", False, HEADLESS),
        ("auto_edit", False, [*HEADLESS[:5], "replace", "write_file", "web_fetch", *HEADLESS[5:]]),
        ("yolo", False, [name for name in EVERY if name != "ask_user"]),
        (
            "plan",
            False,
            [*HEADLESS[:5], "replace", "write_file", "google_web_search", "exit_plan_mode", "invoke_agent"],
        ),
        ("default", True, EVERY),
        ("auto_edit", True, EVERY),
        ("yolo", True, [name for name in EVERY if name != "enter_plan_mode"]),
        (
            "plan",
            True,
            [*EVERY[:8], "google_web_search", "ask_user", "exit_plan_mode", "invoke_agent", "activate_skill"],
        ),
    ],
)
def test_the_table_of_modes(project: Project, mode: str, dialog: bool, tools: list[str]) -> None:
    assert tools_of(project.assemble(mode=mode, dialog=dialog)) == tools


def test_a_rule_with_arguments_keeps_a_tool_but_takes_none_away() -> None:
    allow = Rule(("t",), "allow", 4, "", narrowed=True)
    deny = Rule(("t",), "deny", 5, "", narrowed=True)
    whole = Rule(("t",), "deny", 3, "")
    verdict = policy_of((allow, deny, whole)).verdict
    assert verdict("t", "default", interactive=False).rule is allow
    assert not policy_of((deny, whole)).verdict("t", "default", interactive=True).stays
    assert policy_of((deny,)).verdict("t", "default", interactive=True).stays
    assert not policy_of((deny,)).verdict("t", "default", interactive=False).stays


@pytest.mark.parametrize(
    ("entry", "found"),
    [
        ("read_file", ("read_file", False)),
        ("ShellTool(ls)", ("run_shell_command", True)),
        ("run_shell_command(git status)", ("run_shell_command", True)),
        ("ReadFileTool", ("ReadFileTool", False)),
        ("a(b", ("a(b", False)),
    ],
)
def test_entries_that_name_a_tool(entry: str, found: tuple[str, bool]) -> None:
    assert named_tool(entry) == found


@pytest.mark.parametrize(
    ("tools", "dialog", "expected"),
    [
        ({"core": []}, False, []),
        ({"core": ["read_file", "write_file"]}, False, ["read_file", "write_file"]),
        ({"core": ["ReadFileTool", "ShellTool(x)"]}, True, ["run_shell_command"]),
        (
            {"exclude": ["search_file_content", "GlobTool"]},
            False,
            [n for n in HEADLESS if n not in ("grep_search", "glob")],
        ),
        ({"allowed": ["run_shell_command(git)"]}, False, [*HEADLESS[:5], "run_shell_command", *HEADLESS[5:]]),
        ({"confirmationRequired": ["write_file"]}, False, [*HEADLESS[:5], "write_file", *HEADLESS[5:]]),
        ({"allowed": ["glob"], "exclude": ["glob"]}, False, [n for n in HEADLESS if n != "glob"]),
    ],
)
def test_settings_make_rules(project: Project, tools: dict[str, Any], dialog: bool, expected: list[str]) -> None:
    assert tools_of(project.assemble(settings={"tools": tools}, dialog=dialog)) == expected


@pytest.mark.parametrize(
    ("rules", "headless", "interactive"),
    [
        (rule("deny", 1), "", ""),
        (rule("allow", 1), "default auto_edit yolo plan", "default auto_edit yolo plan"),
        (rule("deny", 1, interactive="true"), "default auto_edit yolo plan", ""),
        (rule("deny", 1, interactive="false"), "", "default auto_edit yolo plan"),
        (rule("deny", 1, modes='["plan"]'), "default auto_edit yolo", "default auto_edit yolo"),
        (rule("deny", 1, modes='["plan", "yolo"]'), "default auto_edit", "default auto_edit"),
        (rule("deny", 1, modes='["default", "plan"]'), "auto_edit yolo", "auto_edit yolo"),
        (rule("deny", 1) + rule("allow", 2, modes='["plan"]', interactive="true"), "", "plan"),
        (rule("deny", 1) + rule("allow", 2, modes='["yolo"]', interactive="false"), "yolo", ""),
        (rule("deny", 2) + rule("allow", 1, modes='["yolo"]', interactive="false"), "", ""),
        (rule("deny", 1, modes='["yolo"]') + rule("deny", 2, interactive="false"), "", "default auto_edit plan"),
    ],
)
def test_a_rule_decides_in_its_sessions_only(project: Project, rules: str, headless: str, interactive: str) -> None:
    project.write({"home/.gemini/policies/p.toml": rules})
    for dialog, modes in ((False, headless), (True, interactive)):
        found = [
            mode
            for mode in ("default", "auto_edit", "yolo", "plan")
            if "glob" in tools_of(project.assemble(mode=mode, dialog=dialog))
        ]
        assert found == modes.split(), dialog


@pytest.mark.parametrize(
    ("named", "tool", "fits"),
    [
        ("mcp_*", "mcp_a_x", True),
        ("mcp_a_*", "mcp_a_x", True),
        ("mcp_a_*", "mcp_ab_x", False),
        ("mcp_a_*", "mcp_a", False),
        ("read_*", "read_file", False),
        ("*", "read_file", True),
    ],
)
def test_a_star_stands_for_the_tools_of_a_server(named: str, tool: str, fits: bool) -> None:
    rule = Rule((named,), "allow", 1.0, "")
    assert rule.fits(tool, "default", interactive=True, read_only=False) is fits


@pytest.mark.parametrize(
    ("entry", "tool", "lets_in"),
    [
        ("glob", "glob", True),
        ("glob(x)", "glob", True),
        ("GlobTool", "glob", True),
        ("GlobTool(x)", "glob", True),
        ("GrepTool", "grep_search", True),
        ("search_file_content", "grep_search", False),
        ("glob", "read_file", False),
        ("GlobTool", "read_file", False),
        ("nope", "glob", False),
    ],
)
def test_what_an_entry_of_core_tools_lets_in(entry: str, tool: str, lets_in: bool) -> None:
    assert registers(entry, tool) is lets_in


def test_a_server_that_is_denied_is_so_in_plan_mode_too() -> None:
    allow, deny = (server_rule("s", decision, 4, "", None) for decision in ("allow", "deny"))
    for tool, mode, is_allowed, is_denied in (
        ("mcp_s_t", "default", True, True), ("mcp_s_t", "plan", False, True), ("mcp_x_t", "default", False, False),
    ):  # fmt: skip
        found = [rule.fits(tool, mode, interactive=True, read_only=False) for rule in (allow, deny)]
        assert found == [is_allowed, is_denied], (tool, mode)
    assert server_rule("*", "deny", 4, "", None).fits("mcp_x_t", "plan", interactive=False, read_only=False)


@pytest.mark.parametrize(
    ("entry", "names"),
    [
        ("run_shell_command(git)", ("run_shell_command", True)),
        ("ShellTool(git status)", ("run_shell_command", True)),
        ("run_shell_command()", ("run_shell_command()", False)),
        ("run_shell_command(git", ("run_shell_command(git", False)),
    ],
)
def test_an_entry_with_a_command(entry: str, names: tuple[str, bool]) -> None:
    assert named_tool(entry) == names


@pytest.mark.parametrize(
    ("name", "fits"),
    [("*", True), ("mcp_*", True), ("mcp_s_*", True), ("mcp_s*", False), ("m*", False), ("mcp_t_*", False)],
)
def test_a_star_stands_for_all_tools_or_those_of_a_server(name: str, fits: bool) -> None:
    """Asked 0.61.0."""
    rule = Rule((name,), "allow", 1, "")
    assert rule.fits("mcp_s_t", "default", interactive=False, read_only=False) is fits
