"""Our lines beside those that were sent, with the values in them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.assembly.line_forms import Value, values_in
from promptscope_engine.insight.predicted_lines import Owned
from promptscope_engine.insight.sent_blocks import Block
from promptscope_engine.insight.text_difference import LineRun, line_runs
from promptscope_engine.insight.verification import Sides
from promptscope_engine.learned import PIECE, Holes
from promptscope_engine.prompt.model import Fragment

Hole = tuple[int, int, str]
"""Where a hole is in a text, and its name."""

_NAME = re.compile(r"\w[\w.]*")
_MOST_VALUES = 4
"""Values of a line that are holes or not, each on its own."""


class Line(Struct, frozen=True):
    """A line of ours in a part: its text, and the values in it."""

    part: str
    text: str
    values: tuple[Value, ...] = ()

    def cut(self, holes: Holes) -> tuple[str, ...]:
        """Its form: holes for folders and for its values."""
        return cut(self.text, [hole_of(value) for value in self.values], holes)

    def keys(self, holes: Holes) -> Iterator[tuple[str, str]]:
        """What it is known by, with its part, whichever of its values are holes."""
        counts = range(len(self.values) + 1) if len(self.values) <= _MOST_VALUES else (0, len(self.values))
        for count in counts:
            for values in combinations(self.values, count):
                yield self.part, as_key(cut(self.text, [hole_of(value) for value in values], holes))


def hole_of(value: Value) -> Hole:
    """The hole of a value in a line of ours."""
    return value.start, value.end, f"{PIECE}{value.name}"


def cut(text: str, cuts: Sequence[Hole], holes: Holes) -> tuple[str, ...]:
    """A text with these holes, and with those of folders in what is between."""
    found, at = [""], 0
    for start, end, name in (*cuts, (len(text), len(text), "")):
        first, *others = holes.cut(text[at:start])
        found[-1] += first
        found += [*others, *([name, ""] if name else [])]
        at = end
    return tuple(found)


def as_key(parts: Sequence[str]) -> str:
    """A text that was cut, with the names of its holes in it."""
    return "".join([f"\0{each}\0" if place % 2 else each for place, each in enumerate(parts)])


class Compared(Struct, frozen=True):
    """A text of ours and the one that was sent in its place, in lines, and the runs of equal and of other ones."""

    mine: Sequence[Line]
    sent: Sequence[str]
    runs: Sequence[LineRun]


def compared(sides: Sides, described: Mapping[str, tuple[Fragment, ...]]) -> Iterator[Compared]:
    """The blocks that both sides have, and the descriptions of tools that differ; `described` are ours."""
    for our, their, owned in sides.pairs():
        if our and their:
            runs = tuple(line_runs(our.masked, their.masked))
            yield Compared([_line(each) for each in owned], [line.text for line in their.lines], runs)
    predicted = {tool.name: tool.description for tool in sides.predicted.tools}
    for tool in sides.content.tools:
        pieces, ours = described.get(tool.name, ()), predicted.get(tool.name)
        if ours not in (None, tool.description) and ours == "".join([piece.text for piece in pieces]):
            mine = [*_lines(f"tools.{tool.name}", ours, pieces)]
            yield Compared(mine, tool.description.split("\n"), tuple(line_runs(ours, tool.description)))


def with_runs(sides: Sides) -> Iterator[tuple[Block, Sequence[Owned], LineRun]]:
    """The runs of equal and of other lines in each pair of blocks: the block that was sent, our lines, the run."""
    for our, their, mine in sides.pairs():
        if our and their:
            yield from ((their, mine, run) for run in line_runs(our.masked, their.masked))


def _lines(part: str, text: str, pieces: Sequence[Fragment]) -> Iterator[Line]:
    values, at = [*values_in(pieces)], 0
    for each in text.split("\n"):
        yield Line(part, each, tuple(_within(values, at, len(each))))
        at += len(each) + 1


def _line(owned: Owned) -> Line:
    values = _within(values_in(owned.pieces), owned.before, len(owned.line.text))
    return Line(owned.id, owned.line.text, tuple(values))


def _within(values: Iterable[Value], at: int, length: int) -> Iterator[Value]:
    """The values that a line has as a whole, by their places in it."""
    for value in values:
        if value.start >= at and value.end <= at + length and _NAME.fullmatch(value.name):
            yield replace(value, start=value.start - at, end=value.end - at)
