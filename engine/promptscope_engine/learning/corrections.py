"""Lines that a client words otherwise than the model, where no stand-in is: headings, labels, lists, facts.

Once the stand-ins have the client's words, prediction and request are compared line by line; a run of lines that
differs is kept with what was sent in its place. A run without lines of ours is kept with the line before it. Values in
our lines that were sent as well (a name, a path, a date, a file's text) are holes: with other values the lines have the
same form. What comes from a file, or from a folder that was made up for the run, is never kept.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.assembly.line_forms import Value
from promptscope_engine.insight.text_difference import LineRun
from promptscope_engine.insight.verification import Sides
from promptscope_engine.learned import LINES, PIECE, ROWS, Holes, Wording, variant_of
from promptscope_engine.prompt.model import Fragment

from .lines import Compared, Hole, Line, as_key, compared, cut, hole_of

MARKED = "quuxmark"
"""A word of everything that is made up for a run, and of nothing else."""

_LONGEST = 200_000
"""Characters of a run of lines that is taken over."""


class Corrections(Struct, frozen=True):
    """The runs of lines that were sent otherwise, and the lines that were sent as predicted, each with its part."""

    wordings: tuple[Wording, ...]
    right: frozenset[tuple[str, str]]


def corrections(sides: Sides, described: Mapping[str, tuple[Fragment, ...]], *, rows: bool = False) -> Corrections:
    """What an assembly, with learned wording, has otherwise than the request.

    `described` are the descriptions of its tools. `rows`: only lines with something that was made up for the run, of
    which others have the form.
    """
    holes = holes_of(sides)
    found: list[Wording] = []
    right: set[tuple[str, str]] = set()
    for text in compared(sides, described):
        found += _rows(text, holes) if rows else _others(text, holes)
        for run in text.runs:
            for at in run.before if run.equal else ():
                right.update(text.mine[at].keys(holes))
    return Corrections(tuple(found), frozenset(right.difference(*map(places, found))))


def holes_of(sides: Sides) -> Holes:
    """The folders of a run, as they are cut out of what it teaches."""
    header, assembly = sides.capture.header, sides.assembly
    return Holes(header.cwd or assembly.workspace, header.home or assembly.home)


def places(wording: Wording) -> set[tuple[str, str]]:
    """The lines of ours that a wording takes the place of, each with its part."""
    return {(wording.part, line) for line in as_key(wording.ids[1:]).split("\n")}


def unchanged(wording: Wording) -> tuple[str, ...]:
    """The text of a wording of lines that has them as they are in ours."""
    found = [*wording.ids[1:]]
    for number, place in enumerate(at for at in range(1, len(found), 2) if found[at].startswith(PIECE)):
        found[place] = f"{PIECE}{number}"
    return tuple(found)


def _marked(text: Compared, run: LineRun) -> tuple[list[int], list[int]] | None:
    """The lines of a run that were made up for the client's; None where one side has more of them."""
    ours = [at for at in run.before if MARKED in text.mine[at].text.lower()]
    theirs = [at for at in run.after if MARKED in text.sent[at].lower()]
    return (ours, theirs) if len(ours) == len(theirs) else None


def _rows(text: Compared, holes: Holes) -> Iterator[Wording]:
    """The form of each line that was made up for the run, where it was sent in another one."""
    for run in text.runs:
        for at, other in () if run.equal else zip(*(_marked(text, run) or ((), ())), strict=True):
            if text.mine[at].text != text.sent[other]:
                yield from _kept([text.mine[at]], [text.sent[other]], holes, _VISIBLE, ROWS)


def _others(text: Compared, holes: Holes) -> Iterator[Wording]:
    """The wording of all other lines. What is new is kept with the line before it, or else with the one behind."""
    new: dict[int, tuple[list[str], list[str]]] = {}
    for run in text.runs:
        for ours, theirs in () if run.equal else _between(text, run):
            sent = [text.sent[at] for at in theirs]
            if ours:
                ahead = [line for at in ours if at in new for line in new.pop(at)[0]]
                yield from _corrected([text.mine[at] for at in ours], [*ahead, *sent], holes)
            elif _is_before_rows(text, ours.start, sent, holes):
                new.setdefault(_behind_rows(text, ours.start), ([], []))[0].extend(sent)
            elif ours.start and not _is_made_up(text.mine[ours.start - 1]):
                new.setdefault(ours.start - 1, ([], []))[1].extend(sent)
            elif ours.start < len(text.mine):
                new.setdefault(ours.start, ([], []))[0].extend(sent)
    for at, (before, behind) in new.items():
        line = text.mine[at]
        if line.text.strip():
            yield from _kept([line], [*before, line.text, *behind], holes, _TELLING)


def _is_made_up(line: Line) -> bool:
    return MARKED in line.text.lower()


