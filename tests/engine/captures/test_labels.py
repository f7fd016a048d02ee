"""The main request of a run, and what the others are for."""

from __future__ import annotations

from typing import Any

from tests.engine.captures.bodies import ANTHROPIC, BODIES, CHAT, GEMINI

from promptscope_engine.captures.exchange import Exchange, recorded
from promptscope_engine.captures.labels import labelled


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
