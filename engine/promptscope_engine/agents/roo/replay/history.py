"""Which messages of the history a request carries (specs/roo-user-messages.md, sections 1 and 6.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Message = dict[str, Any]
"""`{role, content, isSummary?}`; the content is a text or content blocks."""

_IMAGE_NAME = "[Referenced image in conversation]"


def request_messages(history: Sequence[Message], supports_images: bool = True) -> list[Message]:
    """The messages that are sent, role and content only.

    They begin with the last summary, if there is one. For a model without images each image is named by a
    text; the history itself keeps it.
    """
    return [as_sent(message, supports_images) for message in since_last_summary(history)]


def since_last_summary(history: Sequence[Message]) -> list[Message]:
    """The messages from the last summary on, after the task's first unless the summary is the user's."""
    for index in range(len(history) - 1, -1, -1):
        if history[index].get("isSummary"):
            first = [] if history[index]["role"] == "user" else [history[0]]
            return [*first, *history[index:]]
    return list(history)


def as_sent(message: Message, supports_images: bool) -> Message:
    """The role and the content of `message`, its images by name only for a model that takes none."""
    content = message["content"]
    if isinstance(content, list) and not supports_images:
        content = [{"type": "text", "text": _IMAGE_NAME} if b["type"] == "image" else b for b in content]
    return {"role": message["role"], "content": content}
