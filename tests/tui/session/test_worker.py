"""Counting stops when its job was cancelled; what is found out waits for the screen."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from tests.tui.support.shop import PATIENCE, scenario_of

from promptscope_engine.tokens import CountCache, get_tokenizer
from promptscope_tui.session import worker
from promptscope_tui.session.worker import CancellableCounter, Cancelled, Worker


def test_it_stops_only_before_a_new_text() -> None:
    cancelled = False
    counter = CancellableCounter(get_tokenizer("o200k_base"), None, lambda: cancelled)
    known = counter.count("counted before")
    cancelled = True
    assert counter.count("counted before") == known
    assert counter.count("") == 0
    with pytest.raises(Cancelled):
        counter.count("new")


def test_another_tokenizer_is_cancelled_in_the_same_way() -> None:
    counter = CancellableCounter(get_tokenizer("o200k_base"), CountCache(), lambda: True)
    assert counter.by(counter.tokenizer) is counter
    other = counter.by(get_tokenizer("cl100k_base"))
    assert other.cache is counter.cache
    with pytest.raises(Cancelled):
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
    monkeypatch.setattr("promptscope_tui.session.worker._DRAWING", PATIENCE)


def test_counting_many_texts_tells_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "_TELLING", 0)
    told: list[tuple[int, int]] = []
    counter = CancellableCounter(get_tokenizer("o200k_base"), None, lambda: False, lambda *far: told.append(far))
    texts = [f"rule {number}" for number in range(600)]
    assert counter.count_many(texts) == [counter.count(text) for text in texts]
    assert told == [(256, 600), (512, 600), (600, 600)]


def test_on_hold_it_waits_until_it_is_known_whether_there_is_something_newer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "_LOOKING", PATIENCE)
    steps: list[str] = []
    asks, asked = threading.Event(), threading.Event()

    def work(_: worker.Job) -> None:
        steps.append("begun")
        asks.wait(PATIENCE)
        steps.append("stops" if made.cancelled else "goes on")
        asked.set()

    made = Worker(work, lambda: None, lambda: False)
    made.start(scenario_of(tmp_path))
    made.hold(True)
    assert not made.cancelled, "nobody but the worker waits"
    asks.set()
    assert steps == ["begun"]
    made.hold(False)
    assert asked.wait(PATIENCE)
    made.close()
    assert steps == ["begun", "goes on"]


def test_on_hold_it_stops_at_once_for_something_newer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "_LOOKING", PATIENCE)
    begun, stopped = threading.Event(), threading.Event()

    def work(_: worker.Job) -> None:
        begun.set()
        if made.cancelled:
            stopped.set()

    made = Worker(work, lambda: None, lambda: False)
    made.hold(True)
    made.start(scenario_of(tmp_path))
    assert begun.wait(PATIENCE)
    assert not stopped.is_set()
    made.queue(scenario_of(tmp_path))
    assert stopped.wait(PATIENCE)
    made.hold(False)
    made.close()
