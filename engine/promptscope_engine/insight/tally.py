"""What a comparison of a prediction with a request has found, part by part and in all."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from msgspec import Struct

from promptscope_engine.prompt.model import Channel

from .predicted_lines import Owned
from .sent_blocks import Block, SentLine

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
    """A predicted section so far."""

    title: str
    predicted: float = 0.0
    sent: int = 0
    differs: bool = False
    touched: bool = False
    moved: str | None = None
    ours: list[str] = field(default_factory=list)
    theirs: list[str] = field(default_factory=list)

    @property
    def verdict(self) -> PartVerdict:
        """How it compares."""
        if not self.differs:
            return "equal"
        return "other words" if self.touched else "not sent"


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
