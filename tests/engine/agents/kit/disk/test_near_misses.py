"""Files that nearly count: what is said of each, and what is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from promptscope_engine.agents.kit.disk.rows import Place, Reads, below, missed, near_misses, near_skills
from promptscope_engine.prompt.conditions import Fact
from promptscope_engine.workspace import Workspace

NAMES = ("CLAUDE.md", "AGENTS.md")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    made = Workspace()
    made.allow([str(tmp_path)])
    return made


def write(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x", "utf-8")


@pytest.mark.parametrize(
    ("name", "proper"),
    [
        ("claude.md", "CLAUDE.md"),
        ("CLAUDE.MD", "CLAUDE.md"),
        ("CLAUDE.markdown", "CLAUDE.md"),
        ("CLAUDE.txt", "CLAUDE.md"),
        ("CLAUDE", "CLAUDE.md"),
        ("Agents.mdc", "AGENTS.md"),
    ],
)
def test_another_spelling_of_a_name(name: str, proper: str) -> None:
    assert missed(name, NAMES) == f"only the name {proper} counts (this is {name})"


@pytest.mark.parametrize("name", ["CLAUDE.md", "README.md", "CLAUDE.json", "CLAUDE.md.bak", ".claude", "AGENT.md"])
def test_what_counts_or_has_nothing_to_do_with_it(name: str) -> None:
    assert missed(name, NAMES) is None


@pytest.mark.parametrize(
    ("name", "is_near"),
    [("a.md", False), ("a.MD", True), ("a.mdc", True), ("a.txt", True), ("a.json", False), ("Makefile", False)],
)
def test_another_ending(name: str, is_near: bool) -> None:
    assert missed(name, (), ".md") == (f"only names that end in .md count (this is {name})" if is_near else None)


def test_rows_of_a_place(tmp_path: Path, workspace: Workspace) -> None:
    write(tmp_path, "claude.md", "notes.md", "sub/CLAUDE.md", ".x/rules.md")
    (tmp_path / "AGENTS.md").symlink_to("gone.md")
    (tmp_path / "other.md").symlink_to("gone.md")
    place = Place(str(tmp_path), "claude-md", NAMES, others={".x/rules.md": "rules are elsewhere"})
    rows = near_misses(workspace, [place], ())
    assert {row.path.removeprefix(f"{tmp_path}/"): row.when.no for row in rows if isinstance(row.when, Fact)} == {
        ".x/rules.md": "not read: rules are elsewhere",
        "AGENTS.md": "not read: the link leads nowhere: there is no gone.md",
        "claude.md": "not read: only the name CLAUDE.md counts (this is claude.md)",
    }


def test_a_link_to_a_folder_is_no_file_with_another_spelling(tmp_path: Path, workspace: Workspace) -> None:
    write(tmp_path, "sub/x", "real")
    (tmp_path / "claude.md").symlink_to("sub")
    (tmp_path / "Claude.md").symlink_to("real")
    rows = near_misses(workspace, [Place(str(tmp_path), "claude-md", NAMES)], ())
    assert [row.path for row in rows] == [f"{tmp_path}/Claude.md"]


def test_known_paths_have_their_own_row(tmp_path: Path, workspace: Workspace) -> None:
    write(tmp_path, "claude.md")
    assert near_misses(workspace, [Place(str(tmp_path), "claude-md", NAMES)], {f"{tmp_path}/claude.md"}) == []


def test_at_most_fifty_rows_of_a_place_and_nothing_is_watched(tmp_path: Path, workspace: Workspace) -> None:
    write(tmp_path, *(f"{number}.mdc" for number in range(60)))
    assert len(near_misses(workspace, [Place(str(tmp_path), "claude-rule", ending=".md")], ())) == 50
    assert not [path for path in workspace.asked if path.startswith(str(tmp_path))]


def test_the_longest_name_or_part_of_a_path_says_what_is_read() -> None:
    reads = Reads("other", {"AGENTS.md": "root only", ".roo/": "dot", ".roo/rules/": "rules"})
    assert reads.sentence("/r/pkg/agents.MD") == "root only"
    assert reads.sentence("/r/pkg/.roo/rules/a.md") == "rules"
    assert reads.sentence("/r/.roo/b") == "dot"
    assert reads.sentence("/r/.room/b") == "other"


def test_what_is_below_a_folder(tmp_path: Path, workspace: Workspace) -> None:
    write(tmp_path, "A.md", "p/A.md", "p/q/r/A.md", "p/q/r/s/A.md", "node_modules/A.md", ".h/A.md", "p/B.md")
    found = below(workspace, str(tmp_path), lambda path: path.endswith("A.md"))
    assert found == [f"{tmp_path}/p/A.md", f"{tmp_path}/p/q/r/A.md"]


@pytest.mark.parametrize(("folders", "is_told"), [(499, True), (500, False)])
def test_of_a_folder_of_skills_500_folders_are_looked_at(
    workspace: Workspace, tmp_path: Path, folders: int, is_told: bool
) -> None:
    for number in range(1, folders):
        (tmp_path / f"s/{number:03}").mkdir(parents=True)
    write(tmp_path, "s/last/skill.md")
    told = [file.path for file in near_skills(workspace, f"{tmp_path}/s")]
    assert told == ([f"{tmp_path}/s/last/skill.md"] if is_told else [])


def test_a_skill_at_the_wrong_depth_says_where_it_counts(tmp_path: Path, workspace: Workspace) -> None:
    write(tmp_path, "s/SKILL.md", "s/a/SKILL.md", "s/a/b/SKILL.md", "s/a/b/other.md")
    rows = near_skills(workspace, f"{tmp_path}/s")
    assert {row.path.removeprefix(f"{tmp_path}/s/"): row.when.no for row in rows if isinstance(row.when, Fact)} == {
        "SKILL.md": "not read: it must be in a folder of its own, NAME/SKILL.md",
        "a/b/SKILL.md": "not read: it is too deep: a skill is a folder directly in the folder of skills",
    }
    assert [row.path for row in near_skills(workspace, f"{tmp_path}/s", depth=2, root=True)] == []
