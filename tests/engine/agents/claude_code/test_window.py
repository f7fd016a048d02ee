from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from promptscope_engine import assemble
from promptscope_engine.agents.claude_code.versions import resolve_model
from promptscope_engine.agents.claude_code.window import (
    budget,
    categories,
    max_output,
    mcp_result,
    report,
    result_chars,
    window_of,
)
from promptscope_engine.agents.features import UNACCOUNTED
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import get_tokenizer

if TYPE_CHECKING:
    from .conftest import Project

pytestmark = pytest.mark.slow

V100, V329, V330 = "2.1.100", "2.1.329", "2.1.330"


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
        (V329, None, {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "8000"}, 8_000),
        ("2.1.332", None, {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "8000"}, 100_000),
    ],
)
def test_window(version: str, model: str | None, env: dict[str, str], window: int) -> None:
    assert window_of(resolve_model(model, version), version, env) == window


_WITHOUT_LONG = {"CLAUDE_CODE_DISABLE_1M_CONTEXT": "1"}


def _of(tokens: str) -> dict[str, str]:
    return {"CLAUDE_CODE_MAX_CONTEXT_TOKENS": tokens}


@pytest.mark.parametrize(
    ("model", "env", "window", "reserve"),
    [
        *[(f"claude-{name}", {}, 200_000, 0) for name in ("opus-4", "sonnet-4", "haiku-4-5", "sonnet-4-5")],
        *[(f"claude-{name}", {}, 200_000, 33_000) for name in ("opus-4-6", "sonnet-4-6")],
        *[(f"claude-{name}", {}, 1_000_000, 33_000) for name in ("opus-4-1", "opus-4-7", "opus-4-8", "opus-5")],
        *[(f"claude-{name}", {}, 1_000_000, 33_000) for name in ("sonnet-5", "fable-5", "haiku-5-5", "foo-9")],
        ("glm-4.7", {}, 1_000_000, 33_000),
        *[(f"{name}[1m]", {}, 1_000_000, 0) for name in ("claude-sonnet-4-5", "claude-opus-4-6", "glm-4.7")],
        ("sonnet[1m]", {}, 1_000_000, 33_000),
        ("claude-opus-4-6[1m]", _WITHOUT_LONG, 200_000, 33_000),
        ("mimo-x", _WITHOUT_LONG, 200_000, 33_000),
        ("mimo-x", _of("300000"), 300_000, 33_000),
        ("mimo-x", {**_of("300000"), **_WITHOUT_LONG}, 300_000, 33_000),
        ("mimo-x", {**_of("300000"), "CLAUDE_CODE_AUTO_COMPACT_WINDOW": "150000"}, 150_000, 33_000),
        *[("mimo-x", _of(tokens), 1_000_000, 33_000) for tokens in ("abc", "0")],
        ("mimo-x[1m]", _of("300000"), 1_000_000, 0),
        ("claude-opus-5-5", _of("300000"), 1_000_000, 33_000),
    ],
)
def test_window_and_reserve_of_each_model(model: str, env: dict[str, str], window: int, reserve: int) -> None:
    """What /context of 2.1.332 shows."""
    found = budget(resolve_model(model, "2.1.332"), "2.1.332", env)
    assert (found.size, found.reserve) == (window, reserve)


