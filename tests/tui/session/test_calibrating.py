"""What the palette does with learned wording, and what the session then shows."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from tests.tui.support.user import running

from promptscope_engine import Scenario
from promptscope_engine.captures.exchange import Exchange, labelled, recorded
from promptscope_engine.captures.model import Capture, Header
from promptscope_engine.prompt.model import Assembly
from promptscope_tui.capturing import store
from promptscope_tui.session.recordings import forget, learn_from, newest
from promptscope_tui.session.session import Session
from promptscope_tui.settings import wordings

IDENTITY = "You test what stands in requests of agents, and nothing else."
BODY = {
    "model": "claude-opus-5-5",
    "system": [{"type": "text", "text": "x-anthropic-billing-header"}, {"type": "text", "text": IDENTITY}],
    "messages": [],
    "tools": [],
}


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PROMPTSCOPE_STATE", str(tmp_path / "state"))
    (request,) = labelled([recorded(1, Exchange(path="/v1/messages", body=BODY))], "hi")
    header = Header("claude-code", "2.1.329", command=("claude", "-p", "hi"), cwd=str(tmp_path), home=str(tmp_path))
    store.save(Capture(header, (request,)), store.new_path("claude-code", datetime(2026, 1, 1)))
    return tmp_path


def identity(session: Session) -> str | None:
    assembly = session.open().assembly
    assert isinstance(assembly, Assembly)
    section = assembly.section("identity")
    return section.text if section else None


def scenario_at(shop: Path) -> Scenario:
    params = {"args": {"print": True}}
    return Scenario(agent="claude-code", workspace=str(shop), home=str(shop), params=params, env={}, learned=True)


@pytest.mark.slow
def test_a_session_shows_what_was_learned_until_it_is_forgotten(shop: Path) -> None:
    session = Session(scenario_at(shop), lambda _: None, cache_folder=shop / "cache")
    before = identity(session)
    path = newest("claude-code")
    assert path is not None
    assert "claude-code 2.1.329: 1 of " in learn_from(path)
    session.use_wordings()
    assert before != identity(session) == IDENTITY
    assert forget("claude-code") == "forgotten: claude-code 2.1.329"
    session.use_wordings()
    assert identity(session) == before
    assert forget("claude-code") == "nothing was learned of claude-code"
    assert wordings.load() is None
    assert newest("codex") is None


@pytest.mark.slow
async def test_words_that_were_learned_are_an_entry_of_changes(shop: Path) -> None:
    async with running(scenario_at(shop).model_copy(update={"agent_version": "2.1.329"})) as user:
        learn_from(str(newest("claude-code")))
        user.session.use_wordings()
        await user.settle()
        user.header.shows("learned words 2.1.329 ")
        await user.press("6")
        user.changes.shows("learned words none → 2.1.329", f"+{IDENTITY}")
        forget("claude-code")
        user.session.use_wordings()
        await user.settle()
        user.changes.shows("learned words 2.1.329 → none")
