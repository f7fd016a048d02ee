"""What took how long: by phase, by name, in one thread, and not at all unless it was asked for."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from promptscope_engine import Scenario, assemble, timings
from promptscope_engine.timings import Timings, measured, timed
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import get_tokenizer


class Clock:
    """Seconds that pass when something says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(timings, "perf_counter", found)
    return found


def test_each_phase_is_without_what_it_calls_for_and_counts_for_who_called(clock: Clock) -> None:
    @timed("counting", lambda *_: "")
    def count(seconds: float) -> None:
        clock.now += seconds

    @timed("assembling", lambda name, _: name)
    def section(_: str, seconds: float) -> None:
        clock.now += seconds
        count(2)

    with measured() as found:
        section("rules", 3)
        section("rules", 4)
        section("role", 1)
        section("example", 1)
        count(5)
    section("rules", 100)
    assert found.spent == {
        ("assembling", "rules"): 7,
        ("counting", "rules"): 4,
        ("assembling", "role"): 1,
        ("counting", "role"): 2,
        ("assembling", "example"): 1,
        ("counting", "example"): 2,
        ("counting", ""): 5,
    }
    assert found.times["assembling", "rules"] == 2
    assert found.total("counting") == 13
    assert [name for name, _ in found.by_name()] == ["rules", "example", "role"]


def test_another_thread_is_not_measured_and_what_fails_is(clock: Clock) -> None:
    @timed("reading", lambda path: path)
    def read(path: str) -> None:
        clock.now += 1
        raise OSError(path)

    def elsewhere() -> None:
        with pytest.raises(OSError, match=r"b\.md"):
            read("b.md")

    with measured() as found:
        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
        with pytest.raises(OSError, match=r"a\.md"):
            read("a.md")
    assert found.spent == {("reading", "a.md"): 1}


def test_an_assembly_is_measured_by_section_tool_and_file(tmp_path: Path) -> None:
    (tmp_path / ".roorules").write_text("Use tabs.\n")
    scenario = Scenario(agent="roo", workspace=str(tmp_path), home=str(tmp_path / "home"), env={})
    with measured() as found:
        assemble(scenario, counter=Counter(get_tokenizer("o200k_base")))
    assert ("reading", f"{tmp_path}/.roorules") in found.spent
    assert {("assembling", "rules"), ("counting", "rules"), ("assembling", "tool read_file")} <= set(found.spent)
    assert found.times["gathering", ""] == 1
    assert all(seconds >= 0 for seconds in found.spent.values())
    assert Timings().by_name() == []
