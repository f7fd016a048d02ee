"""The account of the context window."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest
from tests.engine.agents.gemini.conftest import (
    AGENT,
    SKILL,
    Project,
)

from promptscope_engine.agents.gemini.agent import GEMINI


@pytest.mark.parametrize("servers", [None, [{"name": "s", "instructions": "Ask.", "tools": [{"name": "t"}]}]])
def test_the_account_of_the_window_counts_everything_once(project: Project, servers: list[object] | None) -> None:
    project.write({"home/.gemini/GEMINI.md": "global", "workspace/GEMINI.md": "project"})
    project.write({"home/.gemini/skills/x/SKILL.md": SKILL.format("x", "d")})
    project.write({"home/.gemini/agents/rev.md": AGENT.format("rev")})
    assembly = project.assemble(mcp_servers=servers or [], dialog=True, prompt="hello there")
    found = GEMINI.context(assembly, {})
    rows = {row.name: row.tokens for row in found.categories}
    assert sum(row.tokens for row in found.categories if row.used) == assembly.tokens.expected
    assert rows["Free space"] == found.window - found.reserve - (assembly.tokens.expected or 0)
    assert ("MCP server instructions" in rows, "MCP tools" in rows) == (servers is not None,) * 2
    names = ("System prompt", "Tools", "Sub-agents", "Skills", "Context files", "Session context", "Messages")
    assert all(rows[name] > 0 for name in names)
    own = {s.id: s.expected_tokens for s in assembly.sections if s.present}
    assert (rows["Skills"], rows["Sub-agents"]) == (own["skills"], own["sub_agents"])
    assert rows["Context files"] == sum(own[i] or 0 for i in own if i == "memory" or i.startswith("memory.project:"))


SERVER = {"name": "fx", "instructions": "Ask fx.", "tools": [{"name": "find"}]}


def test_the_categories_hold_every_part_once(project: Project) -> None:
    project.write({"workspace/GEMINI.md": "p " * 50, "home/.gemini/GEMINI.md": "g " * 50})
    assembly = project.assemble(mcp_servers=[SERVER], dialog=True, prompt="Say hello")
    report = GEMINI.context(assembly, {})
    names = [row.name for row in report.categories]
    assert names == [
        "System prompt", "Tools", "MCP tools", "MCP server instructions", "Sub-agents", "Skills", "Context files",
        "Session context", "Messages", "Free space",
    ]  # fmt: skip
    assert abs(report.used - cast("int", assembly.tokens.expected)) <= len(assembly.sections) + len(assembly.tools)
    assert report.window == report.used + report.categories[-1].tokens
    assert "not observed" in report.remark


def test_no_room_is_left_in_a_window_that_is_too_small(project: Project) -> None:
    assembly = project.assemble()
    used = GEMINI.context(assembly, {}).used
    for window, free in ((used - 1, []), (used, []), (used + 1, [1])):
        small = replace(assembly, tokens=replace(assembly.tokens, window=window))
        rows = GEMINI.context(small, {}).categories
        assert [row.tokens for row in rows if row.name == "Free space"] == free


def test_what_is_not_counted_yet_has_no_row(project: Project) -> None:
    assembly = project.assemble()
    sections = tuple(replace(section, expected_tokens=None) for section in assembly.sections)
    report = GEMINI.context(replace(assembly, sections=sections, tools=()), {})
    assert [row.name for row in report.categories] == ["Free space"]
