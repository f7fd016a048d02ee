"""The client that is installed here, and what is said of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.tui.support.client import client_in, poison

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.learned import Learned, LearnedVersion
from promptscope_tui.learning.clients import Client
from promptscope_tui.session.installed import installed_client, offer

CLAUDE_CODE = load_agent("claude-code")


def test_it_is_found_with_its_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    poison(tmp_path, monkeypatch)
    monkeypatch.setenv("PATH", f"{client_in(tmp_path).parent}:{os.environ['PATH']}")
    found = installed_client(CLAUDE_CODE)
    assert found is not None
    assert found.version == "2.1.332"
    assert installed_client(load_agent("roo")) is None, "nobody knows how to ask it"


def test_a_client_whose_words_are_not_known_is_offered() -> None:
    words = offer(CLAUDE_CODE, Client("/bin/claude", "2.1.332"), None)
    assert words == "Claude Code 2.1.332 is installed: L learns its own words, in up to 3 minutes; nothing is sent"
    assert offer(CLAUDE_CODE, None, None) == ""
    assert offer(CLAUDE_CODE, Client("/bin/claude", ""), None) == "", "only a run could tell its version"
    learned = Learned((LearnedVersion("claude-code", "2.1.332", ()),))
    assert offer(CLAUDE_CODE, Client("/bin/claude", "2.1.332"), learned) == ""


def test_of_a_client_that_is_not_modelled_the_age_of_the_model_is_said() -> None:
    words = offer(CLAUDE_CODE, Client("/bin/claude", "2.1.999"), None)
    newest = CLAUDE_CODE.versions[-1]
    assert f"; the model is {newest} of {CLAUDE_CODE.about.modelled[newest]}: L learns" in words
