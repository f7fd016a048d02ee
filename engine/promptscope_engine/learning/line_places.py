"""Lines that a client has elsewhere in a list than ours: known by the rows that were made up for the run.

Once all else is as it was sent, a line that ours has behind the first row of a form, and the client before it, is
kept as one that is before that form's rows, wherever the list has any; and the other way round.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from promptscope_engine.insight.verification import Sides
from promptscope_engine.learned.model import BEFORE, BEHIND, Holes, Wording, variant_of
from promptscope_engine.prompt.model import Fragment

from .corrections import MARKED, holes_of
from .lines import Compared, Line, as_key, compared, cut

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
