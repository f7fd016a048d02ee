"""Paths as a tree, and what its lines say of files with several names."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from promptscope_tui.text.folders import Folder, Labels, dearest_first, tree_of, visible

PATHS = ("CLAUDE.md", "web/CLAUDE.md", "ee/CLAUDE.md", "web/src/evals/CLAUDE.md", "~/.claude/a.md", "/etc/claude/b.md",
         ".claude/skills/one/SKILL.md", ".claude/skills/two/SKILL.md", "~/.claude/rules/c.md")  # fmt: skip


def drawn(paths: tuple[str, ...]) -> list[str]:
    """The tree, all of it open: folders with how many files they have."""
    lines = []
    for entry in visible(tree_of(enumerate(paths)), lambda _: True):
        node = entry.node
        label = f"{node.label}/ {len(node.indexes)}" if isinstance(node, Folder) else node.label
        lines.append("  " * entry.depth + label)
    return lines


def test_a_folder_with_several_files_is_a_line_and_one_with_a_single_file_is_part_of_its_name() -> None:
    assert drawn(PATHS) == [
        "CLAUDE.md",
        "web/ 2",
        "  CLAUDE.md",
        "  src/evals/CLAUDE.md",
        "ee/CLAUDE.md",
        "~/.claude/ 2",
        "  a.md",
        "  rules/c.md",
        "/etc/claude/b.md",
        ".claude/skills/ 2",
        "  one",
        "  two",
    ], "in the order in which they came; a skill is known by its folder"


def test_what_is_folded_has_no_lines_below_it() -> None:
    lines = list(visible(tree_of(enumerate(PATHS)), lambda folder: folder.path == "web"))
    assert [entry.node.label for entry in lines] == [
        "CLAUDE.md", "web", "CLAUDE.md", "src/evals/CLAUDE.md", "ee/CLAUDE.md", "~/.claude", "/etc/claude/b.md",
        ".claude/skills",
    ]  # fmt: skip


@given(st.lists(st.text("ab/~.", min_size=1).map(lambda text: text.strip("/") or "x"), unique=True))
def test_every_path_is_in_the_tree_once(paths: list[str]) -> None:
    tree = tree_of(enumerate(paths))
    assert sorted(tree.indexes) == list(range(len(paths)))
    for entry in visible(tree, lambda _: True):
        if isinstance(entry.node, Folder):
            assert len(entry.node.indexes) > 1
            assert all(paths[n].startswith(entry.node.path) for n in entry.node.indexes)


def test_the_dearest_come_first_in_each_folder() -> None:
    costs = {0: 1, 1: 2, 2: 50, 3: 90, 4: 0, 5: 0, 6: 10, 7: 20, 8: 0}
    tree = dearest_first(tree_of(enumerate(PATHS)), lambda n: costs[n])
    order = [entry.node.index for entry in visible(tree, lambda _: True) if not isinstance(entry.node, Folder)]
    assert order[:5] == [3, 1, 2, 7, 6]


def test_links_are_said_where_they_are() -> None:
    names = (
        ("CLAUDE.md", "AGENTS.md", ".agents/AGENTS.md"),
        (".claude/skills/one/SKILL.md", ".agents/skills/one/SKILL.md"),
        (".claude/skills/two/SKILL.md", ".agents/skills/two/SKILL.md", "docs/two.md"),
        ("web/CLAUDE.md", "web/AGENTS.md"),
        ("web/b.md",),
    )
    tree, labels = tree_of((n, each[0]) for n, each in enumerate(names)), Labels(lambda n: names[n])
    lines = []
    for entry in visible(tree, lambda _: True):
        of = labels.folder if isinstance(entry.node, Folder) else labels.file
        lines.append(of(entry.node, entry.around))  # type: ignore[arg-type]
    assert lines == [
        "CLAUDE.md = AGENTS.md = .agents/AGENTS.md",
        ".claude/skills/  2 files = .agents/skills/",
        "one",
        "two = docs/two.md",
        "web/  2 files",
        "CLAUDE.md = AGENTS.md",
        "b.md",
    ]
