"""The states of `attempt_completion`."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.agents.roo.responses import attempt_completion

DONE = {"result": "Done."}
ANNOUNCED = [("telemetry", "captureTaskCompleted", "T"), ("emit", "taskCompleted", "T")]
SAID = ("say", "completion_result", "Done.", None, False)
OPEN = [{"id": "1", "content": "x", "status": "pending"}]


def test_a_missing_reply_accepts() -> None:
    outcome = attempt_completion(DONE, mistakes=2)
    assert outcome.events == [SAID, *ANNOUNCED, ("ask", "completion_result", "", False), ("pushToolResult",)]
    assert outcome.mistakes == 0
    assert outcome.content[0]["text"] == "[attempt_completion] Result:"


def test_feedback_without_words_prints_undefined_and_pushes_no_result() -> None:
    outcome = attempt_completion(DONE, reply={"response": "noButtonClicked"})
    assert outcome.events[-1] == ("say", "user_feedback", "", None, None)
    assert outcome.content[1]["text"].endswith("\n<feedback>\nundefined\n</feedback>")


def test_a_refused_sub_task_adds_nothing() -> None:
    outcome = attempt_completion(DONE, parent_task=True, approve=False)
    assert outcome.events[-1] == ("askFinishSubTaskApproval",)
    assert outcome.content == []


def test_open_todos_stop_a_call_before_anything_else() -> None:
    for call in ({"params": {}}, {"params": DONE, "partial": True}):
        outcome = attempt_completion(**call, prevent_open_todos=True, todos=OPEN, mistakes=1)  # type: ignore[arg-type]
        assert outcome.events == [("recordToolError", "attempt_completion"), ("pushToolResult",)]
        assert outcome.mistakes == 2


@pytest.mark.parametrize("todos", [None, [], [{"id": "1", "content": "x", "status": "completed"}]])
def test_nothing_open_does_not_stop_it(todos: list[dict[str, Any]] | None) -> None:
    assert attempt_completion(DONE, prevent_open_todos=True, todos=todos).mistakes == 0


def test_open_todos_do_not_matter_without_the_setting() -> None:
    assert attempt_completion(DONE, todos=OPEN).events[0] == SAID


@pytest.mark.parametrize(
    ("streamed", "shown"),
    [
        ("Done.", "Done."),
        ("Done.<", "Done."),
        ("Done. </", "Done."),
        ("Done.\n</resul", "Done."),
        ("Done.</result", "Done."),
        ("Done.</rst", "Done."),
        ("Done.</tr", "Done.</tr"),
        ("Done.</result>", "Done.</result>"),
        ("a < b", "a < b"),
        ("Done.\u0085</re", "Done.\u0085"),
        ("Done.\ufeff</re", "Done."),
    ],
)
def test_a_streamed_result_loses_the_start_of_its_closing_tag(streamed: str, shown: str) -> None:
    outcome = attempt_completion({"result": streamed}, partial=True, mistakes=5)
    assert outcome.events == [("say", "completion_result", shown, None, True)]
    assert (outcome.mistakes, outcome.content) == (5, [])


def test_nothing_streamed_yet_shows_nothing() -> None:
    assert attempt_completion({}, partial=True).events == [("say", "completion_result", "", None, True)]


def test_a_command_that_goes_on_streaming_is_asked_again_only() -> None:
    params = {"result": "Done.", "command": "npm start</co"}
    outcome = attempt_completion(params, partial=True, last_message={"type": "ask", "ask": "command"})
    assert outcome.events == [("ask", "command", "npm start", True)]


@pytest.mark.parametrize("last", [None, {"type": "ask", "ask": "followup"}, {"type": "say", "say": "command"}])
def test_the_result_is_shown_before_the_first_question_about_a_command(last: dict[str, str] | None) -> None:
    outcome = attempt_completion({"result": "Done.", "command": "npm"}, partial=True, last_message=last)
    assert outcome.events == [SAID, *ANNOUNCED, ("ask", "command", "npm", True)]


def test_a_chat_that_fails_is_reported_under_the_browser_tools_label() -> None:
    outcome = attempt_completion(DONE, partial=True, say_error="kaput")
    assert outcome.events[-1] == ("handleError", "inspecting site", "kaput")


REASONS = [
    {"pending": ["read_file"]},
    {"failed": ["src/a.ts"]},
    {"running": ["npm test"]},
]


@pytest.mark.parametrize("reason", REASONS)
def test_the_hardened_tool_refuses_and_names_why(reason: dict[str, list[str]]) -> None:
    outcome = attempt_completion(DONE, hardened=True, mistakes=1, in_the_way=reason)
    assert outcome.events == [("recordToolError", "attempt_completion"), ("pushToolResult",)]
    assert outcome.mistakes == 2
    [[name]] = reason.values()
    text = outcome.content[1]["text"]
    assert name in text
    assert text.endswith("\n</error>")


def test_each_reason_has_its_own_message() -> None:
    texts = {
        attempt_completion(DONE, hardened=True, in_the_way=reason).content[1]["text"].replace(name, "")
        for reason in REASONS
        for [name] in reason.values()
    }
    assert len(texts) == 3


@given(st.fixed_dictionaries({"partial": st.booleans(), "parent_task": st.booleans()}), st.booleans())
def test_without_a_reason_hardening_changes_nothing(facts: dict[str, bool], given_reasons: bool) -> None:
    reasons: dict[str, list[str]] = {"pending": ["a"], "failed": ["b"]} if given_reasons else {}
    plain = attempt_completion(DONE, **facts)
    found = attempt_completion(DONE, **facts, hardened=not given_reasons, in_the_way=reasons)
    assert (found.events, found.content, found.mistakes) == (plain.events, plain.content, plain.mistakes)


def test_mistakes_are_counted_from_none() -> None:
    assert attempt_completion(DONE).mistakes == 0
    assert attempt_completion({}).mistakes == 1
