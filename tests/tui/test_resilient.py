"""The app goes on after an exception, whatever raises it, and says what failed."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path

import pytest
from textual.strip import Strip

from promptscope_tui import resilient
from promptscope_tui.app import PromptscopeApp
from promptscope_tui.output.exits import OWN_ERRORS
from promptscope_tui.screens.failed import FailedScreen
from promptscope_tui.screens.main import MainScreen
from promptscope_tui.session.answering import Answering
from promptscope_tui.views.bars.top import Header
from promptscope_tui.views.files.view import FilesTable
from promptscope_tui.views.prompt.canvas import PanelCanvas
from promptscope_tui.views.prompt.view import PromptView
from promptscope_tui.watching.status import WatchStatus
from promptscope_tui.widgets.messages import in_thread

from .support.roo_shop import roo_shop_at
from .support.terminal import Terminal
from .support.user import LIVE, User, running

SECRET = "a text of the repository"


def fail(*_: object, **__: object) -> None:
    raise KeyError(SECRET)


def fails_once(real: Callable[..., object], nth: int = 1) -> Callable[..., object]:
    """What fails the nth time that it is called."""
    left = iter(range(nth, -1, -1))

    @wraps(real)
    def run(*arguments: object, **named: object) -> object:
        if next(left, -1) == 1:
            raise KeyError(SECRET)
        return real(*arguments, **named)

    return run


def reports(folder: Path) -> list[Path]:
    return sorted((folder / "state" / "errors").iterdir())


async def says_what_failed(user: User, folder: Path) -> None:
    """The main screen is there, live, and usable; a note names the error and the report."""
    await user.until(lambda: bool(user.app.main.query("#status")) and "promptscope failed" in user.note)
    await user.settle()
    assert user.app.screen is user.app.main
    assert "KeyError in " in user.note
    assert str(reports(folder)[-1]) in user.note
    assert SECRET not in user.note
    user.header.shows("Roo Code", "● live")
    before = user.prompt.widget.cursor_row
    await user.prompt.press("j")
    assert user.prompt.widget.cursor_row != before


DURING = {
    "a key": (PromptView, "action_open_all", ("z",)),
    "a click": (PromptView, "on_click", ()),
    "an action of the app": (PromptscopeApp, "action_theme", ("t",)),
    "a resize": (PromptView, "on_resize", ()),
    "a message": (MainScreen, "on_watched", ()),
    "a page that is mounted": (FilesTable, "show_snapshot", ("3",)),
}


@pytest.mark.parametrize("kind", DURING)
async def test_a_handler_fails(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, name, keys = DURING[kind]
    async with running(roo_shop_at(tmp_path), fails=True) as user:
        await user.pause()
        monkeypatch.setattr(owner, name, fails_once(getattr(owner, name)))
        first = user.app.main
        if kind == "a click":
            await user.click(user.app.main.prompt, offset=(4, 4))
        elif kind == "a resize":
            await user.resize(130, 40)
        elif kind == "a message":
            user.watcher.on_status(WatchStatus("polling", 1, 1))
            user.watcher.on_status(LIVE)
        await user.press(*keys)
        await says_what_failed(user, tmp_path)
        assert user.app.main is not first
        await user.press("q")
    assert user.app.return_code == 0


async def test_drawing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = PanelCanvas.render_lines

    def draw(view: PromptView, *arguments: object) -> list[Strip]:
        if view.folds.hide_absent:
            fail()
        return drawn(view, *arguments)

    monkeypatch.setattr(PanelCanvas, "render_lines", draw)
    async with running(roo_shop_at(tmp_path), fails=True) as user:
        await user.prompt.press("x", "x")
        await says_what_failed(user, tmp_path)


async def test_a_timer_fails(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), fails=True) as user:
        user.app.main.set_timer(0.001, fail)
        await says_what_failed(user, tmp_path)


async def test_a_worker_fails(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), fails=True) as user:
        in_thread(user.app.main, fail, fail)
        await says_what_failed(user, tmp_path)


async def test_what_a_worker_found_cannot_be_shown(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), fails=True) as user:
        in_thread(user.app.main, lambda: 3, fail)
        await says_what_failed(user, tmp_path)


async def test_a_thread_and_a_task_fail_and_the_view_stays(tmp_path: Path) -> None:
    async with running(roo_shop_at(tmp_path), fails=True) as user:
        first = user.app.main
        threading.Thread(target=fail).start()
        await says_what_failed(user, tmp_path)
        user.app.main.note("")
        await user.pause()
        user.app._loop.call_soon(fail)  # type: ignore[union-attr]
        await says_what_failed(user, tmp_path)
        assert user.app.main is first


async def test_an_answer_fails_and_the_next_one_comes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(roo_shop_at(tmp_path), fails=True) as user:
        monkeypatch.setattr(Answering, "answer", fails_once(Answering.answer))
        await user.press("r")
        error = str(user.app.main.error.render())
        assert "KeyError in session/" in error
        assert SECRET not in error
        await user.press("r")
        assert not user.app.main.error.display
        assert len(reports(tmp_path)) == 1


async def test_what_is_found_out_aside_fails_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker lives on, and does not try again and again."""
    monkeypatch.setattr("promptscope_tui.session.findings.bullets_of", fail)
    async with running(roo_shop_at(tmp_path), fails=True) as user:
        assert "KeyError in session/findings.py" in str(user.session.snapshot.error)
        await user.save(Path(user.scenario.workspace) / "AGENTS.md", "Ask first.\n")
        assert user.app.failures.all[0].times == 2
        assert len(reports(tmp_path)) == 1


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The tabs at which the main screen was built again."""
    found: list[str] = []
    build = PromptscopeApp.build_view

    def building(app: PromptscopeApp, tab: str = "") -> MainScreen:
        found.append(tab)
        return build(app, tab)

    monkeypatch.setattr(PromptscopeApp, "build_view", building)
    return found


async def test_a_view_that_fails_again_at_once_gives_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, builds: list[str]
) -> None:
    """Other pages and the palette are reached from there; the one that fails leads back to it."""
    async with running(roo_shop_at(tmp_path), fails=True) as user:
        monkeypatch.setattr(PanelCanvas, "render_lines", fail)
        await user.press("j")
        await user.until(lambda: isinstance(user.app.screen, FailedScreen))
        assert builds == [""]
        user.view("Static").shows("KeyError in", str(reports(tmp_path)[0]), "The page Prompt")
        assert "q quit" in user.view("#status").widget.plain
        await user.pilot.press("3")
        await user.until(lambda: user.app.screen is user.app.main)
        await user.settle()
        assert user.tab == "files"
        user.files.shows("AGENTS.md")
        await user.pilot.press("1")
        await user.until(lambda: isinstance(user.app.screen, FailedScreen))
        await user.pilot.press("ctrl+p")
        await user.until(lambda: type(user.app.screen).__name__ == "Palette")
        assert len(builds) <= 4
        await user.press("escape", "q")
    assert user.app.return_code == 0
    assert len(reports(tmp_path)) == 1


async def test_a_screen_that_always_fails_does_not_spin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, builds: list[str]
) -> None:
    async with running(roo_shop_at(tmp_path), fails=True) as user:
        monkeypatch.setattr(Header, "render_line", fail)
        await user.press("t")
        for key in ("ctrl+p", "2", "question_mark", "a"):
            await user.until(lambda: isinstance(user.app.screen, FailedScreen))
            await user.pilot.press(key)
            await user.pause()
        await user.until(lambda: isinstance(user.app.screen, FailedScreen))
        assert len(builds) == 5
        await user.pilot.press("q")
        await user.pause()
    assert user.app.return_code == 0


async def test_a_minute_later_it_is_the_first_time_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, builds: list[str]
) -> None:
    now = [1000.0]
    monkeypatch.setattr(resilient, "monotonic", lambda: now[0])
    async with running(roo_shop_at(tmp_path), fails=True) as user:
        for _ in range(3):
            now[0] += resilient.AT_ONCE
            user.app.main.set_timer(0.001, fail)
            await says_what_failed(user, tmp_path)
            user.app.main.note("")
        assert len(builds) == 3


async def test_the_last_page_fails_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only then does it end, with the code that says so."""
    async with running(roo_shop_at(tmp_path), fails=True) as user:
        monkeypatch.setattr(PanelCanvas, "render_lines", fail)
        monkeypatch.setattr(FailedScreen, "compose", fail)
        await user.press("j")
        await user.until(lambda: not user.app.is_running)
    assert user.app.return_code == OWN_ERRORS


