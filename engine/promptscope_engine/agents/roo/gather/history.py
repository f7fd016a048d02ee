"""The messages of a task so far: its `api_conversation_history.json`, as the public source sends it.

From the last summary on, behind the first message unless the summary is the user's.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, TypeVar

from promptscope_engine.agents.kit.conversation import Object, objects_in, text_of
from promptscope_engine.agents.kit.earlier import Said, opened, row
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import Workspace

from .found import Found

M = TypeVar("M", bound=Mapping[str, Any])


def history(path: str | None, workspace: Workspace) -> Found[tuple[Said, ...]]:
    """The texts of the messages."""
    if path is None:
        return Found(())
    file, unread = opened(path, "the task's file", "task-file", workspace)
    if file is None:
        return Found((), (), unread)
    try:
        messages = json.loads(file.text)
    except (ValueError, RecursionError):
        messages = None
    if not isinstance(messages, list) or None in messages:
        text = "Roo does not continue the task: its file is not a JSON list of messages"
        return Found((), (), (Diagnostic("error", "agent-refuses", text, path),))
    said = tuple(_said([each for each in objects_in(messages) if each.get("role") in ("user", "assistant")]))
    return Found(said, (row(file, "taskFile", said),))


def _said(messages: list[Object]) -> Iterator[Said]:
    """A text for each block. The file is one line, as Roo writes it."""
    for number, message in enumerate(since_last_summary(messages)):
        role: Literal["user", "assistant"] = "assistant" if message["role"] == "assistant" else "user"
        for text in _texts(message.get("content")):
            yield Said(role, text, 1, number)


def since_last_summary(history: Sequence[M]) -> list[M]:
    """The messages from the last summary on, after the task's first unless the summary is the user's."""
    summaries = [index for index, message in enumerate(history) if message.get("isSummary")]
    if not summaries:
        return list(history)
    rest = history[summaries[-1] :]
    return [*rest] if rest[0]["role"] == "user" else [history[0], *rest]


def _texts(content: Json) -> list[str]:
    if isinstance(content, str):
        return [content] if content else []
    return [text for block in objects_in(content) if (text := text_of(block.get("text")))]
