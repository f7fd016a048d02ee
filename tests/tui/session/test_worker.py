"""Counting stops when its job was cancelled; what is found out waits for the screen."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from tests.tui.support.roo_shop import scenario_of
from tests.tui.support.user import PATIENCE

from promptscope_engine.assembly.assembler import totals
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.tokens.cache import CountCache
from promptscope_engine.tokens.models import get_tokenizer
from promptscope_engine.workspace import Workspace
from promptscope_tui.session import worker
from promptscope_tui.session.worker import CancellableCounter, Job, SupersededError, Worker


def test_it_stops_only_before_a_new_text() -> None:
    stopped: list[SupersededError] = []

    def go_on() -> None:
        for each in stopped:
            raise each

    counter = CancellableCounter(get_tokenizer("o200k_base"), None, go_on)
    known = counter.count("counted before")
    stopped.append(SupersededError())
    assert counter.count("counted before") == known
    assert counter.count("") == 0
    with pytest.raises(SupersededError):
        counter.count("new")


def test_another_tokenizer_is_cancelled_in_the_same_way() -> None:
    def stop() -> None:
        raise SupersededError

    counter = CancellableCounter(get_tokenizer("o200k_base"), CountCache(), stop)
    assert counter.by(counter.tokenizer) is counter
    other = counter.by(get_tokenizer("cl100k_base"))
    assert other.cache is counter.cache
    with pytest.raises(SupersededError):
        other.count("new, and not to be found in any cache: ⟪new⟫")


@pytest.mark.usefixtures("patient")
def test_it_waits_until_a_screen_has_drawn_what_it_was_told() -> None:
    worker = Worker(lambda _: None, lambda: None, lambda: False)
    done: list[str] = []
    worker.let_draw(lambda: done.append("told nobody"))  # without a screen there is nothing to wait for
    worker.drawn()
    told = threading.Event()

    def work() -> None:
        worker.let_draw(told.set)
        done.append("went on")

    thread = threading.Thread(target=work)
    thread.start()
    told.wait(PATIENCE)
    assert done == ["told nobody"]
    worker.drawn()
    thread.join(PATIENCE)
    assert done == ["told nobody", "went on"]


@pytest.mark.usefixtures("patient")
def test_it_does_not_wait_where_something_newer_is_to_do(tmp_path: Path) -> None:
    worker = Worker(lambda _: None, lambda: None, lambda: False)
    worker.drawn()
    worker.queue(scenario_of(tmp_path))
    told: list[bool] = []
    worker.let_draw(lambda: told.append(worker.cancelled))
    assert told == [True]


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A screen may take as long as it likes."""
    monkeypatch.setattr("promptscope_tui.session.worker.DRAWING", PATIENCE)


def test_counting_many_texts_tells_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "TELLING", 0)
    told: list[tuple[int, int]] = []
    counter = CancellableCounter(get_tokenizer("o200k_base"), None, lambda: None, lambda *far: told.append(far))
    texts = [f"Rule {number}.\n" * 150 for number in range(100)]
    with counter.ahead(texts):
        for text in texts:
            counter.count(text)
    assert told
    assert told == sorted(told)
    assert all(31 <= done < of == 100 for done, of in told)


def test_what_if_questions_stop_between_their_parts(tmp_path: Path) -> None:
    """A switch that is set meanwhile must not wait for the rest of one, though nothing new is counted in it."""
    scenario, workspace = scenario_of(tmp_path), Workspace()
    asked: list[str] = []
    counter = CancellableCounter(get_tokenizer("o200k_base"), None, lambda: asked.append("go on?"))
    totals(scenario, workspace, counter)
    asked.clear()
    known = totals(scenario, workspace, counter)
    assert len(asked) >= len(known.sections) + len(known.tools) // 2


PAUSE = 0.2
"""Seconds."""


class Aside:
    """Work aside that asks once whether to go on, and how it was answered."""

    def __init__(self) -> None:
        self.begun, self.answered, self.stops = threading.Event(), threading.Event(), False
        self.worker = Worker(lambda _: None, self._find_out, lambda: not self.answered.is_set())

    def _find_out(self) -> None:
        self.begun.set()
        self.stops = self.worker.should_stop()
        self.answered.set()


def test_what_is_found_out_aside_pauses_while_something_newer_is_likely() -> None:
    aside = Aside()
    aside.worker.pause_for(PAUSE)
    begun = time.monotonic()
    aside.worker.start(Scenario())
    assert aside.answered.wait(PATIENCE)
    aside.worker.close()
    assert time.monotonic() - begun >= PAUSE / 2
    assert not aside.stops


def test_in_a_pause_it_stops_at_once_for_something_newer() -> None:
    aside = Aside()
    aside.worker.pause_for(PATIENCE)
    aside.worker.start(Scenario())
    assert aside.begun.wait(PATIENCE)
    aside.worker.queue(Scenario())
    assert aside.answered.wait(PATIENCE)
    aside.worker.close()
    assert aside.stops


def test_an_answer_does_not_pause() -> None:
    answered = threading.Event()

    def do(_: Job) -> None:
        works.pause_for(PATIENCE)  # a key while it is assembled
        works.go_on()
        answered.set()

    works = Worker(do, lambda: None, lambda: False)
    works.start(Scenario())
    try:
        assert answered.wait(PATIENCE / 2)
    finally:
        works.close()
