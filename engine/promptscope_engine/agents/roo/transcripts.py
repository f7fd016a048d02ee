"""A recorded task (`<storage>/tasks/<id>/`): `api_conversation_history.json`, or `ui_messages.json`.

The forms are those of the public source; neither file is from a recorded run. The first is the list of messages that
the request is made from, `[{role, content, ts, isSummary?}]`; from the last summary on they are sent, behind the first
one. The second is what the chat shows, `[{ts, type: say|ask, say|ask, text}]`; only it tells what answers used. Tools
are called in the text of an answer, by tags.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from msgspec.structs import replace

from promptscope_engine.agents.kit.sessions import conversation as kit
from promptscope_engine.agents.kit.sessions.conversation import Message, Object, number_of, object_of, text_of
from promptscope_engine.agents.roo.gather.modes import global_storage
from promptscope_engine.agents.roo.params import RooParams
from promptscope_engine.agents.roo.texts import FOLDER
from promptscope_engine.agents.transcripts import TranscriptFile, Turn, newest_first
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.workspace import Workspace

HISTORY, CHAT = "api_conversation_history.json", "ui_messages.json"

_TOOLS = "|".join(FOLDER.tool_names())
_CALL = re.compile(rf"<({_TOOLS})>")
_RESULT = re.compile(rf"\[({_TOOLS})\b[^\n]{{0,2000}}?\] Result:")
_WORKSPACE = re.compile(r"# Current Workspace Directory \(([^\n]{1,4096}?)\) Files")
_HEAD = 64 << 10
"""Bytes of a history in which the first message names the workspace."""
_LOOKED_INTO = 200
"""The newest tasks are asked for their workspace: each is read a little for it."""


def is_transcript(head: bytes) -> bool:
    """Whether a file that begins so is one of a task's two: a list of messages, by role or by say and ask."""
    first = kit.head_of(head)
    if not head.lstrip().startswith(b"["):
        return "version" in first and "messages" in first
    return ("role" in first and "content" in first) or ("ts" in first and ("say" in first or "ask" in first))


@dataclass
class Reader(kit.Document):
    """Takes either file of a task."""

    form: str = "task of Roo Code"

    def read(self, messages: list[tuple[int, Object]], ledger: kit.Ledger) -> tuple[int, str]:
        """Take the messages, whichever kind they are."""
        if any("role" in entry for _, entry in messages):
            return _history(messages, ledger, self.count), ""
        return _Chat(ledger, self.count).take(messages), ""


# --- the history of requests ------------------------------------------------------------------------------------------


def _history(messages: list[tuple[int, Object]], ledger: kit.Ledger, count: kit.Count) -> int:
    """The turns; how many entries are no messages."""
    other = first = 0
    for line, entry in messages:
        role = entry.get("role")
        if role not in ("user", "assistant", "tool") or entry.get("isTruncationMarker") is True:
            other += 1
            continue
        turn = _said(line, entry, count)
        if entry.get("isSummary") is True:
            # The first message goes in front of a summary that is an answer.
            remains = turn.tokens + (first if role == "assistant" else 0)
            ledger.compact(line, remains, turn.text, turn.at)
            continue
        first = first or turn.tokens
        ledger.add(turn)
    return other


def _said(line: int, entry: Object, count: kit.Count) -> Turn:
    blocks, at = kit.blocks_of(entry.get("content")), kit.moment_of(entry.get("ts"))
    if entry.get("role") == "assistant":
        # Calls as blocks are what later versions make.
        turn = Message(blocks.texts, calls=blocks.calls, at=at).turn(line, "assistant", count)
        tagged = tuple(name for text in blocks.texts for name in _CALL.findall(text))
        return replace(turn, calls=(*turn.calls, *tagged))
    words, found = _returned(blocks.texts)
    for block in blocks.results:
        given = block.get("content", block.get("output"))
        parts = kit.blocks_of(given).texts or ([json.dumps(given)] if given else [])
        found.append((text_of(block.get("toolName")), parts))
    returned = [kit.result_of(tool, parts, count) for tool, parts in found]
    return Message(words, blocks.images, (), returned, blocks.texts, at=at).turn(line, "user", count)


def _returned(texts: list[str]) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """What was said, and the results: each begins with its call's name and runs up to the next or the details."""
    words: list[str] = []
    found: list[tuple[str, list[str]]] = []
    for text in texts:
        begins = _RESULT.match(text)
        if begins:
            found.append((begins[1], [text]))
        elif found and not text.startswith("<environment_details>"):
            found[-1][1].append(text)
        else:
            words.append(text)
    return words, found


# --- the chat ---------------------------------------------------------------------------------------------------------

_RETURNS = {
    "command_output": "execute_command",
    "mcp_server_response": "use_mcp_tool",
    "codebase_search_result": "codebase_search",
    "browser_action_result": "browser_action",
    "subtask_result": "new_task",
}
"""What the chat shows of results, and the tool that each is of."""
_CALLS = {"command": "execute_command", "use_mcp_server": "use_mcp_tool", "browser_action_launch": "browser_action"}
"""Questions that ask for leave to call a tool; `tool` names its own."""
_ANSWERS = ("text", "reasoning", "completion_result")


