"""The session without a terminal: history, worker, baseline, changes."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.tui.support.monorepo import git, monorepo_at
from tests.tui.support.roo_shop import scenario_of
from tests.tui.support.session import Watched
from tests.tui.support.user import NOON, PATIENCE

from promptscope_engine.prompt.model import Lever
from promptscope_tui.session.history import History
from promptscope_tui.session.session import Session
from promptscope_tui.views.change_words import change_title, change_words


@pytest.fixture
def no_effects(monkeypatch: pytest.MonkeyPatch) -> None:
    """The effects of switches take most of the time, and not every test looks at them."""
    monkeypatch.setattr("promptscope_tui.session.findings.each_effect", lambda *_, **__: iter(()))


def test_history_goes_back_and_forth(tmp_path: Path) -> None:
    first = scenario_of(tmp_path)
    history = History(first, first).push(first.with_value("mode", "ask"))
    assert history.push(history.now) is history
    assert history.undo().now == first
    assert history.undo().redo().now.mode == "ask"
    assert history.undo().undo().now == first
    assert history.reset().now == first
    assert history.reset().undo().now.mode == "ask"
    assert history.undo().push(first.with_value("mode", "debug")).redo().now.mode == "debug"


@pytest.mark.usefixtures("no_effects")
def test_first_assembly_counts_nothing_then_everything_is_counted(tmp_path: Path) -> None:
    with Watched(tmp_path) as watched:
        assert watched.first.assembly is not None
        assert watched.first.assembly.tokens.expected is None
        assert watched.first.busy
        now = watched.session.snapshot
        assert now.assembly is not None
        assert now.assembly.tokens.expected
        assert now.baseline is None, "the uncounted first frame is nothing to compare with"
        assert now.changes == ()


@pytest.mark.slow
def test_effects_are_known_for_every_other_value(tmp_path: Path) -> None:
    with Watched(tmp_path) as watched:
        now = watched.session.snapshot
        off = now.effect("diffEnabled", False)
        assert off is not None
        assert off.tokens < 0
        assert "apply_diff" in off.tools_removed
        assert now.effect("diffEnabled", True) is None
        ready = now.effect("codeIndex", {"initialized": True, "enabled": True, "configured": True})
        assert ready is not None
        assert ready.tools_added == ("codebase_search",)
        assert {e.value for e in now.effects.values() if e.param == "mode"} >= {"ask", "docs-writer"}


@pytest.mark.slow
def test_an_effect_is_what_then_happens(tmp_path: Path) -> None:
    with Watched(tmp_path) as watched:
        before = watched.session.snapshot
        effect = before.effect("supportsComputerUse", False)
        watched.session.set("supportsComputerUse", False)
        after = watched.wait()
        assert effect is not None
        assert before.assembly is not None
        assert after.assembly is not None
        assert (after.assembly.tokens.expected or 0) - (before.assembly.tokens.expected or 0) == effect.tokens
        assert after.baseline is not None
        assert after.baseline.sections is before.assembly.sections
        assert [change.tokens for change in after.changes] == [effect.tokens]
        assert after.can_undo


@pytest.mark.usefixtures("no_effects")
def test_levers_are_one_step(tmp_path: Path) -> None:
    with Watched(tmp_path) as watched:
        watched.session.apply([Lever("mode", "ask"), Lever("settings.todoListEnabled", False)])
        assert watched.wait().scenario.params == {"settings": {"todoListEnabled": False}}
        watched.session.undo()
        assert watched.wait().scenario.params == {}
        assert watched.session.snapshot.can_redo


@pytest.mark.slow
def test_a_burst_of_switches_ends_in_the_last(tmp_path: Path) -> None:
    with Watched(tmp_path) as watched:
        for mode in ("ask", "debug", "architect", "docs-writer"):
            watched.session.set("mode", mode)
        now = watched.wait()
        assert now.assembly is not None
        assert now.assembly.mode == "docs-writer"
        assert now.effect("mode", "ask") is not None


@pytest.mark.usefixtures("no_effects")
def test_reload_without_a_difference_makes_no_entry(tmp_path: Path) -> None:
    with Watched(tmp_path) as watched:
        watched.session.reload()
        assert watched.wait().changes == ()


@pytest.mark.usefixtures("no_effects")
def test_a_file_that_appears_and_goes_makes_two_entries(tmp_path: Path) -> None:
    with Watched(tmp_path) as watched:
        rule = tmp_path / "shop" / ".roo" / "rules" / "zz.md"
        paths = {str(rule), str(rule.parent)}
        rule.write_text("No secrets in logs.\n")
        watched.session.reload(paths)
        now = watched.wait(lambda s: len(s.changes) == 1 and not s.busy)
        assert any(c.change == "added" for c in now.changes[0].sections)
        rule.unlink()
        watched.session.reload(paths)
        now = watched.wait(lambda s: len(s.changes) == 2 and not s.busy)
        first, second = now.changes
        assert (first.tokens or 0) == -(second.tokens or 0)


@pytest.mark.usefixtures("no_effects")
def test_an_engine_that_fails_does_not_end_the_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Watched(tmp_path) as watched:
        with monkeypatch.context() as patch:
            patch.setattr("promptscope_tui.session.history.assemble", lambda *_, **__: 1 / 0)
            watched.session.set("mode", "ask")
            assert "ZeroDivisionError" in str(watched.wait().error)
        watched.session.undo()
        assert watched.wait().error is None


@pytest.mark.usefixtures("no_effects")
def test_a_job_that_gave_up_hands_on_what_was_saved(tmp_path: Path) -> None:
    """A file is saved and a switch set while the worker counts: one assembly follows, with an entry for the file."""
    with Watched(tmp_path) as watched:
        session = watched.session
        counting, go_on = threading.Event(), threading.Event()
        count = session.counter.count

        def slow(text: str) -> int:
            if "Fridays" in text and not go_on.is_set():
                counting.set()
                go_on.wait(PATIENCE)
            return count(text)

        session.counter.count = slow  # type: ignore[method-assign]
        file = tmp_path / "shop" / "AGENTS.md"
        file.write_text(file.read_text() + "- Never push on Fridays.\n")
        session.reload([str(file)])
        assert counting.wait(PATIENCE)
        session.set("diffEnabled", False)
        go_on.set()
        snapshot = watched.wait()
        assert snapshot.assembly is not None
        assert "Fridays" in snapshot.assembly.system_text
        assert [change.paths for change in snapshot.changes] == [(str(file),)]


@pytest.mark.usefixtures("no_effects")
def test_back_at_the_start_nothing_has_changed(tmp_path: Path) -> None:
    with Watched(tmp_path) as watched:
        session = watched.session
        session.set("supportsComputerUse", False)
        assert watched.wait().compared is not None
        session.reset()
        after = watched.wait()
        assert after.scenario == watched.first.scenario
        assert after.compared is None
        session.pin_baseline()
        assert session.snapshot.pinned_at == NOON
        session.set("supportsComputerUse", False)
        watched.wait()
        session.reset()
        assert watched.wait().compared is not None, "a baseline that was set stays"
        session.pin_baseline()
        assert session.snapshot.pinned_at is None


@pytest.mark.slow
@pytest.mark.usefixtures("no_effects")
def test_a_checkout_is_called_by_its_branches(tmp_path: Path) -> None:
    scenario = monorepo_at(tmp_path)
    updated = threading.Event()
    session = Session(scenario, lambda _: updated.set(), cache_folder=tmp_path / "cache")
    try:
        session.open()
        session.start()
        wait_for(updated, lambda: not session.snapshot.busy)
        git(tmp_path / "mono", "checkout", "-qb", "feature")
        (tmp_path / "mono" / "CLAUDE.md").write_text("Other rules.\n")
        root = str(tmp_path / "mono")
        session.reload([f"{root}/.git/HEAD", f"{root}/.git/index", f"{root}/CLAUDE.md"])
        wait_for(updated, lambda: bool(session.snapshot.changes) and not session.snapshot.busy)
        (change,) = session.snapshot.changes
        title = change_title(change, session.snapshot.assembly)
        assert title == ("checkout main → feature", " and 1 file")
        assert change_words(change).startswith("checkout feature ")
        assert change_title(replace(change, steps=()), session.snapshot.assembly) == ("CLAUDE.md", "")
        staged = replace(change, steps=(), paths=(f"{root}/.git/index",))
        assert change_title(staged, None) == ("git: what is staged or committed", "")
    finally:
        session.close()


def wait_for(updated: threading.Event, holds: Callable[[], bool]) -> None:
    """Wait until something holds of the session; fails if it takes too long."""
    while not holds():
        assert updated.wait(PATIENCE)
        updated.clear()
