"""Recorded sessions hold: a few in the quick set, every second in the slow one; `python -m tests.after` asks all."""

import json
from pathlib import Path

import pytest

from .checking import check
from .drawing import drawn

STORE = sorted((Path(__file__).parent / "store").glob("*.json"))
_QUICK = STORE[::9]


def _of(path: Path) -> list[str]:
    return check(json.loads(path.read_text()))


@pytest.mark.parametrize("path", _QUICK, ids=lambda path: path.stem)
def test_a_session_is_predicted_as_it_was_recorded(path: Path) -> None:
    assert _of(path) == []


@pytest.mark.slow
@pytest.mark.parametrize("path", [each for each in STORE[1::2] if each not in _QUICK], ids=lambda path: path.stem)
def test_every_other_session_is_predicted_too(path: Path) -> None:
    assert _of(path) == []


def test_a_file_that_was_sent_and_one_that_was_not_are_told_apart() -> None:
    recording = json.loads(next(path for path in STORE if path.stem == "claude-x-raw").read_text())
    blocks = recording["requests"][-1]["messages"][-1]["blocks"]
    blocks[0]["marks"] = {"ZQOTHER": "1-990"}
    assert any("recorded ZQOTHER" in each for each in check(recording))


def test_a_compaction_that_was_not_recorded_is_told() -> None:
    recording = json.loads(next(path for path in STORE if path.stem == "claude-x-auto-plain").read_text())
    recording["requests"] = [each for each in recording["requests"] if each["kind"] != "summary"]
    assert any("predicted summary" in each for each in check(recording))


@pytest.mark.parametrize("agent", ["claude-code", "codex", "copilot", "opencode", "gemini"])
def test_a_seed_draws_the_same_session(agent: str) -> None:
    assert drawn(agent, 7) == drawn(agent, 7)
    assert drawn(agent, 7) != drawn(agent, 8)
