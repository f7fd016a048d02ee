"""What is known on this machine, for a scenario."""

from __future__ import annotations

from pathlib import Path

import pytest

from promptscope_engine import Scenario
from promptscope_engine.learned import LearnedVersion, ServerAnswer
from promptscope_tui.settings import servers, wordings
from promptscope_tui.settings.knowledge import knowledge_for


def test_what_was_learned_is_for_who_asks_and_answers_are_for_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROMPTSCOPE_STATE", str(tmp_path / "state"))
    wordings.keep(LearnedVersion("codex", "0.999.0", (), learned="2026-11-26T09:00:00+00:00"))
    servers.keep(str(tmp_path), ServerAnswer("docs", ()))
    plain, learned = (knowledge_for(Scenario(learned=asks)) for asks in (False, True))
    assert plain.learned is None
    assert learned.learned is not None
    assert ("codex", "0.999.0") in learned.learned
    assert [*plain.answers(str(tmp_path))] == [*learned.answers(str(tmp_path))] == ["docs"]
