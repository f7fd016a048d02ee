"""A recorded chat (`<runtime>/tmp/<project>/chats/session-*.jsonl`), as runs of 0.61.0 wrote it.

A line is the session's head, a message, or `{"$set": …}`. A message that is written again under the same id takes the
place of the first, and `$set.messages` that of all: with the same messages where a session is resumed (recorded), with
others where the history was compressed (not recorded). Older versions wrote one JSON document with the list `messages`
(from the public source, not recorded); those hold a tool's result in its call alone.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.gemini.gather.folders import find_places
from promptscope_engine.agents.kit.sessions import conversation as kit
from promptscope_engine.agents.transcripts import HEAD, Result, Transcript, TranscriptFile, Turn
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.workspace import Workspace

_CONTEXT = "<session_context>"
"""How the message begins that the client itself writes: a part of the prompt."""
_FORM = "chat of Gemini CLI"


def is_transcript(head: bytes) -> bool:
    """Whether a file that begins so is a chat, of lines or of one document."""
    first = kit.head_of(head)
    return "sessionId" in first and "projectHash" in first


class _Said(Struct, frozen=True):
    """A message as it counts: its turn, and the results that its calls hold themselves."""

    turn: Turn
    held: tuple[Result, ...] = ()
    is_results: bool = False


def _said(line: int, entry: kit.Object, count: kit.Count) -> _Said | None:
    """A message; None for what the model does not see: notes of the client, and its own part of the prompt."""
    kind, at = entry.get("type"), kit.text_of(entry.get("timestamp"))
    content = entry.get("content")
    if kind == "user":
        texts = list(kit.texts_in(content))
        returned = tuple(_results(content, count))
        if texts and texts[0].startswith(_CONTEXT) and not returned:
            return None
        shown = [*texts, *map(_output, _responses(content))]
        images = sum("inlineData" in part for part in kit.objects_in(content))
        message = kit.Message(texts, images, returned=returned, shown=shown, at=at)
        return _Said(message.turn(line, "user", count), is_results=bool(returned))
    if kind != "gemini":
        return None
    texts = list(kit.texts_in(content))
    thought = kit.objects_in(entry.get("thoughts"))
    thoughts = [f"{kit.text_of(t.get('subject'))} {kit.text_of(t.get('description'))}" for t in thought]
    called = list(kit.objects_in(entry.get("toolCalls")))
    message = kit.Message(
        (*texts, *thoughts),
        calls=[(kit.text_of(call.get("name")), json.dumps(call.get("args"))) for call in called],
        shown=texts,
        # input counts what came from the cache, too
        reported=kit.used(entry.get("tokens"), "input", "output", "thoughts", total="total"),
        at=at,
        cached=kit.cached(entry.get("tokens"), "cached", whole="input"),
        model=kit.text_of(entry.get("model")),
        reads=("read_file", "file_path"),
        skills=("activate_skill", "name"),
    )
    held = (result for call in called for result in _results(call.get("result"), count))
    return _Said(message.turn(line, "assistant", count), tuple(held))


def _into(ledger: kit.Ledger, said: Sequence[_Said]) -> None:
    """The messages in order; the results that a call holds follow it, unless a message of their own does."""
    for number, each in enumerate(said):
        ledger.add(each.turn)
        after = said[number + 1] if number + 1 < len(said) else None
        if each.held and after is not None and not after.is_results:
            turn = each.turn
            ledger.add(kit.Message(returned=each.held, at=turn.at).turn(turn.line, "user", kit.estimate))


@dataclass
class LinesReader(kit.Lines):
    """Takes a chat of lines."""

    form: str = _FORM
    _said: dict[str, _Said] = field(default_factory=dict)
    """The messages of the history as it is now, by their id."""
    _seen: list[_Said | int] = field(default_factory=list)
    """The messages before the history was last replaced by a shorter one, and the lines of those compressions."""

    def take(self, entry: kit.Object) -> None:
        """A line's object."""
        changed = entry.get("$set")
        if isinstance(changed, dict):
            if isinstance(changed.get("messages"), list):
                self._replaced(list(kit.objects_in(changed["messages"])))
            else:
                self.other += 1
        elif "$rewindTo" in entry:
            self._rewound(kit.text_of(entry.get("$rewindTo")))
        elif kit.text_of(entry.get("type")):
            name = _name(entry)
            self._message(entry, name, self._said.get(name))
        else:
            self.other += 1

    def turns(self) -> list[Turn]:
        """The turns so far; the count begins again behind a compression."""
        ledger = kit.Ledger(self.base)
        part: list[_Said] = []
        for each in (*self._seen, *self._said.values()):
            if isinstance(each, int):
                _into(ledger, part)
                part = []
                ledger.compact(each, 0)
            else:
                part.append(each)
        _into(ledger, part)
        return ledger.turns

    def _message(self, entry: kit.Object, name: str, before: _Said | None) -> None:
        found = _said(self.line, entry, self.count)
        if found is None:
            self.other += 1
            return
        self.model = kit.text_of(entry.get("model")) or self.model
        if before is not None:  # written again: it stays where it was
            found = replace(found, turn=replace(found.turn, line=before.turn.line))
        self._said[name] = found

    def _replaced(self, entries: list[kit.Object]) -> None:
        """The history again. Without the message that it began with it is a compressed one."""
        names: dict[str, kit.Object] = {}
        for entry in entries:
            name = _name(entry)
            # Where a session is resumed, a result is under its call's id as well, each time once more, and is sent.
            while name in names:
                name += "+"
            names[name] = entry
        before, self._said = self._said, {}
        if before and next(iter(before)) not in names:
            self._seen += [*before.values(), self.line]
        for name, entry in names.items():
            self._message(entry, name, before.get(name))

    def _rewound(self, name: str) -> None:
        """The conversation goes on before a message: that one and what follows it are not part of it any more."""
        names = list(self._said)
        first = next((n for n, each in enumerate(names) if each.partition(" ")[2] == name), len(names))
        for each in names[first:]:
            del self._said[each]
        self.other += 1


