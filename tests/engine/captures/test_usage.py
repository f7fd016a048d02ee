"""What a service says that a request took, whatever the form of its reply."""

from __future__ import annotations

import json
from typing import Any

import pytest

from promptscope_engine.captures.model import Usage
from promptscope_engine.captures.usage import input_tokens, usage_of

ANTHROPIC = {"usage": {"input_tokens": 7, "output_tokens": 2, "cache_read_input_tokens": 5}}


def stream(*events: Any, lead: str = "data: ") -> str:
    return "".join(f"event: x\n{lead}{json.dumps(event)}\n\n" for event in events)


@pytest.mark.parametrize(
    ("reply", "usage"),
    [
        (None, None),
        (3, None),
        ("", None),
        ("no JSON", None),
        ("[" * 5_000, None),
        ({}, None),
        ({"usage": None}, None),
        ({"usage": [1]}, None),
        ({"usage": {"input_tokens": "7", "output_tokens": True}}, None),
        (ANTHROPIC, Usage(7, 2, 5)),
        (json.dumps(ANTHROPIC), Usage(7, 2, 5)),
        ([ANTHROPIC], Usage(7, 2, 5)),
        (json.dumps([ANTHROPIC, {}]), Usage(7, 2, 5)),
        ({"usage": {"input_tokens": 0, "cache_creation_input_tokens": 4}}, Usage(0, None, None, 4)),
        ({"message": ANTHROPIC}, Usage(7, 2, 5)),
        ({"message": "text", **ANTHROPIC}, Usage(7, 2, 5)),
        ({"message": {"id": 1}, **ANTHROPIC}, Usage(7, 2, 5)),
        ({"response": {"usage": {"input_tokens": 9, "input_tokens_details": {"cached_tokens": 3}}}}, Usage(9, None, 3)),
        ({"usage": {"prompt_tokens": 9, "completion_tokens": 1}}, Usage(9, 1)),
        ({"usage": {"prompt_tokens": 9, "prompt_tokens_details": {"cached_tokens": 0}}}, Usage(9, None, 0)),
        ({"usage": {"prompt_tokens": 9, "prompt_tokens_details": {"cached_tokens": None}}}, Usage(9)),
        ({"usage": {"prompt_tokens": 9, "prompt_tokens_details": None}}, Usage(9)),
        ({"usageMetadata": {"promptTokenCount": 9, "candidatesTokenCount": 1}}, Usage(9, 1)),
        ({"usageMetadata": {"cachedContentTokenCount": 2}}, Usage(None, None, 2)),
        (stream({"message": ANTHROPIC}, {"usage": {"output_tokens": 20}}), Usage(7, 20, 5)),
        (stream(ANTHROPIC, lead="data:"), Usage(7, 2, 5)),
        (stream(ANTHROPIC, lead="x-data: "), None),
        (stream({"usageMetadata": {"promptTokenCount": 9}}), Usage(9)),
        (stream(ANTHROPIC) + 'data: {"usage": broken\n\n', Usage(7, 2, 5)),
        ('data: "usage"\n\n' + stream(ANTHROPIC), Usage(7, 2, 5)),
        ([{"data": json.dumps(ANTHROPIC)}], Usage(7, 2, 5)),
        ([{"data": ANTHROPIC}], Usage(7, 2, 5)),
        ([{"data": 3, **ANTHROPIC}], Usage(7, 2, 5)),
    ],
)  # fmt: skip
def test_usage_is_read_of_a_reply_its_events_or_their_text(reply: Any, usage: Usage | None) -> None:
    assert usage_of(reply) == usage


@pytest.mark.parametrize(
    ("usage", "protocol", "tokens"),
    [
        (Usage(7, 2, 5, 4), "anthropic", 16),
        (Usage(7, 2, None, 4), "anthropic", 11),
        (Usage(7, 2, 5), "anthropic", 12),
        (Usage(7), "anthropic", 7),
        (Usage(None, 2, 5, 4), "anthropic", None),
        (Usage(7, 2, 5, 4), "responses", 7),
        (Usage(None, 2, 5), "chat", None),
    ],
)
def test_anthropic_reports_what_its_cache_held_beside_the_others(
    usage: Usage, protocol: str, tokens: int | None
) -> None:
    assert input_tokens(usage, protocol) == tokens
