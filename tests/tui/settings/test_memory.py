"""What is remembered from one start to the next."""

from __future__ import annotations

from pathlib import Path

import pytest

from promptscope_tui.settings.memory import MOST_FOLDERS, Look, Memory


def test_the_look_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    memory = Memory(folder)
    assert memory.look == Look()
    memory.keep(theme="nord")
    memory.keep(hinted=True)
    assert Memory(folder).look == Look("nord", hinted=True)
    assert {path.stat().st_mode & 0o777 for path in (folder, *folder.iterdir())} == {0o700, 0o600}


def test_each_folder_keeps_the_page_that_it_was_left_on(tmp_path: Path) -> None:
    memory = Memory(tmp_path)
    for number in range(MOST_FOLDERS + 5):
        memory.left_at(f"/work/{number}", "files")
    memory.left_at("/work/20", "window")
    pages = Memory(tmp_path).look.pages
    assert len(pages) == MOST_FOLDERS
    assert list(pages.items())[-2:] == [("/work/24", "files"), ("/work/20", "window")]


def test_folders_are_kept_the_latest_first(tmp_path: Path) -> None:
    memory = Memory(tmp_path)
    for number in range(MOST_FOLDERS + 5):
        memory.opened(f"/work/{number}")
    Memory(tmp_path).opened("/work/20")
    found = memory.folders()
    assert found[:3] == ("/work/20", "/work/24", "/work/23")
    assert len(set(found)) == len(found) == MOST_FOLDERS


def test_the_version_whose_news_was_said_is_kept_for_each_agent(tmp_path: Path) -> None:
    memory = Memory(tmp_path)
    assert memory.version_seen("codex") is None
    memory.keep_version("codex", "0.170.0")
    memory.keep_version("gemini", "0.62.0")
    assert [Memory(tmp_path).version_seen(agent) for agent in ("codex", "gemini", "roo")] == ["0.170.0", "0.62.0", None]


@pytest.mark.parametrize("text", ["", "[", "3", '{"theme": 3, "pages": [], "hinted": "yes"}', "[1, {}]"])
def test_what_cannot_be_read_is_forgotten(tmp_path: Path, text: str) -> None:
    for name in ("look.json", "folders.json", "versions.json"):
        (tmp_path / name).write_text(text)
    memory = Memory(tmp_path)
    assert memory.look == Look()
    assert memory.folders() == ()
    assert memory.version_seen("theme") is None


def test_what_cannot_be_written_is_not_kept(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file")
    memory = Memory(tmp_path / "state")
    memory.left_at("/work", "files")
    memory.opened("/work/\udcff")
    assert memory.look.pages == {"/work": "files"}
    assert memory.folders() == ()
