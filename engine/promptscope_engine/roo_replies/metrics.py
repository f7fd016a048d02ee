"""Tokens used, estimated and reserved (docs/agents/roo.md#context-window)."""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from promptscope_engine.javascript.json import no_constant

_ESTIMATE_FACTOR = 1.5
_IMAGE_WITHOUT_DATA = 300
_CLAUDE_CODE_DEFAULT = 16_000
_REASONING_DEFAULT = 16_384
_DEFAULT_RESERVE = 8_192
_WINDOW_SHARE = 0.2


def estimate_tokens(blocks: Sequence[Mapping[str, Any]], count: Callable[[str], int]) -> int:
    """The agent's estimate for content blocks: half as much again as the tokenizer `count` gives.

    An image counts as the square root of its base64 length; tool blocks count nothing.
    """
    return math.ceil(sum(_block_tokens(block, count) for block in blocks) * _ESTIMATE_FACTOR)


def _block_tokens(block: Mapping[str, Any], count: Callable[[str], int]) -> int:
    if block["type"] == "text":
        text = block.get("text")
        return count(text) if text else 0
    if block["type"] == "image":
        source = block.get("source")
        if isinstance(source, dict) and "data" in source:
            return math.ceil(math.sqrt(len(source["data"])))
        return _IMAGE_WITHOUT_DATA
    return 0


def api_metrics(messages: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """`{context_tokens, total_cost}` from the chat's messages `[{type, say, text, contextCondense}]`.

    The cost is in dollars and adds up; the context is that of the last message with a number other than 0.
    """
    total_cost: float = 0
    for message in messages:
        total_cost += _number(_usage(message).get("cost"))
    tokens = (_context_tokens(_usage(message)) for message in reversed(messages))
    return {"context_tokens": next(filter(None, tokens), 0), "total_cost": total_cost}


def _usage(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """The numbers that a message carries: none, for most and for those whose text is not valid JSON."""
    if message.get("type") != "say":
        return {}
    if message.get("say") == "condense_context":
        return message.get("contextCondense") or {}
    if message.get("say") != "api_req_started":
        return {}
    try:
        usage = json.loads(message.get("text") or "{}", parse_constant=no_constant)
    except ValueError:
        return {}
    return usage if isinstance(usage, dict) else {}


def _context_tokens(usage: Mapping[str, Any]) -> float:
    if "newContextTokens" in usage:
        return _number(usage["newContextTokens"])
    keys = ["tokensIn", "tokensOut"]
    if usage.get("apiProtocol") == "anthropic":
        # Others count cached tokens into tokensIn already.
        keys += ["cacheWrites", "cacheReads"]
    return sum(_number(usage.get(key)) for key in keys)


def _number(value: object) -> float:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else 0


def max_output_tokens(
    model_id: str, model: Mapping[str, Any], settings: Mapping[str, Any] | None = None, format: str | None = None
) -> int | None:
    """The tokens reserved for the reply, None where the provider decides.

    `model` is `{contextWindow, maxTokens, supportsReasoningBudget, requiredReasoningBudget}`; of the
    provider's `settings` apiProvider, claudeCodeMaxOutputTokens, enableReasoningEffort and modelMaxTokens
    count. `format` is the wire format (`anthropic`, `openai`, `openrouter`), which a running task does not
    pass. The first rule that applies decides.
    """
    settings = settings or {}
    if settings.get("apiProvider") == "claude-code":
        return int(settings.get("claudeCodeMaxOutputTokens") or _CLAUDE_CODE_DEFAULT)
    can_reason = bool(model.get("supportsReasoningBudget"))
    if model.get("requiredReasoningBudget") or (can_reason and settings.get("enableReasoningEffort")):
        return int(settings.get("modelMaxTokens") or _REASONING_DEFAULT)
    maximum = model.get("maxTokens")
    if _is_anthropic(model_id, format) and (can_reason or not maximum):
        return _DEFAULT_RESERVE
    if maximum:
        if "gpt-5" in model_id.lower():
            return int(maximum)
        return int(min(maximum, math.ceil(model["contextWindow"] * _WINDOW_SHARE)))
    return None if format else _DEFAULT_RESERVE


def _is_anthropic(model_id: str, format: str | None) -> bool:
    through_router = format == "openrouter" and model_id.startswith("anthropic/")
    return "claude" in model_id or format == "anthropic" or through_router
