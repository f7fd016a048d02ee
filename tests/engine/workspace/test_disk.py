"""Changed views of a disk: a folder at another place, and only some folders."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.disk import Added, Moved, OnlyBelow, RealDisk, Rewritten, moved


def test_a_folder_lies_where_it_is_shown(tmp_path: Path) -> None:
    real = tmp_path / "real"
    (real / "docs").mkdir(parents=True)
    (real / "docs" / "x.md").write_text("x")
    (real / "link.md").symlink_to("docs/x.md")
    (real / "absolute.md").symlink_to(real / "docs" / "x.md")
    (real / "out.md").symlink_to(tmp_path / "outside.md")
    (tmp_path / "outside.md").write_text("outside")
    (tmp_path / "way").symlink_to(real)
    for there in (real, tmp_path / "way"):
        disk = Moved(RealDisk(), str(there), "/shown")
        assert disk.read("/shown/docs/x.md", 10) == b"x"
        assert {entry.name for entry in disk.scan("/shown")} == {"docs", "link.md", "absolute.md", "out.md"}
        assert disk.readlink("/shown/link.md") == "docs/x.md"
        assert [disk.realpath(f"/shown/{name}") for name in ("", "link.md", "absolute.md", "none/y")] == [
            "/shown", "/shown/docs/x.md", "/shown/docs/x.md", "/shown/none/y",
        ]  # fmt: skip
        assert disk.realpath("/shown/out.md") == str(tmp_path / "outside.md")
        workspace = Workspace(disk)
        workspace.allow(["/shown"])
        assert workspace.read("/shown/absolute.md").text == "x"
        assert workspace.read("/shown/out.md").problem == "outside"
        assert list(workspace.chunks("/shown/docs/x.md", 4, 4)) == [b"x"]
        named = [str(path) for path in (real / "docs", there, tmp_path / "outside.md", "docs")]
        assert [workspace.shown_path(path) for path in named] == ["/shown/docs", "/shown", named[2], "docs"]


@pytest.mark.parametrize(
    ("path", "there", "shown", "found"),
    [
        ("/a/b", "/a/b", "/w", "/w"),
        ("/a/b/c", "/a/b", "/w", "/w/c"),
        ("/a/bc", "/a/b", "/w", "/a/bc"),
        ("/c", "/", "/w", "/w/c"),
        ("/", "/", "/w", "/w"),
    ],
)
def test_one_folder_for_another(path: str, there: str, shown: str, found: str) -> None:
    assert moved(path, there, shown) == found


def test_nothing_is_there_but_the_folders_and_the_way_to_them(tmp_path: Path) -> None:
    shop = tmp_path / "code" / "shop"
    (shop / "docs").mkdir(parents=True)
    for path in (tmp_path / "CLAUDE.md", shop / "CLAUDE.md", shop / "docs" / "x.md"):
        path.write_text(path.name)
    (shop / "link.md").symlink_to(tmp_path / "CLAUDE.md")
    disk = OnlyBelow(RealDisk(), [str(shop), str(shop / "docs")])
    assert disk.read(str(shop / "docs" / "x.md"), 10) == b"x.md"
    assert {entry.name for entry in disk.scan(str(shop))} == {"CLAUDE.md", "docs", "link.md"}
    assert disk.scan(str(tmp_path)) == []
    for hidden in (tmp_path / "CLAUDE.md", shop / ".." / ".." / "CLAUDE.md", tmp_path / "code" / "shop2"):
        for look in (disk.stat, disk.lstat, disk.scan, disk.readlink):
            with pytest.raises(FileNotFoundError):
                look(str(hidden))
    for way in (disk.stat(str(tmp_path)), disk.lstat("/")):
        assert (way.st_mode, way.st_size) == (stat.S_IFDIR | 0o755, 0)
    workspace = Workspace(disk)
    workspace.allow([str(shop)])
    assert workspace.is_dir(str(tmp_path / "code"))
    assert workspace.read(str(shop / "link.md")).problem == "outside"
    assert list(workspace.chunks(str(shop / "CLAUDE.md"), 4, 6)) == [b"CLAU", b"DE"]


def test_a_file_has_another_text_at_each_of_its_paths(tmp_path: Path) -> None:
    (tmp_path / "x.md").write_text("as it is")
    (tmp_path / "link.md").symlink_to("x.md")
    (tmp_path / "y.md").write_text("y")
    named = frozenset({str(tmp_path / "x.md"), str(tmp_path / "link.md")})
    disk = Rewritten(RealDisk(), named, b"another")
    workspace = Workspace(disk)
    workspace.allow([str(tmp_path)])
    read = {name: workspace.read(str(tmp_path / name)) for name in ("x.md", "link.md", "y.md")}
    assert {name: file.text for name, file in read.items()} == {"x.md": "another", "link.md": "another", "y.md": "y"}
    assert read["x.md"].size == len(b"another")
    assert list(disk.chunks(str(tmp_path / "x.md"), 4)) == [b"anot", b"her"]
    assert list(disk.chunks(str(tmp_path / "y.md"), 4)) == [b"y"]


def test_a_file_that_is_added_is_there_with_its_folders(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/x.md").write_text("x")
    disk = Added(RealDisk(), str(tmp_path / "a/b/c/new.md"), b"new text")
    assert disk.read(str(tmp_path / "a/b/c/new.md"), 3) == b"new"
    assert list(disk.chunks(str(tmp_path / "a/b/c/new.md"), 5)) == [b"new t", b"ext"]
    assert disk.stat(str(tmp_path / "a/b/c/new.md")).st_size == 8
    assert stat.S_ISDIR(disk.lstat(str(tmp_path / "a/b")).st_mode)
    assert {(each.name, each.kind) for each in disk.scan(str(tmp_path / "a"))} == {("x.md", "file"), ("b", "directory")}
    assert [(each.name, each.kind) for each in disk.scan(str(tmp_path / "a/b/c"))] == [("new.md", "file")]
    assert disk.read(str(tmp_path / "a/x.md"), 9) == b"x"
