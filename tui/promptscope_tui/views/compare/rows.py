"""A comparison as rows and in words: what differs, and its texts, unified or side by side."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import zip_longest
from typing import Literal

from msgspec import Struct

from promptscope_engine.insight.comparison import Change, Compared, Comparison, FileChange, SectionChange, ToolChange
from promptscope_engine.insight.text_difference import DiffLine, LinePair, hunks, signed_lines, text_difference
from promptscope_tui.text.escape import visible
from promptscope_tui.text.spans import BLANK, Row, Span, Tone, lay_out, paragraph, row, signed, width_of
from promptscope_tui.text.words import difference, number, percent, place

Part = Literal["sections", "tools", "files", "problems"]

CONTEXT = 3
MOST = 3_000
"""Lines of one text that are shown: more cannot be read, and laying them out takes time."""

_TONES: dict[Change, Tone] = {"added": "good", "removed": "error", "changed": "accent", "moved": "param"}
_NUMBER = 5  # cells of a line's number


class ChangeKey(Struct, frozen=True):
    """The key of a row: the part of the comparison and the place in it."""

    part: Part
    at: int


def change_rows(found: Comparison) -> list[Row]:
    """What differs: sections, tools, files, diagnostics, each with its tokens."""
    rows: list[Row] = [paragraph(Span(totals(found), "strong"))]
    rows += [paragraph(Span(line, "dim")) for line in about(found)]
    if not found.differs:
        return [*rows, BLANK, paragraph(Span("no difference", "dim"))]
    for part, what, each in _parts(found):
        words = counts(what, [change for change, _, _ in each])
        if words:
            rows += [BLANK, row(Span(part.upper(), "title"), Span(f"  {words}", "faint"))]
        for at, (change, name, tokens) in enumerate(each):
            mark = Span(f"{MARKS[change]} ", _TONES[change])
            right = [] if part == "problems" else [signed(tokens)]
            rows.append(row(mark, Span(name), right=right, key=ChangeKey(part, at)))
    return rows


def about(found: Comparison) -> Iterator[str]:
    """Which question it answers, where revisions are compared, and which files no revision has a say in."""
    if found.question:
        yield found.question
    if found.ignored:
        yield f"on both sides, as git ignores {'it' if len(found.ignored) == 1 else 'them'}: {', '.join(found.ignored)}"


def _parts(found: Comparison) -> Iterator[tuple[Part, str, list[tuple[Change, str, int | None]]]]:
    yield (
        "sections",
        "part" if any(each.by for each in found.sections) else "section",
        [(each.change, each.title, each.tokens) for each in found.sections],
    )
    yield "tools", "tool", [(each.change, each.name, each.tokens) for each in found.tools]
    yield "files", "file", [(each.change, each.path, each.tokens) for each in found.files]
    yield "problems", "diagnostic", [(each.change, each.message, None) for each in found.problems]


def detail_rows(found: Comparison, key: object, width: int, *, beside: bool) -> list[Row]:
    """What one change is; without a key the comparison as a whole."""
    texts = partial(text_rows, width=width, beside=beside)
    match key:
        case ChangeKey("sections", at) if at < len(found.sections):
            section = found.sections[at]
            also = ["moved as well"] if section.moved and section.change != "moved" else []
            also += [f"by {', '.join(section.by)}"] if section.by else []
            return [*_head(section.title, section, also), *texts(section.before, section.after)]
        case ChangeKey("tools", at) if at < len(found.tools):
            tool = found.tools[at]
            also = [f"described in the section {tool.section}, which counts it"] if tool.section else []
            return [*_head(tool.name, tool, also), *texts(tool.before, tool.after)]
        case ChangeKey("files", at) if at < len(found.files):
            file = found.files[at]
            note = paragraph(Span("its text is in the sections", "faint"))
            return [*_head(file.path, file, [file.why] if file.why else []), note]
        case ChangeKey("problems", at) if at < len(found.problems):
            problem = found.problems[at]
            where = place(problem.path, problem.line)
            tone: Tone = "error" if problem.severity == "error" else "warn"
            return [
                paragraph(Span(problem.code, "strong"), Span(f"  {problem.change}", "dim")),
                paragraph(Span(f"{problem.severity}: ", tone), problem.message),
                *([paragraph(Span(where, "file"))] if where else []),
            ]
    sides = (found.before, found.after)
    return [
        *(
            paragraph(Span(f"{mark} ", "accent"), side.name, Span(f"  {whose(side)}", "dim"), indent=2)
            for mark, side in zip("ab", sides, strict=True)
        ),
        BLANK,
        paragraph(totals(found)),
        paragraph(Span(all_counts(found) or "no difference", "dim")),
    ]


def _head(title: str, of: SectionChange | ToolChange | FileChange, also: Sequence[str]) -> list[Row]:
    sizes = f"  {number(of.tokens_before)} → {number(of.tokens_after)} tok  "
    return [
        paragraph(Span(title, "strong")),
        paragraph(Span(f"{MARKS[of.change]} {of.change}", _TONES[of.change]), Span(sizes, "dim"), signed(of.tokens)),
        BLANK,
        *(paragraph(Span(words, "dim")) for words in also),
    ]


# --- texts -----------------------------------------------------------------------------------------------------------


def text_rows(before: str, after: str, width: int, *, beside: bool) -> list[Row]:
    """Two texts, with the words that differ marked, in `width` cells."""
    if before == after:
        return [paragraph(Span("the same text, at another place", "dim"))]
    rows: list[Row] = []
    for at, hunk in enumerate(hunks(text_difference(before, after), CONTEXT)):
        if at:
            rows.append(row(Span("⋯", "faint")))
        rows += _beside(hunk, width) if beside else [_line(sign, line) for sign, line in signed_lines(hunk)]
        if len(rows) > MOST:
            return [*rows[:MOST], row(Span(f"… more than {MOST:,} lines", "faint"))]
    return rows


def _line(sign: str, line: DiffLine) -> Row:
    return paragraph(*_spans(sign, line), indent=_NUMBER + 3)


_LINE: dict[str, tuple[Tone, Tone]] = {" ": ("dim", "dim"), "-": ("error", "gone"), "+": ("good", "new")}


def _spans(sign: str, line: DiffLine) -> list[Span]:
    plain, marked = _LINE[sign]
    texts = [Span(part.text, marked if part.marked else plain) for part in line.stretches]
    return [Span(f"{line.number:>{_NUMBER}} ", "faint"), Span(f"{sign} ", plain), *texts]


def _beside(hunk: Sequence[LinePair], width: int) -> Iterator[Row]:
    """Each pair in two columns."""
    half = max((width - 3) // 2, _NUMBER + 6)
    for pair in hunk:
        signs = (" ", " ") if pair.kind == "same" else ("-", "+")
        left, right = (
            [spans for spans, _ in lay_out(_line(sign, line), half)] if line else []
            for sign, line in zip(signs, (pair.before, pair.after), strict=True)
        )
        for one, other in zip_longest(left, right, fillvalue=()):
            gap = Span(" " * max(half - width_of(one), 0))
            yield row(*one, gap, Span(" │ ", "faint"), *other)


def copied(found: Comparison, key: object) -> str:
    """What is copied of a change: its lines with their signs, or the comparison in words."""
    rows = detail_rows(found, key, 200, beside=False)
    return "\n".join("".join(visible(span.text) for span in each.left).rstrip() for each in rows)


def title_of(sides: tuple[str, str], found: Comparison | None) -> str:
    """The line above the lists."""
    change = f"   {difference(found.tokens)} tok" if found else ""
    return f"COMPARE   a {sides[0]}  →  b {sides[1]}{change}"


MARKS: dict[Change, str] = {"added": "+", "removed": "−", "changed": "~", "moved": "↕"}


def counts(what: str, changes: Iterable[Change]) -> str:
    """`2 sections changed, 1 added`; nothing for no change."""
    found = Counter(changes)
    parts = [f"{found[change]} {change}" for change in MARKS if found[change]]
    if not parts:
        return ""
    first, _, rest = parts[0].partition(" ")
    return ", ".join([f"{first} {what if first == '1' else what + 's'} {rest}", *parts[1:]])


def all_counts(found: Comparison) -> str:
    """What differs, by kind: `1 section changed; 2 tools added`."""
    return "; ".join(filter(None, (counts(what, [change for change, _, _ in each]) for _, what, each in _parts(found))))


def whose(side: Compared) -> str:
    """`roo 3.28.16 › code`."""
    return " › ".join(filter(None, (f"{side.agent} {side.agent_version}", side.mode)))


def totals(found: Comparison) -> str:
    """`18,623 → 18,942 tok (+319), 9.5% of the window`."""
    before, after = number(found.before.tokens), number(found.after.tokens)
    share = percent(found.after.tokens, found.after.window)
    return f"{before} → {after} tok ({difference(found.tokens)})" + (f", {share} of the window" if share else "")