class _Chat:
    """The turns of what the chat shows."""

    def __init__(self, ledger: kit.Ledger, count: kit.Count) -> None:
        self._ledger, self._count = ledger, count
        self._answering = False
        """Whether a request is under way: what is said then is its answer."""
        self._begins = False
        """Whether what is said next is the first of an answer."""
        self._used: int | None = None
        self._other = 0

    def take(self, messages: list[tuple[int, Object]]) -> int:
        """Take the messages: how many are none of the kit."""
        for line, entry in messages:
            self._entry(line, entry)
        return self._other

    def _entry(self, line: int, entry: Object) -> None:
        kind = text_of(entry.get("say") if entry.get("type") == "say" else entry.get("ask"))
        text, at = text_of(entry.get("text")), kit.moment_of(entry.get("ts"))
        if entry.get("partial") is True:
            self._other += 1
        elif entry.get("type") == "ask":
            self._asked(line, kind, text, at)
        elif kind == "api_req_started":
            self._answering, self._begins, self._used = True, True, _used(text, entry)
            self._other += 1
        elif kind in ("condense_context", "sliding_window_truncation"):
            self._shortened(line, entry, at)
        elif kind in _RETURNS:
            result = kit.result_of(_RETURNS[kind], (text,), self._count)
            self._add(Message(returned=(result,), shown=(text,), at=at).turn(line, "user", self._count))
        elif kind == "user_feedback" or (kind == "text" and not self._answering):
            self._add(Message((text,), at=at).turn(line, "user", self._count))
        elif kind in _ANSWERS:
            self._answered(Message((text,), at=at).turn(line, "assistant", self._count))
        else:
            self._other += 1

    def _asked(self, line: int, kind: str, text: str, at: str) -> None:
        texts: tuple[str, ...] = (text,) if kind == "followup" else ()
        tool = text_of(object_of(_parsed(text)).get("tool")) if kind == "tool" else _CALLS.get(kind)
        if tool is None and not texts:
            self._other += 1
            return
        calls = () if tool is None else ((tool, text),)
        self._answered(Message(texts, calls=calls, at=at).turn(line, "assistant", self._count))

    def _answered(self, turn: Turn) -> None:
        """The parts of one answer are one turn, which has what the request used."""
        turn = replace(turn, reported=self._used)
        last = self._ledger.turns[-1].role if self._ledger.turns else ""
        if last == "assistant" and not self._begins:
            self._ledger.extend(turn)
        else:
            self._ledger.add(turn)
        self._begins = False

    def _add(self, turn: Turn) -> None:
        self._ledger.add(turn)
        self._begins, self._used = True, None

    def _shortened(self, line: int, entry: Object, at: str) -> None:
        """The agent's own count of what remains has the prompt in it."""
        what = object_of(entry.get("contextCondense")) or object_of(entry.get("contextTruncation"))
        total = number_of(what.get("newContextTokens"))
        words = text_of(what.get("summary")) or kit.at_tokens(what.get("prevContextTokens"))
        self._ledger.compact(line, max(total - self._ledger.base, 0), words, at, total=total)


def _used(text: str, entry: Object) -> int | None:
    """What a request used: what the cache gave counts beside the input for one protocol only."""
    told = object_of(_parsed(text))
    cached = (told.get("apiProtocol") or entry.get("apiProtocol")) == "anthropic"
    return kit.used(told, "tokensIn", "tokensOut", *(("cacheWrites", "cacheReads") if cached else ()))


def _parsed(text: str) -> Json:
    try:
        return cast(Json, json.loads(text))
    except (ValueError, RecursionError):
        return None


# --- which there are --------------------------------------------------------------------------------------------------


def transcript_files(inputs: Inputs, workspace: Workspace) -> tuple[TranscriptFile, ...]:
    """This workspace's tasks, then the others, each group newest first."""
    storage = global_storage(inputs, cast(RooParams, inputs.params).globalStorage)
    unwatched = workspace.snapshot()
    unwatched.allow([storage])
    return newest_first(_found(f"{storage}/tasks", inputs.workspace, unwatched))


def _found(tasks: str, cwd: str, workspace: Workspace) -> Iterator[TranscriptFile]:
    paths = kit.files_below(tasks, "*", (HISTORY, CHAT), workspace)
    files = list(kit.found_files(paths, workspace, lambda _: False))
    files.sort(key=lambda file: (-file.modified, file.path))
    here: dict[str, bool] = {}
    for file in files:
        if file.group not in here:
            looked_at = len(here) < _LOOKED_INTO
            history = f"{tasks}/{file.group}/{HISTORY}"
            here[file.group] = looked_at and _is_here(kit.beginning(history, workspace, _HEAD), cwd)
        yield replace(file, here=here[file.group])


def _is_here(head: bytes, cwd: str) -> bool:
    """Whether the first message names the workspace; JSON writes a path as it is, but for the rarest signs."""
    named = _WORKSPACE.search(head.decode("utf-8", "replace"))
    return named is not None and named[1] == json.dumps(cwd, ensure_ascii=False)[1:-1]
