"""Settings and memory, as the app follows them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.tui.support.roo_shop import roo_shop_at, scenario_of
from tests.tui.support.user import running

from promptscope_tui.settings.memory import Memory
from promptscope_tui.settings.settings import FoundSettings, Settings
from promptscope_tui.widgets import editor
from promptscope_tui.widgets.row_list import RowList

pytestmark = pytest.mark.slow


async def test_the_settings_decide_the_start(tmp_path: Path) -> None:
    chosen = Settings(theme="ansi", tab="tools", keymap={"help": "f1"})
    memory = Memory(tmp_path / "state")
    memory.keep(theme="promptscope-light")
    memory.left_at(str(tmp_path / "shop"), "window")
    async with running(roo_shop_at(tmp_path), settings=FoundSettings(chosen), memory=memory, page=None) as user:
        assert user.app.theme == "promptscope-ansi"
        assert user.tab == "tools"
        assert user.tools.has_focus
        assert "f1 help" in user.app.main.status.plain
        await user.press("question_mark")
        assert user.app.screen is user.app.main
        await user.press("f1", "tab")
        assert user.app.screen.query_one(RowList).plain.count("f1 ") == 1


async def test_a_folder_opens_on_the_overview_and_later_where_it_was_left(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "state")
    async with running(roo_shop_at(tmp_path), memory=memory, page=None) as user:
        assert (user.app.theme, user.tab) == ("promptscope-dark", "overview")
        assert user.overview.has_focus
        await user.press("t", "3")
    again = Memory(tmp_path / "state")
    async with running(scenario_of(tmp_path), memory=again, page=None) as user:
        assert (user.app.theme, user.tab) == ("promptscope-light", "files")
        assert user.files.has_focus


async def test_another_folder_opens_on_its_own_page(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "state")
    other = tmp_path / "other"
    other.mkdir()
    (other / "AGENTS.md").write_text("Use tabs.\n")
    memory.left_at(str(other), "window")
    async with running(roo_shop_at(tmp_path), memory=memory, page=None) as user:
        await user.press("3")
        user.app.main.folders.open(str(other))
        await user.settle()
        assert user.tab == "window"
        await user.press("u")
        assert user.tab == "files", "undone, the first folder is back where it was left"


async def test_a_page_that_was_asked_for_comes_before_the_one_that_was_left(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "state")
    memory.left_at(str(tmp_path / "shop"), "window")
    async with running(roo_shop_at(tmp_path), memory=memory, page="request") as user:
        assert user.tab == "request"


async def test_what_is_remembered_of_another_version_is_passed_over(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "state")
    memory.keep(theme="gone")
    memory.left_at(str(tmp_path / "shop"), "gone")
    async with running(roo_shop_at(tmp_path), memory=memory, page=None) as user:
        assert (user.app.theme, user.tab) == ("promptscope-dark", "overview")


async def test_a_wrong_setting_is_said_at_the_start(tmp_path: Path) -> None:
    problems = ("/c/settings.toml:3: unknown key 'thme' (did you mean theme?)", "another")
    async with running(roo_shop_at(tmp_path), settings=FoundSettings(problems=problems)) as user:
        assert user.note == f"{problems[0]} (and 1 more)"
        assert user.app.main.status.tone == "error"


async def test_the_editor_of_the_settings_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []

    class Started:
        def __init__(self, command: list[str], **_: object) -> None:
            started.append(command)

        def wait(self) -> int:
            return 0

    monkeypatch.setattr(editor, "Popen", Started)
    monkeypatch.setitem(os.environ, "VISUAL", "gedit")
    async with running(roo_shop_at(tmp_path), settings=FoundSettings(Settings(editor="code --wait"))) as user:
        user.app.main.editor.open("/somewhere", 3)
    assert started == [["code", "--wait", "--goto", "/somewhere:3"]]
