"""What was sent against the prediction, as rows: the parts by verdict, and the text of each."""

from collections.abc import Iterator

from msgspec import Struct

from promptscope_engine.insight.tally import Part, PartVerdict
from promptscope_engine.insight.verification import Verification
from promptscope_tui.session.differences import Differences
from promptscope_tui.text.escape import visible
from promptscope_tui.text.spans import BLANK, Row, Span, Tone, paragraph, row
from promptscope_tui.text.words import many, short_text

from .rows import MOST, text_rows

_TONES: dict[PartVerdict, Tone] = {
    "equal": "faint",
    "other words": "accent",
    "not sent": "error",
    "not predicted": "good",
}
_GROUPS: tuple[tuple[PartVerdict, str], ...] = (
    ("not sent", "PREDICTED, NOT SENT"),
    ("not predicted", "SENT, NOT PREDICTED"),
    ("other words", "SAME PART, OTHER WORDS"),
    ("equal", "EQUAL"),
)
_MOVED = "STANDS ELSEWHERE"


class PartKey(Struct, frozen=True):
    """The key of a part's row: its place in the verification."""

    at: int


class RestKey(Struct, frozen=True):
    """The key of a stretch that is not explained."""

    at: int


def difference_rows(found: Differences) -> list[Row]:
    """All parts, those first whose verdict is news; each with what was predicted and what was sent, in characters."""
    result = found.verification
    rows = [
        paragraph(Span(summary(result), "strong")),
        paragraph(Span(whose(result), "dim")),
        *(paragraph(Span(note, "warn"), indent=2) for note in result.notes),
    ]
    for verdict, title in _GROUPS[:2]:
        rows += _group(found, verdict, title)
    if result.unexplained:
        rows += [BLANK, row(Span("NOT EXPLAINED", "title"), Span(f"  {len(result.unexplained)}", "faint"))]
    for at, each in enumerate(result.unexplained):
        where = Span(f"  {each.channel}[{each.index}] at {each.offset:,}", "faint")
        size = Span(f"{each.length:,}", "dim")
        rows.append(row(Span("? ", "warn"), Span(each.text), where, right=[size], key=RestKey(at)))
    lost = [file.path for file in result.files if not file.found]
    if lost:
        rows += [BLANK, row(Span("FILES NOT SENT AS PREDICTED", "title"))]
        rows += [paragraph(Span(short_text(path, found.assembly), "file"), indent=2) for path in lost]
    if result.named:
        rows += [BLANK, row(Span("NAMES THAT DIFFER", "title"), Span(f"  {len(result.named)}", "faint"))]
        for name in result.named:
            words = Span(f"  {name.part}: {name.says}", "dim")
            rows.append(paragraph(Span("~ ", "warn"), Span(name.name, "text"), words, indent=2))
    rows += _group(found, None, _MOVED)
    for verdict, title in _GROUPS[2:]:
        rows += _group(found, verdict, title)
    return rows


def _group(found: Differences, verdict: PartVerdict | None, title: str) -> Iterator[Row]:
    """The parts of a verdict; without one those that are elsewhere in a pasted text, each with what it is behind."""
    every = enumerate(found.verification.parts)
    parts = [(at, part) for at, part in every if (part.verdict == verdict if part.moved is None else verdict is None)]
    if parts:
        yield BLANK
        yield row(Span(title, "title"), Span(f"  {len(parts)}", "faint"))
    for at, part in parts:
        mark = Span(f"{MARKS[verdict]} ", _TONES[verdict]) if verdict else Span(f"{MOVED} ", "param")
        name = Span(_title(part, found), "dim" if verdict == "equal" else "text")
        where = [] if verdict else [Span(f"  {short_text(moved(part), found.assembly)}", "dim")]
        yield row(mark, name, *where, right=[Span(_sizes(part), "dim")], key=PartKey(at))


def _title(part: Part, found: Differences) -> str:
    return " ".join(short_text(part.title or part.id, found.assembly).split())


def _sizes(part: Part) -> str:
    sizes = {"equal": f"{part.sent:,}", "not predicted": f"{part.sent:,}", "not sent": f"{part.predicted:,}"}
    return sizes.get(part.verdict, f"{part.predicted:,} → {part.sent:,}")