def _is_before_rows(text: Compared, at: int, sent: Sequence[str], holes: Holes) -> bool:
    """Whether what is new is a part of the list, before rows that were made up, and not one of each row.

    What is before it is such a row as well, or a blank line; of a single row nobody can say what is part of it.
    """
    if at == len(text.mine) or not _is_made_up(text.mine[at]):
        return False
    if at and text.mine[at - 1].text.strip() and not _is_made_up(text.mine[at - 1]):
        return False
    form = text.mine[at].cut(holes)
    alike = [line for line in text.mine if _is_made_up(line) and line.cut(holes) == form]
    return len(alike) > 1 and any(text.sent.count(line) == 1 for line in sent)


def _behind_rows(text: Compared, at: int) -> int:
    """The next line that was not made up; none in another part, nor at the end: then the same line."""
    found = next((n for n in range(at, len(text.mine)) if not _is_made_up(text.mine[n])), at)
    return found if text.mine[found].part == text.mine[at].part else at


def _between(text: Compared, run: LineRun) -> Iterator[tuple[range, range]]:
    """The stretches of a run between the lines that were made up for the client's."""
    marked = _marked(text, run)
    if marked is None:
        return
    first, start = run.before.start, run.after.start
    for last, end in zip([*marked[0], run.before.stop], [*marked[1], run.after.stop], strict=True):
        if first < last or start < end:
            yield range(first, last), range(start, end)
        first, start = last + 1, end + 1


def _corrected(ours: Sequence[Line], sent: Sequence[str], holes: Holes) -> Iterator[Wording]:
    """The wording of lines of ours; of each part its own, the first one with all that was sent."""
    after = list(sent)
    for part, group in groupby(ours, key=lambda line: line.part):
        lines = [*group]
        gone = _gone(lines, "\n".join(after)) if after else 0
        yield from _kept(lines[: len(lines) - gone], after, holes, _VISIBLE)
        for line in lines[len(lines) - gone :]:
            yield _wording(part, LINES, line.cut(holes), ("",))
        after = []


def _gone(ours: Sequence[Line], after: str) -> int:
    """How many rows at the end of our lines are not sent in any form: nothing of their values is."""
    found = 0
    while found < len(ours) - 1 and (line := ours[-1 - found]).values and MARKED not in line.text.lower():
        fixed = "".join(line.cut(Holes("", ""))[::2])
        is_a_row = len(line.values) > 1 or _TELLING.search(fixed)
        if not is_a_row or any(value.shown(form) in after for value in line.values for form in ("", _PATH)):
            break
        found += 1
    return found


_TELLING, _VISIBLE = re.compile(r"\w"), re.compile(r"\S")
"""What has to be fixed in lines with values: what is sent beside a value alone would be sent beside each of them."""


def _kept(
    ours: Sequence[Line], theirs: Sequence[str], holes: Holes, fixed: re.Pattern[str], kind: tuple[str, ...] = LINES
) -> Iterator[Wording]:
    before, after = "\n".join(line.text for line in ours), "\n".join(theirs)
    if len(before) + len(after) > _LONGEST:
        return
    mine, its = _holes(ours, after)
    if not fixed.search(_outside(before, mine)):
        mine, its = [], []
    key, text = cut(before, mine, holes), cut(after, its, holes)
    if any(MARKED in each.lower() for each in (*key[::2], *text[::2])):
        return
    yield _wording(ours[0].part, kind, key, text)


def _wording(part: str, kind: tuple[str, ...], key: tuple[str, ...], text: tuple[str, ...]) -> Wording:
    return Wording(part, variant_of([(kind[0], "\x1e".join(key))]), (*kind, *key), text)


def _holes(ours: Sequence[Line], after: str) -> tuple[list[Hole], list[Hole]]:
    """The values of our lines that are once in what was sent, or else the paths that they name: on both sides."""
    values: list[Value] = []
    at = 0
    for line in ours:
        values += [replace(each, start=at + each.start, end=at + each.end) for each in line.values]
        at += len(line.text) + 1
    found: dict[int, tuple[tuple[int, int], str]] = {}
    for value in sorted(values, key=lambda each: -len(each.shown(_PATH))):  # a name may be in a path
        for form in ("", _PATH):
            taken = [span for span, _ in found.values()]
            if value.start not in found and (span := _only_place(value.shown(form), after, taken)):
                found[value.start] = span, form
    mine = [value for value in values if value.start in found]
    sent = [(*found[each.start][0], f"{PIECE}{number}{found[each.start][1]}") for number, each in enumerate(mine)]
    return [*map(hole_of, mine)], sorted(sent)


_PATH = ".path"


def _only_place(value: str, text: str, taken: Iterable[tuple[int, int]]) -> tuple[int, int] | None:
    """Where a value is in a text, as a word and apart from what is taken; None for nowhere, or several places."""
    found = [match.span() for match in re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", text)] if value else []
    free = [span for span in found if all(span[1] <= start or span[0] >= end for start, end in taken)]
    return free[0] if len(free) == 1 else None


def _outside(text: str, cuts: Sequence[Hole]) -> str:
    """The text without what is in holes."""
    ends, starts = [0, *(end for _, end, _ in cuts)], [*(start for start, *_ in cuts), len(text)]
    return "".join([text[end:start] for end, start in zip(ends, starts, strict=True)])
