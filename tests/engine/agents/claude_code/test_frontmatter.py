"""Files with frontmatter that are listed by name, and the folders they are looked for in."""

from __future__ import annotations

from pathlib import Path

import pytest

from promptscope_engine.agents.claude_code.gather.content import process
from promptscope_engine.agents.claude_code.gather.frontmatter import Described, markdown_below, project_folders
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import FileText, Workspace
from promptscope_engine.workspace.disk import Entry, RealDisk

SOURCE = """---
name: shown
description: one line
both: "two\\nlines"
on: true
half: 1.50
list: [a]
---
Body
"""


@pytest.fixture
def read() -> Described:
    return Described(FileText("/a.md", "/a.md", text=SOURCE), process(SOURCE, "2.1.329"))


@pytest.mark.parametrize(
    ("key", "text"),
    [("name", "shown"), ("on", "true"), ("half", "1.5"), ("list", ""), ("missing", ""), ("both", "two\nlines")],
)
def test_a_scalar_is_a_text(read: Described, key: str, text: str) -> None:
    assert read.text(key) == text


@pytest.mark.parametrize(("text", "line"), [("name", 2), ("one line", 3), ("Body", 9)])
def test_a_text_of_one_line_is_traced_to_it(read: Described, text: str, line: int) -> None:
    [piece] = read.pieces(text)
    origin = piece.origin
    assert (piece.text, origin.kind, origin.path, origin.start_line) == (text, "file", "/a.md", line)


@pytest.mark.parametrize("text", ["two\nlines", "nowhere", "---\nname: shown"])
def test_any_other_text_is_made_of_the_frontmatter(read: Described, text: str) -> None:
    [piece] = read.pieces(text)
    assert (piece.text, piece.origin.kind) == (text, "computed")
    assert read.pieces("") == ()


@pytest.mark.parametrize(("key", "line"), [("name", 2), ("list", 7), ("Body", None)])
def test_a_setting_of_the_frontmatter_has_the_line_of_the_file(read: Described, key: str, line: int | None) -> None:
    found = read.setting(key)
    assert (found.path, found.line) == ("/a.md", line)


@pytest.mark.parametrize(("head", "line"), [("name: x", None), ("name: x\nlist: [a", 3), ("- a\n- [b", 4), ("{", 3)])
def test_what_is_wrong_with_a_frontmatter_has_its_place(head: str, line: int | None) -> None:
    text = f"---\n{head}\n---\n"
    found = Described(FileText("/a.md", "/a.md", text=text), process(text, "2.1.329")).problem()
    assert (found and (found.severity, found.code, found.path, found.line)) == (
        ("warning", "bad-frontmatter", "/a.md", line) if line else None
    )


@pytest.fixture
def disk(tmp_path: Path) -> Workspace:
    workspace = Workspace()
    workspace.allow([str(tmp_path)])
    return workspace


def below(tmp_path: Path, disk: Workspace) -> tuple[list[str], list[Diagnostic]]:
    diagnostics: list[Diagnostic] = []
    found = markdown_below(disk, str(tmp_path), diagnostics)
    return [path.removeprefix(f"{tmp_path}/") for path in found], diagnostics


class FullDisk(RealDisk):
    """A disk on which every folder has so many files."""

    def __init__(self, count: int) -> None:
        self.count = count

    def scan(self, path: str) -> list[Entry]:  # noqa: ARG002
        return [Entry(f"{number:04}.md", "file") for number in range(self.count)]


@pytest.mark.parametrize("count", [1_999, 2_000, 2_001, 2_002])
def test_of_a_folder_two_thousand_files_are_taken(tmp_path: Path, count: int) -> None:
    full = Workspace(FullDisk(count))
    full.allow([str(tmp_path)])
    found, said = below(tmp_path, full)
    assert found == [f"{number:04}.md" for number in range(min(count, 2_000))]
    told = ("it holds more than 2,000 files; the others are left out", str(tmp_path))
    assert [(each.message, each.path) for each in said] == ([told] if count > 2_000 else [])


def test_folders_are_entered_eight_deep_and_each_once(tmp_path: Path, disk: Workspace) -> None:
    deep = "".join(f"{number}/" for number in range(1, 10))
    (tmp_path / deep).mkdir(parents=True)
    for levels in (1, 8, 9):
        (tmp_path / deep[: 2 * levels] / "a.md").write_text("")
    (tmp_path / "1/notes.txt").write_text("")
    (tmp_path / "1/x.md").mkdir()
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "link.md").symlink_to("1/a.md")
    (tmp_path / "nowhere.md").symlink_to("nothing")
    found, _ = below(tmp_path, disk)
    assert sorted(found) == ["1/2/3/4/5/6/7/8/a.md", "1/a.md", "link.md"]


@pytest.mark.parametrize(
    ("cwd", "root", "folders"),
    [
        ("/a/b", None, ["/a/b"]),
        ("/a/b", "/a/b", ["/a/b"]),
        ("/a/b/c", "/a", ["/a/b/c", "/a/b", "/a"]),
        ("/a/b", "/", ["/a/b", "/a", ""]),
        ("/a/b", "/elsewhere", ["/a/b", "/a", ""]),
        ("/", "/", [""]),
    ],
)
def test_folders_of_a_project_are_those_up_to_its_root(cwd: str, root: str | None, folders: list[str]) -> None:
    assert project_folders(cwd, root, "skills") == [f"{folder}/.claude/skills" for folder in folders]