@pytest.mark.parametrize(
    ("env", "reserve", "compact_at"),
    [
        ({}, 33_000, 167_000),
        ({"DISABLE_AUTO_COMPACT": "1"}, 3_000, None),
        ({"DISABLE_COMPACT": "1"}, 0, None),
        ({"CLAUDE_CODE_MAX_OUTPUT_TOKENS": "8000"}, 21_000, 179_000),
        ({"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "50"}, 33_000, 90_000),
        ({"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "0"}, 33_000, 167_000),
        ({"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "0.5"}, 33_000, 900),
        ({"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "99"}, 33_000, 167_000),
        ({"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "100"}, 33_000, 167_000),
        *[({"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": text}, 33_000, 167_000) for text in ("101", "inf", "nan", "-1", "x")],
        ({"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "150000"}, 33_000, 117_000),
        ({"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "20000"}, 33_000, 0),
    ],
)
def test_compaction(env: dict[str, str], reserve: int, compact_at: int | None) -> None:
    found = budget(resolve_model(None, V100), V100, env)
    assert (found.reserve, found.compact_at) == (reserve, compact_at)


@pytest.mark.parametrize(
    ("model", "version", "tokens"),
    [
        ("claude-opus-5-5", V329, 128_000), ("claude-haiku-5-5", V329, 128_000), ("claude-opus-5-5", V100, 64_000),
        ("claude-opus-5", V329, 64_000), ("claude-sonnet-4-8", V329, 32_000), ("claude-sonnet-4-7", V329, 32_000),
        ("claude-opus-4-6", V100, 64_000), ("claude-opus-4-5", V100, 32_000), ("claude-sonnet-4-6", V100, 32_000),
        ("claude-3-5-haiku-20241022", V329, 8_192), ("claude-haiku-4", V329, 32_000),
        ("claude-3-7-sonnet-20250219", V329, 32_000), ("something-else", V329, 32_000),
    ],
)  # fmt: skip
def test_the_longest_answer(model: str, version: str, tokens: int) -> None:
    assert max_output(resolve_model(model, version), version, {}) == tokens


@pytest.mark.parametrize("last", [None, 1, 60_000])
def test_what_the_last_answer_used_beyond_the_prompt_is_conversation(project: Project, last: int | None) -> None:
    assembly = assemble(project.scenario(V329), project.workspace)
    rows, found = categories(assembly), report(assembly, last)
    more = max((last or 0) - sum(row.tokens for row in rows if row.used), 0)
    assert bool(more) is (last == 60_000)
    assert {row.name: row.tokens for row in found.categories if row.used} == {
        row.name: row.tokens + (more if row.name == "Messages" else 0) for row in rows if row.used
    }


def test_what_is_not_counted_yet_has_no_row(project: Project) -> None:
    project.write({"workspace/.claude/agents/a.md": "---\nname: a\ndescription: d\n---\n"})
    counter = Counter(get_tokenizer("o200k_base"))
    assembly = assemble(project.scenario(V329), project.workspace, counter, cached_only=True)
    assert [row.name for row in categories(assembly)] == ["Free space", "Autocompact buffer"]
    assert [report(assembly, last).conversation for last in (None, 0, 1)] == [0, 0, 1]


def test_where_2_1_329_compacts_was_not_observed() -> None:
    current, older = resolve_model("opus", V329), resolve_model("claude-sonnet-4-5-20250929", V329)
    found = budget(current, V329, {})
    assert (found.reserve, found.compact_at) == (33_000, None)
    assert budget(current, V329, {}).compaction == (
        "not observed: headless runs of 2.1.329 passed the point of the arithmetic (here 967,000 tokens) "
        "and did not compact"
    )
    assert "passed every point" in budget(older, V329, {}).compaction
    assert budget(current, V330, {"DISABLE_COMPACT": "1"}).compaction == "off by DISABLE_COMPACT"
    assert budget(current, V100, {}).compaction == ""


def test_older_models_show_no_buffer() -> None:
    found = budget(resolve_model("claude-sonnet-4-5-20250929", V329), V329, {})
    assert (found.reserve, found.compact_at) == (0, None)


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
        "MCP tools (deferred)",
        "System tools (deferred)",
        "Custom agents",
        "Memory files",
        "Skills",
        "Messages",
        UNACCOUNTED,
        "Free space",
        "Autocompact buffer",
    ]
    systems = sum(s.expected_tokens or 0 for s in assembly.sections if s.present and s.channel == "system")
    assert rows[0].tokens == systems
    used = sum(row.tokens for row in rows if row.used)
    assert used == (assembly.tokens.expected or 0) + 1_000
    free = next(row.tokens for row in rows if row.name == "Free space")
    assert used + free + 33_000 == 1_000_000


@pytest.mark.parametrize("version", [V100, V329])
@pytest.mark.parametrize("search", ["true", "false"])
def test_categories_count_what_is_sent(project: Project, version: str, search: str) -> None:
    agent = "---\nname: a\ndescription: d\n---\n"
    project.write({"workspace/.claude/agents/a.md": agent, "workspace/CLAUDE.md": "be brief\n"})
    servers = [{"name": "fx", "instructions": "words", "tools": [{"name": "t", "description": "some tool"}]}]
    asked = project.scenario(version, mcp_servers=servers, env={"ENABLE_TOOL_SEARCH": search})
    assembly = assemble(asked, project.workspace)
    sections = {s.id: s.expected_tokens or 0 for s in assembly.sections if s.present}
    tools = [(t.group == "MCP", t.present, t.variant == "deferred", t.expected_tokens or 0) for t in assembly.tools]
    current = version == V329
    assert any(late for _, _, late, _ in tools) is (search == "true")
    agents = sum(f.tokens or 0 for f in assembly.files if f.kind == "agent" and f.present)
    built_in = sum(tokens for of_server, present, _, tokens in tools if present and not of_server)
    wanted = {
        "System tools": built_in if current else built_in - agents,  # a tool's description lists them
        "MCP tools": sum(tokens for of_server, present, _, tokens in tools if present and of_server),
        "MCP tools (deferred)": sum(t for of_server, _, late, t in tools if current and late and of_server),
        "System tools (deferred)": sum(t for of_server, _, late, t in tools if current and late and not of_server),
        "MCP server instructions": sections.get("mcp_instructions", 0) if current else 0,
        "Skills": sections.get("skills", 0),
        "Messages": sections["prompt"],
        "Custom agents": agents,
    }
    rows = {row.name: row.tokens for row in categories(assembly)}
    assert {name: rows.get(name, 0) for name in wanted} == wanted
    assert all(rows.values()), "a row of no tokens is left out"
    full = {row.name: row.tokens for row in categories(assembly, messages=assembly.tokens.window)}
    assert full["Messages"] == assembly.tokens.window + sections["prompt"]
    assert "Free space" not in full


@pytest.mark.parametrize(
    ("rule", "row"), [("mcp__fx__look", "MCP tools (deferred)"), ("WebFetch", "System tools (deferred)")]
)
def test_a_denied_tool_cannot_be_loaded(project: Project, rule: str, row: str) -> None:
    """As /context of 2.1.332 has it, whether the rule is in settings or on the command line."""
    tools = [{"name": name, "description": f"Will {name} for words."} for name in ("find", "look")]
    more: dict[str, Any] = {"mcp_servers": [{"name": "fx", "tools": tools}], "env": {"ENABLE_TOOL_SEARCH": "true"}}
    before = assemble(project.scenario(V329, **more), project.workspace)
    sizes = {tool.name: tool.expected_tokens or 0 for tool in before.tools}
    deferred = {each.name: each.tokens for each in categories(before)}
    for params in ({"args": {"disallowedTools": [rule]}}, {"settings": {"permissions": {"deny": [rule]}}}):
        after = assemble(project.scenario(V329, params=params, **more), project.workspace)
        assert {each.name: each.tokens for each in categories(after)}[row] == deferred[row] - sizes[rule]
        assert next(tool.variant for tool in after.tools if tool.name == rule) is None


@pytest.mark.parametrize(
    ("last", "code", "words"),
    [
        (167_001, "compacts", "before the next turn"),
        (167_000, "compacts", "before the next turn"),
        (166_999, "window", "after 1 more"),
    ],
)
def test_the_last_usage_tells_whether_the_next_turn_compacts(
    project: Project, last: int, code: str, words: str
) -> None:
    found = project.assemble(V100, params={"usage": {"lastTotal": last}}).diagnostics
    assert [(d.code, words in d.message) for d in found] == [(code, True)]


def test_no_room_is_left_in_a_window_that_is_too_small(project: Project) -> None:
    assembly = assemble(project.scenario(V329, env={"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "100"}), project.workspace)
    assert (assembly.tokens.window, assembly.tokens.free) == (100, 0)


def test_nothing_compacts_when_it_is_turned_off(project: Project) -> None:
    params = {"usage": {"lastTotal": 199_000}}
    found = project.assemble(V100, params=params, env={"DISABLE_AUTO_COMPACT": "1"}).diagnostics
    assert [d.message for d in found] == [
        "the last request held 199,000 tokens; 1,000 are left; compaction is off by DISABLE_AUTO_COMPACT"
    ]


@pytest.mark.parametrize(
    ("tool", "limit"), [("Bash", 30_000), ("Grep", 20_000), ("mcp__srv__t", 50_000), ("Read", 200_000)]
)
def test_a_long_result_is_a_stub(tool: str, limit: int) -> None:
    assert result_chars(tool, limit, {}) == limit
    assert result_chars(tool, limit + 1, {}) == (limit + 1 if tool == "Read" else 2_283)


def test_the_variable_only_lowers_the_limit_of_bash() -> None:
    assert result_chars("Bash", 35_000, {"BASH_MAX_OUTPUT_LENGTH": "40000"}) == 2_283
    assert result_chars("Bash", 25_000, {"BASH_MAX_OUTPUT_LENGTH": "20000"}) == 2_283
    assert result_chars("Bash", 2_000, {"BASH_MAX_OUTPUT_LENGTH": "1000"}) == 2_000


@pytest.mark.parametrize(
    ("tokens", "sent", "warns"),
    [(9_999, 9_999, False), (10_000, 10_000, False), (10_001, 10_001, True), (25_000, 25_000, True),
     (25_001, 25_000, True)],
)  # fmt: skip
def test_a_long_result_of_a_server_is_cut(tokens: int, sent: int, warns: bool) -> None:
    assert mcp_result(tokens, {}) == (sent, warns)
    assert mcp_result(tokens, {"MAX_MCP_OUTPUT_TOKENS": "40000"}) == (tokens, warns)


def test_agents_that_nothing_lists_are_not_counted(project: Project) -> None:
    agent = "---\nname: a\ndescription: " + "reviews " * 500 + "\n---\n"
    project.write({"workspace/.claude/agents/a.md": agent})
    for version in (V100, V329):
        asked = project.scenario(version, params={"args": {"disallowedTools": ["Agent"]}})
        rows = categories(assemble(asked, project.workspace))
        assert "Custom agents" not in {row.name for row in rows}
        assert all(row.tokens > 0 for row in rows)
