"""A transcript as rows: a summary, a chart of the window over its turns, and the turns."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from promptscope_engine.agents.transcripts import Transcript, Turn
from promptscope_engine.prompt.model import TokenSummary
from promptscope_tui.session.transcripts import summary
from promptscope_tui.text.spans import BLANK, Row, Span, Tone, joined, paragraph, row
from promptscope_tui.text.tables import Column, table
from promptscope_tui.text.words import bar

_HEIGHT = 10
_EIGHTHS = " ▁▂▃▄▅▆▇█"
_FULL = len(_EIGHTHS) - 1
_GUTTER = 9
_MOST = 5_000
"""Turns with a row: of longer transcripts the last ones; the chart shows all."""

_COLUMNS = (
    Column("turn", right=True),
    Column("role"),
    Column("tokens", right=True),
    Column("total", right=True),
    Column("window", most=10, spare=2),
    Column("results", right=True, spare=1),
    Column("calls", most=24, spare=3),
    Column("begins"),
)

_ROLES: dict[str, Tone] = {"user": "environment", "assistant": "tool", "compaction": "warn"}


class TurnKey(Struct, frozen=True):
    """A turn by its index."""

    index: int


def transcript_rows(found: Transcript, tokens: TokenSummary, width: int) -> list[Row]:
    """Everything, for a width in cells."""
    first, *rest = summary(found, tokens)
    rows = [BLANK, paragraph(Span(f" {first}"), indent=1), *(paragraph(Span(f" {e}", "dim"), indent=1) for e in rest)]
    if not found.turns:
        if found.broken + found.too_long and not found.other:
            return [BLANK, paragraph(Span(" ✗ This is not a transcript: none of its lines is an entry.", "error"))]
        return [*rows, BLANK, paragraph(Span(" It contains no messages.", "dim"))]
    return [*rows, BLANK, *chart(found, tokens, width), BLANK, *_turns(found, tokens, width)]


def chart(found: Transcript, tokens: TokenSummary, width: int) -> Iterator[Row]:
    """The window's fill over the turns: the prompt at the bottom, the conversation above, the threshold as a line."""
    columns = max(min(width - _GUTTER - 2, 150), 10)
    points = _points(found.turns, columns)
    top = _top(found, tokens)
    threshold = tokens.compact_at
    line = None if threshold is None or threshold > top else _HEIGHT - 1 - int(threshold / top * _HEIGHT)
    edges = {0: f"{top:,}", _HEIGHT - 1: "0"}
    for number in range(_HEIGHT):
        floor = (_HEIGHT - 1 - number) / _HEIGHT * top
        cells = [_cell(turns, floor, top / _HEIGHT, found.base) for turns in points]
        if number == line:
            cells = [Span("┄", "warn") if cell.text == " " else cell for cell in cells]
            cells += [Span("┄", "warn")] * (columns - len(cells))
        mark = f"{threshold:,}" if number == line else edges.get(number, "")
        yield row(Span(f"{mark:>{_GUTTER}} ", "warn" if number == line else "dim"), *joined(cells))
    yield row(Span(" " * (_GUTTER + 1)), *joined(_axis(found, points, threshold)))
    yield from _legend(found, top, threshold)


def _points(turns: Sequence[Turn], columns: int) -> list[Sequence[Turn]]:
    """The turns of each column: one or more, or several columns for one turn of a short transcript."""
    count = len(turns)
    if count >= columns:
        return [turns[n * count // columns : (n + 1) * count // columns] for n in range(columns)]
    each = min(columns // count, 4)
    return [turns[n : n + 1] for n in range(count) for _ in range(each)]


def _top(found: Transcript, tokens: TokenSummary) -> int:
    """The upper edge: the window if the transcript comes near the threshold, else a round number above its peak."""
    threshold = tokens.compact_at or tokens.window
    if found.peak * 2 >= threshold:
        return max(tokens.window, found.peak)
    step = int(10 ** max(len(str(found.peak)) - 1, 1))
    return max((found.peak // step + 1) * step, 1)


def _cell(turns: Sequence[Turn], floor: float, height: float, base: int) -> Span:
    fill = max(turn.fill for turn in turns)
    eighths = min(max(round((fill - floor) / height * _FULL), 0), _FULL)
    if eighths == _FULL and floor + height / 2 <= base:
        return Span("▒", "builtin")
    own = min(fill, floor + height) > base * 1.01
    return Span(_EIGHTHS[eighths], "faint" if not eighths else "environment" if own else "builtin")


def _axis(found: Transcript, points: Sequence[Sequence[Turn]], threshold: int | None) -> Iterator[Span]:
    """Below each column: a past compaction, or the first one to come."""
    crossing = found.compacts_at(threshold)
    for turns in points:
        if any(turn.role == "compaction" for turn in turns):
            yield Span("▼", "warn")
        elif crossing is not None and any(turn is crossing for turn in turns):
            yield Span("▲", "error")
        else:
            yield Span("─", "faint")


def _legend(found: Transcript, top: int, threshold: int | None) -> Iterator[Row]:
    parts: list[Span] = [Span("▒ ", "builtin"), Span("prompt  ", "dim"), Span("█ ", "environment")]
    parts.append(Span("conversation  ", "dim"))
    if any(turn.role == "compaction" for turn in found.turns):
        parts += [Span("▼ ", "warn"), Span("compacted  ", "dim")]
    if found.compacts_at(threshold):
        parts += [Span("▲ ", "error"), Span("would compact  ", "dim")]
    if threshold is not None and threshold > top:
        parts.append(Span(f"compaction at {threshold:,} is above the chart", "faint"))
    yield paragraph(" " * (_GUTTER + 1), *parts, indent=_GUTTER + 1)


def _turns(found: Transcript, tokens: TokenSummary, width: int) -> Iterator[Row]:
    first = max(len(found.turns) - _MOST, 0)
    if first:
        yield paragraph(Span(f" the first {first:,} turns are only in the chart", "faint"))
    crossing = found.compacts_at(tokens.compact_at)
    records = [_record(n, found.turns[n], tokens.window) for n in range(first, len(found.turns))]
    head, *lines = table(_COLUMNS, records, width)
    yield head
    for turn, line in zip(found.turns[first:], lines, strict=True):
        if turn is crossing:
            yield row(Span(f" ▲ it would compact here, at {tokens.compact_at:,} tokens", "error"))
        yield line


def _record(index: int, turn: Turn, window: int) -> Row:
    tone = _ROLES[turn.role]
    cut = " ✂" if any(result.remark for result in turn.returned) else ""
    results = f"{turn.results}: {turn.result_tokens:,}{cut}" if turn.results else ""
    return row(
        Span(f"{index + 1}", "dim"),
        Span(turn.role, tone),
        Span(f"{turn.tokens:,}" if turn.role != "compaction" else ""),
        Span(f"{'=' if turn.reported is not None else '≈'}{turn.fill:,}"),
        Span(bar(min(turn.fill, window), window, 10), tone),
        Span(results, "dim"),
        Span(", ".join(turn.calls), "tool"),
        Span(" ".join(turn.text.split()), "dim"),
        key=TurnKey(index),
    )
