"""What a report has, and what never gets into one."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from textual import events
from textual.geometry import Size

from promptscope_engine.formats.document import toml
from promptscope_tui.failures import EVENTS, KEPT, Failure, Failures, Trail

SECRET = "a text of the repository"


def caught(run: object) -> Exception:
    try:
        run()  # type: ignore[operator]
    except Exception as error:
        return error
    raise AssertionError("it must fail")


def of_a_file() -> None:
    try:
        toml(f"x = {SECRET}")
    except ValueError as error:
        raise KeyError(SECRET) from error


def endless() -> None:
    endless()


@pytest.fixture
def failures(tmp_path: Path) -> Failures:
    return Failures(lambda: tmp_path, lambda: datetime(2026, 3, 2, 12))


def read(failure: Failure) -> list[str]:
    return Path(failure.report).read_text("utf-8").splitlines()


def test_a_report_names_kinds_and_places_alone(failures: Failures) -> None:
    failures.trail.note("Key G")
    found = failures.add(caught(of_a_file), ["size: 80 × 24"])
    lines = read(found)
    assert found.kind == "KeyError"
    assert found.place.startswith("…/test_failures.py:")
    assert "size: 80 × 24" in lines
    assert "  Key G" in lines
    assert "builtins.KeyError" in lines
    assert any(line.startswith("  promptscope_engine/formats/document.py:") for line in lines), "the cause as well"
    text = "\n".join(lines)
    assert SECRET not in text
    assert str(Path(__file__).parent) not in text
    assert str(Path.home()) not in text


def test_endless_recursion_has_its_beginning_and_its_end(failures: Failures) -> None:
    lines = read(failures.add(caught(endless), []))
    assert sum("endless" in line for line in lines) < 80
    assert any(line.startswith("  … ") and line.endswith(" more") for line in lines)


def test_the_same_failure_has_one_report(failures: Failures, tmp_path: Path) -> None:
    for _ in range(3):
        found = failures.add(caught(of_a_file), [])
    assert found.times == 3
    assert len(failures.all) == len([*(tmp_path / "errors").iterdir()]) == 1


def test_old_reports_go(failures: Failures, tmp_path: Path) -> None:
    folder = tmp_path / "errors"
    folder.mkdir()
    for number in range(KEPT + 5):
        (folder / f"20260101-0000{number:02}-1-1.txt").touch()
    found = failures.add(caught(of_a_file), [])
    names = sorted(path.name for path in folder.iterdir())
    assert len(names) == KEPT
    assert names[-1] == Path(found.report).name


def test_without_a_folder_it_is_said_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "errors").touch()
    failures = Failures(lambda: tmp_path)
    found = failures.add(caught(of_a_file), [])
    assert found.words.endswith("; no report could be written")
    assert failures.last_words == "promptscope: the app met 1 error of its own and went on"


def test_a_trail_has_the_last_events_and_nothing_that_was_typed() -> None:
    trail = Trail()
    for _ in range(EVENTS):
        trail.note("Resize")
    for name, character, typing in (("G", "G", False), ("s", "s", True), ("enter", "\r", True), ("日", "日", True)):
        trail.see(events.Key(name, character), typing=typing)
    for x in range(5):
        trail.see(events.MouseMove(None, x, 2, 0, 0, 0, False, False, False))
    trail.see(events.Paste(SECRET), typing=True)
    trail.see(events.Resize(Size(80, 24), Size(80, 24)))
    told = [*trail]
    assert len(told) == EVENTS
    assert told[-7:] == [
        "Key G",
        "Key, a character",
        "Key enter",
        "Key, a character",
        "MouseMove 0,2",
        "Paste",
        "Resize 80 × 24",
    ]
