"""What the agent tells beside its prompt: the account of the window, and what a read brings along."""

from __future__ import annotations

from typing import cast

import pytest
from msgspec.structs import replace
from tests.engine.agents.gemini.conftest import AGENT, ENVIRONMENT, SKILL, TRUSTED, Project

from promptscope_engine import Scenario, Workspace
from promptscope_engine.agents.gemini.agent import GEMINI
from promptscope_engine.assembly.resolve import resolve


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


def lazy(project: Project, files: list[str], **settings: object) -> list[tuple[str, str]]:
    folders = {"workspace": project.cwd, "home": project.home, "managed": f"{project.root}/managed"}
    scenario = {"agent": "gemini", "environment": ENVIRONMENT, "env": TRUSTED, "params": {"settings": settings}}
    workspace = Workspace()
    _, inputs = resolve(Scenario.model_validate({**scenario, **folders}), workspace)
    found = GEMINI.lazy_files(inputs, workspace, [f"{project.cwd}/{name}" for name in files])
    return [(file.path.removeprefix(f"{project.cwd}/"), file.base.removeprefix(f"{project.cwd}/")) for file in found]


def test_context_files_of_folders_below_are_found_outer_first(project: Project) -> None:
    names = ["GEMINI.md", "s/t/GEMINI.md", "s/AGENTS.md", "s/t/x.py", "s/y.py", "u/GEMINI.md", "u/z"]
    project.write({f"workspace/{name}": f"{name}\n" for name in names} | {"workspace/u/GEMINI.md": " \n"})
    assert lazy(project, names) == [("s/t/GEMINI.md", "s/t")]
    context = {"fileName": "AGENTS.md"}
    assert lazy(project, names, context=context) == [("s/AGENTS.md", "s"), ("s/t/GEMINI.md", "s/t")]


@pytest.mark.parametrize(("last", "found"), [(4_999, True), (5_000, False)])
def test_so_many_folders_are_looked_into(project: Project, last: int, found: bool) -> None:
    project.write({f"workspace/d{last:04}/GEMINI.md": "x"})
    names = [f"d{number:04}/x" for number in range(last + 1)]
    assert lazy(project, names) == ([(f"d{last:04}/GEMINI.md", f"d{last:04}")] if found else [])


def test_the_outermost_folders_are_watched(project: Project) -> None:
    workspace = Workspace()
    _, inputs = resolve(project.scenario(), workspace)
    files = [f"{project.cwd}/z/{number:03}/x" for number in range(501)]
    GEMINI.lazy_files(inputs, workspace, files)
    asked = {path for path in workspace.asked if path.endswith("/GEMINI.md") and f"{project.cwd}/z" in path}
    # The folder above them is asked for first.
    assert asked == {f"{project.cwd}/z/GEMINI.md", *(f"{project.cwd}/z/{number:03}/GEMINI.md" for number in range(499))}


def test_a_name_may_hold_a_folder(project: Project) -> None:
    names = ["s/docs/A.md", "s/x", "s/docs/GEMINI.md"]
    project.write({f"workspace/{name}": "x" for name in names})
    found = lazy(project, names, context={"fileName": ["docs/A.md", "A.md"]})
    assert found == [("s/docs/A.md", "s"), ("s/docs/GEMINI.md", "s/docs")]


@pytest.mark.parametrize(
    ("folder", "reads", "why"),
    [
        ("src", True, ""),
        ("out", False, ".geminiignore hides the folder"),
        ("out/deep", False, ".geminiignore hides the folder"),
        ("a/node_modules/p", False, "nothing in a node_modules is read"),
    ],
)
def test_no_read_loads_a_file_of_a_folder_that_is_hidden(project: Project, folder: str, reads: bool, why: str) -> None:
    project.write({f"workspace/{folder}/GEMINI.md": "x", "workspace/.geminiignore": "out/"})
    workspace = Workspace()
    _, inputs = resolve(project.scenario(), workspace)
    [file] = GEMINI.lazy_files(inputs, workspace, [f"{project.cwd}/{folder}/a.ts"])
    assert (file.loads_for(f"{project.cwd}/{folder}/a.ts"), file.never.partition(": ")[2]) == (reads, why)
