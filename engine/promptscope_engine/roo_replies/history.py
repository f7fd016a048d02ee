"""Which messages a request carries, and how they are kept within the window (docs/agents/roo.md#user-messages)."""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from promptscope_engine.agents.roo.gather.task import since_last_summary
from promptscope_engine.javascript.json import no_constant, string
from promptscope_engine.javascript.text import js_trim

from .format_response import (
    RESUMPTION,
    Block,
    image_blocks,
    push_tool_result,
    resumption,
    text_block,
    tool_approved_with_feedback,
    tool_denied,
    tool_denied_with_feedback,
    tool_result,
)

# --- what a request carries -------------------------------------------------------------------------------------------


Message = dict[str, Any]
"""`{role, content, isSummary?}`; the content is a text or content blocks."""

_IMAGE_NAME = "[Referenced image in conversation]"


def request_messages(history: Sequence[Message], supports_images: bool = True) -> list[Message]:
    """The messages that are sent, role and content only.

    They begin with the last summary, if there is one. For a model without images each image is named by a
    text; the history itself keeps it.
    """
    return [as_sent(message, supports_images) for message in since_last_summary(history)]


def as_sent(message: Message, supports_images: bool) -> Message:
    """The role and the content of `message`, its images by name only for a model that takes none."""
    content = message["content"]
    if isinstance(content, list) and not supports_images:
        content = [{"type": "text", "text": _IMAGE_NAME} if b["type"] == "image" else b for b in content]
    return {"role": message["role"], "content": content}


Count = Callable[[list[dict[str, Any]]], int]

_BUFFER_SHARE = 0.1
"""The part of the window that is never filled."""

_DEFAULT_RESERVE = 8_192
_KEPT = 3
"""How many of the last messages a condensing leaves as they are."""

_LOWEST_THRESHOLD, _HIGHEST_THRESHOLD = 5, 100
"""Percent; a profile's threshold outside of these counts as none."""

_REQUEST = "Sum up our conversation so far, in the way that the instructions above lay down."


class Truncation(Struct, frozen=True):
    """The history after condensing or cutting."""

    messages: list[Message]
    """The history that the request is made from."""

    changed: bool
    """A new list was made, even if with the same messages."""

    prev_context_tokens: int
    """The context before, the last message included."""

    summary: str = ""
    cost: float = 0
    """Dollars for asking the model, also where its answer could not be used."""

    error: str | None = None
    """Why condensing failed.

    One of `condense_not_enough_messages`, `condensed_recently`, `condense_failed`, `condense_context_grew`;
    the agent looks its wording up under these names.
    """

    new_context_tokens: int | None = None
    """The context after a condensing."""

    asked: dict[str, Any] | None = None
    """The request for a summary: `{prompt, messages}`, the prompt None for the built-in one."""


def truncate(messages: list[Message], **window: Any) -> Truncation:
    """Condense or cut the history `messages` where the next request would come too close to the window.

    `window` are the fields of `HistoryWindow`. An empty history is an IndexError.
    """
    return HistoryWindow(**window).truncated(messages)


class HistoryWindow(Struct, frozen=True, kw_only=True):
    """The window that a history is kept in.

    `total_tokens` are the context tokens of the last request; the agent cuts only where they are known. `count` is the
    provider's count of content blocks, `max_tokens` the reserve for the reply. Thresholds are percent of
    `context_window`, those of `profile_thresholds` by profile id. `reply` is what the model answers when asked for a
    summary, `{text, cost?, output_tokens?}`; None: nothing.
    """

    total_tokens: int
    context_window: int
    count: Count
    max_tokens: int | None = None
    auto_condense: bool = True
    auto_condense_percent: float = 100
    profile_thresholds: Mapping[str, float] | None = None
    profile: str = "default"
    system_prompt: str = ""
    condensing_prompt: str | None = None
    supports_images: bool = True
    reply: Mapping[str, Any] | None = None

    def truncated(self, messages: list[Message]) -> Truncation:
        """The history, condensed or cut if it is too long."""
        previous = self.total_tokens + self.count(_blocks(messages[-1]))
        allowed = self.context_window * (1 - _BUFFER_SHARE) - (self.max_tokens or _DEFAULT_RESERVE)
        threshold = _threshold(self.auto_condense_percent, (self.profile_thresholds or {}).get(self.profile))
        outcome = Truncation(messages, False, previous)
        if self.auto_condense and (100 * previous / self.context_window >= threshold or previous > allowed):
            outcome = self._condensed(messages, previous)
            if outcome.error is None:
                return outcome
        if previous > allowed:
            cut = _without_older_half(messages)
            return Truncation(cut, True, previous, cost=outcome.cost, error=outcome.error, asked=outcome.asked)
        return outcome

    def _condensed(self, messages: list[Message], previous: int) -> Truncation:
        """Have all but the last messages summarized; on failure the history stays and the error says why."""
        part, kept = since_last_summary(messages[:-_KEPT]), messages[-_KEPT:]
        if len(part) <= 1:
            few = len(messages) <= _KEPT + 1
            error = "condense_not_enough_messages" if few else "condensed_recently"
            return Truncation(messages, False, previous, error=error)
        if any(message.get("isSummary") for message in kept):
            return Truncation(messages, False, previous, error="condensed_recently")

        wording = js_trim(self.condensing_prompt or "") or None
        asked = {
            "prompt": wording,
            "messages": [*(as_sent(m, self.supports_images) for m in part), {"role": "user", "content": _REQUEST}],
        }
        answer = self.reply or {}
        cost, output_tokens = answer.get("cost") or 0, answer.get("output_tokens") or 0
        text = js_trim(answer.get("text") or "")
        if not text:
            return Truncation(messages, False, previous, cost=cost, error="condense_failed", asked=asked)

        summary: Message = {"role": "assistant", "content": text, "isSummary": True}
        if "ts" in kept[0]:
            summary["ts"] = kept[0]["ts"]
        # The summary counts as the model reported, if it did.
        counted = [{"role": "user", "content": self.system_prompt}, *([] if output_tokens else [summary]), *kept]
        tokens = output_tokens + self.count([block for message in counted for block in _blocks(message)])
        if tokens >= previous:
            return Truncation(messages, False, previous, cost=cost, error="condense_context_grew", asked=asked)
        return Truncation([messages[0], summary, *kept], True, previous, text, cost, None, tokens, asked)