def detail_rows(found: Differences, key: object, width: int, *, beside: bool) -> list[Row]:
    """What a part or a stretch is; without a key what the marks mean."""
    result = found.verification
    match key:
        case PartKey(at) if at < len(result.parts):
            part = result.parts[at]
            texts = found.texts[part.id]
            return [*_head(part, found), *_text(part, texts.predicted, texts.sent, width, beside=beside)]
        case RestKey(at) if at < len(result.unexplained):
            place = result.unexplained[at]
            return [
                paragraph(Span("nothing that is predicted accounts for this", "strong")),
                paragraph(
                    Span(f"{place.channel}[{place.index}], {place.length:,} characters from {place.offset:,} on", "dim")
                ),
                BLANK,
                *_plain(found.text_of(place)),
            ]
    legend = [paragraph(Span(f"{MARKS[verdict]} ", _TONES[verdict]), title.lower()) for verdict, title in _GROUPS]
    return [*legend, paragraph(Span(f"{MOVED} ", "param"), _MOVED.lower())]


def _head(part: Part, found: Differences) -> list[Row]:
    mark = Span(f"{MARKS[part.verdict]} {part.verdict}", _TONES[part.verdict])
    sizes = {
        "equal": f"  {part.sent:,} characters",
        "other words": f"  {part.predicted:,} characters expected, {part.sent:,} sent",
        "not sent": f"  {part.predicted:,} characters expected",
        "not predicted": f"  {part.sent:,} characters sent",
    }
    title = paragraph(Span(_title(part, found), "strong"), Span(f"  {part.id}", "faint"))
    place = [paragraph(Span(f"{MOVED} {short_text(moved(part), found.assembly)}", "param"))] if moved(part) else []
    return [title, paragraph(mark, Span(sizes[part.verdict], "dim")), *place, BLANK]


def _text(part: Part, predicted: str, sent: str, width: int, *, beside: bool) -> list[Row]:
    if part.verdict != "equal":
        return text_rows(predicted, sent, width, beside=beside)
    if predicted == sent:
        return _plain(sent)
    note = paragraph(Span("only what nobody can predict differs: ids, hashes, clocks, folders", "dim"))
    return [note, BLANK, *text_rows(predicted, sent, width, beside=beside)]


def _plain(text: str) -> list[Row]:
    lines = text.split("\n")
    more = [row(Span(f"… {len(lines) - MOST:,} more lines", "faint"))] if len(lines) > MOST else []
    return [*(paragraph(line) for line in lines[:MOST]), *more]


def copied(found: Differences, key: object) -> str:
    """What is copied: a part with its lines and their signs, else the list."""
    rows = difference_rows(found) if key is None else detail_rows(found, key, 200, beside=False)
    return "\n".join("".join(visible(span.text) for span in (*each.left, *each.right)).rstrip() for each in rows)


def title_of(result: Verification | None, name: str) -> str:
    """The line above the lists."""
    words = f"   {share(result.explained)} explained" if result else ""
    return f"PREDICTED → SENT   {name}{words}"


MOVED = "↕"
MARKS: dict[PartVerdict, str] = {"equal": "=", "other words": "~", "not sent": "−", "not predicted": "+"}


def share(part: float) -> str:
    """`97.8 %`; 100 only if it is all of them."""
    return f"{int(part * 1000) / 10:g} %"


def summary(result: Verification) -> str:
    """`97.8 % of 61,204 characters explained, 2 tools not predicted`."""
    line = f"{share(result.explained)} of {result.characters:,} characters explained"
    counts = ((len(result.tools.unpredicted), "not predicted"), (len(result.tools.missing), "not sent"))
    for count, what in counts:
        if count:
            line += f", {many(count, 'tool')} {what}"
    moved = sum(part.moved is not None for part in result.parts)
    return f"{line}, {many(moved, 'section')} moved" if moved else line


def moved(part: Part) -> str:
    """`moved behind RULES`; "" of what is in its place."""
    if part.moved is None:
        return ""
    return f"moved behind {part.moved}" if part.moved else "moved to the start"


def whose(result: Verification) -> str:
    """`claude-code 2.1.329; 3.1 % word for word`."""
    return f"{result.agent} {result.version or 'of an unknown version'}; {share(result.equal)} word for word"
