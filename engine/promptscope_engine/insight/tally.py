"""What a comparison of a prediction with a request has found, by name, part by part and in all.

Words of fixed prose may be others than ours. A name, what a schema asks for and a key of the body are facts: where one
differs, the prediction is wrong.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from msgspec import Struct

from promptscope_engine.agents.adapter import BodyKey
from promptscope_engine.captures.model import SentTool
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.model import Channel

from .predicted_lines import Owned
from .sent_blocks import Block, SentLine
from .text_difference import line_runs

NamedKind = Literal["listed", "schema", "body"]


class NamedDifference(Struct, frozen=True):
    """A name that differs: of an entry in a list (`listed`), a tool's parameter (`schema`), or a key of the body.

    `part` is the section's or the tool's (`tools.NAME`) id, "request" for the body.
    """

    kind: NamedKind
    part: str
    name: str
    says: str


_SENT, _PREDICTED = "sent and not predicted", "predicted and not sent"

_UNNAMED = "\0"
"""A line of ours that begins with words of ours, or a file's: it is in no list."""
_ALONE = re.compile(r"[\w.:/@-]+")
_ENTRY = re.compile(r"(?P<name>(?:- )?\S.*?)(?:: | \(|:?$)")


def _entry(line: str) -> str:
    """What a line of a list is known by: all before its description. "" for a line that is none."""
    found = _ENTRY.match(line)
    return found["name"] if found else ""


def listed_differences(owned: Sequence[Owned], lines: Sequence[SentLine]) -> Iterator[NamedDifference]:
    """Entries of lists that only one side has.

    What was not predicted counts in a section that has such entries, where no line with words of ours has their form.
    """
    ours = [name if 0 < len(name := _entry(each.line.masked)) <= each.exact else _UNNAMED for each in owned]
    theirs = [_entry(line.masked) for line in lines]
    known, sent, last = set(ours), set(theirs), owned[0].id
    forms = {(each.id, _form(name)) for each, name in zip(owned, ours, strict=True)}
    for run in line_runs("\n".join(ours), "\n".join(theirs)):
        part = owned[run.before[-1]].id if run.before else last
        for at in run.before:
            if ours[at] not in sent and ours[at] != _UNNAMED and any(map(str.isalnum, ours[at])):
                yield NamedDifference("listed", owned[at].id, ours[at].removeprefix("- "), _PREDICTED)
        reworded = {_form(_entry(owned[at].line.masked)) for at in run.before if ours[at] == _UNNAMED}
        for name in [theirs[at] for at in run.after]:
            form = _form(name)
            if name not in known and form and (part, form) in forms and form not in reworded:
                yield NamedDifference("listed", part, name.removeprefix("- "), _SENT)
        last = part


def _form(name: str) -> str:
    """The form of a list's entry: with its description behind it, a name alone, or "" for no entry."""
    return "described" if name.startswith("- ") else "alone" if _ALONE.fullmatch(name) else ""


def schema_differences(tool: str, ours: Json, theirs: Json, at: str = "") -> Iterator[NamedDifference]:
    """What a tool's schema asks for otherwise: parameters, `required`, types and enumerations, at any depth."""
    if not (isinstance(ours, dict) and isinstance(theirs, dict)):
        return
    part, place = f"tools.{tool}", at or "the parameters"
    for key in ("type", "enum", "required"):
        one, other = _plain(ours.get(key)), _plain(theirs.get(key))
        if one != other:
            yield NamedDifference("schema", part, place, f"`{key}` is {_shown(other)}, predicted {_shown(one)}")
    inner: dict[str, tuple[Json, Json]] = {}
    mine, its = (properties(each) for each in (ours, theirs))
    for name in {**mine, **its}:
        path = f"{at}.{name}" if at else name
        if name in mine and name in its:
            inner[path] = mine[name], its[name]
        else:
            yield NamedDifference("schema", part, path, _SENT if name in its else _PREDICTED)
    inner[f"{at}[]"] = ours.get("items"), theirs.get("items")
    for path, (one, other) in inner.items():
        yield from schema_differences(tool, one, other, path)


def tool_differences(ours: Sequence[SentTool], theirs: Sequence[SentTool]) -> Iterator[NamedDifference]:
    """The same of all tools that both sides have."""
    predicted = {tool.name: tool for tool in ours}
    for tool in theirs:
        if tool.name in predicted:
            yield from schema_differences(tool.name, predicted[tool.name].schema, tool.schema)


def body_differences(known: Sequence[BodyKey], sent: Collection[str]) -> Iterator[NamedDifference]:
    """Keys of the body that only one side has; nothing where none is `known`."""
    known = [key for key in known if not key.handed]
    names = {key.name for key in known}
    for name in sent if known else ():
        if name not in names:
            yield NamedDifference("body", "request", name, _SENT)
    for key in known:
        if key.needed and key.name not in sent:
            yield NamedDifference("body", "request", key.name, _PREDICTED)


def properties(schema: Json) -> Mapping[str, Json]:
    """The parameters of a tool's schema by name; none of what is not one."""
    found = schema.get("properties") if isinstance(schema, dict) else None
    return found if isinstance(found, dict) else {}


def _plain(value: Json) -> Json:
    """A list whose order says nothing in one order."""
    return sorted(map(str, value)) if isinstance(value, list) else value


def _shown(value: Json) -> str:
    if isinstance(value, list):
        return ", ".join(value) or "empty"
    return "not given" if value is None else str(value)


PartVerdict = Literal["equal", "other words", "not sent", "not predicted"]

_HEAD = 80
"""Characters of a text that name it."""
_HEADING = re.compile(r"#{1,6} |<[a-z][\w-]*>")


