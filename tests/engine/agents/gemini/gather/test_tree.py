"""The structure of the folders and what it leaves out (docs/agents/gemini.md#folders)."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.engine.agents.gemini.conftest import Project, text_of

from promptscope_engine.agents.gemini.gather.folders import IgnoreRules, folder_tree
from promptscope_engine.agents.kit.disk.rows import Found
from promptscope_engine.workspace import Workspace


def tree(folder: Path, *, repository: bool = False) -> tuple[list[str], bool]:
    """The lines of a folder's tree, and whether it is cut."""
    workspace = Workspace()
    workspace.allow([str(folder)])
    found = folder_tree(str(folder), IgnoreRules(str(folder), repository, Found(workspace=workspace)))
    return list(found.lines), found.is_cut


def make(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir() if name.endswith("/") else path.write_text("x")


def test_files_come_before_folders_in_the_order_of_the_locale(tmp_path: Path) -> None:
    make(tmp_path, "b.txt", "B.txt", "a.txt", "_x", "1", ".hidden", "z/", "A/c", "node_modules/x/y", "中")
    (tmp_path / "link").symlink_to("a.txt")
    lines, cut = tree(tmp_path)
    assert lines == [
        *(f"├───{name}" for name in ("_x", ".hidden", "1", "a.txt", "b.txt", "B.txt", "中")),
        "├───A/",
        "│   └───c",
        "├───node_modules/...",
        "└───z/",
    ]
    assert cut


@pytest.mark.parametrize("files", [199, 200, 201])
def test_the_limit_within_the_files_of_a_folder(tmp_path: Path, files: int) -> None:
    make(tmp_path, *(f"f{n:03}" for n in range(files)))
    lines, cut = tree(tmp_path)
    assert cut is (files > 200)
    last = ["└───f199", "└───..."] if cut else [f"└───f{files - 1:03}"]
    assert lines[-len(last) :] == last
    assert len(lines) == min(files, 200) + cut


def test_folders_behind_the_limit_stand_there_as_if_they_were_empty(tmp_path: Path) -> None:
    make(tmp_path, *(f"d{n:03}/x" for n in range(200)))
    lines, cut = tree(tmp_path)
    assert lines[-1] == "└───d199/"
    assert not cut


def test_a_folder_that_does_not_fit_ends_the_list(tmp_path: Path) -> None:
    make(tmp_path, *(f"f{n:03}" for n in range(200)), "d/x")
    lines, cut = tree(tmp_path)
    assert lines[-2:] == ["├───f199", "└───..."]
    assert cut


def test_ignore_files_and_their_order(tmp_path: Path) -> None:
    make(tmp_path, "a.log", "keep.log", "s/a.log", "s/b.tmp", "out/x", "g.txt", ".git/info/exclude")
    (tmp_path / ".gitignore").write_text("*.log\n!keep.log\nout/\n")
    (tmp_path / "s/.gitignore").write_text("  *.tmp\r\n!a.log\n")
    (tmp_path / ".geminiignore").write_text("G.TXT\n")
    lines, _ = tree(tmp_path, repository=True)
    names = [".geminiignore", ".gitignore", "keep.log"]
    assert lines == [
        *(f"├───{name}" for name in names),
        "├───.git/...",
        "├───out/...",
        "└───s/",
        "    ├───.gitignore",
        "    └───a.log",
    ]
    outside, _ = tree(tmp_path, repository=False)
    assert "├───a.log" in outside
    assert not any("g.txt" in line for line in outside)


def test_the_git_file_of_a_worktree_is_left_out(project: Project) -> None:
    project.write({"workspace/.git": "gitdir: /nowhere\n", "workspace/a": "a"})
    assert text_of(project.assemble(), "session.tree:.").endswith(f"{project.cwd}/\n└───a")


def test_without_the_tree_its_lines_are_gone(project: Project) -> None:
    assembly = project.assemble(settings={"context": {"includeDirectoryTree": False}})
    first = assembly.request.messages[0]["content"][0]["text"]
    assert first.endswith(f"{project.home}/.gemini/tmp/workspace\n\n\n\n</session_context>")
    assert "Directory Structure" not in first
    why = assembly.section("session.directories").why  # type: ignore[union-attr]
    assert [lever.param for lever in why.levers] == ["settings.context.includeDirectoryTree"]


@pytest.mark.parametrize(
    ("files", "folders", "lines", "cut"),
    [
        (199, 1, ["├───f198", "└───d000/"], False),
        (198, 2, ["├───d000/", "└───d001/"], False),
        (199, 2, ["├───d000/", "└───..."], True),
        (200, 0, ["├───f198", "└───f199"], False),
    ],
)
def test_the_limit_within_the_folders_of_a_folder(
    tmp_path: Path, files: int, folders: int, lines: list[str], cut: bool
) -> None:
    make(tmp_path, *(f"f{n:03}" for n in range(files)), *(f"d{n:03}/" for n in range(folders)))
    found, is_cut = tree(tmp_path)
    assert (found[-2:], is_cut) == (lines, cut)


def test_the_limit_counts_level_by_level(tmp_path: Path) -> None:
    make(tmp_path, *(f"a/f{n:03}" for n in range(150)), *(f"b/f{n:03}" for n in range(48)), "c/x", "b/c/x")
    lines, cut = tree(tmp_path)
    # Three folders and 150 files, then the files of the next folder until there are 200 of all.
    assert len([line for line in lines if "/" in line]) == 3
    assert (len(lines), cut) == (3 + 150 + 47 + 2, True)
    assert lines[-3:] == ["│   ├───...", "│   └───...", "└───c/"]


def test_only_what_is_ignored_by_name_is_not_entered(tmp_path: Path) -> None:
    make(tmp_path, "dist/x", "distx/x", "src/__pycache__/x", "src/node_modules/x/y", "empty/")
    assert tree(tmp_path)[0] == [
        "├───dist/...", "├───distx/", "│   └───x", "├───empty/", "└───src/", "    ├───__pycache__/...",
        "    └───node_modules/...",
    ]  # fmt: skip
