"""Notes: one at a time, after the answer that is due, for as long as it takes to read them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from promptscope_tui.screens.notes import ERROR_SECONDS, NOTE_SECONDS, Notes
from promptscope_tui.text.spans import Tone


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