class Part(Struct, frozen=True):
    """A section or tool (`tools.NAME`): the characters that were `predicted` and `sent`.

    For a stand-in, the expected size of the real wording is predicted. `title` is for reading: the first words of what
    was not predicted. `moved`: it is elsewhere in a pasted text, behind the section of this title ("": at the start).
    """

    id: str
    title: str
    verdict: PartVerdict
    predicted: int
    sent: int
    moved: str | None = None


class Unexplained(Struct, frozen=True):
    """Text that no predicted part accounts for.

    `index` is the block's (or the tool's) in its channel, from 0; `offset` and `length` are characters in it, for a
    tool in its description and its schema joined.
    """

    channel: Channel
    index: int
    offset: int
    length: int
    text: str


class PartTexts(Struct, frozen=True):
    """The texts of a part on both sides, "" where it has none."""

    predicted: str
    sent: str


@dataclass
class Compared:
    """A predicted section so far.

    `own` is whether it has text of a file, `own_sent` whether a line of that, or another text in its place, was sent.
    """

    title: str
    predicted: float = 0.0
    sent: int = 0
    differs: bool = False
    touched: bool = False
    own: bool = False
    own_sent: bool = False
    moved: str | None = None
    ours: list[str] = field(default_factory=list)
    theirs: list[str] = field(default_factory=list)

    @property
    def verdict(self) -> PartVerdict:
        """How it compares."""
        if not self.differs:
            return "equal"
        return "other words" if self.touched and self.own_sent >= self.own else "not sent"


class Tally:
    """What was found so far. `explained` and `equal` are characters of all those that were sent."""

    def __init__(self) -> None:
        self.characters = 0
        self.explained = 0.0
        self.equal = 0
        self.unexplained: list[Unexplained] = []
        self.sections: dict[str, Compared] = {}
        self._alone: list[Part] = []
        self._alone_texts: dict[str, PartTexts] = {}

    def section(self, owned: Owned) -> Compared:
        """The section of a line: known before one of its lines is, as something may have been sent in front of it."""
        return self.sections.setdefault(owned.id, Compared(owned.title))

    def predicted(self, owned: Owned, *, differs: bool = False) -> None:
        """A predicted line."""
        section = self.section(owned)
        section.predicted += owned.expected
        section.ours.append(owned.line.text)
        section.differs = section.differs or differs
        if owned.line.masked.strip() and all(piece.origin.kind == "file" for piece in owned.pieces):
            section.own = True
            section.own_sent = section.own_sent or not differs

    def same(self, owned: Owned, line: SentLine) -> None:
        """A line that was sent as it was predicted."""
        self.predicted(owned)
        self._sent(owned.id, [line])
        self.count(line.size, line.size, line.size)

    def other(self, owner: str, line: SentLine) -> None:
        """A line that was sent with other words than predicted."""
        self._sent(owner, [line], differs=True)
        self.count(line.size, line.size, 0)

    def rest(self, block: Block, lines: Sequence[SentLine], owner: str | None) -> None:
        """Lines that nothing predicted explains; those at the end that are blank are no news."""
        if owner is not None:
            self._sent(owner, lines, differs=True)
        size = sum(line.size for line in lines)
        written = [line for line in lines if line.masked.strip()]
        self.count(size, 0 if written else size, 0)
        if not written:
            return
        first = written[0]
        if owner in self.sections:
            self.sections[owner].own_sent = True
        head = self._not_explained(block, written, first.text)
        if owner is None or _HEADING.match(first.text):
            whole = owner is None and first.offset == 0
            place = f"{block.channel}.{block.index}" + ("" if whole else f".{first.offset}")
            self._not_predicted(place, head, lines)

    def extra(self, part: str, title: str, heading: str, block: Block, lines: Sequence[SentLine]) -> None:
        """A section that is not predicted and was sent."""
        self._not_explained(block, [line for line in lines if line.masked.strip()], heading)
        self._not_predicted(part, title, lines)
        self.count(sum(line.size for line in lines), 0, 0)

    def tool(self, part: Part, explained: int, equal: int) -> None:
        """A tool."""
        self._alone.append(part)
        self.count(part.sent, explained, equal)

    def count(self, size: int, explained: float, equal: int) -> None:
        """Characters that were sent."""
        self.characters += size
        self.explained += explained
        self.equal += equal

    def _sent(self, owner: str, lines: Sequence[SentLine], *, differs: bool = False) -> None:
        section = self.sections[owner]
        section.sent += sum(line.size for line in lines)
        section.theirs += [line.text for line in lines]
        if any(line.masked.strip() for line in lines):
            section.touched, section.differs = True, section.differs or differs

    def _not_explained(self, block: Block, written: Sequence[SentLine], text: str) -> str:
        """Name lines, the first and the last of which are not blank, by the beginning of a text."""
        start, last = written[0].offset, written[-1]
        head = " ".join(text.split())[:_HEAD]
        length = last.offset + len(last.text) - start
        self.unexplained.append(Unexplained(block.channel, block.index, start, length, head))
        return head

    def _not_predicted(self, part: str, title: str, lines: Sequence[SentLine]) -> None:
        self._alone.append(Part(part, title, "not predicted", 0, sum(line.size for line in lines)))
        self._alone_texts[part] = PartTexts("", "\n".join([line.text for line in lines]))

    def parts(self) -> tuple[Part, ...]:
        """The sections in the order of the prompt, then the tools and what was not predicted."""
        found = [
            Part(name, each.title, each.verdict, round(each.predicted), each.sent, each.moved)
            for name, each in self.sections.items()
            if each.predicted
        ]
        return (*found, *self._alone)

    def texts(self) -> dict[str, PartTexts]:
        """The texts of all that is not a tool."""
        both = {name: PartTexts("\n".join(each.ours), "\n".join(each.theirs)) for name, each in self.sections.items()}
        return both | self._alone_texts
