"""Captures and transcripts beside the prompt, without a screen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.tui.support.host import FakeHost
from tests.tui.support.monorepo import monorepo_at
from tests.tui.support.sent import captured

from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import tokenizer_for_model
from promptscope_tui.screens import captures, recordings
from promptscope_tui.screens.captures import Captures
from promptscope_tui.screens.overlays import Overlays
from promptscope_tui.screens.recordings import Recordings
from promptscope_tui.views.capture.screen import CaptureScreen
from promptscope_tui.views.compare.sent_screen import DifferencesScreen
from promptscope_tui.views.releases import ReleasesScreen
from promptscope_tui.views.transcript import TranscriptScreen

CONVERSATIONS = Path(__file__).parents[2] / "engine" / "agents" / "conversations" / "files"


class Works:
    """Threads that work at once."""

    @staticmethod
    def in_thread(_: object, work: Callable[[], object], then: Callable[[object], None], group: str = "") -> None:
        del group
        then(work())


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeHost:
    for module in (captures, recordings):
        monkeypatch.setattr(module, "in_thread", Works.in_thread)
    return FakeHost(monorepo_at(tmp_path, agent_version="2.1.329", model="claude-opus-4-8"))


def answer(host: FakeHost) -> None:
    """What the session was asked for last is assembled and shown."""
    now = host.session.snapshot
    counter = Counter(tokenizer_for_model(now.scenario.model))
    host.snapshot = now.with_found(
        assemble(now.scenario, host.session.workspace, counter, knowledge=host.session.knowledge), ()
    )


def test_a_capture_is_shown_as_sent_then_predicted_then_compared(host: FakeHost, tmp_path: Path) -> None:
    path = captured(host.session.placed, tmp_path / "one.jsonl")
    opened = Captures(host)
    opened.open(str(path))
    answer(host)
    opened.show_snapshot(host.snapshot)
    assert (opened.view, host.sent_bar.view) == ("sent", "sent")
    assert "explained" in host.sent_bar.summary or "%" in host.sent_bar.summary
    opened.action_next_view()
    ((screen, _),) = host.app.opened
    assert isinstance(screen, DifferencesScreen)
    opened.action_show_view("predicted")
    answer(host)
    opened.show_snapshot(host.snapshot)
    assert opened.view == "predicted"


def test_another_request_is_one_step_away_and_the_first_follows_the_last(host: FakeHost, tmp_path: Path) -> None:
    opened = Captures(host)
    opened.open(str(captured(host.session.placed, tmp_path / "one.jsonl")))
    answer(host)
    assert opened.shown is not None
    assert opened.shown.request.index == 2
    opened.action_request(1)
    assert host.session.snapshot.scenario.params == {"request": 1}


def test_what_is_no_capture_is_named_and_nothing_opens(host: FakeHost, tmp_path: Path) -> None:
    (tmp_path / "two.jsonl").write_text("nothing\n")
    opened = Captures(host)
    opened.open(str(tmp_path / "two.jsonl"))
    assert "two.jsonl:1: no capture" in host.errors[0]
    assert opened.shown is None
    opened.action_next_view()
    assert "no capture open" in host.notes[0]


def test_a_run_that_was_recorded_is_opened(host: FakeHost, tmp_path: Path) -> None:
    path = captured(host.session.placed, tmp_path / "one.jsonl")
    opened = Captures(host)
    opened.action_capture()
    screen, recorded = host.app.opened.pop()
    assert isinstance(screen, CaptureScreen)
    recorded(None)
    assert host.app.opened == []
    recorded(str(path))
    assert isinstance(host.app.opened[0][0], DifferencesScreen)
    assert host.notes[-1].endswith("o opens it again")


def test_a_capture_of_a_version_that_is_newer_than_all_that_are_known_says_so(host: FakeHost, tmp_path: Path) -> None:
    path = captured(host.session.placed.with_value("agent_version", "2.1.999"), tmp_path / "one.jsonl")
    opened = Captures(host)
    opened.action_capture()
    _, recorded = host.app.opened.pop()
    recorded(str(path))
    for words in (host.notes[0], host.notes[-1]):
        assert "Claude Code 2.1.999 is newer than what is known here: the model is " in words
        assert "L learns the words of the client that is installed" in words


def test_beside_a_capture_the_client_of_the_agent_that_sent_it_is_learned(
    host: FakeHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(recordings, "learnable_client", lambda agent: asked.append(agent.id))
    Captures(host).open(str(captured(host.session.placed, tmp_path / "one.jsonl")))
    answer(host)
    Recordings(host, lambda _: None, print).action_learn()
    assert asked == ["claude-code"]
    assert "no client of Claude Code was found" in host.errors[0]


def test_a_version_that_is_only_captured_is_not_compared_with_the_one_before(host: FakeHost, tmp_path: Path) -> None:
    path = captured(host.session.placed.with_value("agent_version", "2.1.999"), tmp_path / "one.jsonl")
    Captures(host).open(str(path))
    answer(host)
    Overlays(host).action_release_changes()
    assert host.errors == ["Claude Code 2.1.999 is not known here: it was neither modelled nor learned"]
    Overlays(host).action_releases()
    ((screen, _),) = host.app.opened
    assert isinstance(screen, ReleasesScreen), "its agent's versions are listed"


def test_a_transcript_of_another_agent_waits_for_its_prompt(host: FakeHost) -> None:
    recorded = Recordings(host, lambda _: None, print)
    recorded.open_transcript(str(CONVERSATIONS / "codex-0.169.0.jsonl"))
    assert host.session.snapshot.scenario.agent == "codex"
    recorded.show_snapshot(host.session.snapshot)
    assert host.app.opened == [], "its prompt is not there yet"
    answer(host)
    recorded.show_snapshot(host.snapshot)
    ((screen, left),) = host.app.opened
    assert isinstance(screen, TranscriptScreen)
    left(None)
    assert "u goes back to Claude Code" in host.notes[-1]
    left(1200)
    assert host.tabs == ["window"]


def test_a_chosen_file_is_opened_as_what_it_is(host: FakeHost, tmp_path: Path) -> None:
    opened: list[str] = []
    path = str(captured(host.session.placed, tmp_path / "one.jsonl"))
    Recordings(host, opened.append, print).action_transcript()
    ((_, chosen),) = host.app.opened
    chosen(None)
    chosen(path)
    assert opened == [path]
    chosen(str(CONVERSATIONS / "claude-code-2.1.329.jsonl"))
    assert isinstance(host.app.opened[-1][0], TranscriptScreen)
