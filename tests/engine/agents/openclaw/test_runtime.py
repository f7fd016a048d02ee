"""The runtime line, the model and its aliases (docs/agents/openclaw.md#sessions)."""

from __future__ import annotations

from typing import Any

import pytest

from promptscope_engine.agents.openclaw.gather.runtime import (
    alias_lines,
    default_model,
    model_ref,
    needs_reasoning_tags,
    runtime_parts,
)
from promptscope_engine.agents.openclaw.levers import SettingLevers
from promptscope_engine.agents.openclaw.materials import Prompt, parameter
from promptscope_engine.prompt.conditions import Facts


@pytest.mark.parametrize(
    ("models", "lines"),
    [
        ({}, None),
        ({"a/b": {}, "c/d": {"alias": " "}, "e/f": "x"}, None),
        ({"a/b": {"alias": "zed"}, "c/d": {"alias": " ant "}, "e/f": {"alias": "Opal"}},
         ["- ant: c/d", "- Opal: e/f", "- zed: a/b"]),
    ],
)  # fmt: skip
def test_models_with_an_alias_are_listed_in_its_order(models: dict[str, Any], lines: list[str] | None) -> None:
    found = alias_lines(SettingLevers({"agents": {"defaults": {"models": models}}}))
    assert found.value == lines
    assert found.because.holds(Facts()) is (lines is not None)


@pytest.mark.parametrize(
    ("agent", "default", "ref"),
    [
        (None, None, "anthropic/claude-opus-4-6"),
        (None, "x", "anthropic/x"),
        (None, {"primary": "a/b"}, "a/b"),
        ("c/d", "a/b", "c/d"),
        ({"primary": "c/d"}, "a/b", "c/d"),
        ({"primary": ""}, "a/b", "a/b"),
        ("OP", None, "e/f"),
    ],
)
def test_an_agents_model_goes_before_the_default_one(agent: Any, default: Any, ref: str) -> None:
    defaults = {"model": default, "models": {"g/h": {}, "e/f": {"alias": "op"}}}
    assert default_model({"agents": {"defaults": defaults}}, {"model": agent}) == ref


@pytest.mark.parametrize(
    ("provider", "is_tagged"),
    [
        ("google-gemini-cli", True), (" Google-Generative-AI ", True), ("minimax-portal", True), ("google", False),
        ("anthropic", False),
    ],
)  # fmt: skip
def test_some_providers_need_reasoning_tags(provider: str, is_tagged: bool) -> None:
    assert needs_reasoning_tags(f"{provider}/minimax") is is_tagged


LISTED = {
    "models": {"providers": {"own": {"models": [{"id": ""}, {"id": "Small"}]}, "other": {"models": [{"id": "big"}]}}}
}


@pytest.mark.parametrize(
    ("named", "ref"),
    [
        (None, "own/Small"),
        ("big", "other/big"),
        ("SMALL", "own/SMALL"),
        ("unknown", "openai/unknown"),
        ("a/b", "a/b"),
    ],
)
def test_a_newer_version_looks_for_a_model_where_the_configuration_lists_it(named: str | None, ref: str) -> None:
    """Each was asked."""
    assert default_model(LISTED, {"model": named}, is_newer=True) == ref


def test_an_empty_name_is_no_alias() -> None:
    assert model_ref({"agents": {"defaults": {"models": {"a/b": {}, "c/d": {"alias": 7}}}}}, "none") == "anthropic/none"


@pytest.mark.parametrize(
    ("info", "parts"),
    [
        ({}, {}),
        ({"os": "Linux", "arch": "x64"}, {"os": "Linux (x64)"}),
        ({"os": "Linux"}, {"os": "Linux"}),
        ({"arch": "x64", "node": "v22"}, {"arch": "x64", "node": "v22"}),
        ({"agentId": "main", "host": 7, "shell": "zsh"}, {"agent": "main", "shell": "zsh"}),
        ({"channel": " Telegram "}, {"channel": "telegram", "capabilities": "none"}),
        ({"channel": "irc", "capabilities": ["A", " ", 7, "b"]}, {"channel": "irc", "capabilities": "A,b"}),
        ({"channel": "irc", "capabilities": "a"}, {"channel": "irc", "capabilities": "none"}),
    ],
)
@pytest.mark.parametrize("passed", [False, True])
def test_the_parts_of_the_line(info: dict[str, Any], parts: dict[str, str], passed: bool) -> None:
    prompt = Prompt({}, {"runtimeInfo": info}) if passed else Prompt({"runtimeInfo": parameter(info, "runtime")}, {})
    channel = parts.get("channel")
    found = dict(runtime_parts(prompt, channel, "2026.2.24"))
    there = {name: each.value for name, each in found.items() if each.because.holds(Facts())}
    assert there == parts
    assert ("arch" in found) is not ("os" in info)
