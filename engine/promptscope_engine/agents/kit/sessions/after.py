"""What agents do alike in later requests: texts of the conversation as sections, a summary, the newest messages."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import count

from msgspec.structs import replace

from promptscope_engine.inputs.after import After, Exchange
from promptscope_engine.prompt.conditions import Fact
from promptscope_engine.prompt.drafts import Place, SectionDraft, Span, label, param_value, unpredictable

SUMMARY = "(what the model will write of the conversation so far)"
_READ_AGAIN = "a read of a file below it, or one that it is for, brings it again"
_NOT_READ = "it changed since the agent started, which goes on with what it read then: that may be in the prompt"
_BYTES_PER_TOKEN = 4


def summary(after: After) -> Span:
    """The summary, or a sample where it is not known."""
    return unpredictable("summary", SUMMARY) if after.summary is None else param_value("after.summary", after.summary)


class Messages:
    """Puts sections into messages one after another; what is of one place before stays together.

    `stamp` precedes what the user said.
    """

    def __init__(self, stamp: Sequence[Span] = ()) -> None:
        self.stamp = stamp
        self._numbers = count()
        self._number = -1
        self._made: dict[tuple[int | None, str], int] = {}

    def again(self, sections: Iterable[SectionDraft]) -> Iterator[SectionDraft]:
        """Sections of a first request, each message of theirs a new one."""
        self._made.clear()
        for each in sections:
            key = each.place.message, each.place.role
            if key not in self._made:
                self._made[key] = next(self._numbers)
            yield replace(each, place=replace(each.place, message=self._made[key]))

    def one(
        self, section_id: str, title: str, spans: Iterable[Span], role: str = "user", parts: int = 0
    ) -> SectionDraft:
        """A text in a message of its own, or in the last one where it is a further part of it."""
        if not parts:
            self._number = next(self._numbers)
        place = Place(section_id, self._number, role)  # type: ignore[arg-type]
        return SectionDraft(section_id, title, tuple(spans), place=place, stability="turn")


class First:
    """The sections of a first request, by what a later one makes of them.

    `system` is sent as it was, `context` built again; `read` is what reads brought along, `typed` the newest prompt.
    The arguments `read` and `context` say how the ids of such sections begin; `stamp` is as in `Messages`.
    """

    def __init__(
        self,
        sections: Sequence[SectionDraft],
        event: After,
        *,
        read: str,
        context: tuple[str, ...] = (),
        stamp: Sequence[Span] = (),
    ) -> None:
        self._event, self.messages = event, Messages(stamp)
        self.system = [each for each in sections if each.place.message is None]
        rest = [each for each in sections if each.place.message is not None]
        self.read = [each for each in rest if each.id.startswith(read)]
        self.context = [each for each in rest if each.id.startswith(context)]
        self.typed = [each for each in rest if each not in (*self.read, *self.context)]

    def uncompacted(self) -> tuple[SectionDraft, ...]:
        """What is sent after `/clear`, and by a resume or a turn, which replay the conversation."""
        if self._event.event == "clear":
            return (*self.system, *self.messages.again([*self.context, *self.typed]), *self.lost())
        start = (*self.system, *self.messages.again(self.context))
        return (*start, *conversation(self._event, self.messages, self.read), *self.messages.again(self.typed))

    def unread(self, *names: str) -> Iterator[SectionDraft]:
        """Absent: what changed of the files with such endings. A process that runs goes on with what it read."""
        for path in self._event.changed if self._event.event != "resume" else ():
            if path.endswith(names):
                gone = Fact("file", "changed", False, "", _NOT_READ, remedy="start the agent again")
                name = f"after.unread:{path}"
                yield SectionDraft(name, f"{path}, as it is now", (label(path),), when=gone, place=Place(name))

    def lost(self) -> Iterator[SectionDraft]:
        """What reads brought along, absent: the conversation that held it is gone."""
        happened = "a new session has none of it" if self._event.event == "clear" else "a compaction keeps none of it"
        gone = Fact("file", "reads", False, "", f"reads brought it along, and {happened}", remedy=_READ_AGAIN)
        yield from (replace(each, when=gone & each.when) for each in self.read)


def conversation(after: After, messages: Messages, read: Iterable[SectionDraft] = ()) -> Iterator[SectionDraft]:
    """The first prompt, what reads brought along, and the answers with what followed each, as far as they are known."""
    if after.said:
        spans = [*messages.stamp, param_value("after.said", after.said[0])]
        yield messages.one("after.first", "The first prompt", spans)
    yield from messages.again(read)
    yield from exchanges(after.exchanges, messages)


def in_order(after: After) -> Iterator[str | Exchange]:
    """What the user said and the answers, one after another, since the last compaction."""
    if after.compactions <= 1:
        yield from after.said[:1]
    for each in after.exchanges:
        yield each
        if each.said:
            yield each.said


def exchanges(given: Sequence[Exchange], messages: Messages) -> Iterator[SectionDraft]:
    """Answers, and what followed each."""
    for number, each in enumerate(given):
        answer = param_value("after.exchanges", each.spoken)
        yield messages.one(f"after.answer:{number}", "An answer", [answer], "assistant")
        for part, follows in enumerate(each.follows):
            stamp = () if each.results else messages.stamp
            spans = [*stamp, param_value("after.exchanges", follows)]
            yield messages.one(f"after.followed:{number}.{part}", "What followed", spans, parts=part)


def typed_skills(after: After) -> list[str]:
    """The names of the skills that were invoked, newest first, each once."""
    return [*dict.fromkeys(each.partition(" ")[0].lstrip("/$") for each in reversed(after.skills))]


def newest(texts: Sequence[str], tokens: int, marker: str) -> list[list[str]]:
    """The newest of the texts, oldest first, that fit a budget at four bytes a token, each rounded up.

    The one that does not fit any more is cut in its middle to what is left: its start, the marker with the tokens that
    were taken out, its end.
    """
    kept: list[list[str]] = []
    for text in reversed(texts):
        data = text.encode("utf-8", "surrogatepass")
        size = -(-len(data) // _BYTES_PER_TOKEN)
        if size <= tokens:
            kept.append([text])
            tokens -= size
            continue
        if tokens:
            half = tokens * _BYTES_PER_TOKEN // 2
            out = -(-(len(data) - 2 * half) // _BYTES_PER_TOKEN)
            ends = data[:half].decode("utf-8", "ignore"), data[-half:].decode("utf-8", "ignore")
            kept.append([ends[0], marker.format(tokens=out), ends[1]])
        break
    return kept[::-1]