async def test_the_first_frame_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Header, "render_line", fails_once(Header.render_line))
    async with running(roo_shop_at(tmp_path), fails=True) as user:
        await says_what_failed(user, tmp_path)


async def test_a_report_has_no_text_of_anybody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PromptView, "action_open_all", fail)
    async with running(roo_shop_at(tmp_path), fails=True) as user:
        await user.press("slash", *"jwx", "enter", "G", "ctrl+p", *"kqv", "escape")
        await user.resize(120, 30)
        await user.prompt.press("z")
        await says_what_failed(user, tmp_path)
    (report,) = reports(tmp_path)
    text = report.read_text()
    assert report.stat().st_mode & 0o777 == 0o600
    assert report.parent.stat().st_mode & 0o777 == 0o700
    lines = [line.strip() for line in text.splitlines()]
    for kept in ("Key slash", "Key enter", "Key G", "Resize 120 × 30", "Key z", "size: 120 × 30", "builtins.KeyError"):
        assert kept in lines
    assert lines.count("Key, a character") == 6
    assert not {f"Key {letter}" for letter in "jwxkqv"} & set(lines)
    assert lines[-1].startswith("…/test_resilient.py:")
    assert any(line.startswith("promptscope_tui/resilient.py:") for line in lines)
    for hidden in (SECRET, str(tmp_path), str(Path.home()), "Use tabs"):
        assert hidden not in text


_FAILING = """
import sys
from promptscope_tui.views.prompt.view import PromptView
def fail(self):
    raise ValueError("a text of the repository")
PromptView.action_open_all = fail
from promptscope_tui.session import findings
findings.each_effect = lambda *_, **__: iter(())
findings.agents_for = lambda _: ()
from promptscope_tui.__main__ import run
sys.argv[:] = ["promptscope", "--agent", "roo"]
run()
"""


@pytest.mark.slow
def test_on_a_terminal_it_ends_with_code_4_and_names_the_report(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "AGENTS.md").write_text("Use pnpm.\n")
    shown = Terminal([], tmp_path / "shop", program=[sys.executable, "-c", _FAILING])
    try:
        shown.until(lambda: "live" in shown.text)
        shown.send("1z")
        shown.until(lambda: "promptscope failed: ValueError" in shown.text)
        shown.send("3")
        shown.until(lambda: "roo" in shown.text)
        shown.send("q")
        assert shown.finish() == 4
    finally:
        shown.close()
    after = shown.raw.rpartition(b"\x1b[?1049l")[2].decode()
    assert "the app met 1 error of its own and went on" in after
    assert "~/state/errors/" in after
    assert b"Traceback" not in shown.raw
    assert b"a text of the repository" not in shown.raw
