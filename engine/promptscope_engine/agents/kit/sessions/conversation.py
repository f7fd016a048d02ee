"""What the readers of recorded conversations have in common: files, lines, documents, the count, blocks of content.

A file is a stranger's: what does not parse, is nested too deeply or is too long is a flaw with its line, and the rest
is read.
"""

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.transcripts import (
    HEAD,
    Cached,
    Flaw,
    Restored,
    Result,
    Role,
    Transcript,
    TranscriptFile,
    Turn,
    newest_first,
)
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.workspace import Workspace

Count = Callable[[str], int]
Object = Mapping[str, Json]

IMAGE_TOKENS = 1_600
"""Tokens of an image at the usual size; a conversation holds its bytes only."""

MAX_LINE = 32 << 20
"""Bytes of a line that is parsed. An image in base64 is far below; parsing a longer one would stall a screen."""

MAX_DOCUMENT = 64 << 20
"""Bytes of a conversation that is one JSON document."""

MAX_FLAWS = 100
"""Flaws that are told with their line; the others are counted."""

BEGINNING = 200
"""Characters of a message that are kept to show."""

_CHARS_PER_TOKEN = 4


def estimate(text: str) -> int:
    """Four characters a token: what the agents fall back on themselves."""
    return -(-len(text) // _CHARS_PER_TOKEN)


# --- values ---------------------------------------------------------------------------------------------------------


def text_of(value: Json) -> str:
    """A value that should be a text; "" for any other."""
    return value if isinstance(value, str) else ""


_MOST_TOKENS = 1e15


def number_of(value: Json) -> int:
    """A value that should be a count; 0 for any other."""
    return (
        int(value)
        if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < _MOST_TOKENS
        else 0
    )


def moment_of(milliseconds: Json) -> str:
    """A count of milliseconds since 1970 as ISO 8601; "" for any other value."""
    with suppress(ValueError, OverflowError, OSError):
        seconds = number_of(milliseconds) / 1000
        return datetime.fromtimestamp(seconds, UTC).isoformat() if seconds else ""
    return ""


def object_of(value: Json) -> Object:
    """A value that should be an object; an empty one for any other."""
    return value if isinstance(value, dict) else {}


def objects_in(value: Json) -> Iterator[Object]:
    """The objects of a value that should be a list."""
    return (each for each in (value if isinstance(value, list) else ()) if isinstance(each, dict))


def texts_in(content: Json) -> Iterator[str]:
    """The texts of a message: of one that is a text, or of its parts that have one."""
    if isinstance(content, str):
        yield content
    yield from (text_of(part.get("text")) for part in objects_in(content) if part.get("text"))


def first_words(texts: Iterable[str]) -> str:
    """How the first of the texts begins that says something."""
    return next((text[:BEGINNING] for text in texts if text.strip()), "")


def head_of(head: bytes) -> Object:
    """What the first object of a file's beginning holds, which may be cut off; an empty one if there is no object."""
    text = head.decode("utf-8", "replace")
    decoder, found = json.JSONDecoder(), dict[str, Json]()
    at = _past(text, 0, " \t\r\n\ufeff[")
    if text[at : at + 1] != "{":
        return found
    try:
        while text[at : at + 1] in ("{", ","):
            key, at = decoder.raw_decode(text, _past(text, at + 1, " \t\r\n"))
            found[key] = None
            found[key], at = decoder.raw_decode(text, _past(text, at, " \t\r\n:"))
            at = _past(text, at, " \t\r\n")
    except (ValueError, RecursionError, TypeError):
        pass  # the rest is cut off
    return found


def head_value(head: bytes, name: str) -> str:
    """The first text under a key that a file's beginning holds anywhere; "" if there is none."""
    text = head.decode("utf-8", "replace")
    at = text.find(f'"{name}":')
    if at < 0:
        return ""
    try:
        value, _ = json.JSONDecoder().raw_decode(text, _past(text, at + len(name) + 3, " \t"))
    except (ValueError, RecursionError):
        return ""
    return text_of(value)


# --- the count ------------------------------------------------------------------------------------------------------


@dataclass
class Ledger:
    """The turns so far, with what the window holds after each."""

    base: int
    turns: list[Turn] = field(default_factory=list)
    fill: int | None = None
    """None before the first turn."""

    @property
    def now(self) -> int:
        """What the window holds."""
        return self.base if self.fill is None else self.fill

    def add(self, turn: Turn) -> None:
        """A message; its `tokens` are added, or what it reports is taken."""
        self.fill = turn.reported if turn.reported is not None else self.now + turn.tokens
        self.turns.append(replace(turn, fill=self.fill))

    def extend(self, turn: Turn) -> None:
        """A further part of the last message, whose usage, if it tells it, is that of the whole."""
        first = self.turns[-1]
        reported = turn.reported if turn.reported is not None else first.reported
        self.fill = turn.reported if turn.reported is not None else self.now + turn.tokens
        self.turns[-1] = replace(
            first,
            tokens=first.tokens + turn.tokens,
            fill=self.fill,
            reported=reported,
            text=first.text or turn.text,
            calls=first.calls + turn.calls,
            results=first.results + turn.results,
            result_tokens=first.result_tokens + turn.result_tokens,
            returned=first.returned + turn.returned,
            cached=turn.cached or first.cached,
            reads=first.reads + turn.reads,
            skills=first.skills + turn.skills,
        )

    def report(self, total: int, cached: Cached | None = None) -> None:
        """What the last answer used, told behind it: what follows the answer already is added to that."""
        at = next((n for n in reversed(range(len(self.turns))) if self.turns[n].role != "user"), None)
        if at is None or self.turns[at].role == "compaction" or not total:
            return
        self.turns[at] = replace(self.turns[at], fill=total, reported=total, cached=cached)
        self.fill = total
        for n in range(at + 1, len(self.turns)):
            self.fill += self.turns[n].tokens
            self.turns[n] = replace(self.turns[n], fill=self.fill)

    def compact(self, line: int, remains: int, words: str = "", at: str = "", *, total: int = 0) -> None:
        """A compaction, after which the window holds the prompt and `remains` tokens, or `total` where that is told."""
        self.fill = total or self.base + remains
        self.turns.append(Turn(line, "compaction", remains, self.fill, text=words[:BEGINNING], at=at))

    def rewind(self, to: int) -> int:
        """Take back the turns behind the first `to`; how many they are."""
        gone = len(self.turns[to:])
        if gone:
            del self.turns[to:]
            self.fill = self.turns[-1].fill if self.turns else None
        return gone

    def restore(self, found: Iterable[Restored], event: Literal["", "compact", "auto"] = "") -> None:
        """What the last compaction brought back, too, and how it began."""
        at = next(n for n in reversed(range(len(self.turns))) if self.turns[n].role == "compaction")
        turn = self.turns[at]
        self.turns[at] = replace(turn, restored=(*(turn.restored or ()), *found), event=event or turn.event)


class Message(Struct, frozen=True):
    """What a message has.

    `calls` are names with arguments as written, `shown` is its beginning, if that is another; `reads` is the name of
    the tool that reads a file, and the argument that names it; `skills` the same of a skill.
    """

    texts: Sequence[str] = ()
    images: int = 0
    calls: Sequence[tuple[str, str]] = ()
    returned: Sequence[Result] = ()
    shown: Sequence[str] | None = None
    reported: int | None = None
    at: str = ""
    cached: Cached | None = None
    model: str = ""
    reads: tuple[str, str] = ("", "")
    skills: tuple[str, str] = ("", "")

    def turn(self, line: int, role: Role, count: Count) -> Turn:
        """The message as a turn."""
        result_tokens = sum(result.tokens for result in self.returned)
        tokens = sum(map(count, self.texts)) + sum(count(arguments) for _, arguments in self.calls)
        return Turn(
            line,
            role,
            tokens + IMAGE_TOKENS * self.images + result_tokens,
            0,
            self.reported,
            text=first_words(self.texts if self.shown is None else self.shown),
            calls=tuple(name or "?" for name, _ in self.calls),
            results=len(self.returned),
            result_tokens=result_tokens,
            at=self.at,
            returned=tuple(self.returned),
            cached=self.cached,
            model=self.model,
            reads=tuple(self._named(*self.reads)),
            skills=tuple(self._named(*self.skills)),
            said="\n".join(self.texts) if role == "user" and not self.returned else "",
        )

    def _named(self, tool: str, key: str) -> Iterator[str]:
        """What the calls of a tool name in an argument."""
        for name, arguments in self.calls:
            if tool and name == tool and (found := text_of(object_of(json.loads(arguments)).get(key))):
                yield found


class Blocks(Struct):
    """A message's content by what its parts are, in whatever words an agent has for them."""

    texts: list[str] = []
    thoughts: list[str] = []
    calls: list[tuple[str, str]] = []
    """Names with arguments as written."""
    results: list[Object] = []
    images: int = 0


def blocks_of(content: Json) -> Blocks:
    """The parts of a message; one that is a text has this alone."""
    found = Blocks([content] if isinstance(content, str) else [])
    for part in objects_in(content):
        match part.get("type"):
            case "text":
                found.texts.append(text_of(part.get("text")))
            case "thinking" | "reasoning":
                found.thoughts.append(text_of(part.get("thinking") or part.get("text")))
            case "tool":  # a call with what came of it
                name, state = text_of(part.get("tool")), object_of(part.get("state"))
                found.calls.append((name, json.dumps(state.get("input"))))
                found.results.append({"toolName": name, "content": state.get("output") or state.get("error")})
            case "tool_use" | "tool-call" | "toolCall":
                name = text_of(part.get("name") or part.get("toolName"))
                found.calls.append((name, json.dumps(part.get("input", part.get("arguments")))))
            case "tool_result" | "tool-result":
                found.results.append(part)
            case "image" | "document":
                found.images += 1
    return found


def result_of(tool: str, texts: Sequence[str], count: Count, images: int = 0) -> Result:
    """A tool's result that is made of these texts."""
    return Result(tool or "?", sum(map(count, texts)) + IMAGE_TOKENS * images, sum(map(len, texts)))


def returned(line: int, results: Iterable[tuple[str, Sequence[str]]], count: Count, at: str) -> Turn:
    """What tools gave back, by their names: the turn of it."""
    found = [*results]
    made = [result_of(tool, texts, count) for tool, texts in found]
    return Message(returned=made, shown=[text for _, texts in found for text in texts], at=at).turn(line, "user", count)


def used(told: Json, *parts: str, total: str = "") -> int | None:
    """What the window held with an answer, by the `total` that it tells, else by the sum of its parts."""
    table = object_of(told)
    return number_of(table.get(total)) or sum(number_of(table.get(part)) for part in parts) or None


def cached(told: Json, read: str, written: str = "", whole: str = "", lives: int | None = None) -> Cached | None:
    """What an answer reports of the cache, by its keys; `whole` is the key of all input, where that is what is held."""
    table = object_of(told)
    if read not in table:
        return None
    was, now = number_of(table[read]), number_of(table.get(written))
    return Cached(was, now if written else None, number_of(table.get(whole)) or was + now, lives)


def at_tokens(told: Json) -> str:
    """Where a compaction began, in words; "" if it does not say."""
    return f"at {before:,} tokens" if (before := number_of(told)) else ""


# --- files of a JSON value a line -------------------------------------------------------------------------------------


@dataclass
class _Reader(ABC):
    """What has been read of a conversation so far. `variables`: the environment, which some agents' limits go by."""

    base: int
    variables: Mapping[str, str] = field(default_factory=dict)
    count: Count = estimate
    form: str = ""
    broken: int = 0
    other: int = 0
    too_long: int = 0
    left_out: int = 0
    version: str = ""
    model: str = ""
    window: int | None = None
    attended: bool | None = None
    rewound: int = 0
    flaws: list[Flaw] = field(default_factory=list)

    @abstractmethod
    def turns(self) -> Iterable[Turn]:
        """The turns so far."""

    def transcript(self) -> Transcript:
        """What was read so far."""
        return Transcript(
            tuple(self.turns()), self.broken, self.other, self.too_long, self.base, self.left_out, tuple(self.flaws),
            self.form, self.version, self.model, self.window, self.attended, self.rewound,
        )  # fmt: skip

    def close(self) -> Transcript:
        """What was read so far; a last line without a line break counts too. More may follow."""
        return self.transcript()


@dataclass
class Lines(_Reader):
    """Takes a file of JSON lines in spans; a line may be across several. A subclass takes the entries."""

    ledger: Ledger = field(init=False)
    line: int = 0
    """The line that is taken, from 1."""
    grows: bool = True
    _rest: list[bytes] = field(default_factory=list)
    _held: int = 0
    _results: bool = False
    """Whether the last turn is of results."""

    def __post_init__(self) -> None:
        self.ledger = Ledger(self.base)

    @abstractmethod
    def take(self, entry: Object) -> None:
        """A line's object."""

    def turns(self) -> Iterable[Turn]:
        """The turns so far."""
        return self.ledger.turns

    def add(self, turn: Turn, *, results: bool = False) -> None:
        """A turn; the results of one answer's calls are one."""
        (self.ledger.extend if results and self._results else self.ledger.add)(turn)
        self._results = results

    def feed(self, span: bytes) -> None:
        """The next span."""
        *lines, rest = span.split(b"\n")
        for line in lines:
            self._hold(line)
            self._end()
        self._hold(rest)

    def close(self) -> Transcript:
        """What was read so far; a last line without a line break counts too. More may follow."""
        ended = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, (list, dict)):
                setattr(ended, name, value.copy())
        ended.ledger = Ledger(self.base, [*self.ledger.turns], self.ledger.fill)
        ended._end()
        return ended.transcript()

    def flaw(self, message: str) -> None:
        """Note what is wrong with the line that is taken."""
        if len(self.flaws) < MAX_FLAWS:
            self.flaws.append(Flaw(self.line, message))

    def _hold(self, part: bytes) -> None:
        self._held += len(part)
        if self._held <= MAX_LINE:
            self._rest.append(part)

    def _end(self) -> None:
        line, held = b"".join(self._rest), self._held
        self._rest, self._held = [], 0
        self.line += 1
        if held > MAX_LINE:
            self.too_long += 1
            self.flaw(f"{held:,} bytes are too long for a line")
        elif line.strip():
            problem = ""
            try:
                value = json.loads(line)
                problem = "" if isinstance(value, dict) else "no JSON object"
            except RecursionError:
                problem = "nested too deeply"
            except ValueError as error:
                problem = f"no JSON: {error.msg}" if isinstance(error, json.JSONDecodeError) else "no JSON"
            if problem:
                self.broken += 1
                self.flaw(problem)
            else:
                self.take(value)