def _name(entry: kit.Object) -> str:
    return f"{entry.get('type')} {kit.text_of(entry.get('id'))}"


@dataclass
class OlderReader(kit.Document):
    """Takes a chat that is one document."""

    form: str = _FORM

    def read(self, messages: list[tuple[int, kit.Object]], ledger: kit.Ledger) -> tuple[int, str]:
        """Take the messages."""
        said = [_said(line, entry, self.count) for line, entry in messages]
        _into(ledger, [each for each in said if each is not None])
        models = [kit.text_of(entry.get("model")) for _, entry in messages]
        return said.count(None), next((model for model in reversed(models) if model), "")


@dataclass
class Reader:
    """Takes a chat of either kind. One of lines has its head whole in the first line."""

    base: int
    variables: Mapping[str, str] = field(default_factory=dict)
    _first: bytes = b""
    """What was read before the first line's end, by which the kind is known."""
    _reader: LinesReader | OlderReader | None = None

    @property
    def grows(self) -> bool:
        """Whether the file is only ever added to."""
        return self._reader is None or self._reader.grows

    def feed(self, span: bytes) -> None:
        """The next span."""
        if self._reader is not None:
            self._reader.feed(span)
            return
        self._first += span
        if b"\n" in span or len(self._first) >= HEAD:
            self._reader = self._begun()

    def transcript(self) -> Transcript:
        """What was read so far."""
        return (self._reader or self._begun()).transcript()

    def close(self) -> Transcript:
        """What was read so far; a last line without a line break counts too."""
        return (self._reader or self._begun()).close()

    def _begun(self) -> LinesReader | OlderReader:
        first = kit.head_of(self._first)
        is_document = self._first.strip() == b"{" or self._first.startswith((b"{\n", b"{\r")) or "messages" in first
        reader: LinesReader | OlderReader = OlderReader(self.base) if is_document else LinesReader(self.base)
        reader.feed(self._first)
        return reader


def _results(content: Json, count: kit.Count) -> Iterator[Result]:
    return (kit.result_of(kit.text_of(each.get("name")), (_output(each),), count) for each in _responses(content))


def _responses(content: Json) -> Iterator[kit.Object]:
    found = (part.get("functionResponse") for part in kit.objects_in(content))
    return (each for each in found if isinstance(each, dict))


def _output(given: kit.Object) -> str:
    response = kit.object_of(given.get("response"))
    output = response.get("output", response.get("error"))
    return output if isinstance(output, str) else json.dumps(response)


# --- which there are --------------------------------------------------------------------------------------------------


def transcript_files(inputs: Inputs, workspace: Workspace) -> tuple[TranscriptFile, ...]:
    """This workspace's chats, then the others, each group newest first."""
    disk = workspace.snapshot()
    places = find_places(inputs, "", disk)
    paths = kit.files_below(f"{places.runtime}/tmp", "*/chats", (".jsonl", ".json"), disk)
    return kit.sessions(disk, paths, inputs, group=-3, here=lambda path: path.startswith(f"{places.temporary}/"))
