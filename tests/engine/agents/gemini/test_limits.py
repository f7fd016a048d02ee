"""How much is read of what lies there; each limit one below, at and one above."""

from __future__ import annotations

import pytest

from promptscope_engine.agents.gemini.features.context import report
from promptscope_engine.agents.gemini.gather.mcp import wire_name
from promptscope_engine.agents.gemini.gather.memory import context_names

from .conftest import Project, codes, tools_of
from .test_sessions import AGENT, SKILL, parts

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("kind", "path", "text", "limit", "said"),
    [
        ("skill", "home/.gemini/skills/{}/SKILL.md", SKILL, 500, "500 skills are read"),
        ("agent", "home/.gemini/agents/{}.md", AGENT, 300, "300 files of sub-agents are read"),
    ],
)
@pytest.mark.parametrize("over", [-1, 0, 1])
def test_so_many_skills_and_agents_are_read(
    project: Project, kind: str, path: str, text: str, limit: int, said: str, over: int
) -> None:
    names = [f"x{number:04}" for number in range(limit + over)]
    project.write({path.format(name): text.format(name, "d") for name in names})
    assembly = project.assemble()
    assert len([f for f in assembly.files if f.kind == kind and "/.gemini/" in f.path]) == min(limit, len(names))
    found = [d.message for d in assembly.diagnostics if d.code == "too-many-files"]
    assert found == ([f"{said}; the others are left out"] if over > 0 else [])


@pytest.mark.parametrize("over", [-1, 0, 1])
def test_so_many_extensions_are_read(project: Project, over: int) -> None:
    names = [f"x{number:04}" for number in range(200 + over)]
    project.write({f"home/.gemini/extensions/{n}/gemini-extension.json": f'{{"name": "{n}"}}' for n in names})
    assembly = project.assemble()
    rows = [f for f in assembly.files if f.path.endswith("/gemini-extension.json")]
    assert (len(rows), "too-many-files" in codes(assembly)) == (min(200, len(names)), over > 0)


@pytest.mark.parametrize(("size", "counts"), [(99_999, True), (100_000, True), (100_001, False)])
def test_so_long_a_policy_file_is_read(project: Project, size: int, counts: bool) -> None:
    text = '[[rule]]\ntoolName = "glob"\ndecision = "deny"\npriority = 1\n#'
    project.write({"home/.gemini/policies/p.toml": text.ljust(size, "x")})
    assembly = project.assemble()
    assert ("glob" not in tools_of(assembly)) is counts
    assert ("bad-policy" not in codes(assembly)) is counts


@pytest.mark.parametrize(("size", "counts"), [(999_999, True), (1_000_000, True), (1_000_001, False)])
def test_so_long_a_command_is_read(project: Project, size: int, counts: bool) -> None:
    project.write({"workspace/.gemini/commands/say.toml": 'prompt = "Said"\n#'.ljust(size, "x")})
    assert parts(project, prompt="/say") == (["Said"] if counts else ["/say"])


@pytest.mark.parametrize(("count", "read"), [(99, 99), (100, 100), (101, 100)])
def test_so_many_mentioned_files_are_read(project: Project, count: int, read: int) -> None:
    names = [f"f{number:03}" for number in range(count)]
    project.write({f"workspace/{name}": "x" for name in names})
    found = parts(project, prompt=" ".join(f"@{name}" for name in names))
    assert len([part for part in found if part.startswith("\nContent from @")]) == read


@pytest.mark.parametrize(
    ("name", "length", "is_read"), [("a.md", 4_094, True), ("a.md", 4_096, True), ("ab.md", 4_097, False)]
)
def test_so_long_a_mention_is_looked_up(project: Project, name: str, length: int, is_read: bool) -> None:
    project.write({f"workspace/{name}": "x"})
    mention = "./" * ((length - len(name)) // 2) + name
    assert len(mention) == length
    assert any(part.startswith("\nContent from @") for part in parts(project, prompt=f"@{mention}")) is is_read


@pytest.mark.parametrize(("count", "named"), [(49, 49), (50, 50), (51, 50)])
def test_so_many_names_of_context_files_count(count: int, named: int) -> None:
    assert len(context_names([f"{number}.md" for number in range(count)])) == named + 1


@pytest.mark.parametrize(
    ("length", "name"),
    [
        (50, f"mcp_server_{'t' * 50}"),
        (52, f"mcp_server_{'t' * 52}"),
        (53, f"mcp_server_{'t' * 19}...{'t' * 30}"),
    ],
)
def test_so_long_a_tools_name_is_sent(length: int, name: str) -> None:
    assert wire_name("server", "t" * length) == name
    assert len(name) <= 63


@pytest.mark.parametrize("servers", [None, [{"name": "s", "instructions": "Ask.", "tools": [{"name": "t"}]}]])
def test_the_account_of_the_window_counts_everything_once(project: Project, servers: list[object] | None) -> None:
    project.write({"home/.gemini/GEMINI.md": "global", "workspace/GEMINI.md": "project"})
    project.write({"home/.gemini/skills/x/SKILL.md": SKILL.format("x", "d")})
    project.write({"home/.gemini/agents/rev.md": AGENT.format("rev")})
    assembly = project.assemble(mcp_servers=servers or [], dialog=True, prompt="hello there")
    found = report(assembly)
    rows = {row.name: row.tokens for row in found.categories}
    assert sum(row.tokens for row in found.categories if row.used) == assembly.tokens.expected
    assert rows["Free space"] == found.window - found.reserve - (assembly.tokens.expected or 0)
    assert ("MCP server instructions" in rows, "MCP tools" in rows) == (servers is not None,) * 2
    names = ("System prompt", "Tools", "Sub-agents", "Skills", "Context files", "Session context", "Messages")
    assert all(rows[name] > 0 for name in names)
    own = {s.id: s.expected_tokens for s in assembly.sections if s.present}
    assert (rows["Skills"], rows["Sub-agents"]) == (own["skills"], own["sub_agents"])
    assert rows["Context files"] == sum(own[i] or 0 for i in own if i == "memory" or i.startswith("memory.project:"))
