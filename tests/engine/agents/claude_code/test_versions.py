"""Environment variables: what the agent reads, who set it, and what another value would do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from promptscope_engine import Scenario, assemble
from promptscope_engine.agents.adapter import inputs_of
from promptscope_engine.agents.claude_code.agent import CLAUDE_CODE
from promptscope_engine.agents.claude_code.texts import is_first_party
from promptscope_engine.agents.claude_code.versions import (
    config_folder,
    is_on,
    message_layout,
    number,
    prompt_layout,
    resolve_model,
)
from promptscope_engine.insight.effects import WhatIf, effect, switches
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import get_tokenizer

if TYPE_CHECKING:
    from .conftest import Project


@pytest.mark.parametrize(
    ("asked", "version", "model", "prompt", "messages"),
    [
        (None, "2.1.100", "claude-sonnet-4-6", "A", "A"),
        ("opus", "2.1.100", "claude-opus-4-6", "A", "A"),
        ("claude-opus-4-1-20250805", "2.1.100", "claude-opus-4-1-20250805", "A", "A"),
        (None, "2.1.329", "claude-opus-5-5", "B", "B"),
        (None, "2.1.330", "claude-opus-5-5", "B", "B"),
        ("haiku", "2.1.329", "claude-haiku-5-5", "B", "B"),
        ("opusplan", "2.1.329", "claude-sonnet-5-5", "B", "B"),
        ("claude-opus-4-20250514", "2.1.329", "claude-opus-5-5", "B", "B"),
        ("claude-opus-4-1-20250805", "2.1.329", "claude-opus-5-5", "B", "B"),
        ("claude-sonnet-4-20250514", "2.1.329", "claude-sonnet-4-20250514", "A'", "A'"),
        ("claude-sonnet-4-5-20250929", "2.1.329", "claude-sonnet-4-5-20250929", "A'", "A'"),
        ("claude-opus-4-7", "2.1.329", "claude-opus-4-7", "A'", "A'"),
        ("claude-3-5-haiku-20241022", "2.1.329", "claude-3-5-haiku-20241022", "A'", "A'"),
        ("claude-opus-4-8", "2.1.329", "claude-opus-4-8", "B", "B"),
        ("claude-opus-5", "2.1.329", "claude-opus-5", "B", "B"),
        ("claude-sonnet-5", "2.1.329", "claude-sonnet-5", "A'", "B"),
        ("something-else", "2.1.329", "something-else", "B", "B"),
    ],
)
def test_model_and_layouts(asked: str | None, version: str, model: str, prompt: str, messages: str) -> None:
    found = resolve_model(asked, version)
    assert found.id == model
    assert (prompt_layout(version, found), message_layout(version, found)) == (prompt, messages)


@pytest.mark.parametrize(
    ("asked", "version", "found"),
    [
        ("opusplan", "2.1.329", "claude-opus-5-5"),
        ("opusplan[1m]", "2.1.100", "claude-opus-4-6[1m]"),
        ("OpusPlan", "2.1.329", "claude-sonnet-5-5"),
        ("haiku", "2.1.329", "claude-sonnet-5-5"),
        ("Haiku", "2.1.329", "claude-haiku-5-5"),
        ("claude-haiku-5-5", "2.1.329", "claude-haiku-5-5"),
    ],
)
def test_the_model_that_plans(asked: str, version: str, found: str) -> None:
    assert resolve_model(asked, version, "plan").name == found


def test_an_agent_that_drives_the_session_plans_with_its_own_model(project: Project) -> None:
    project.write({"workspace/.claude/agents/a.md": "---\nname: a\ndescription: d\nmodel: haiku\n---\nYou.\n"})
    args = {"params": {"args": {"agent": "a"}}, "mode": "plan"}
    assert project.materials(**args).model.id == "claude-haiku-5-5"
    assert project.materials(**args, model="haiku").model.id == "claude-sonnet-5-5"


@pytest.mark.parametrize(
    ("model", "told"),
    [
        ("claude-opus-5-5", False),
        ("claude-sonnet-5-5", False),
        ("something-else", False),
        ("claude-haiku-5-5", True),
        ("claude-opus-5", True),
        ("claude-opus-4-8", True),
        ("claude-sonnet-4-5-20250929", True),
    ],
)
def test_which_models_are_told_how_many_tokens_are_left(model: str, told: bool) -> None:
    assert resolve_model(model, "2.1.329").counts_tokens is told


def test_long_window_suffix() -> None:
    found = resolve_model("sonnet[1m]", "2.1.100")
    assert (found.id, found.long, found.name) == ("claude-sonnet-4-6", True, "claude-sonnet-4-6[1m]")


@pytest.mark.parametrize(
    ("asked", "version", "tokenizer"),
    [
        ("opus", "2.1.100", "claude-estimate"), (None, "2.1.100", "claude-estimate"),
        ("opus", "2.1.329", "claude-5-estimate"), (None, "2.1.329", "claude-5-estimate"),
    ],
)  # fmt: skip
def test_tokens_are_counted_for_the_model_that_an_alias_means(
    project: Project, asked: str | None, version: str, tokenizer: str
) -> None:
    assert project.assemble(version, model=asked, tokenizer=None).tokens.tokenizer == tokenizer


@pytest.mark.parametrize(
    ("model", "display"),
    [
        ("claude-opus-5-5", "Opus 5.5"),
        ("claude-sonnet-4-5-20250929", "Sonnet 4.5"),
        ("claude-sonnet-4-20250514", "Sonnet 4"),
        ("claude-3-7-sonnet-20250219", "Sonnet 3.7"),
        ("gpt-5", "gpt-5"),
    ],
)
def test_display(model: str, display: str) -> None:
    assert resolve_model(model, "2.1.329").display == display


@pytest.mark.parametrize(
    ("asked", "env", "found"),
    [
        ("fable", {}, "claude-fable-5-2"),
        ("BEST", {}, "claude-opus-5-5"),
        ("opus", {"ANTHROPIC_DEFAULT_OPUS_MODEL": "claude-opus-4-6"}, "claude-opus-4-6"),
        (None, {"ANTHROPIC_DEFAULT_OPUS_MODEL": "claude-opus-4-6"}, "claude-opus-4-6[1m]"),
        (None, {"ANTHROPIC_DEFAULT_OPUS_MODEL": "sonnet"}, "claude-sonnet-5-5[1m]"),
        ("opus", {"ANTHROPIC_DEFAULT_OPUS_MODEL": "sonnet"}, "sonnet"),
        (None, {"ANTHROPIC_DEFAULT_OPUS_MODEL": "opus[1m]"}, "opus[1m]"),
        (None, {"ANTHROPIC_DEFAULT_MODEL": "Haiku"}, "claude-opus-5-5"),
        (None, {"ANTHROPIC_DEFAULT_MODEL": "sonnet"}, "claude-sonnet-5-5"),
        ("sonnet", {"ANTHROPIC_DEFAULT_OPUS_MODEL": "claude-opus-4-6"}, "claude-sonnet-5-5"),
    ],
)
def test_variables_give_an_alias_another_model(asked: str | None, env: dict[str, str], found: str) -> None:
    assert resolve_model(asked, "2.1.330", env=env).name == found


@pytest.mark.parametrize(("asked", "known"), [("claude-opus-6", False), ("anthropic/claude-opus-4.5", True)])
def test_models_that_the_client_knows(asked: str, known: bool) -> None:
    assert resolve_model(asked, "2.1.330").known is known


MEMORY = "CLAUDE_CODE_DISABLE_AUTO_MEMORY"


def test_each_says_who_set_it_and_settings_win_over_the_process(project: Project) -> None:
    project.write({"workspace/.claude/settings.json": '{\n"env": {\n"DISABLE_TELEMETRY": "1"}}'})
    env = {"DISABLE_TELEMETRY": "0", MEMORY: "1", "UNRELATED": "secret"}
    found = {v.name: (v.value, v.source.shown, v.source.line) for v in project.assemble(env=env).variables}
    assert found == {"DISABLE_TELEMETRY": ("1", ".claude/settings.json", 3), MEMORY: ("1", "", None)}


@pytest.mark.slow
def test_a_variable_is_an_input_with_effects(project: Project) -> None:
    field = next(f for f in inputs_of(CLAUDE_CODE) if f.name == f"env.{MEMORY}")
    assert field.choices == (("not set", None), ("1", "1"), ("0", "0"))
    scenario = project.scenario(env={MEMORY: "1"})
    offered = [
        value for name, value, _ in switches(scenario, project.assemble(env={MEMORY: "1"})) if name == field.name
    ]
    assert offered == [None, "0"]
    counter = Counter(get_tokenizer("o200k_base"))
    base = assemble(scenario, project.workspace, counter)
    unset = effect(WhatIf(scenario, project.workspace, counter, base), field.name, None)
    assert "memory_instructions" in unset.sections_added
    assert unset.tokens > 0


def test_assembling_reads_no_variable_of_the_process(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CODE_SIMPLE", "1")
    scenario = Scenario.model_validate(project.scenario().to_dict() | {"env": None})
    assembly = assemble(scenario, project.workspace, cached_only=True)
    assert assembly.variables == ()
    assert len([s for s in assembly.sections if s.present]) > 5, "bare mode would leave almost nothing"


@pytest.mark.parametrize(
    ("url", "is_own"),
    [
        (None, True),
        ("", True),
        (" ", True),
        ("https://api.anthropic.com", True),
        ("https://api.anthropic.com/", True),
        ("https://api.anthropic.com:443/v1/messages", True),
        ("http://api.anthropic.com", True),
        ("api.anthropic.com", True),
        ("api.anthropic.com/v1", True),
        ("http://127.0.0.1:9", False),
        ("https://proxy.example/api.anthropic.com", False),
        ("https://proxy.example:api.anthropic.com", False),
        ("https://api.anthropic.com.example", False),
    ],
)
def test_the_vendors_own_host(url: str | None, is_own: bool) -> None:
    assert is_first_party(url or "") is is_own


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1), (" 20 ", 20), ("0", None), ("-1", None), ("1.5", None), ("", None), ("٣", None),
        ("9" * 11, int("9" * 11)), ("9" * 12, None),
    ],
)  # fmt: skip
def test_a_number_of_the_environment(text: str, value: int | None) -> None:
    assert number({"N": text}, "N") == value
    assert number({}, "N") is None


@pytest.mark.parametrize("word", ["1", "true", "YES", " on "])
def test_words_for_on(word: str) -> None:
    assert is_on(word)


@pytest.mark.parametrize("word", ["", "0", "false", "off", "2", "enabled"])
def test_other_words_are_not_on(word: str) -> None:
    assert not is_on(word)


@pytest.mark.parametrize(
    ("env", "home", "folder"),
    [
        ({}, "/home/u", "/home/u/.claude"),
        ({}, "/", "/.claude"),
        ({"CLAUDE_CONFIG_DIR": ""}, "/home/u/", "/work/repo"),
        ({"CLAUDE_CONFIG_DIR": "."}, "/home/u", "/work/repo"),
        ({"CLAUDE_CONFIG_DIR": "/c/"}, "/home/u", "/c"),
        ({"CLAUDE_CONFIG_DIR": "/c/./d//e"}, "/home/u", "/c/d/e"),
        ({"CLAUDE_CONFIG_DIR": "../c"}, "/home/u", "/work/c"),
        ({"CLAUDE_CONFIG_DIR": "~/c"}, "/home/u", "/work/repo/~/c"),
    ],
)
def test_the_folder_of_the_configuration(env: dict[str, str], home: str, folder: str) -> None:
    assert config_folder(env, home, "/work/repo") == folder
