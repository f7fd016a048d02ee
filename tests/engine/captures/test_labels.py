"""The main request of a run, and what the others are for."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.captures.bodies import ANTHROPIC, BODIES, CHAT, GEMINI

from promptscope_engine.captures.exchange import Exchange, recorded
from promptscope_engine.captures.labels import has_come, labelled


def labels(*sent: tuple[str, Any], prompt: str | None = "hi") -> list[str]:
    requests = [recorded(n, Exchange(path=path, body=body)) for n, (path, body) in enumerate(sent, 1)]
    return [request.label for request in labelled(requests, prompt)]


def test_a_run_of_gemini() -> None:
    path = "/v1beta/models/gemini:generateContent"
    router = {"contents": GEMINI["contents"], "systemInstruction": {"parts": [{"text": "Classify the complexity."}]}}
    assert labels((path, router), BODIES["gemini"][::-1]) == ["router", "main"]


def test_a_run_of_opencode_and_of_qwen() -> None:
    path = "/v1/chat/completions"
    title = {"messages": [{"role": "system", "content": "Make a title."}, {"role": "user", "content": "hi"}]}
    memory = {**CHAT, "messages": [{"role": "system", "content": "Extract memories."}], "tools": CHAT["tools"] * 2}
    assert labels((path, title), (path, CHAT), (path, memory)) == ["title", "main", "memory"]


def test_later_turns_are_of_the_main_conversation_and_sub_agents_are_not() -> None:
    path = "/v1/messages"
    later = {**ANTHROPIC, "messages": [*ANTHROPIC["messages"], {"role": "assistant", "content": "ok"}]}
    helper = {**ANTHROPIC, "system": "You search.", "messages": [{"role": "user", "content": "find it"}]}
    count = (f"{path}/count_tokens", ANTHROPIC)
    hello = ("/api/hello", None)
    found = labels(hello, count, (path, ANTHROPIC), (path, helper), (path, later))
    assert found == ["other", "count", "main", "sub-agent", "main"]


def test_without_tools_the_largest_is_the_main_one() -> None:
    small = {"messages": [{"role": "user", "content": "hi"}]}
    large = {"messages": [{"role": "system", "content": "x" * 500}, {"role": "user", "content": "hi"}]}
    assert labels(("/v1/chat/completions", small), ("/v1/chat/completions", large)) == ["other", "main"]


@pytest.mark.parametrize(("before", "label"), [(5_994, "title"), (5_995, "title"), (5_996, "other")])
def test_what_a_small_request_is_for_stands_in_its_first_characters(before: int, label: str) -> None:
    """Of 6,000 characters the word takes the last five."""
    path = "/v1/chat/completions"
    title = {"messages": [{"role": "user", "content": "x" * before + "title" + "x" * 100}]}
    assert labels((path, CHAT), (path, title)) == ["main", label]


@pytest.mark.parametrize(
    ("method", "path", "body", "label"),
    [
        ("POST", "/v1/messages/count_tokens", ANTHROPIC, "count"),
        ("POST", "/v1/messages/count_tokens", "no JSON", "other"),
        ("GET", "/v1/messages", ANTHROPIC, "other"),
        ("POST", "/v1/messages", ANTHROPIC, "main"),
    ],
)
def test_what_is_no_generation_is_never_the_main_request(method: str, path: str, body: Any, label: str) -> None:
    first = recorded(1, Exchange(method=method, path=path, body=body))
    second = recorded(2, Exchange(path="/v1/messages", body=ANTHROPIC))
    assert [each.label for each in labelled([first, second], "hi")] == [label, "main"]


@pytest.mark.parametrize(
    ("path", "body", "prompt", "is_main"),
    [
        ("/v1/messages", ANTHROPIC, "hi", True),
        ("/v1/messages", ANTHROPIC, " hi\n", True),
        ("/v1/messages", ANTHROPIC, None, True),
        ("/v1/messages", ANTHROPIC, "bye", False),
        ("/v1/messages", {**ANTHROPIC, "tools": []}, "hi", False),
        ("/v1/messages/count_tokens", ANTHROPIC, "hi", False),
        ("/api/hello", ANTHROPIC, "hi", False),
    ],
)
def test_the_main_request_has_come_with_the_typed_prompt_and_tools(
    path: str, body: Any, prompt: str | None, is_main: bool
) -> None:
    hello = recorded(1, Exchange(path="/api/hello", body={}))
    assert has_come([hello, recorded(2, Exchange(path=path, body=body))], prompt) is is_main
    assert not has_come([hello], prompt)


def test_what_the_agent_says_is_not_typed() -> None:
    said = {**ANTHROPIC, "messages": [{"role": "assistant", "content": "hi"}, {"role": "user", "content": "yes"}]}
    assert not has_come([recorded(1, Exchange(path="/v1/messages", body=said))], "hi")


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        (["x" * 1_001], ["x" * 1_001], True),
        (["a", "x" * 1_001], ["b", "x" * 1_001], True),  # blocks that are long tell, the others change
        (["a", "x" * 1_000], ["b", "x" * 1_000], True),  # without any, the last one does
        (["a", "x" * 1_000], ["a", "y" + "x" * 999], False),
        (["a" + "x" * 1_000, "c"], ["b" + "x" * 1_000, "c"], False),
        (["x" * 200 + "a" * 1_000], ["x" * 200 + "b" * 1_000], True),  # their first 200 characters
        (["x" * 199 + "a" * 1_000], ["x" * 199 + "b" * 1_000], False),
        (["x" * 200 + "a"], ["x" * 200 + "b"], True),
        (["x" * 199 + "a"], ["x" * 199 + "b"], False),
        (["x" * 1_001, "y" * 1_001], ["x" * 1_001], False),
        ([], [], True),
    ],
)
def test_a_later_turn_has_the_same_tools_and_its_system_prompt_begins_alike(
    one: list[str], other: list[str], is_same: bool
) -> None:
    bodies = [{**ANTHROPIC, "system": [{"text": text} for text in system]} for system in (one, other)]
    found = labels(*(("/v1/messages", body) for body in bodies))
    assert found == ["main", "main" if is_same else "sub-agent"]
    renamed = {**bodies[1], "tools": [{**ANTHROPIC["tools"][0], "name": "other"}]}
    assert labels(("/v1/messages", bodies[0]), ("/v1/messages", renamed)) == ["main", "sub-agent"]
