"""No key is stored; the main request of a run is found, and what the others are for."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.captures.bodies import ANTHROPIC, BODIES, CHAT, GEMINI

from promptscope_engine.captures.exchange import (
    MASK,
    Exchange,
    Masker,
    has_come,
    kept_headers,
    labelled,
    masked_path,
    recorded,
    secrets_of,
)

KEYS = (
    "sk-ant-api03-" + "a1B2" * 8,
    "sk-proj-" + "x9" * 20,
    "AIza" + "b" * 35,
    "ghp_" + "c" * 36,
    "github_pat_" + "d" * 30,
    "xoxb-1234567890-abc",
    "AKIA" + "Q" * 16,
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjMifQ.c2lnbmF0dXJl",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
)


@pytest.mark.parametrize("key", KEYS)
def test_what_looks_like_a_key_is_masked_wherever_it_stands(key: str) -> None:
    masker = Masker()
    assert masker.value({"a": [f"before {key} after"], "b": 3}) == {"a": [f"before {MASK} after"], "b": 3}
    assert masker.count == 1


@pytest.mark.parametrize("text", ["task-force", "sk-short", "risk-management-of-the-third-kind", "AKIA", "a.b.c"])
def test_ordinary_words_stay(text: str) -> None:
    assert Masker().text(text) == text


def test_values_of_variables_and_headers_are_masked_too() -> None:
    found = secrets_of(
        {"MY_API_KEY": "zq81-plain", "EDITOR": "vim-editor", "MODE_TOKEN": "production", "X_SECRET": "short"},
        {"Authorization": "Bearer tok-en-12345"},
    )
    assert found == {"zq81-plain", "tok-en-12345", "Bearer tok-en-12345"}
    assert Masker(found).text("x zq81-plain tok-en-12345 production") == f"x {MASK} {MASK} production"


def test_headers_are_those_of_the_allow_list() -> None:
    sent = {"User-Agent": "x/1", "X-Stainless-Lang": "js", "Anthropic-Beta": "a,b", "Authorization": "Bearer y",
            "Cookie": "c", "x-api-key": "k", "X-Forwarded-For": "1.2.3.4"}  # fmt: skip
    assert kept_headers(sent) == {"user-agent": "x/1", "x-stainless-lang": "js", "anthropic-beta": "a,b"}


def test_a_key_in_the_address_is_masked() -> None:
    assert masked_path("/v1beta/models/x:generateContent?alt=sse&key=abc&z=1") == (
        f"/v1beta/models/x:generateContent?alt=sse&key={MASK}&z=1"
    )


def test_a_recorded_request_holds_none_of_it() -> None:
    exchange = Exchange(
        path="/v1/messages", headers={"x-api-key": "own-key-value"}, body={"system": f"{KEYS[0]} own-key-value"}
    )
    found = recorded(1, exchange)
    assert found.body == {"system": f"{MASK} {MASK}"}
    assert (found.masked, found.headers) == (2, {})


@pytest.mark.parametrize(("length", "is_masked"), [(7, False), (8, True), (9, True)])
def test_a_value_of_eight_characters_is_looked_for(length: int, is_masked: bool) -> None:
    value = "aB3-xyzw9"[:length]
    assert secrets_of({"MY_KEY": value}) == (frozenset({value}) if is_masked else frozenset())
    assert secrets_of({}, {"X-Api-Key": f" {value} "}) == (frozenset({value}) if is_masked else frozenset())


@pytest.mark.parametrize(
    ("name", "value", "is_masked"),
    [
        ("MODE_TOKEN", "production", False),
        ("MODE_TOKEN", "Production", True),
        ("MODE_TOKEN", "produc7ion", True),
        ("DB_PASSWORD", "production", True),
        ("db_passwd", "production", True),
        ("EDITOR", "produc7ion", False),
    ],
)
def test_ordinary_words_are_no_secrets_unless_they_are_a_password(name: str, value: str, is_masked: bool) -> None:
    assert bool(secrets_of({name: value})) is is_masked


def test_of_two_secrets_the_longer_one_is_masked_as_a_whole() -> None:
    masker = Masker(["abc-12345", "abc-12345-long"])
    assert masker.text("abc-12345-long abc-12345") == f"{MASK} {MASK}"
    assert masker.count == 2


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