def _threshold(general: float, own: float | None) -> float:
    return own if own is not None and _LOWEST_THRESHOLD <= own <= _HIGHEST_THRESHOLD else general


def _blocks(message: Message) -> list[dict[str, Any]]:
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _without_older_half(messages: list[Message]) -> list[Message]:
    """The first message and the newer half of the others; an even number goes, so that roles alternate."""
    removed = (len(messages) - 1) // 2
    removed -= removed % 2
    return [messages[0], *messages[removed + 1 :]]


# --- what a user message holds before its environment details ---------------------------------------------------------


def task_content(task: str | None = None, images: Sequence[str] | None = None) -> list[Block]:
    """The blocks of a task's first message; `images` are data URLs. No task at all prints `undefined`."""
    words = "undefined" if task is None else task
    return [text_block(f"<task>\n{words}\n</task>"), *image_blocks(images)]


def approval_content(
    label: str, response: str, text: str | None = None, images: Sequence[str] | None = None
) -> list[Block]:
    """What the answer to an approval adds for the call `label`; nothing for a plain yes.

    `response` is `yesButtonClicked`, `noButtonClicked` or `messageResponse`. Images count only beside words.
    """
    if response == "yesButtonClicked":
        approved = tool_approved_with_feedback(text)
        return push_tool_result(label, tool_result(approved, images)) if text else []
    if text:
        return push_tool_result(label, tool_result(tool_denied_with_feedback(text), images))
    return push_tool_result(label, tool_denied())


class Resumption(Struct, frozen=True):
    """How a saved task resumes."""

    content: list[Block]
    """The blocks of the next user message."""

    history: list[Message]
    """The messages before it."""


def resume(history: Sequence[Message], text: str | None = None, images: Sequence[str] | None = None) -> Resumption:
    """Resume a task from its saved `history`, with the `text` and `images` that the user adds.

    A last message of the user is taken out and sent again in front, its old environment details included. A
    history that is empty or ends with another role is a ValueError.
    """
    messages = [_without_tool_blocks(message, history) for message in history]
    if not messages or messages[-1]["role"] not in ("user", "assistant"):
        raise ValueError("there is no message of the user or the assistant to go on from")
    content: list[Block] = []
    if messages[-1]["role"] == "user":
        last = messages.pop()["content"]
        content += [text_block(last)] if isinstance(last, str) else last
    if text:
        content.append(text_block(resumption(text)))
    content += image_blocks(images)
    return Resumption(content or [text_block(RESUMPTION)], messages)


def _without_tool_blocks(message: Message, history: Sequence[Message]) -> Message:
    content = message["content"]
    if isinstance(content, str):
        return message
    return {**message, "content": [_as_text(block, history) for block in content]}


def _as_text(block: Block, history: Sequence[Message]) -> Block:
    """Tool blocks of older versions as text; other blocks as they are."""
    if block["type"] == "tool_use":
        inputs = "\n".join(f"<{key}>\n{string(value)}\n</{key}>" for key, value in block["input"].items())
        return text_block(f"<{block['name']}>\n{inputs}\n</{block['name']}>")
    if block["type"] == "tool_result":
        result = block.get("content")
        parts = result if isinstance(result, list) else [text_block(result or "")]
        texts = "\n\n".join(part["text"] for part in parts if part["type"] == "text")
        return text_block(f"[{_tool_name(block['tool_use_id'], history)} Result]\n\n{texts}")
    return block


def _tool_name(tool_use_id: str, history: Sequence[Message]) -> str:
    for message in history:
        for block in message["content"] if isinstance(message["content"], list) else ():
            if block["type"] == "tool_use" and block["id"] == tool_use_id:
                return str(block["name"])
    return "Unknown Tool"


# --- tokens used, estimated and reserved (docs/agents/roo.md#context-window) -----------------------------------------


_ESTIMATE_FACTOR = 1.5
_IMAGE_WITHOUT_DATA = 300
_CLAUDE_CODE_DEFAULT = 16_000
_REASONING_DEFAULT = 16_384
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
