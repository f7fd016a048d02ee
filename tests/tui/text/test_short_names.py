"""Paths in little room: what tells two of them apart stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from promptscope_tui.text.short_names import ShortNames

SKILLS = [f".claude/skills/{name}/SKILL.md" for name in ("frontend-review", "frontend-architecture", "backend")]


@pytest.mark.parametrize("width", [22, 26, 30, 40])
def test_skills_are_told_apart(width: int) -> None:
    found = [ShortNames(SKILLS).cut(name, width) for name in SKILLS]
    assert len(set(found)) == len(SKILLS)
    assert all(cell_len(each) <= width for each in found)


def test_a_path_keeps_its_beginning_and_the_end_that_no_other_has() -> None:
    paths = ["packages/server/src/CLAUDE.md", "packages/shared/src/CLAUDE.md", "packages/shared/AGENTS.md"]
    names = ShortNames(paths)
    assert names.cut(paths[0], 27) == "packag…server/src/CLAUDE.md"
    assert names.cut(paths[1], 22) == "…/shared/src/CLAUDE.md"
    assert names.cut(paths[2], 40) == paths[2]
    assert names.cut(f"    {paths[2]}", 24) == "    package…ed/AGENTS.md", "the indent is no part of it"


def test_of_several_names_those_that_fit_are_shown() -> None:
    name = "CLAUDE.md = AGENTS.md = .agents/AGENTS.md"
    names = ShortNames([name])
    assert [names.cut(name, width) for width in (41, 40, 29, 20, 10)] == [
        name,
        "CLAUDE.md = AGENTS.md = 1 more",
        "CLAUDE.md = 2 more",
        "CLAUDE.md = 2 more",
        "CLAUDE.md",
    ]


_PART = st.sampled_from(["a", "src", "packages", "rules", "skills", "x" * 12, "日本", "CLAUDE.md", "SKILL.md"])


@given(st.lists(st.lists(_PART, min_size=1, max_size=4).map("/".join), unique=True, max_size=12), st.integers(30, 60))
def test_no_two_paths_are_cut_to_the_same(paths: list[str], width: int) -> None:
    names = ShortNames(paths)
    found = [names.cut(path, width) for path in paths]
    assert all(cell_len(each) <= width for each in found)
    assert len(set(found)) == len(paths)
