"""What is found out after a start about the version that is shown, without a screen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.tui.screens.test_captures import Works, answer
from tests.tui.support.apps import shared_at
from tests.tui.support.host import FakeHost

from promptscope_engine.learned import AddedTool, LearnedVersion
from promptscope_tui.learning.clients import Client
from promptscope_tui.screens import versions
from promptscope_tui.screens.versions import Versions
from promptscope_tui.settings import wordings
from promptscope_tui.settings.memory import Memory

SHOUT = AddedTool("shout", ("Does it.",), ('{"type": "object"}',), seen="it was sent in 9 of 9 runs")
Make = Callable[[], FakeHost]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """A start with two learned versions of Codex."""
    monkeypatch.setenv("PROMPTSCOPE_STATE", str(tmp_path / "state"))
    monkeypatch.setattr(versions, "in_thread", Works.in_thread)
    for day, (version, added) in enumerate((("0.900.0", ()), ("0.901.0", (SHOUT,))), 1):
        when = f"2026-12-{day:02}T10:00:00+00:00"
        wordings.keep(LearnedVersion("codex", version, (), when, base="0.169.0", added=added))
    scenario = shared_at(tmp_path, agent="codex", learned=True)

    def made() -> FakeHost:
        host = FakeHost(scenario)
        answer(host)
        return host

    return made


def installed(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    monkeypatch.setattr(versions, "installed_client", lambda _: Client("/bin/codex", version) if version else None)


def look(host: FakeHost, memory: Memory) -> str:
    """What is said."""
    host.notes.clear()
    Versions(host, memory).show_snapshot(host.snapshot)
    return "; ".join(host.notes)


def test_the_first_start_after_learning_says_what_changed_and_says_it_once(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(monkeypatch, "0.901.0")
    host = make()
    said = look(host, Memory(tmp_path / "state"))
    assert said.startswith("Codex 0.901.0: +")
    assert said.endswith("1 new tool since 0.900.0; enter shows it")
    assert host.leads_to == "release_changes"
    assert host.header.installed == "0.901.0"
    assert look(make(), Memory(tmp_path / "state")) == ""


def test_a_client_that_is_newer_still_is_offered_instead(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(monkeypatch, "0.902.0")
    memory = Memory(tmp_path / "state")
    host = make()
    assert "Codex 0.902.0 is installed" in look(host, memory)
    assert host.header.installed == "0.902.0"
    assert memory.version_seen("codex") is None, "what 0.901.0 changed is still to be said"


def test_without_a_client_nothing_is_said_of_one(make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, "")
    memory = Memory(tmp_path / "state")
    memory.keep_version("codex", "0.901.0")
    host = make()
    assert look(host, memory) == ""
    assert host.header.installed == ""


def test_each_agent_is_looked_for_once(make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(versions, "installed_client", lambda agent: asked.append(agent.id))
    host = make()
    looking = Versions(host, Memory(tmp_path / "state"))
    for _ in range(2):
        looking.show_snapshot(host.snapshot)
    host.session.choose_agent("roo")
    answer(host)
    looking.show_snapshot(host.snapshot)
    assert asked == ["codex", "roo"]
