"""Lines and sections that a client sends elsewhere than the model has them.

Lines are known by the rows that were made up for the run. Once all else is as it was sent, a line that ours has behind
the first row of a form, and the client before it, is kept as one that is before that form's rows, wherever the list has
any; and the other way round.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from promptscope_engine.insight.client_sections import ClientSections
from promptscope_engine.insight.sent_blocks import lines_of
from promptscope_engine.insight.verification import Sides
from promptscope_engine.learned import ADDED, BEFORE, BEHIND, Holes, Moved, Wording, variant_of
from promptscope_engine.prompt.model import Channel, Fragment

from .corrections import MARKED, holes_of
from .lines import Compared, Line, as_key, compared, cut, with_runs

_Form = tuple[str, ...]


def line_places(sides: Sides, described: Mapping[str, tuple[Fragment, ...]]) -> Iterator[Wording]:
    """The places of lines in the lists of a run; `described` are the descriptions of its tools."""
    holes = holes_of(sides)
    for text in compared(sides, described):
        for (part, form), rows in _rows(text, holes).items():
            yield from _of_form(text, part, form, rows, holes)


def _rows(text: Compared, holes: Holes) -> Mapping[tuple[str, _Form], list[int]]:
    """The rows of the run by their part and form, fixed but for values, not all of which are prose."""
    found: dict[tuple[str, _Form], list[int]] = defaultdict(list)
    for at, line in enumerate(text.mine):
        if MARKED in line.text.lower() and any(value.name != "text" for value in line.values):
            form = line.cut(holes)
            fixed = "".join(form[::2]).lower()
            if fixed.strip() and MARKED not in fixed:
                found[line.part, form].append(at)
    return found


def _of_form(text: Compared, part: str, form: _Form, rows: Sequence[int], holes: Holes) -> Iterator[Wording]:
    counts = Counter(line.text for line in text.mine)
    sent = {line: at for at, line in enumerate(text.sent) if text.sent.count(line) == 1 == counts[line]}
    places = [sent[text.mine[at].text] for at in rows if text.mine[at].text in sent]
    if len(places) < len(rows):
        return
    others = [(at, sent[line.text]) for at, line in enumerate(text.mine) if _may_move(line, part) and line.text in sent]
    before = [(there, at) for at, there in others if at > rows[0] and there < min(places)]
    behind = [(there, at) for at, there in others if at < rows[-1] and there > max(places)]
    for kind, moved in ((BEFORE, before), (BEHIND, behind)):
        if moved:
            lines = "\n".join(text.mine[at].text for _, at in sorted(moved))
            yield Wording(part, variant_of([(kind[0], as_key(form))]), (*kind, *form), cut(lines, [], holes))


def _may_move(line: Line, part: str) -> bool:
    return line.part == part and bool(line.text.strip()) and MARKED not in line.text.lower()


_TELLING = 8
"""Characters of a line that tells where a section is."""
_ENOUGH = 0.4
"""The share of such lines that has to be there."""

Place = tuple[Channel, int, int]
"""A channel, a block of it, a line of that."""


def moved_parts(sides: Sides, not_sent: Collection[str]) -> Iterator[Moved]:
    """Those of the sections that were `not_sent` where they are predicted, and were sent elsewhere."""
    known = owners(sides)
    free: dict[str, list[Place]] = defaultdict(list)
    for channel, blocks in sides.theirs.items():
        for block in blocks:
            for at, line in enumerate(block.lines):
                if (channel, block.index, at) not in known:
                    free[line.masked].append((channel, block.index, at))
    for section in sides.assembly.sections:
        if section.present and section.id in not_sent:
            lines = lines_of(section.text, sides.unpredictable)
            telling = [line.masked for line in lines if len(line.masked) >= _TELLING]
            found = sorted(place for line in telling for place in free[line][:1])
            together = [place for place in found if place[:2] == found[0][:2]]
            enough = len(together) >= max(len(telling) * _ENOUGH, 1)
            if enough and (moved := _beside(section.id, together[0], known)):
                yield moved


class NewText(NamedTuple):
    """What is sent and the model does not know: the part beside it, its text, the client's name of it if it has one."""

    beside: str
    text: tuple[str, ...]
    name: str = ""
    is_before: bool = False


def new_blocks(sides: Sides, holes: Holes) -> Iterator[NewText]:
    """The blocks of a request that no predicted one is the counterpart of."""
    last: dict[Channel, str] = {}
    for our, their, mine in sides.pairs():
        if our and mine:
            last[our.channel] = mine[-1].id
        elif our is None and their and their.channel in last and MARKED not in their.text.lower():
            yield NewText(last[their.channel], holes.cut(their.text))


def new_sections(sides: Sides, named: ClientSections, holes: Holes) -> Iterator[NewText]:
    """The sections of the client's in which nothing of ours is.

    In a block with wording of ours that the client has no name for, any of them may be that.
    """
    present = {section.id for section in sides.assembly.sections if section.present}
    for our, their, mine in sides.pairs():
        if not (our and their) or any(each.stand_in and not named.is_known(each.id) for each in mine):
            continue
        order, after = [line.id for line in mine], ""
        for each in named.cut(their.text, order):
            if each.ours:
                after = max(each.ours, key=order.index)
            elif each.names and MARKED not in each.text.lower() and not present.intersection(named.ours(each.names[0])):
                yield NewText(after or order[0], holes.cut(each.text.lstrip()), each.names[0], is_before=not after)
                after = f"{ADDED}{each.names[0]}"


def owners(sides: Sides) -> dict[Place, str]:
    """The parts of the lines that were sent as predicted."""
    found: dict[Place, str] = {}
    for their, mine, run in with_runs(sides):
        if run.equal:
            pairs = zip(run.before, run.after, strict=True)
            found.update({(their.channel, their.index, at): mine[here].id for here, at in pairs})
    return found


def _beside(part: str, place: Place, owners: Mapping[Place, str]) -> Moved | None:
    """The place by the part before it, or behind it; of a part for each file, by all of them."""
    channel, block, at = place
    known = {line: name for (c, b, line), name in owners.items() if (c, b) == (channel, block)}
    before = [line for line in known if line < at]
    near = max(before) if before else min(known, default=None)
    if near is None:
        return None
    name, colon, _ = known[near].partition(":")
    return Moved(part, f"{name}{colon}", is_before=not before)
