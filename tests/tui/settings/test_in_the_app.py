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
    memory.keep(theme="promptscope-light", tab="window")
    async with running(roo_shop_at(tmp_path), settings=FoundSettings(chosen), memory=memory) as user:
        assert user.app.theme == "promptscope-ansi"
        assert user.tab == "tools"
        assert user.tools.has_focus
        assert "f1 help" in user.app.main.status.plain
        await user.press("question_mark")
        assert user.app.screen is user.app.main
        await user.press("f1")
        assert user.app.screen.query_one(RowList).plain.count("f1 ") == 1


async def test_the_last_theme_and_tab_come_back(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "state")
    async with running(roo_shop_at(tmp_path), memory=memory) as user:
        assert (user.app.theme, user.tab) == ("promptscope-dark", "prompt")
        await user.press("t", "3")
    again = Memory(tmp_path / "state")
    assert (again.look.theme, again.look.tab) == ("promptscope-light", "files")
    async with running(scenario_of(tmp_path), memory=again) as user:
        assert (user.app.theme, user.tab) == ("promptscope-light", "files")
        assert user.files.has_focus


async def test_what_is_remembered_of_another_version_is_passed_over(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "state")
    memory.keep(theme="gone", tab="gone")
    async with running(roo_shop_at(tmp_path), memory=memory) as user:
        assert (user.app.theme, user.tab) == ("promptscope-dark", "prompt")


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
