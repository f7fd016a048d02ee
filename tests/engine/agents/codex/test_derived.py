"""What Codex makes of settings, trust, model and sandbox, each once and with the sentence that says why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .conftest import Codex, untrusted

pytestmark = pytest.mark.slow

HOME = "home/.codex/config.toml"
OWN = "the entry of gpt-5.5 says so"


@pytest.mark.parametrize(
    "case",
    [
        ({}, "settings.model_reasoning_effort", "medium", OWN),
        ({"model": "o3"}, "settings.model_reasoning_summary", "auto", "o3 is not known"),
        ({}, "settings.model_context_window", 272_000, OWN),
        ({"settings": {"model_context_window": 5_000}}, "settings.model_context_window", 5_000, "is 5000"),
        ({"settings": {"model_verbosity": "high"}}, "settings.model_verbosity", "high", "`model_verbosity` is high"),
        ({"model": "gpt-6.2-sol"}, "settings.features.multi_agent_v2", True, ""),
        ({}, "settings.web_search", "cached", "the sandbox is read-only"),
        ({"mode": "danger-full-access"}, "settings.web_search", "live", "the sandbox is danger-full-access"),
        ({"settings": {"web_search": "disabled"}}, "settings.web_search", "disabled", "`web_search` is disabled"),
        ({"model": None}, "model", "gpt-6.2-sol", "it is Codex's own where none is named"),
        ({"model": None, "settings": {"model": "gpt-5.5"}}, "model", "gpt-5.5", "`model` is gpt-5.5"),
        ({}, "mode", "read-only", "you haven't marked this project as trusted"),
        ({"args": {"trust": True}}, "args.trust", True, "you haven't marked this project as trusted"),
        ({}, "args.trust", False, "you haven't marked this project as trusted"),
        ({"args": {"sandbox": "workspace-write"}}, "args.sandbox", "workspace-write", "--sandbox"),
        ({}, "env.CODEX_HOME", "{place}/home/.codex", "it is in the home folder"),
        ({"env": {"CODEX_HOME": "/x"}}, "env.CODEX_HOME", "/x", "it is in the home folder"),
    ],
)
def test_what_is_computed_and_why(codex: Codex, place: Path, case: tuple[dict[str, Any], str, Any, str]) -> None:
    asked, param, value, why = case
    (found,) = [each for each in codex(**asked).assembly.derived if each.param == param]
    assert found.value == (value.format(place=place) if isinstance(value, str) else value)
    assert why in found.why.text


@pytest.mark.parametrize(
    ("asked", "param"),
    [
        ({}, "model"),
        ({"mode": "workspace-write"}, "mode"),
        ({}, "settings.features.multi_agent_v2"),
        ({}, "settings.model_reasoning_summary"),
        ({"model": "o3"}, "settings.model_verbosity"),
    ],
)
def test_what_is_given_or_not_there_is_not_computed(codex: Codex, asked: dict[str, Any], param: str) -> None:
    assert [each.param for each in codex(**asked).assembly.derived if each.param == param] == []


@pytest.mark.parametrize(("given", "tokens"), [(-1, 272_000), (0, 272_000), (1, 1), (50_000, 50_000)])
def test_a_window_is_one_token_at_least(codex: Codex, given: int, tokens: int) -> None:
    answer = codex({HOME: f"model_context_window = {given}\n"})
    assert answer.assembly.tokens.window == tokens * 95 // 100


@pytest.mark.parametrize(("given", "is_taken"), [(-1, False), (0, False), (1, True), (5_000, True)])
def test_a_limit_of_compaction_is_one_token_at_least(codex: Codex, given: int, is_taken: bool) -> None:
    usual = codex().assembly.tokens.compact_at
    answer = codex({HOME: f"model_auto_compact_token_limit = {given}\n"})
    assert answer.assembly.tokens.compact_at == (given if is_taken else usual)


@pytest.mark.parametrize(
    ("given", "said"), [("", ["4"]), ("0", []), ("1", ["1"]), ("7", ["7"]), ("-1", []), ("true", [])]
)
def test_so_many_agents_work_at_once(codex: Codex, given: str, said: list[str]) -> None:
    """What is not a number of agents stops the start [0.169.0]."""
    line = f"max_concurrent_threads_per_session = {given}\n" if given else ""
    answer = codex({HOME: f"[features.multi_agent_v2]\nenabled = true\n{line}"}, model="gpt-6.2-sol")
    fragments = answer.section("multi_agent_role").fragments
    assert [f.text for f in fragments if f.origin.name == "max_concurrent_threads_per_session"] == said
    assert ("agent-refuses" in answer.codes) is (not said)


@pytest.mark.parametrize(
    ("folders", "says"),
    [
        (["workspace"], "the settings in it do not count"),
        (["workspace", "workspace/a"], "the settings in it and 1 more do not count"),
        (["workspace", "workspace/a", "workspace/a/b"], "the settings in it and 2 more do not count"),
    ],
)
@pytest.mark.parametrize("is_untrusted", [False, True])
def test_settings_that_do_not_count_are_told_once(
    codex: Codex, place: Path, folders: list[str], says: str, is_untrusted: bool
) -> None:
    files: dict[str, str | bytes] = {"workspace/.git/HEAD": "", **{f"{f}/.codex/config.toml": "" for f in folders}}
    answer = codex(files, within="workspace/a/b", settings=untrusted(place) if is_untrusted else {})
    why = "is untrusted" if is_untrusted else "is not marked as trusted"
    assert answer.message("untrusted-config") == f"{says}: the project {why}"
