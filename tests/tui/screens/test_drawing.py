"""The draw schedule: what was asked for first, then everything else, then the worker."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

from msgspec.structs import replace

from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.model import Assembly
from promptscope_tui.screens.drawing import DELAY, DrawSchedule
from promptscope_tui.session.snapshot import Snapshot

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
