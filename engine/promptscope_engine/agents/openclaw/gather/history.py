"""The conversation before a drafted message: that of a session's file, as runs of 2026.2.24 sent it.

Sent are the entries on the way from the last one back to the first, by `parentId`; of a compacted session the last
summary, as a message of the user, then what it keeps and what followed.
"""

import json
from typing import Literal

from promptscope_engine.agents.kit.conversation import Object, object_of, objects_in, text_of
from promptscope_engine.agents.kit.earlier import Said, opened, row
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.drafts import FileDraft, builtin, label
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import Workspace

_SUMMED_UP = (
    (builtin("history.summary", "What was said before this was compacted. Its summary:"), label("\n\n<summary>\n")),
    (label("\n</summary>"),),
)
SENT = ("message", "compaction", "custom_message", "branch_summary")


def history(
    path: str, last: int | None, workspace: Workspace
) -> tuple[tuple[Said, ...], tuple[FileDraft, ...], tuple[Diagnostic, ...]]:
    """The messages of the session's file, up to its line `last`; the file, and what is wrong with it."""
    if not path:
        return (), (), ()
    file, unread = opened(path, "the session's file", "session-file", workspace)
    if file is None:
        return (), (), unread
    notes: list[Diagnostic] = []
    entries: list[tuple[int, Object]] = []
    for number, line in enumerate(file.text.split("\n")[:last], 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            entry = None
        if isinstance(entry, dict):
            entries.append((number, entry))
        else:
            notes.append(Diagnostic("warning", "session-file", "a line that does not parse is left out", path, number))
    said = tuple(_said(_sent(_way(entries))))
    return said, (row(file, "sessionFile", said),), tuple(notes)


def _way(entries: list[tuple[int, Object]]) -> list[tuple[int, Object]]:
    """The entries from the first to the last, without those that a branch left behind."""
    by_name = {text_of(entry.get("id")): (line, entry) for line, entry in entries if entry.get("type") != "session"}
    way: list[tuple[int, Object]] = []
    name = next(reversed(by_name), "")
    while name in by_name:
        found = by_name.pop(name)  # once each: a circle ends
        way.append(found)
        name = text_of(found[1].get("parentId"))
    return way[::-1]


def _sent(way: list[tuple[int, Object]]) -> list[tuple[int, Object]]:
    """What remains behind the last compaction: the summary, what it keeps, what followed."""
    at = next((n for n in reversed(range(len(way))) if way[n][1].get("type") == "compaction"), None)
    if at is None:
        return way
    first = text_of(way[at][1].get("firstKeptEntryId"))
    kept = next((n for n, (_, entry) in enumerate(way[:at]) if text_of(entry.get("id")) == first), at)
    return [way[at], *way[kept:at], *way[at + 1 :]]


def _said(sent: list[tuple[int, Object]]) -> list[Said]:
    found: list[Said] = []
    for line, entry in sent:
        kind = entry.get("type")
        if kind == "compaction":
            found.append(Said("user", text_of(entry.get("summary")), line, len(found), "summary", _SUMMED_UP))
        elif kind == "branch_summary":
            found.append(Said("user", text_of(entry.get("summary")), line, len(found)))
        elif kind in SENT:
            message = object_of(entry.get("message")) if kind == "message" else entry
            role: Literal["user", "assistant"] = "assistant" if message.get("role") == "assistant" else "user"
            tool = text_of(message.get("toolName"))
            text = _text(message.get("content"))
            if text:
                found.append(Said(role, text, line, len(found), tool and f"result of {tool}"))
    return found


def _text(content: Json) -> str:
    """A message as one text: words, then each call with its arguments."""
    parts = [content] if isinstance(content, str) else []
    for block in objects_in(content):
        if block.get("type") == "text":
            parts.append(text_of(block.get("text")))
        elif block.get("type") == "toolCall":
            parts.append(f"{text_of(block.get('name'))}({json.dumps(block.get('arguments'), ensure_ascii=False)})")
    return "\n".join(parts)
