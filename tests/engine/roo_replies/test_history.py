"""Numbers of tokens, what is sent, and keeping it within the window."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.agents.roo.user_messages import (
    api_metrics,
    estimate_tokens,
    max_output_tokens,
    request_messages,
    truncate,
)

IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "A" * 10}}


def _history(count: int) -> list[dict[str, Any]]:
    return [{"role": "assistant" if n % 2 else "user", "content": f"m{n}"} for n in range(count)]


def _request(**usage: Any) -> dict[str, Any]:
    return {"type": "say", "say": "api_req_started", "text": json.dumps(usage)}


def _condensed(tokens: int, cost: float) -> dict[str, Any]:
    return {
        "type": "say",
        "say": "condense_context",
        "contextCondense": {"newContextTokens": tokens, "cost": cost},
    }


def test_estimates_round_up_once_over_all_blocks() -> None:
    blocks = [{"type": "text", "text": "a"}, IMAGE, {"type": "tool_use"}, {"type": "text", "text": ""}]
    assert estimate_tokens(blocks, len) == 8  # (1 + 4) * 1.5
    assert estimate_tokens([], len) == 0


def test_the_context_is_that_of_the_last_request_with_a_number() -> None:
    messages = [
        _request(tokensIn=5, cost=0.5),
        _condensed(40, 0.25),
        _request(),
        {"type": "ask", "ask": "tool"},
    ]
    assert api_metrics(messages) == {"context_tokens": 40, "total_cost": 0.75}


def test_cached_tokens_count_for_anthropic_only() -> None:
    usage = {"tokensIn": 1, "tokensOut": 2, "cacheWrites": 4, "cacheReads": 8}
    assert api_metrics([_request(**usage, apiProtocol="anthropic")])["context_tokens"] == 15
    assert api_metrics([_request(**usage)])["context_tokens"] == 3


@pytest.mark.parametrize("text", ["", "{", "null", "[1]", "NaN", '{"tokensIn": NaN}', '"x"'])
def test_texts_that_carry_no_numbers(text: str) -> None:
    metrics = api_metrics([_request(tokensIn=7), {"type": "say", "say": "api_req_started", "text": text}])
    assert metrics == {"context_tokens": 7, "total_cost": 0}


WINDOW = {"contextWindow": 200_000}


@pytest.mark.parametrize(
    ("arguments", "reserve"),
    [
        (("m", WINDOW), 8192),
        (("m", {**WINDOW, "maxTokens": 4000}), 4000),
        (("m", {**WINDOW, "maxTokens": 64_000}), 40_000),
        (("m", WINDOW, {"apiProvider": "claude-code"}), 16_000),
        (("claude-x", {**WINDOW, "maxTokens": 4000}), 4000),
        (("claude-x", {**WINDOW, "maxTokens": 4000, "supportsReasoningBudget": True}), 8192),
        (("Claude-x", WINDOW, None, "openai"), None),
        (("anthropic/x", WINDOW, None, "openrouter"), 8192),
        (("anthropic/x", WINDOW, None, "openai"), None),
        (("m", WINDOW, None, "anthropic"), 8192),
        (
            (
                "m",
                {**WINDOW, "maxTokens": 1, "supportsReasoningBudget": True},
                {"enableReasoningEffort": True, "modelMaxTokens": 99},
            ),
            99,
        ),
    ],
)
def test_reserves(arguments: tuple[Any, ...], reserve: int | None) -> None:
    assert max_output_tokens(*arguments) == reserve


def test_requests_begin_with_the_first_message_and_the_last_summary() -> None:
    history = _history(6)
    history[1]["isSummary"] = history[3]["isSummary"] = True
    assert [message["content"] for message in request_messages(history)] == ["m0", "m3", "m4", "m5"]
    assert all(set(message) == {"role", "content"} for message in request_messages(history))


def test_images_are_named_for_a_model_that_takes_none() -> None:
    history = [{"role": "user", "content": [{"type": "text", "text": "t"}, IMAGE], "ts": 1}]
    [sent] = request_messages(history, supports_images=False)
    assert sent["content"][1] == {"type": "text", "text": "[Referenced image in conversation]"}
    assert history[0]["content"][1] == IMAGE
    assert request_messages(history)[0]["content"][1] == IMAGE


def _count(tokens: dict[str, int]) -> Any:
    return lambda blocks: sum(tokens.get(block.get("text", ""), 0) for block in blocks)


def _truncate(messages: list[dict[str, Any]], **facts: Any) -> Any:
    return truncate(messages, **{"total_tokens": 90_000, "context_window": 100_000, "count": _count({}), **facts})


@given(st.integers(1, 40))
def test_the_sliding_window_keeps_the_first_message_and_the_roles(count: int) -> None:
    messages = _history(count)
    cut = _truncate(messages, auto_condense=False)
    assert cut.changed
    assert cut.messages[0] == messages[0]
    assert cut.messages[1:] == messages[count - len(cut.messages) + 1 :]
    assert (count - len(cut.messages)) % 2 == 0


def test_a_condensing_that_fails_above_the_allowance_ends_in_a_cut() -> None:
    outcome = _truncate(_history(9), reply={"text": " \n", "cost": 0.5})
    assert (outcome.error, outcome.cost, outcome.changed) == ("condense_failed", 0.5, True)
    assert len(outcome.messages) == 5
    assert outcome.new_context_tokens is None


def test_below_the_allowance_only_the_error_remains() -> None:
    messages = _history(9)
    outcome = _truncate(messages, total_tokens=60_000, auto_condense_percent=50)
    assert (outcome.error, outcome.changed, outcome.messages) == ("condense_failed", False, messages)


def test_without_output_tokens_the_summary_itself_is_counted() -> None:
    count = _count({"sum": 7, "sys": 100, "m8": 1})
    outcome = _truncate(_history(9), count=count, system_prompt="sys", reply={"text": "sum"})
    assert outcome.new_context_tokens == 108
    assert (outcome.summary, outcome.cost) == ("sum", 0)


def test_an_own_prompt_is_trimmed_and_a_blank_one_is_none() -> None:
    reply = {"text": "s", "output_tokens": 1}
    assert _truncate(_history(9), reply=reply, condensing_prompt=" p\n").asked["prompt"] == "p"
    assert _truncate(_history(9), reply=reply, condensing_prompt=" \n").asked["prompt"] is None


def test_a_blind_model_is_asked_without_images() -> None:
    messages = _history(9)
    messages[0]["content"] = [IMAGE]
    asked = _truncate(messages, supports_images=False, reply={"text": "s"}).asked
    assert asked["messages"][0]["content"][0]["type"] == "text"


def test_a_history_after_a_recent_summary_is_not_condensed_again() -> None:
    messages = _history(6)
    messages[2]["isSummary"] = True
    outcome = _truncate(messages, total_tokens=60_000, auto_condense_percent=50)
    assert outcome.error == "condensed_recently"
    assert outcome.asked is None


@pytest.mark.parametrize(
    ("own", "general", "condensed"),
    [
        *((4, 100, False), (5, 100, True), (6, 100, True), (-1, 100, False)),
        *((99, 50, False), (100, 50, False), (101, 50, True)),
    ],
)
def test_a_profiles_threshold_counts_from_5_to_100(own: int, general: int, condensed: bool) -> None:
    outcome = _truncate(
        _history(9),
        total_tokens=60_000,
        auto_condense_percent=general,
        profile_thresholds={"default": own},
        reply={"text": "s", "output_tokens": 1},
    )
    assert outcome.changed is condensed


def test_the_time_of_the_first_kept_message_goes_to_the_summary() -> None:
    messages = _history(9)
    messages[6]["ts"] = 6
    outcome = _truncate(messages, reply={"text": "s", "output_tokens": 1})
    assert outcome.messages[1]["ts"] == 6
    del messages[6]["ts"]
    messages[7]["ts"] = 7
    assert "ts" not in _truncate(messages, reply={"text": "s", "output_tokens": 1}).messages[1]


@pytest.mark.parametrize(
    ("arguments", "reserve"),
    [
        (("gpt-5", {**WINDOW, "maxTokens": 64_000}), 64_000),
        (("GPT-5-mini", {**WINDOW, "maxTokens": 64_000}), 64_000),
        (("gpt-4", {**WINDOW, "maxTokens": 64_000}), 40_000),
        (("m", {**WINDOW, "maxTokens": 40_000}), 40_000),
        (("m", {**WINDOW, "maxTokens": 40_001}), 40_000),
        (("m", {"contextWindow": 11, "maxTokens": 9}), 3),
        (("claude-x", WINDOW), 8_192),
        (("m", {**WINDOW, "supportsReasoningBudget": True}, {"enableReasoningEffort": True}), 16_384),
        (("m", {**WINDOW, "maxTokens": 7, "supportsReasoningBudget": True}, {"enableReasoningEffort": False}), 7),
        (("m", {**WINDOW, "maxTokens": 7}, {"enableReasoningEffort": True}), 7),
        (("m", {**WINDOW, "maxTokens": 7, "requiredReasoningBudget": True}), 16_384),
        (("m", {**WINDOW, "requiredReasoningBudget": True}, {"modelMaxTokens": 5}), 5),
        (("m", WINDOW, {"apiProvider": "claude-code", "claudeCodeMaxOutputTokens": 9}), 9),
        (("x/anthropic/y", {**WINDOW, "maxTokens": 7, "supportsReasoningBudget": True}, None, "openrouter"), 7),
        (("m", {**WINDOW, "maxTokens": 7, "supportsReasoningBudget": True}, None, "anthropic"), 8_192),
    ],
)
def test_reserves_of_reasoning_and_others(arguments: tuple[Any, ...], reserve: int | None) -> None:
    assert max_output_tokens(*arguments) == reserve


@pytest.mark.parametrize(("size", "tokens"), [(0, 0), (1, 1), (16, 4), (17, 5), (None, 300)])
def test_an_image_counts_as_the_root_of_its_length(size: int | None, tokens: int) -> None:
    source = {"type": "url"} if size is None else {"data": "A" * size}
    assert estimate_tokens([{"type": "image", "source": source}], len) == -(-tokens * 3 // 2)


@pytest.mark.parametrize(
    ("message", "found"),
    [
        (_request(tokensIn=1, tokensOut=2), 3),
        (_request(tokensIn=True, tokensOut="2"), 0),
        (_condensed(40, 0), 40),
        ({**_condensed(40, 0), "type": "ask"}, 0),
        ({"type": "say", "say": "condense_context"}, 0),
        ({**_request(tokensIn=1), "say": "text"}, 0),
        ({**_request(tokensIn=1), "type": "ask"}, 0),
    ],
)
def test_which_messages_tell_of_the_context(message: dict[str, Any], found: int) -> None:
    assert api_metrics([message])["context_tokens"] == found


@pytest.mark.parametrize(
    ("own", "total", "is_asked"),
    [
        (None, 49_999, False), (None, 50_000, True), (None, 50_001, True), (60, 59_999, False), (60, 60_000, True),
        (5, 4_999, False), (5, 5_000, True),
    ],
)  # fmt: skip
def test_at_which_share_of_the_window_it_condenses(own: float | None, total: int, is_asked: bool) -> None:
    profiles = {} if own is None else {"default": own}
    outcome = _truncate(_history(9), total_tokens=total, auto_condense_percent=50, profile_thresholds=profiles)
    assert (outcome.asked is not None) is is_asked


@pytest.mark.parametrize(
    ("total", "reserve", "is_cut"),
    [(81_808, None, False), (81_809, None, True), (81_808, 0, False), (80_000, 10_000, False), (80_001, 10_000, True)],
)
def test_at_which_number_of_tokens_it_cuts(total: int, reserve: int | None, is_cut: bool) -> None:
    """A tenth of the window and the reserve, 8,192 unless one is told, stay free."""
    outcome = _truncate(_history(9), total_tokens=total, max_tokens=reserve, auto_condense=False)
    assert (outcome.changed, outcome.cost) == (is_cut, 0)
    asked = _truncate(_history(9), total_tokens=total, max_tokens=reserve, auto_condense_percent=100).asked
    assert (asked is not None) is is_cut, "condensing starts there, too"


@pytest.mark.parametrize(("tokens", "is_cut"), [(10_000, False), (10_001, True)])
def test_the_last_message_counts_beside_the_last_request(tokens: int, is_cut: bool) -> None:
    count = _count({"m7": 50_000, "m8": tokens})
    outcome = _truncate(_history(9), total_tokens=70_000, max_tokens=10_000, count=count, auto_condense=False)
    assert (outcome.changed, outcome.prev_context_tokens) == (is_cut, 70_000 + tokens)


@pytest.mark.parametrize(
    ("count", "summary", "error"),
    [
        (3, None, "condense_not_enough_messages"),
        (4, None, "condense_not_enough_messages"),
        (5, None, "condense_failed"),
        (5, 1, "condensed_recently"),
        (9, 5, "condensed_recently"),
        (9, 4, "condense_failed"),
        (9, 6, "condensed_recently"),
        (9, 8, "condensed_recently"),
    ],
)
def test_what_there_is_to_condense(count: int, summary: int | None, error: str) -> None:
    messages = _history(count)
    if summary is not None:
        messages[summary] |= {"isSummary": True, "role": "user"}
    assert _truncate(messages, total_tokens=60_000, auto_condense_percent=50).error == error


@pytest.mark.parametrize(("tokens", "error"), [(59_999, None), (60_000, "condense_context_grew")])
def test_a_summary_has_to_save_something(tokens: int, error: str | None) -> None:
    reply = {"text": "sum", "output_tokens": tokens}
    outcome = _truncate(_history(9), total_tokens=60_000, auto_condense_percent=50, reply=reply)
    assert outcome.error == error
    assert [message["content"] for message in outcome.messages] == (
        ["m0", "sum", "m6", "m7", "m8"] if error is None else [f"m{n}" for n in range(9)]
    )


@pytest.mark.parametrize(
    ("count", "kept"),
    [(1, [0]), (3, [0, 1, 2]), (4, [0, 1, 2, 3]), (5, [0, 3, 4]), (8, [0, 3, 4, 5, 6, 7]), (9, [0, 5, 6, 7, 8])],
)
def test_which_messages_a_cut_leaves(count: int, kept: list[int]) -> None:
    outcome = _truncate(_history(count), auto_condense=False)
    assert [message["content"] for message in outcome.messages] == [f"m{n}" for n in kept]
