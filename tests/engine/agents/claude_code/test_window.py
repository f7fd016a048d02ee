from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from promptscope_engine import assemble
from promptscope_engine.agents.claude_code.versions import resolve_model
from promptscope_engine.agents.claude_code.window import bash_result, categories, compaction, mcp_result, window_of

if TYPE_CHECKING:
    from .conftest import Project

V100, V329 = "2.1.100", "2.1.329"


@pytest.mark.parametrize(
    ("version", "model", "env", "window"),
    [
        (V100, None, {}, 200_000),
        (V100, "sonnet[1m]", {}, 1_000_000),
        (V100, "sonnet[1m]", {"CLAUDE_CODE_DISABLE_1M_CONTEXT": "1"}, 200_000),
        (V329, None, {}, 1_000_000),
        (V329, "claude-sonnet-4-5-20250929", {}, 200_000),
        (V329, None, {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "150000"}, 150_000),
        (V329, None, {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "many"}, 1_000_000),
    ],
)
def test_window(version: str, model: str | None, env: dict[str, str], window: int) -> None:
    assert window_of(resolve_model(model, version), version, env) == window


@pytest.mark.parametrize(
    ("env", "reserve", "compact_at"),
    [
        ({}, 33_000, 167_000),
        ({"DISABLE_AUTO_COMPACT": "1"}, 3_000, None),
        ({"CLAUDE_CODE_MAX_OUTPUT_TOKENS": "8000"}, 21_000, 179_000),
        ({"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "50"}, 33_000, 90_000),
        ({"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "99"}, 33_000, 167_000),
        ({"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "x"}, 33_000, 167_000),
        ({"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "150000"}, 33_000, 117_000),
    ],
)
def test_compaction(env: dict[str, str], reserve: int, compact_at: int | None) -> None:
    assert compaction(resolve_model(None, V100), V100, env) == (reserve, compact_at)


def test_older_models_show_no_buffer() -> None:
    assert compaction(resolve_model("claude-sonnet-4-5-20250929", V329), V329, {}) == (0, None)


def test_categories_in_the_order_of_context(project: Project) -> None:
    project.write(
        {"workspace/CLAUDE.md": "text " * 50, "workspace/.claude/agents/a.md": "---\nname: a\ndescription: d\n---\n"}
    )
    servers = [{"name": "fx", "instructions": "words", "tools": [{"name": "t"}]}]
    assembly = assemble(project.scenario(V329, mcp_servers=servers), project.workspace)
    rows = categories(assembly, messages=1_000)
    assert [row.name for row in rows] == [
        "System prompt",
        "System tools",
        "MCP server instructions",
        "System tools (deferred)",
        "Custom agents",
        "Memory files",
        "Skills",
        "Messages",
        "Free space",
        "Autocompact buffer",
    ]
    systems = sum(s.expected_tokens or 0 for s in assembly.sections if s.present and s.channel == "system")
    assert rows[0].tokens == systems
    used = sum(row.tokens for row in rows if row.used)
    free = next(row.tokens for row in rows if row.name == "Free space")
    assert used + free + 33_000 == 1_000_000


@pytest.mark.parametrize("version", [V100, V329])
@pytest.mark.parametrize("search", ["true", "false"])
def test_categories_count_what_is_sent(project: Project, version: str, search: str) -> None:
    agent = "---\nname: a\ndescription: d\n---\n"
    project.write({f"{place}/.claude/agents/a.md": agent for place in ("home", "workspace")})
    servers = [{"name": "fx", "instructions": "words", "tools": [{"name": "t", "description": "some tool"}]}]
    asked = project.scenario(version, mcp_servers=servers, env={"ENABLE_TOOL_SEARCH": search})
    assembly = assemble(asked, project.workspace)
    sections = {s.id: s.expected_tokens or 0 for s in assembly.sections if s.present}
    tools = [(t.group == "MCP", t.present, t.variant == "deferred", t.expected_tokens or 0) for t in assembly.tools]
    current = version == V329
    assert any(late for _, _, late, _ in tools) is (search == "true")
    wanted = {
        "System tools": sum(tokens for of_server, present, _, tokens in tools if present and not of_server),
        "MCP tools": sum(tokens for of_server, present, _, tokens in tools if present and of_server),
        "System tools (deferred)": sum(t for of_server, _, late, t in tools if current and late and not of_server),
        "MCP server instructions": sections.get("mcp_instructions", 0) if current else 0,
        "Skills": sections.get("skills", 0),
        "Messages": sections["prompt"],
        "Custom agents": sum(f.tokens or 0 for f in assembly.files if f.kind == "agent" and f.present),
    }
    rows = {row.name: row.tokens for row in categories(assembly)}
    assert {name: rows.get(name, 0) for name in wanted} == wanted
    assert all(rows.values()), "a row of no tokens is left out"
    full = {row.name: row.tokens for row in categories(assembly, messages=assembly.tokens.window)}
    assert full["Messages"] == assembly.tokens.window + sections["prompt"]
    assert "Free space" not in full


@pytest.mark.parametrize(
    ("last", "code", "words"),
    [(167_100, "compacts", "before the next turn"), (166_900, "window", "after 100 more")],
)
def test_the_last_usage_tells_whether_the_next_turn_compacts(
    project: Project, last: int, code: str, words: str
) -> None:
    found = project.assemble(V100, params={"usage": {"lastTotal": last}}).diagnostics
    assert [(d.code, words in d.message) for d in found] == [(code, True)]


def test_nothing_compacts_when_it_is_turned_off(project: Project) -> None:
    params = {"usage": {"lastTotal": 199_000}}
    found = project.assemble(V100, params=params, env={"DISABLE_AUTO_COMPACT": "1"}).diagnostics
    assert [d.message for d in found] == ["the last request held 199,000 tokens; 1,000 are left, none compacts"]


def test_results_of_tools() -> None:
    assert bash_result(24_000, {}) == 24_000
    assert bash_result(223_000, {}) == 2_283
    assert bash_result(40_000, {"BASH_MAX_OUTPUT_LENGTH": "50000"}) == 40_000
    assert mcp_result(9_000, {}) == (9_000, False)
    assert mcp_result(30_000, {}) == (25_000, True)
    assert mcp_result(30_000, {"MAX_MCP_OUTPUT_TOKENS": "40000"}) == (30_000, True)
