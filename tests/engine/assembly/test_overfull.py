"""A window that the first request does not fit: what each agent does then, and how that is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from promptscope_engine import Assembly, Scenario, assemble
from promptscope_engine.agents.description import of_version
from promptscope_engine.agents.registry import built_in_ids, load_agent
from promptscope_engine.assembly.overfull import too_small
from promptscope_engine.prompt.model import Diagnostic, TokenSummary

SMALL = TokenSummary("o200k_base", True, 9_000, 9_000, None, {}, window=8_000, reserve=0, compact_at=6_000, free=0)


def blank(tmp_path: Path, agent: str, **asked: Any) -> Assembly:
    values = {"workspace": str(tmp_path), "home": str(tmp_path / "home"), "env": {}, "agent": agent, **asked}
    return assemble(Scenario.model_validate(values))


def found(assembly: Assembly) -> list[Diagnostic]:
    return [each for each in assembly.diagnostics if each.code == "window-too-small"]


@pytest.mark.parametrize(
    ("agent", "tokens", "says"),
    [
        ("claude-code", {"reserve": 2_000, "compact_at": None}, "sends nothing and ends with `Prompt is too long`"),
        ("claude-code", {"compact_at": None}, "sends it, and leaves it to the service to refuse it"),
        ("codex", {}, "sends it all the same, compacts after each answer of the turn, and goes on"),
        ("copilot", {"compact_at": None}, "sends nothing: it says that the request is over the model's budget"),
        ("gemini", {}, "sends nothing and ends without a word"),
        ("gemini", {"window": 10_000}, "sends it as it is: there is nothing to compress yet"),
        ("openclaw", {"window": 3_000}, "refuses such a model and sends nothing (recorded 2026.9.6)"),
        ("openclaw", {}, "sends it all the same, since there is nothing to compact yet"),
        ("opencode", {}, "sends it, then compacts and asks itself to go on after each answer, over and over"),
        ("opencode", {"compact_at": None}, "sends it all the same"),
        ("roo", {"compact_at": 0}, "sends it, as it goes by the tokens of the last answer and there is none"),
    ],
)
def test_what_each_agent_does_then(agent: str, tokens: dict[str, Any], says: str) -> None:
    known = load_agent(agent)
    (note,) = too_small(known, known.versions[-1], replace(SMALL, **tokens))
    assert note.severity == "warning"
    assert note.message.startswith("the first request takes 9,000 tokens, and the window ")
    assert f": {known.name} {says}" in note.message
    assert note.tokens


@pytest.mark.parametrize("agent", built_in_ids())
def test_every_version_of_every_agent_says_it_with_how_it_is_known(agent: str) -> None:
    known = load_agent(agent)
    for version in known.versions:
        rows = list(of_version(known.about.overfull, version, known.versions))
        assert rows
        assert all(row.says and row.known for row in rows)
        full = replace(SMALL, expected=2_000_000, window=1_000_000, reserve=1, compact_at=900_000)
        assert list(too_small(known, version, full)), version


@pytest.mark.parametrize("agent", built_in_ids())
def test_a_request_that_fits_is_not_spoken_of(agent: str, tmp_path: Path) -> None:
    assert found(blank(tmp_path, agent, env={"COPILOT_MODEL": "gpt-5.2"})) == []


def test_what_was_not_counted_says_nothing() -> None:
    roo = load_agent("roo")
    assert list(too_small(roo, roo.versions[-1], replace(SMALL, expected=None))) == []


@pytest.mark.parametrize(
    ("agent", "asked", "says"),
    [
        ("openclaw", {"params": {"modelInfo": {"contextWindow": 8000}}}, "window of 8,000 is compacted at 6,000"),
        ("openclaw", {"params": {"modelInfo": {"contextWindow": 3000}}}, "the window has 3,000, of at least 4,000"),
        ("codex", {"params": {"args": {"config": ["model_context_window=8000"]}}}, "is compacted at 7,200"),
        (
            "copilot",
            {"env": {"COPILOT_MODEL": "gpt-5.4", "COPILOT_PROVIDER_MAX_PROMPT_TOKENS": "8000"}},
            "the window has 8,000",
        ),
    ],
)
def test_a_small_window_of_the_scenario(agent: str, asked: dict[str, Any], says: str, tmp_path: Path) -> None:
    (note,) = found(blank(tmp_path, agent, **asked))
    assert says in note.message


@pytest.mark.parametrize(("size", "at"), [(5_000, 3_750), (8_000, 6_000), (20_000, 15_000), (200_000, 180_000)])
def test_a_small_window_of_openclaw_keeps_three_quarters(size: int, at: int, tmp_path: Path) -> None:
    """Recorded 2026.9.6: its log names the budget of a small window."""
    params = {"modelInfo": {"contextWindow": size}}
    assert blank(tmp_path, "openclaw", params=params).tokens.compact_at == at
    older = blank(tmp_path, "openclaw", params=params, agent_version="2026.2.24")
    assert older.tokens.compact_at == max(size - 20_000, 0)
