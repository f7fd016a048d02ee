"""What rules of `permissions.deny` forbid to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from promptscope_engine.agents.claude_code.gather.instruction_files import DeniedReads
from promptscope_engine.prompt.model import SettingSource
from promptscope_engine.prompt.sourced import Sourced

if TYPE_CHECKING:
    from .conftest import Project


@pytest.mark.parametrize(
    ("rule", "path", "denied"),
    [
        ("Read", "/w/a/x.md", True), ("Read(*)", "/w/x.md", True), ("Read(x.md)", "/w/a/x.md", True),
        ("Read(./x.md)", "/w/a/x.md", True), ("Read(/x.md)", "/w/x.md", True), ("Read(/x.md)", "/w/a/x.md", False),
        ("Read(//w/x.md)", "/w/x.md", True), ("Read(/w/x.md)", "/w/x.md", False), ("Read(~/x.md)", "/h/x.md", True),
        ("Read(a/)", "/w/a/x.md", True), ("Read(*.{md,txt})", "/w/x.md", False), ("Read(X.md)", "/w/x.md", True),
        ("Read(!x.md)", "/w/x.md", False), ("Edit(x.md)", "/w/x.md", False), ("read(x.md)", "/w/x.md", False),
        ("*", "/w/x.md", True), ("**", "/w/x.md", True), ("*ead", "/w/x.md", True), ("*(x)", "/w/x.md", False),
        ("Read(a/**)", "/w/b/a/x.md", True), ("Read(x.md", "/w/x.md", False), ("Read(x.md)", "/elsewhere/x.md", False),
    ],
)  # fmt: skip
def test_patterns_are_lines_of_an_ignore_file(rule: str, path: str, denied: bool) -> None:
    rules = [Sourced(rule, SettingSource("permissions.deny", "/w/.claude/settings.json", 1))]
    assert bool(DeniedReads(rules, "/w", "/h", "/h/.claude").denying(path)) is denied


def test_a_slash_begins_where_the_settings_file_belongs() -> None:
    rules = [Sourced("Read(/x.md)", SettingSource("permissions.deny", "/h/.claude/settings.json", 1))]
    denied = DeniedReads(rules, "/w", "/h", "/h/.claude")
    assert not denied.denying("/w/x.md")
    assert denied.denying("/h/.claude/x.md")


def test_a_project_s_files_that_may_not_be_read_do_not_load(project: Project) -> None:
    project.write({"workspace/CLAUDE.md": "@a.md", "workspace/a.md": "a", "workspace/AGENTS.md": "b"})
    project.write({"home/.claude/CLAUDE.md": "own", "workspace/CLAUDE.local.md": " "})
    denied = {"params": {"settings": {"permissions": {"deny": ["Read(CLAUDE.md)"]}}}}
    assert project.loaded() == ["home/.claude/CLAUDE.md", "workspace/CLAUDE.md", "workspace/a.md"]
    assert project.loaded(**denied) == ["home/.claude/CLAUDE.md", "workspace/AGENTS.md"]
    everything = {"params": {"settings": {"permissions": {"deny": ["Read(//**)"]}}}}
    assert project.loaded(**everything) == ["home/.claude/CLAUDE.md"]
    assert "workspace/a.md" in project.loaded("2.1.100", **everything)
    assert "`permissions.deny` has Read(CLAUDE.md)" in project.file("workspace/CLAUDE.md", **denied).why.text


@pytest.mark.parametrize(
    ("rule", "loads"),
    [("Read(CLAUDE.md)", False), ("Read(**)", False), ("Read", True), ("*ead", True), ("*", True), ("Read(*)", True)],
)
def test_of_the_command_line_only_rules_for_paths_count(project: Project, rule: str, loads: bool) -> None:
    project.write({"workspace/CLAUDE.md": "a"})
    found = project.loaded("2.1.332", params={"args": {"disallowedTools": [rule]}})
    assert found == (["workspace/CLAUDE.md"] if loads else [])
