"""What a user message holds before its environment details (docs/agents/roo.md#user-messages)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from promptscope_engine.javascript.json import string
from promptscope_engine.roo_replies.format_response import (
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

from .history import Message


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
