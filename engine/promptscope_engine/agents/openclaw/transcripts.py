"""A recorded session (`<state>/agents/<agent>/sessions/*.jsonl`), as runs of 2026.2.24 wrote it.

The first line is the session's head; each other is an entry with its id and that of the entry before it. An entry that
follows another one than the last begins a branch: what it leaves out is not sent any more. A compaction tells its
summary and the first entry that is kept.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

from promptscope_engine.agents.kit import conversation
from promptscope_engine.agents.kit.conversation import (
    Object,
    message,
    number_of,
    object_of,
    objects_in,
    text_of,
    texts_in,
)
from promptscope_engine.agents.openclaw.gather.config import state_dir
from promptscope_engine.agents.transcripts import Result, TranscriptFile, Turn, newest_first
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.workspace import Workspace


def is_transcript(head: bytes) -> bool:
    """Whether a file that begins so is a session: its first line says so."""
    first = conversation.head_of(head)
    return first.get("type") == "session" and "version" in first and "cwd" in first


@dataclass
class Reader(conversation.Lines):
    """Takes a session."""

    form: str = "session of OpenClaw"
    _last: str = ""
    """The entry that the next one follows, unless it begins a branch."""
    _fills: dict[str, int] = field(default_factory=dict)
    """What the window holds after each entry."""
    _sizes: dict[str, int] = field(default_factory=dict)
    """Tokens of each entry, in order: a compaction keeps some."""
    _results: bool = False

    def take(self, entry: Object) -> None:
        """A line's object."""
        kind, name, before = entry.get("type"), text_of(entry.get("id")), text_of(entry.get("parentId"))
        if kind == "session":
            self.other += 1
            return
        if self._last and before != self._last and before in self._fills:
            self.ledger.fill = self._fills[before]
            self._results = False
        self._last = name
        size = 0
        if kind == "message" and isinstance(entry.get("message"), dict):
            size = self._message(object_of(entry.get("message")), text_of(entry.get("timestamp")))
        elif kind == "compaction":
            self._compaction(entry)
        elif kind in ("branch_summary", "custom_message"):
            size = self._noted(entry)
        else:
            self.other += 1
            if kind == "model_change":
                self.model = "/".join(filter(None, (text_of(entry.get("provider")), text_of(entry.get("modelId")))))
        self._sizes[name], self._fills[name] = size, self.ledger.now

    def _message(self, said: Object, at: str) -> int:
        role, content = said.get("role"), said.get("content")
        texts, blocks = list(texts_in(content, "text")), list(objects_in(content))
        images = sum(block.get("type") == "image" for block in blocks)
        if role == "assistant":
            made = [block for block in blocks if block.get("type") == "toolCall"]
            calls = [(text_of(call.get("name")), json.dumps(call.get("arguments"))) for call in made]
            thoughts = [text_of(b.get("thinking")) for b in blocks if b.get("type") == "thinking"]
            words, used = (*texts, *thoughts), _total(said.get("usage"))
            turn = message(self.line, "assistant", words, self.count, calls=calls, shown=texts, reported=used, at=at)
        elif role == "toolResult":
            tokens = sum(map(self.count, texts))
            result = Result(text_of(said.get("toolName")) or "?", tokens, sum(map(len, texts)))
            turn = message(self.line, "user", (), self.count, images=images, returned=(result,), shown=texts, at=at)
        elif role == "bashExecution":
            texts = [text_of(said.get("command")), text_of(said.get("output"))]
            turn = message(self.line, "user", texts, self.count, at=at)
        else:
            turn = message(self.line, "user", texts, self.count, images=images, at=at)
        self._add(turn, results=role == "toolResult")
        return turn.tokens

    def _add(self, turn: Turn, *, results: bool) -> None:
        """The results of one answer's calls are one turn."""
        if results and self._results:
            self.ledger.extend(turn)
        else:
            self.ledger.add(turn)
        self._results = results

    def _noted(self, entry: Object) -> int:
        """A text in the conversation that nobody said."""
        texts = [text_of(entry.get("summary")), *texts_in(entry.get("content"), "text")]
        turn = message(self.line, "user", texts, self.count, at=text_of(entry.get("timestamp")))
        self._add(turn, results=False)
        return turn.tokens

    def _compaction(self, entry: Object) -> None:
        names = list(self._sizes)
        first = text_of(entry.get("firstKeptEntryId"))
        kept = sum(self._sizes[name] for name in names[names.index(first) :]) if first in self._sizes else 0
        remains = self.count(text_of(entry.get("summary"))) + kept
        before = number_of(entry.get("tokensBefore"))
        words = f"at {before:,} tokens" if before else ""
        self.ledger.compact(self.line, remains, words, text_of(entry.get("timestamp")))
        self._results = False


def _total(usage: Json) -> int | None:
    """What the window held with the answer."""
    told = object_of(usage)
    parts = sum(number_of(told.get(key)) for key in ("input", "output", "cacheRead", "cacheWrite"))
    return number_of(told.get("totalTokens")) or parts or None


def transcript_files(inputs: Inputs, workspace: Workspace) -> tuple[TranscriptFile, ...]:
    """This workspace's sessions, then the others, each group newest first."""
    state = state_dir(inputs)
    unwatched = workspace.snapshot()
    unwatched.allow([state])
    return newest_first(_found(f"{state}/agents", inputs.workspace, unwatched))


def _found(agents: str, cwd: str, workspace: Workspace) -> Iterator[TranscriptFile]:
    for agent in conversation.folders_in(agents, workspace):
        for path in conversation.files_in(f"{agent}/sessions", workspace, (".jsonl",)):
            here = conversation.head_value(conversation.beginning(path, workspace), "cwd") == cwd
            yield from conversation.found_file(path, workspace, here, agent.rpartition("/")[2])