# --- files of one JSON value ------------------------------------------------------------------------------------------


@dataclass
class Document(_Reader):
    """Takes a file that is one list of messages, bare or under the key `messages`, and reads it when it is asked for.

    A list that is cut off gives what is whole of it. A subclass takes the messages, each with its line.
    """

    grows: bool = False
    """Such a file is written again each time."""
    _held: bytearray = field(default_factory=bytearray)

    @abstractmethod
    def read(self, messages: list[tuple[int, Object]], ledger: Ledger) -> tuple[int, str]:
        """Take the messages: how many of them are none of the conversation, and the model if it is told."""

    def feed(self, span: bytes) -> None:
        """The next span."""
        room = MAX_DOCUMENT - len(self._held)
        self._held += span[:room]
        self.left_out += len(span[room:])

    def elements(self) -> Iterator[tuple[int, Object, str]]:
        """The messages so far: the line of each, and what is wrong with it."""
        yield from elements(self._held.decode("utf-8", "replace"))

    def turns(self) -> Iterable[Turn]:
        """The turns so far."""
        found = list(self.elements())
        flaws = [Flaw(line, flaw) for line, _, flaw in found if flaw]
        self.broken, self.flaws = len(flaws), flaws[:MAX_FLAWS]
        ledger = Ledger(self.base)
        self.other, self.model = self.read([(line, value) for line, value, flaw in found if not flaw], ledger)
        return ledger.turns


