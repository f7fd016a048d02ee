"""When is drawn what was asked for first, then everything else, then notes, for as long as it takes to read them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from msgspec.structs import replace
from tests.tui.support.roo_shop import roo_shop_at
from tests.tui.support.user import running

from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.model import Assembly
from promptscope_tui.screens.drawing import DELAY, ERROR_SECONDS, NOTE_SECONDS, DrawSchedule, Notes
from promptscope_tui.screens.main import MainScreen
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.text.spans import Tone

ASSEMBLY = cast(Assembly, SimpleNamespace(tokens=SimpleNamespace(expected=1)))


class Screen:
    """Writes down what it is told to draw; a frame is drawn when a test says so."""

    is_attached = True

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.done: list[str] = []
        self.due: list[Callable[[], object]] = []
        self.session: Any = SimpleNamespace(
            snapshot=snapshot, details_due=False, drawn=lambda: self.done.append("worker")
        )
        self.timers: list[tuple[float, Callable[[], None]]] = []
        self.schedule = DrawSchedule(self.session, self, lambda *timer: self.timers.append(timer))

    def know(self, snapshot: Snapshot) -> None:
        self.session.snapshot = snapshot
        self.schedule.update(snapshot)

    def frame(self) -> None:
        due, self.due = self.due, []
        for do in due:
            do()

    def show_first(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.done.append("first")

    def show_rest(self) -> None:
        self.done.append("rest")

    def once_drawn(self, do: Callable[[], object]) -> None:
        self.due.append(do)

    def settle(self) -> None:
        self.done.append("settled")


def answered(mode: str, *, busy: bool = False) -> Snapshot:
    return Snapshot(Scenario(mode=mode), assembly=ASSEMBLY, busy=busy)


def test_an_answer_is_drawn_first_then_the_rest_then_the_worker_goes_on() -> None:
    screen = Screen(Snapshot(Scenario()))
    screen.know(answered("ask"))
    assert screen.done == ["first"]
    assert screen.schedule.is_answer_due
    screen.frame()
    assert screen.done == ["first", "rest", "settled"]
    assert not screen.schedule.is_answer_due
    screen.frame()
    assert screen.done[-1] == "worker"


def test_it_settles_only_when_nothing_more_is_to_come() -> None:
    screen = Screen(Snapshot(Scenario()))
    screen.know(answered("ask", busy=True))
    screen.frame()
    assert "settled" not in screen.done
    screen.session.details_due = True
    screen.know(answered("ask"))
    screen.frame()
    assert "settled" not in screen.done
    assert not screen.schedule.is_found_out


def test_a_change_without_an_answer_is_drawn_later_unless_the_answer_comes() -> None:
    shown = answered("code")
    screen = Screen(shown)
    asked = replace(shown, scenario=Scenario(mode="ask"), busy=True)
    screen.know(asked)
    assert screen.done == []
    assert screen.schedule.is_answer_due
    ((seconds, draw),) = screen.timers
    assert seconds == DELAY
    screen.know(replace(asked, assembly=cast(Assembly, SimpleNamespace()), busy=False))
    screen.frame()
    screen.done.clear()
    draw()
    assert screen.done == [], "it is not the newest any more"


def test_nothing_is_drawn_on_a_screen_that_is_gone() -> None:
    screen = Screen(Snapshot(Scenario()))
    screen.is_attached = False
    screen.know(answered("ask"))
    assert screen.done == []


class Timer:
    """A timer that goes off when a test says so."""

    def __init__(self, seconds: float, do: Callable[[], None]) -> None:
        self.seconds, self.do, self.stopped = seconds, do, False

    def stop(self) -> None:
        self.stopped = True


class Shown:
    """Notes, what they show, and the timers that they set."""

    def __init__(self) -> None:
        self.now: tuple[str, Tone] = "", "dim"
        self.timers: list[Timer] = []
        self.is_answer_due = False
        self.notes = Notes(self._show, self._later, lambda: self.is_answer_due)

    def _show(self, words: str, tone: Tone) -> None:
        self.now = words, tone

    def _later(self, seconds: float, do: Callable[[], None]) -> Timer:
        self.timers.append(Timer(seconds, do))
        return self.timers[-1]


@pytest.fixture
def shown() -> Shown:
    return Shown()


def test_a_note_goes_after_a_while_and_an_error_later(shown: Shown) -> None:
    shown.notes.say("saved")
    assert shown.now == ("saved", "dim")
    assert shown.timers[-1].seconds == NOTE_SECONDS
    shown.notes.say("no such folder", error=True)
    assert shown.now == ("no such folder", "error")
    assert shown.timers[0].stopped, "the first note is gone: its time ends nothing any more"
    assert shown.timers[-1].seconds == ERROR_SECONDS
    shown.timers[-1].do()
    assert shown.now[0] == ""


def test_a_note_waits_for_the_answer_that_is_due(shown: Shown) -> None:
    shown.is_answer_due = True
    shown.notes.say("the mode is ask")
    assert shown.now[0] == ""
    shown.notes.say_due()
    assert shown.now[0] == "the mode is ask"
    shown.now = "", "dim"
    shown.notes.say_due()
    assert shown.now[0] == "", "it is said once"


def test_where_no_answer_comes_the_note_is_shown_anyway(shown: Shown) -> None:
    shown.is_answer_due = True
    shown.notes.say("the mode is ask")
    shown.timers[0].do()
    assert shown.now[0] == "the mode is ask"


def test_a_note_leads_somewhere_as_long_as_it_is_shown(shown: Shown) -> None:
    shown.notes.say("2.1.333 is new", leads_to="release_changes")
    assert shown.notes.leads_to == "release_changes"
    shown.timers[-1].do()
    assert shown.notes.leads_to == ""
    shown.is_answer_due = True
    shown.notes.say("2.1.333 is new", leads_to="release_changes")
    assert shown.notes.leads_to == "", "it is not shown yet"


def test_a_note_is_removed_at_once(shown: Shown) -> None:
    shown.notes.say("saved")
    shown.is_answer_due = True
    shown.notes.say("")
    assert shown.now[0] == ""


@pytest.mark.slow
async def test_why_is_drawn_with_the_page_that_it_explains(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While much else is still to be drawn, both are of the new file."""
    async with running(roo_shop_at(tmp_path)) as user:
        file = tmp_path / "shop" / "AGENTS.md"
        user.app.main.prompt.goto(next(s.id for s in user.assembly.sections if s.title.endswith("AGENTS.md")))
        await user.pause()
        before, seen = user.why.text, []
        monkeypatch.setattr(MainScreen, "show_rest", lambda _: seen.append(user.why.text))
        file.write_text("Use tabs.\n" * 400)
        user.watcher.on_change(frozenset({str(file)}))
        await user.until(lambda: bool(seen))
        assert seen[0] != before
        assert "AGENTS.md:1-400" in seen[0]
