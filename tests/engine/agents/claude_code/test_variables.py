"""Environment variables: what the agent reads, who set it, and what another value would do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from promptscope_engine import Scenario, assemble
from promptscope_engine.agents.adapter import inputs_of
from promptscope_engine.agents.claude_code.agent import CLAUDE_CODE
from promptscope_engine.agents.claude_code.variables import config_folder, is_first_party, is_on, number
from promptscope_engine.insight.effects import effects, switches
from promptscope_engine.tokens import Counter, get_tokenizer

if TYPE_CHECKING:
    from .conftest import Project

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
    found = {(e.param, e.value): e for e in effects(scenario, project.workspace, counter)}
    assert "memory_instructions" in found[field.name, None].sections_added
    assert found[field.name, None].tokens > 0


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
    assert is_first_party({} if url is None else {"ANTHROPIC_BASE_URL": url}) is is_own


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
