"""A recorded session (`<state>/agents/<agent>/sessions/*.jsonl`), as runs of 2026.2.24 wrote it.

The first line is the session's head; each other is an entry with its id and that of the entry before it. An entry that
follows another one than the last begins a branch: what it leaves out is not sent any more. A compaction tells its
summary and the first entry that is kept.
"""

from dataclasses import dataclass, field

from promptscope_engine.agents.kit.sessions import conversation as kit
from promptscope_engine.agents.kit.sessions.conversation import Object, blocks_of, object_of, text_of
from promptscope_engine.agents.openclaw.gather.config import state_dir
from promptscope_engine.agents.transcripts import TranscriptFile
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.workspace import Workspace


def is_transcript(head: bytes) -> bool:
    """Whether a file that begins so is a session: its first line says so."""
    first = kit.head_of(head)
    return first.get("type") == "session" and "version" in first and "cwd" in first


@dataclass
class Reader(kit.Lines):
    """Takes a session."""

    form: str = "session of OpenClaw"
    _last: str = ""
    """The entry that the next one follows, unless it begins a branch."""
    _fills: dict[str, int] = field(default_factory=dict)
    """What the window holds after each entry."""
    _sizes: dict[str, int] = field(default_factory=dict)
    """Tokens of each entry, in order: a compaction keeps some."""

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
        role, blocks = said.get("role"), blocks_of(said.get("content"))
        texts, is_result = blocks.texts, role == "toolResult"
        if role == "assistant":
            used = kit.used(said.get("usage"), "input", "output", "cacheRead", "cacheWrite", total="totalTokens")
            words = (*texts, *blocks.thoughts)
            cached = kit.cached(said.get("usage"), "cacheRead", "cacheWrite")
            message = kit.Message(
                words, calls=blocks.calls, shown=texts, reported=used, at=at, cached=cached, model=self.model
            )
        elif is_result:
            result = kit.result_of(text_of(said.get("toolName")), texts, self.count)
            message = kit.Message((), blocks.images, returned=(result,), shown=texts, at=at)
        elif role == "bashExecution":
            message = kit.Message((text_of(said.get("command")), text_of(said.get("output"))), at=at)
        else:
            message = kit.Message(texts, blocks.images, at=at)
        turn = message.turn(self.line, "assistant" if role == "assistant" else "user", self.count)
        self.add(turn, results=is_result)
        return turn.tokens

    def _noted(self, entry: Object) -> int:
        """A text in the conversation that nobody said."""
        texts = [text_of(entry.get("summary")), *blocks_of(entry.get("content")).texts]
        turn = kit.Message(texts, at=text_of(entry.get("timestamp"))).turn(self.line, "user", self.count)
        self.add(turn)
        return turn.tokens

    def _compaction(self, entry: Object) -> None:
        names = list(self._sizes)
        first = text_of(entry.get("firstKeptEntryId"))
        kept = sum(self._sizes[name] for name in names[names.index(first) :]) if first in self._sizes else 0
        remains = self.count(text_of(entry.get("summary"))) + kept
        words = kit.at_tokens(entry.get("tokensBefore"))
        self.ledger.compact(self.line, remains, words, text_of(entry.get("timestamp")))
        self._results = False


def transcript_files(inputs: Inputs, workspace: Workspace) -> tuple[TranscriptFile, ...]:
    """This workspace's sessions, then the others, each group newest first."""
    state = state_dir(inputs)
    disk = kit.unwatched(workspace, state)
    return kit.sessions(disk, kit.files_below(f"{state}/agents", "*/sessions", (".jsonl",), disk), inputs, group=-3)
