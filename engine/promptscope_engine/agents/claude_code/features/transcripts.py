"""A recorded transcript (`~/.claude/projects/*/*.jsonl`): how full the window was by turn (specs/claude-code.md 7).

Lines that are no JSON objects or no messages of the main conversation are counted and skipped. Where an answer
reports its usage, the fill is what it reports; messages after it are estimated. The agent writes an answer as one
line per block, each with the answer's id: these are one turn.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from promptscope_engine.agents.claude_code.gather.git import find_repository
from promptscope_engine.agents.claude_code.gather.memory import memory_folder
from promptscope_engine.agents.claude_code.variables import config_folder
from promptscope_engine.agents.transcripts import Transcript, TranscriptFile, Turn
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.workspace import Workspace

Count = Callable[[str], int]

IMAGE_TOKENS = 1_600
"""Tokens of an image at the usual size; the transcript holds its bytes only."""

MAX_LINE = 32 << 20
"""Bytes of a line that is parsed. An image in base64 is far below; parsing a longer one would stall a screen."""

_CHARS_PER_TOKEN = 4
_TEXT = 200  # characters of a message that are kept to show


def estimate(text: str) -> int:
    """The agent's own fallback: four characters a token."""
    return -(-len(text) // _CHARS_PER_TOKEN)


def read_transcript(text: str, base: int = 0, count: Count = estimate) -> Transcript:
    """The transcript of a session whose prompt takes `base` tokens before the first message."""
    reader = Reader(base, count)
    reader.feed(text.encode("utf-8", "surrogatepass"))
    return reader.close()


@dataclass
class Reader:
    """Takes a transcript in pieces; a line may lie across several."""

    base: int = 0
    count: Count = estimate
    turns: list[Turn] = field(default_factory=list)
    broken: int = 0
    other: int = 0
    too_long: int = 0
    _rest: list[bytes] = field(default_factory=list)
    _held: int = 0
    _line: int = 0
    _fill: int = -1
    _answer: str | None = None
    """The id of the answer that the last turn belongs to."""

    def feed(self, piece: bytes) -> None:
        """The next piece."""
        *lines, rest = piece.split(b"\n")
        for line in lines:
            self._hold(line)
            self._end()
        self._hold(rest)

    def transcript(self) -> Transcript:
        """What was read so far."""
        return Transcript(tuple(self.turns), self.broken, self.other, self.too_long, self.base)

    def close(self) -> Transcript:
        """What was read so far; a last line without a line break counts too. More may follow."""
        ended = replace(self, turns=list(self.turns))
        ended._end()
        return ended.transcript()

    def _hold(self, part: bytes) -> None:
        self._held += len(part)
        if self._held <= MAX_LINE:
            self._rest.append(part)

    def _end(self) -> None:
        line, held = b"".join(self._rest), self._held
        self._rest, self._held = [], 0
        self._line += 1
        if held > MAX_LINE:
            self.too_long += 1
        elif line.strip():
            self._take(line)

    def _take(self, line: bytes) -> None:
        entry = _entry(line)
        if entry is None:
            self.broken += 1
            return
        if entry.get("type") == "system" and entry.get("subtype") == "compact_boundary":
            self._fill, self._answer = self.base, None
            self.turns.append(Turn(self._line, "compaction", 0, self.base, at=_text(entry.get("timestamp"))))
            return
        message = entry.get("message")
        role = entry.get("type")
        if role not in ("user", "assistant") or not isinstance(message, dict) or entry.get("isSidechain") is True:
            self.other += 1
            return
        self._message(entry, message, "assistant" if role == "assistant" else "user")

    def _message(self, entry: dict[str, Json], message: dict[str, Json], role: str) -> None:
        content = message.get("content")
        tokens = sum(_tokens(part, self.count) for part in _parts(content))
        results = [block for block in _blocks(content) if block.get("type") == "tool_result"]
        reported = _usage(message.get("usage")) if role == "assistant" else None
        before = self.base if self._fill < 0 else self._fill
        self._fill = reported if reported is not None else before + tokens
        turn = Turn(
            self._line,
            "assistant" if role == "assistant" else "user",
            tokens,
            self._fill,
            reported,
            text=_first_text(content),
            calls=tuple(_text(b.get("name")) or "?" for b in _blocks(content) if b.get("type") == "tool_use"),
            results=len(results),
            result_tokens=sum(_tokens(part, self.count) for block in results for part in _parts(block.get("content"))),
            at=_text(entry.get("timestamp")),
        )
        answer = _text(message.get("id")) or None if role == "assistant" else None
        if answer is not None and answer == self._answer:
            self.turns[-1] = _joined(self.turns[-1], turn)
        else:
            self.turns.append(turn)
        self._answer = answer


def _joined(first: Turn, second: Turn) -> Turn:
    """Two blocks of one answer, whose usage is the answer's."""
    return replace(
        first,
        tokens=first.tokens + second.tokens,
        fill=second.fill,
        reported=second.reported or first.reported,
        text=first.text or second.text,
        calls=first.calls + second.calls,
    )


def _entry(line: bytes) -> dict[str, Json] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _blocks(content: Json) -> Iterator[dict[str, Json]]:
    return (block for block in (content if isinstance(content, list) else ()) if isinstance(block, dict))


def _parts(content: Json) -> Iterator[str | None]:
    """The texts of a message; None stands for an image."""
    if isinstance(content, str):
        yield content
    for block in _blocks(content):
        match block.get("type"):
            case "text" | "thinking":
                yield str(block.get("text") or block.get("thinking") or "")
            case "image" | "document":
                yield None
            case "tool_use":
                yield json.dumps(block.get("input"))
            case "tool_result":
                yield from _parts(block.get("content"))


def _first_text(content: Json) -> str:
    """How a message begins: its words, else those of its first tool result."""
    if isinstance(content, str):
        return content[:_TEXT]
    blocks = list(_blocks(content))
    words = [_text(block.get("text")) for block in blocks if block.get("type") == "text"]
    results = [block.get("content") for block in blocks if block.get("type") == "tool_result"]
    inner = [part for result in results for part in _parts(result) if part]
    return next((text[:_TEXT] for text in (*words, *inner) if text.strip()), "")


def _tokens(part: str | None, count: Count) -> int:
    return IMAGE_TOKENS if part is None else count(part)


_USED = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")


def _usage(usage: Json) -> int | None:
    """What the window held with the answer: input, written to and read from the cache, and output."""
    if not isinstance(usage, dict):
        return None
    values: Iterable[Json] = (usage.get(key) for key in _USED)
    numbers = [value for value in values if isinstance(value, int) and not isinstance(value, bool) and value >= 0]
    return sum(numbers) or None


# --- which there are: `<config>/projects/<key>/*.jsonl`; names, sizes and times are looked at --------------------

_MAX = 1_000
"""Transcripts that are listed."""


def transcript_files(inputs: Inputs, workspace: Workspace) -> tuple[TranscriptFile, ...]:
    """This workspace's transcripts, then the others, each group newest first."""
    config = config_folder(inputs.env, inputs.home)
    # What is looked at here is not part of the prompt, so it is not to be watched.
    unwatched = workspace.snapshot()
    repository = find_repository(inputs.workspace, unwatched)
    places = {inputs.workspace, *((repository.root, repository.main_root) if repository else ())}
    mine = {memory_folder(config, place).split("/")[-2] for place in places}
    found = sorted(_found(f"{config}/projects", mine, unwatched), key=lambda each: (not each.here, -each.modified))
    return tuple(found[:_MAX])


def _found(projects: str, mine: set[str], workspace: Workspace) -> Iterator[TranscriptFile]:
    for project in workspace.list(projects).entries:
        folder = f"{projects}/{project.name}"
        for entry in workspace.list(folder).entries if project.kind == "directory" else ():
            if entry.kind != "file" or not entry.name.endswith(".jsonl"):
                continue
            path = f"{folder}/{entry.name}"
            try:
                seen = workspace.disk.stat(path)
            except OSError:  # it has just been deleted
                continue
            yield TranscriptFile(path, seen.st_size, seen.st_mtime, project.name in mine, project.name)
