"""What a counting endpoint is asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.engine.captures.bodies import ANTHROPIC, GEMINI, RESPONSES, SCHEMA, SYSTEM

from promptscope_engine import Scenario, assemble
from promptscope_engine.captures.files import read_capture
from promptscope_engine.insight.exact_counts import NoEndpointError, Question, count_in, question_about


def asked(folder: Path, body: dict[str, Any], *, sent: bool, model: str | None = None) -> Question:
    data = json.dumps(body)
    (folder / "body.json").write_text(data)
    scenario = Scenario(capture=str(folder / "body.json"), workspace=str(folder), home=str(folder), model=model)
    return question_about(assemble(scenario), read_capture(data.encode()).main if sent else None)


def test_a_captured_body_is_asked_about_as_it_was_sent(tmp_path: Path) -> None:
    found = asked(tmp_path, ANTHROPIC, sent=True)
    assert (found.provider, found.path) == ("Anthropic", "/v1/messages/count_tokens")
    assert found.body == {key: ANTHROPIC[key] for key in ("model", "system", "messages", "tools")}
    google = asked(tmp_path, GEMINI, sent=True, model="gemini-2.5-pro")
    assert google.path == "/v1beta/models/gemini-2.5-pro:countTokens"
    assert google.body == {"generateContentRequest": {**GEMINI, "model": "models/gemini-2.5-pro"}}


def test_a_wrapped_body_is_asked_about_without_its_wrapping(tmp_path: Path) -> None:
    wrapped = {"model": "gemini-2.5-pro", "project": "p", "request": GEMINI}
    found = asked(tmp_path, wrapped, sent=True, model="gemini-2.5-pro")
    assert found.body == {"generateContentRequest": {**GEMINI, "model": "models/gemini-2.5-pro"}}
    both = asked(tmp_path, {**GEMINI, "request": {"more": 1}}, sent=True, model="gemini-2.5-pro")
    assert both.body == {"generateContentRequest": {**GEMINI, "model": "models/gemini-2.5-pro"}}


def test_a_body_of_another_protocol_is_asked_about_in_the_provider_s_shape(tmp_path: Path) -> None:
    google = asked(tmp_path, ANTHROPIC, sent=True, model="gemini-2.5-pro")
    assert google.body["generateContentRequest"]["systemInstruction"] == {"parts": [{"text": SYSTEM}]}
    anthropic = asked(tmp_path, GEMINI, sent=True, model="claude-opus-5-5")
    assert anthropic.body["system"] == [{"type": "text", "text": SYSTEM}]
    assert anthropic.headers == {"anthropic-version": "2023-06-01"}


def test_an_edited_capture_is_asked_about_as_it_is_shown(tmp_path: Path) -> None:
    (tmp_path / "body.json").write_text(data := json.dumps(ANTHROPIC))
    where = {"capture": str(tmp_path / "body.json"), "workspace": str(tmp_path), "home": str(tmp_path)}
    names = [tool["name"] for tool in ANTHROPIC["tools"]]
    assembly = assemble(Scenario.model_validate({**where, "edits": [{"drop_tool": names[0]}]}))
    found = question_about(assembly, read_capture(data.encode()).main)
    assert [tool["name"] for tool in found.body.get("tools", [])] == names[1:]


def test_a_prediction_is_asked_about_in_the_shape_of_its_provider(tmp_path: Path) -> None:
    tool = {"name": "read", "description": "Reads.", "input_schema": SCHEMA}
    anthropic = asked(tmp_path, RESPONSES, sent=False, model="us.anthropic.claude-opus-4-1-20250805-v1:0")
    assert anthropic.body == {
        "model": "claude-opus-4-1-20250805",
        "system": [{"type": "text", "text": SYSTEM}],
        "messages": [{"role": "user", "content": [{"type": "text", "text": "hi"}]}],
        "tools": [tool],
    }
    google = asked(tmp_path, ANTHROPIC, sent=False, model="google/gemini-3.8-flash")
    assert google.body == {
        "generateContentRequest": {
            "model": "models/gemini-3.8-flash",
            "contents": [{"role": "user", "parts": [{"text": "hi"}]}],
            "systemInstruction": {"parts": [{"text": SYSTEM}]},
            "tools": [
                {
                    "functionDeclarations": [
                        {"name": "read", "description": "Reads.", "parametersJsonSchema": SCHEMA},
                    ]
                }
            ],
        }
    }


def test_texts_of_one_message_are_asked_about_together(tmp_path: Path) -> None:
    said = [("user", "context", "more"), ("user", "hi"), ("assistant", "yes")]
    messages = [{"role": role, "content": [{"type": "text", "text": text} for text in texts]} for role, *texts in said]
    google = asked(tmp_path, {**ANTHROPIC, "messages": messages}, sent=False, model="gemini-2.5-pro")
    assert google.body["generateContentRequest"]["contents"] == [
        {"role": "user", "parts": [{"text": "context"}, {"text": "more"}]},
        {"role": "user", "parts": [{"text": "hi"}]},
        {"role": "model", "parts": [{"text": "yes"}]},
    ]


def test_a_request_without_messages_gets_a_short_one_and_says_so(tmp_path: Path) -> None:
    (tmp_path / ".roo/rules").mkdir(parents=True)
    scenario = Scenario(agent="roo", workspace=str(tmp_path), home=str(tmp_path), model="claude-sonnet-4.5")
    found = question_about(assemble(scenario), None)
    assert found.body["model"] == "claude-sonnet-4-5"
    assert found.body["messages"] == [{"role": "user", "content": [{"type": "text", "text": "."}]}]
    assert found.notes == ("with a message of one character, which the endpoint wants",)


def test_tools_that_are_deferred_are_not_counted(tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").write_text("Be brief.\n")
    scenario = Scenario(agent="claude-code", workspace=str(tmp_path), home=str(tmp_path), model="claude-opus-5-5[1m]")
    assembly = assemble(scenario)
    found = question_about(assembly, None)
    assert found.body["model"] == "claude-opus-5-5"
    names = [tool["name"] for tool in found.body["tools"]]
    assert names == [tool["name"] for tool in assembly.request.tools or () if "defer_loading" not in tool]
    assert "cache_control" not in json.dumps(found.body)


@pytest.mark.parametrize(("model", "says"), [("gpt-6.1-sol", "no counting endpoint is known for gpt-6.1-sol")])
def test_nobody_to_ask(tmp_path: Path, model: str, says: str) -> None:
    with pytest.raises(NoEndpointError, match=says):
        asked(tmp_path, ANTHROPIC, sent=True, model=model)


@pytest.mark.parametrize(
    ("answer", "tokens"),
    [({"input_tokens": 0}, 0), ({"input_tokens": -1}, None), ({"input_tokens": "7"}, None), ([], None), (None, None)],
)
def test_an_answer(answer: Any, tokens: int | None) -> None:
    assert count_in("Anthropic", answer) == tokens
