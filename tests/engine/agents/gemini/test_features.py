"""The account of the window, and the context files of folders below."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest

from promptscope_engine import Scenario, Workspace
from promptscope_engine.agents.gemini.agent import GEMINI
from promptscope_engine.agents.gemini.window import window_of
from promptscope_engine.assembly.resolve import resolve

from .conftest import ENVIRONMENT, TRUSTED, Project

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


@pytest.mark.parametrize(
    ("given", "window", "compact_at"),
    [
        ({}, 1_048_576, 524_288),
        ({"model": "gemini-2.5-pro"}, 1_048_576, 524_288),
        ({"model": "gemma-4-31b-it"}, 256_000, 128_000),
        ({"settings": {"model": {"compressionThreshold": 0.25}}}, 1_048_576, 262_144),
        ({"settings": {"model": {"compressionThreshold": 0}}}, 1_048_576, 524_288),
        ({"settings": {"model": {"compressionThreshold": 1}}}, 1_048_576, 1_048_576),
        ({"settings": {"model": {"compressionThreshold": 1.1}}}, 1_048_576, 524_288),
    ],
)
def test_the_window_and_where_it_is_compressed(
    project: Project, given: dict[str, Any], window: int, compact_at: int
) -> None:
    tokens = project.assemble(**given).tokens
    assert (tokens.window, tokens.compact_at, tokens.reserve) == (window, compact_at, 0)


def test_a_model_that_is_not_known_has_the_usual_window() -> None:
    assert window_of("my-model") == 1_048_576


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