_MESSAGES = re.compile(r'"messages"[ \t\r\n:]*')


def elements(text: str) -> Iterator[tuple[int, Object, str]]:
    """The elements of the list that a text is, or has under `messages`: the line of each, and what is wrong with it."""
    at = _past(text, 0, " \t\r\n\ufeff")
    if text.startswith("{", at) and (key := _MESSAGES.search(text, at)):
        at = key.end()
    if not text.startswith("[", at):
        if text.strip():
            yield 1, {}, "no list of messages"
        return
    decoder, line, counted = json.JSONDecoder(), 1, 0
    while True:
        at = _past(text, at + 1, " \t\r\n,")
        line, counted = line + text.count("\n", counted, at), at
        if text[at : at + 1] == "]":
            return
        try:
            value, end = decoder.raw_decode(text, at)
        except RecursionError:
            yield line, {}, "nested too deeply; the rest is not read"
            return
        except ValueError:
            yield line, {}, "what follows is cut off" if at >= len(text) else "what follows is not valid JSON"
            return
        yield (line, value, "") if isinstance(value, dict) else (line, {}, "no message")
        at = end - 1


def _past(text: str, at: int, skipped: str) -> int:
    while at < len(text) and text[at] in skipped:
        at += 1
    return at


# --- finding files ----------------------------------------------------------------------------------------------------


