"""Lines that a client words otherwise than the model, where no stand-in is: headings, labels, lists, facts.

Once the stand-ins have the client's words, prediction and request are compared line by line; a run of lines that
differs is kept with what was sent in its place. A run without lines of ours is kept with the line before it. What
comes from a file, or from a folder that was made up for the run, is never kept.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from promptscope_engine.insight.predicted_lines import Owned
from promptscope_engine.insight.sent_blocks import Block, SentLine
from promptscope_engine.insight.text_difference import LineRun, line_runs
from promptscope_engine.insight.verification import Sides
from promptscope_engine.learned.model import HOLES, LINES, Holes, Wording, filled, variant_of

MARKED = "quuxmark"
"""A word of everything that is made up for a run, and of nothing else."""

_LONGEST = 200_000
"""Characters of a run of lines that is taken over."""


class Corrections(Struct, frozen=True):
    """The runs of lines that were sent otherwise, and the lines that were sent as predicted, each with its part."""

    wordings: tuple[Wording, ...]
    right: frozenset[tuple[str, str]]


def corrections(sides: Sides) -> Corrections:
    """What an assembly, with learned wording, has otherwise than the request."""
    holes = holes_of(sides)
    found: list[Wording] = []
    right: set[tuple[str, str]] = set()
    for their, mine, run in with_runs(sides):
        if run.equal:
            right.update((mine[at].id, as_key(holes.cut(mine[at].line.text))) for at in run.before)
        else:
            for ours, theirs in _unmarked(mine, run, their):
                found += _corrected(mine, ours, [their.lines[at] for at in theirs], holes)
    return Corrections(tuple(found), frozenset(right.difference(*map(places, found))))


def holes_of(sides: Sides) -> Holes:
    """The folders of a run, as they are cut out of what it teaches."""
    header, assembly = sides.capture.header, sides.assembly
    return Holes(header.cwd or assembly.workspace, header.home or assembly.home)


def with_runs(sides: Sides) -> Iterator[tuple[Block, Sequence[Owned], LineRun]]:
    """The runs of equal and of other lines in each pair of blocks: the block that was sent, our lines, the run."""
    for our, their, mine in sides.pairs():
        if our and their:
            yield from ((their, mine, run) for run in line_runs(our.masked, their.masked))


def _unmarked(mine: Sequence[Owned], run: LineRun, their: Block) -> Iterator[tuple[range, range]]:
    """The stretches between the lines that were made up for the run, which both sides have as many of."""
    ours = [at for at in run.before if MARKED in mine[at].line.text.lower()]
    theirs = [at for at in run.after if MARKED in their.lines[at].text.lower()]
    if len(ours) != len(theirs):
        return
    ends = zip([*ours, run.before.stop], [*theirs, run.after.stop], strict=True)
    first, start = run.before.start, run.after.start
    for last, end in ends:
        if first < last or start < end:
            yield range(first, last), range(start, end)
        first, start = last + 1, end + 1


def places(wording: Wording) -> set[tuple[str, str]]:
    """The lines of ours that a wording takes the place of, each with its part."""
    return {(wording.part, line) for line in as_key(wording.ids[1:]).split("\n")}


def as_key(cut: Sequence[str]) -> str:
    """A text that was cut, with the names of its holes in it."""
    return filled(cut, {name: f"\0{name}\0" for name in HOLES})


def _corrected(mine: Sequence[Owned], run: range, sent: Sequence[SentLine], holes: Holes) -> Iterator[Wording]:
    """The wording of a run of our lines; of each part its own, the first one with all that was sent."""
    if not run:  # nothing of ours is there: with the line before it, or the one behind
        beside = run.start - 1 if run.start else run.start
        if beside >= len(mine) or not mine[beside].line.text.strip():
            return
        line = mine[beside].line
        lines = [line, *sent] if run.start else [*sent, line]
        yield from _kept(mine[beside].id, [line], lines, holes)
        return
    after = list(sent)
    first = run.start
    while first < run.stop:
        last = first
        while last < run.stop and mine[last].id == mine[first].id:
            last += 1
        yield from _kept(mine[first].id, [each.line for each in mine[first:last]], after, holes)
        after, first = [], last


def _kept(part: str, ours: Sequence[SentLine], theirs: Sequence[SentLine], holes: Holes) -> Iterator[Wording]:
    before, after = ("\n".join(line.text for line in side) for side in (ours, theirs))
    if MARKED in after.lower() or MARKED in before.lower() or len(before) + len(after) > _LONGEST:
        return
    key, text = holes.cut(before), holes.cut(after)
    yield Wording(part, variant_of([(LINES[0], "\x1e".join(key))]), (*LINES, *key), text)
