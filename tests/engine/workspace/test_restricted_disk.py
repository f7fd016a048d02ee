"""A disk of which only some folders are seen."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.disk import RealDisk
from promptscope_engine.workspace.restricted_disk import OnlyBelow


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