def files_below(folder: str, pattern: str, endings: tuple[str, ...], workspace: Workspace) -> Iterator[str]:
    """The regular files with such an ending, by name. `*/sessions`: in the folder of this name of each folder."""
    first, _, rest = pattern.partition("/")
    if first == "*":
        for entry in workspace.list(folder).entries:
            if entry.kind == "directory":
                yield from files_below(f"{folder}/{entry.name}", rest, endings, workspace)
    elif first:
        yield from files_below(f"{folder}/{first}", rest, endings, workspace)
    else:
        entries = workspace.list(folder).entries
        yield from (f"{folder}/{e.name}" for e in entries if e.kind == "file" and e.name.endswith(endings))


def found_files(
    paths: Iterable[str], workspace: Workspace, is_here: Callable[[str], bool], group: int = -2
) -> Iterator[TranscriptFile]:
    """The files as transcripts, but for those that have just been deleted. `group`: the part that names the group."""
    for path in paths:
        with suppress(OSError):
            seen = workspace.disk.stat(path)
            yield TranscriptFile(path, seen.st_size, seen.st_mtime, is_here(path), path.split("/")[group])


def unwatched(workspace: Workspace, folder: str) -> Workspace:
    """The disk with an agent's own folder, not watched: sessions are no part of a prompt."""
    copy = workspace.snapshot()
    copy.allow([folder])
    return copy


def sessions(
    disk: Workspace,
    paths: Iterable[str],
    inputs: Inputs,
    *,
    group: int = -2,
    here: Callable[[str], bool] | None = None,
) -> tuple[TranscriptFile, ...]:
    """The files as sessions: this workspace's, then the others, each group newest first.

    `here` says of a path whether it is this workspace's, else its beginning does: only that of the newest is read.
    """
    is_here = here or partial(is_of, inputs.workspace, workspace=disk)
    newest = newest_first(found_files(paths, disk, lambda _: False, group))
    return newest_first(replace(each, here=is_here(each.path)) for each in newest)


def beginning(path: str, workspace: Workspace, size: int = HEAD) -> bytes:
    """The first bytes of a file; b"" for one that cannot be read."""
    try:
        return b"".join(workspace.chunks(path, size, size))
    except OSError:
        return b""


def is_of(cwd: str, path: str, workspace: Workspace) -> bool:
    """Whether a file's beginning names the working directory."""
    return head_value(beginning(path, workspace), "cwd") == cwd
