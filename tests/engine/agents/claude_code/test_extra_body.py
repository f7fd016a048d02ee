"""CLAUDE_CODE_EXTRA_BODY: what it gives takes the place of the agent's own."""

from __future__ import annotations

import json
from typing import Any

import pytest

from promptscope_engine.prompt.model import Assembly

from .prompts import prompt, section


def laid_over(body: Any) -> Assembly:
    text = body if isinstance(body, str) else json.dumps(body)
    return prompt("B", env={"CLAUDE_CODE_EXTRA_BODY": text})


@pytest.mark.parametrize(
    ("system", "sent"),
    [("mine", ["mine"]), ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], ["a", "b"]), (None, [])],
)
def test_another_system_prompt(system: Any, sent: list[str]) -> None:
    found = laid_over({"system": system, "zq": 1})
    assert [block["text"] for block in found.request.system] == sent
    assert "puts another `system` in its place" in section(found, "intro").why.text
    assert found.request.messages


def test_other_messages() -> None:
    said = [{"role": "user", "content": "one"}, {"role": "assistant", "content": [{"type": "text", "text": "two"}]}]
    found = laid_over({"messages": said})
    assert [(each["role"], each["content"][0]["text"]) for each in found.request.messages] == [
        ("user", "one"),
        ("assistant", "two"),
    ]


def test_other_tools() -> None:
    found = laid_over({"tools": [{"name": "mine", "input_schema": {"type": "object"}}]})
    assert [tool["name"] for tool in found.request.tools] == ["mine"]
    assert not laid_over({"tools": []}).request.tools


def test_another_model_is_named_in_the_body_alone() -> None:
    found = laid_over({"model": "mine"})
    assert found.model == "mine"
    assert "mine" not in json.dumps(found.request.messages)


@pytest.mark.parametrize("text", ["", "x", "[1]", '"x"', "null", "7", '{"zq": 1}', '{"max_tokens": 5}'])
def test_anything_else_changes_nothing(text: str) -> None:
    assert laid_over(text).request == prompt("B").request
