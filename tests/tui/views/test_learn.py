"""The screen on which a client's own words are learned."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.tui.support.client import client_in, plan_few, poison
from tests.tui.support.monorepo import monorepo_at
from tests.tui.support.user import running

from promptscope_tui.learning.learner import Learner, Plan, Progress
from promptscope_tui.session.learning import Told
from promptscope_tui.settings import wordings
from promptscope_tui.views.learn import LearnScreen, learn_rows


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person who has the client on PATH, of which few runs are asked."""
    poison(tmp_path, monkeypatch)
    plan_few(monkeypatch)
    folder = client_in(tmp_path).parent
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return tmp_path


def lines(told: Told) -> list[str]:
    return ["".join(span.text for span in each.left) for each in learn_rows(told)]


RAN = Progress(3, 26, 90, 175, 41.2, "headless, project, --bare")


def test_a_run_says_how_far_it_is() -> None:
    shown = "\n".join(lines(Told("Claude Code 2.1.332", ("26 runs",), (RAN,))))
    for words in ("26 runs", "3/26", "90 of 175 texts", "headless, project, --bare", "about 41 s left"):
        assert words in shown
    assert "run it" not in shown


def test_what_went_wrong_is_below_its_run() -> None:
    failed = Progress(1, 2, 0, 175, 1.0, "interactive, plain", "it sent nothing in 30 seconds")
    shown = lines(Told("x", ("2 runs",), (failed,), ended="could not be run", failed=True))
    assert any("it sent nothing in 30 seconds" in line for line in shown)
    assert "could not be run" in shown[-1]


@pytest.mark.slow
async def test_nothing_is_run_before_it_is_wanted_and_what_was_learned_is_shown(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = Learner.plan
    monkeypatch.setattr(Learner, "plan", lambda self, **given: _short(plan(self, **given)))
    async with running(monorepo_at(place, agent_version="2.1.332"), (120, 36)) as user:
        await user.press("L")
        screen = user.app.screen
        assert isinstance(screen, LearnScreen)
        await user.until(lambda: screen.learning.is_asking)
        await user.settle()
        assert wordings.versions() == []
        await user.press("enter")
        await user.until(lambda: screen.learning.told.ended)
        assert not screen.learning.told.failed, screen.learning.told.ended
        assert screen.learning.told.ended.endswith("; K compares it with 2.1.331")
        await user.press("escape")
        assert user.app.screen is user.app.main
        (learned,) = wordings.versions()
        assert (learned.agent_version, len(learned.runs)) == ("2.1.332", 1)


def _short(plan: Plan) -> Plan:
    return Plan(plan.chosen[:1], plan.texts)


@pytest.mark.slow
async def test_leaving_before_it_runs_runs_nothing(place: Path) -> None:
    async with running(monorepo_at(place, agent_version="2.1.332"), (120, 36)) as user:
        await user.press("L")
        screen = user.app.screen
        assert isinstance(screen, LearnScreen)
        await user.until(lambda: screen.learning.is_asking)
        await user.press("escape")
        await user.until(lambda: screen.learning.told.ended)
        assert screen.learning.told.ended == "nothing was run"
    assert wordings.versions() == []


@pytest.mark.slow
async def test_without_a_client_a_note_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    async with running(monorepo_at(tmp_path), (120, 36)) as user:
        await user.press("L")
        assert "no client of Claude Code was found on this machine" in user.note
