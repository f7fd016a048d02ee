"""Finding recorded conversations in folders where anything may lie."""

from __future__ import annotations

from pathlib import Path

from promptscope_engine import Workspace
from promptscope_engine.agents.kit.conversation_files import beginning, files_in, folders_in, found_file


def test_only_files_of_the_kind_count(tmp_path: Path) -> None:
    (tmp_path / "b.jsonl").write_text("{}")
    (tmp_path / "a.json").write_text("{}")
    (tmp_path / "notes.txt").write_text("")
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "link.jsonl").symlink_to("b.jsonl")
    workspace = Workspace()
    workspace.allow([str(tmp_path)])
    assert list(files_in(str(tmp_path), workspace, (".jsonl", ".json"))) == [
        f"{tmp_path}/a.json", f"{tmp_path}/b.jsonl",
    ]  # fmt: skip
    assert list(folders_in(str(tmp_path), workspace)) == [f"{tmp_path}/folder.jsonl"]


def test_a_file_tells_its_size_and_its_first_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"x" * 5_000)
    workspace = Workspace()
    workspace.allow([str(tmp_path)])
    (file,) = found_file(str(path), workspace, here=True, group="main")
    assert (file.path, file.bytes, file.here, file.group) == (str(path), 5_000, True, "main")
    assert beginning(str(path), workspace) == b"x" * 4_096
    assert beginning(str(path), workspace, 10) == b"x" * 10
    assert beginning(str(tmp_path / "none"), workspace) == b""
    assert list(found_file(str(tmp_path / "none"), workspace, here=True)) == []
