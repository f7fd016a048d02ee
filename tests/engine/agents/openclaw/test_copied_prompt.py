"""What a copied system prompt says of its session: tools, machine, model, channel, time zone."""

from __future__ import annotations

from typing import Any

import pytest

from promptscope_engine.agents.openclaw.copied_prompt import hints_from_prompt

INFO, NAMES = "promptParams.runtimeInfo", "promptParams.toolNames"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("## Tooling\n- read: Reads.\n- exec\n\n## Safety\n- not: this\n", ["read", "exec"]),
        ("## Tooling\nNone.\n## Safety\n", []),
        ("## Tooling\n- a.b:c-d: x\n-no\n - nor this\n- one two\n## Safety", ["a.b:c-d"]),
        ("## Tooling\n- read: cut off here\n", None),
        ("no heading\n- read: x\n## Safety\n", None),
    ],
)
def test_the_tools_are_told_by_a_list_that_is_whole(text: str, names: list[str] | None) -> None:
    assert hints_from_prompt(text).values.get(NAMES) == names


@pytest.mark.parametrize(
    ("line", "info"),
    [
        ("host=studio", {"host": "studio"}),
        ("os=Linux 6.8 (x64)", {"os": "Linux 6.8", "arch": "x64"}),
        ("os=Linux 6.8", {"os": "Linux 6.8"}),
        ("arch=x64", {"arch": "x64"}),
        ("host=a (b)", {"host": "a (b)"}),
        (
            "agent=main | repo=/w | node=v22 | model=a/b | default_model=c/d | shell=zsh | thinking=off",
            {"agentId": "main", "repoRoot": "/w", "node": "v22", "model": "a/b", "defaultModel": "c/d", "shell": "zsh"},
        ),
        ("channel=telegram | capabilities=none", {"channel": "telegram", "capabilities": []}),
        ("channel=telegram | capabilities=a,b", {"channel": "telegram", "capabilities": ["a", "b"]}),
        ("channel=telegram | capabilities=", {"channel": "telegram"}),
        ("no pair | other=1", {}),
    ],
)
def test_the_runtime_line_tells_of_the_machine(line: str, info: dict[str, Any]) -> None:
    assert hints_from_prompt(f"before\nRuntime: {line}\nafter").values[INFO] == info


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("", {}),
        ("Runtime: host=h", {"model": None, INFO: {"host": "h"}}),
        ("Runtime: model=a/b", {"model": "a/b", INFO: {"model": "a/b"}}),
        ("Runtime: thinking=high", {"model": None, INFO: {}, "promptParams.defaultThinkLevel": "high"}),
        ("Time zone: Europe/Vienna", {"promptParams.userTimezone": "Europe/Vienna"}),
        ("Reasoning: stream (hidden)", {"promptParams.reasoningLevel": "stream"}),
        ("Reasoning: streams", {}),
        ("a Reasoning: on", {}),
    ],
)
def test_what_is_not_said_has_no_value(text: str, values: dict[str, Any]) -> None:
    assert hints_from_prompt(text).values == values
