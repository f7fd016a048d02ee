"""The rows of the prompt as pieces of text, each with the classes that the stylesheet colours."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, groupby
from typing import NamedTuple

from rich.cells import cell_len

from promptscope_tui.text.spans import fit
from promptscope_tui.text.words import ORIGINS, Kind, difference, number

from .body import Mark
from .layout import AbsentRow, BodyRow, HeaderRow, Indents, Layout, Row
from .matches import ABSENT, BODY, MARK, TITLE, WORDS, Matches
from .panels import Panel

GUTTER: dict[Kind, str] = {"file": "┃", "param": "╏", "environment": "┇", "tool": "│", "builtin": "│"}
"""Beside the text: its origin as a kind of line, for when colours are not enough."""

_EIGHTHS = " ▏▎▍▌▋▊▉█"
_STABILITY = len("session")
_BAR_FROM, _STABILITY_FROM = 48, 100
"""Cells of a row from which on it has a bar, and a cache class."""
_WORDS_FROM = 7
"""Cells beside a title from which on something is said there."""
_MARK: dict[Mark, str] = {"+": "mark-new", "~": "mark-new", "‾": "mark-gone"}


class Piece(NamedTuple):
    """A part of a row, and the component classes that style it, without their prefix."""

    text: str
    classes: tuple[str, ...] = ()


class _Heading(NamedTuple):
    """The parts of a header: its base class, glyph, the class of its title, words beside it, columns at the right."""

    base: str
    glyph: Piece
    title: str
    words: Piece
    right: list[Piece]


class Painted(NamedTuple):
    """A row. `base` styles all of it; a mouse can select the characters from `text_at` to `text_end`."""

    base: str
    pieces: list[Piece]
    text_at: int
    text_end: int

    @property
    def text(self) -> str:
        """What can be selected."""
        return "".join(piece.text for piece in self.pieces)[self.text_at : self.text_end]


class Columns(NamedTuple):
    """The widths of the columns at the right of a header; 0 leaves one out."""

    change: int
    tokens: int
    bar: int
    stability: int

    @property
    def width(self) -> int:
        """The width of all of them."""
        confidence = 2
        return confidence + sum(column + 1 for column in self if column)

    @classmethod
    def of(cls, layout: Layout) -> Columns:
        """What fits: always the counts, from 48 cells the bar, from 100 an unusual cache class."""
        panels, width = layout.panels, layout.width
        return cls(
            change=max((len(_change(panels.all[index])) for index in panels.marked), default=0),
            tokens=panels.widest,
            bar=0 if width < _BAR_FROM else min(max(width // 7, 6), 20),
            stability=_STABILITY if width >= _STABILITY_FROM and panels.is_mixed else 0,
        )


class Painter:
    """Paints the rows of one layout. `current` is the number of the current match."""

    def __init__(
        self, layout: Layout, matches: Matches, current: int = -1, weights: Mapping[str, Sequence[int | None]] = {}
    ) -> None:
        """`weights`: the tokens of each bullet by its section's id."""
        self.weights = weights
        self.layout = layout
        self.matches = matches
        self.current = current
        self.columns = Columns.of(layout)

    def paint(self, row: Row) -> Painted:
        """The pieces of a row; they may end before the width, or be cut off there."""
        if isinstance(row, BodyRow):
            return self._body(row)
        if isinstance(row, AbsentRow):
            return self._absent_fragment(row)
        return self._header(row) if row.panel.present else self._absent_header(row)

    # --- headers

    def _header(self, row: HeaderRow) -> Painted:
        panel = row.panel
        base, title = ("header", "title") if panel.depth == 0 else ("header-nested", "subtitle")
        glyph = Piece("→ " if panel.leads else "▾ " if row.is_open else "▸ ", ("disclosure",))
        if panel.folds:
            return self._headed(panel, _Heading("body", glyph, "absent-title", Piece(panel.summary, ("absent",)), []))
        return self._headed(
            panel, _Heading(base, glyph, title, Piece(panel.summary, ("dim",)), list(self._numbers(panel)))
        )

    def _absent_header(self, row: HeaderRow) -> Painted:
        panel, change = row.panel, _change(row.panel)
        right = [Piece(f" {change:>{self.columns.change}}", _change_classes(panel))] if change else []
        glyph, words = Piece("▹ ", ("faint",)), Piece(panel.reason, ("absent",))
        return self._headed(panel, _Heading("body", glyph, "absent-title", words, right))

    def _headed(self, panel: Panel, heading: _Heading) -> Painted:
        """The title, as much of the words as there is room for, and the columns at the right, if there are any."""
        bar, (base, glyph, title_class, words, right) = Indents.of(panel).bar, heading
        room = self.layout.width - (self.columns.width if right else 0) - bar - 3
        title, skipped = _fit_title(panel.title, room)
        left = room - cell_len(title)
        said = "  " + fit(words.text, left - 2) if words.text and left > _WORDS_FROM else ""
        pieces = [Piece(" " * bar), glyph, Piece(title, (title_class,)), Piece(said, words.classes)]
        if right:
            pieces += [Piece(" " * (left - cell_len(said))), *right]
        start, end = bar + 2, bar + 2 + len(title)
        pieces = self._highlight(pieces, bar, (panel.index, MARK), 0, 1)
        pieces = self._highlight(pieces, start, (panel.index, TITLE), skipped, skipped + len(title))
        pieces = self._highlight(pieces, end + 2, (panel.index, WORDS), 0, len(said) - 2)
        return Painted(base, pieces, start, end + len(said))

    def _numbers(self, panel: Panel) -> Iterator[Piece]:
        columns = self.columns
        if columns.change:
            yield Piece(f" {_change(panel):>{columns.change}}", _change_classes(panel))
        yield Piece(" =" if panel.exact else " ≈", ("dim",))
        tokens = number(panel.tokens)
        yield Piece(f" {tokens:>{columns.tokens}}", ("faint",) if panel.tokens is None else ("tokens",))
        if columns.bar:
            yield Piece(" ")
            yield from self._bar(panel)
        if columns.stability:
            stability = panel.section.stability
            unusual = stability if stability != self.layout.panels.usual_stability else ""
            yield Piece(f" {unusual:<{columns.stability}}", ("faint",))

    def _bar(self, panel: Panel) -> Iterator[Piece]:
        """The panel's share of the largest one, to an eighth of a cell, in the colours of its origins."""
        width = self.columns.bar
        eighths = 0
        if panel.tokens and self.layout.panels.largest:
            eighths = min(max(round(panel.tokens / self.layout.panels.largest * width * 8), 1), width * 8)
        blocks = "█" * (eighths // 8) + (_EIGHTHS[eighths % 8] if eighths % 8 else "")
        cells = zip(blocks, _kinds(panel.shares, eighths, len(blocks)), strict=True)
        for kind, group in groupby(cells, key=lambda cell: cell[1]):
            yield Piece("".join(block for block, _ in group), (kind,))
        yield Piece(" " * (width - len(blocks)))

    # --- bodies

    def _body(self, row: BodyRow) -> Painted:
        panel, (line, sub, start, end) = row.panel, row.text
        body, wrapped = panel.body, panel.body.wrapped
        indents = Indents.of(panel)
        dominant = body.dominant(row.text)
        kind = panel.kind(dominant)
        number = body.file_line(dominant, line) if sub == 0 else None
        mark = body.marks.get(line)
        hang = wrapped.breaks(line).hang if sub else 0
        text = wrapped.lines[line]
        pieces = [
            Piece(" " * indents.bar),
            Piece(GUTTER[kind], (kind,)),
            Piece(mark if mark and (sub == 0 or mark != "‾") else " ", (_MARK[mark],) if mark else ()),
            Piece(f"{number or '':>{body.number_width}} ", ("number",)),
            Piece(" " * hang),
        ]
        text_at = indents.text + hang
        for span in body.spans(line):
            low, high = max(span.start, start), min(span.end, end)
            if low < high:
                origin = panel.section.fragments[span.fragment].origin.kind
                pieces.append(
                    Piece(text[low:high], (f"text-{'label' if origin == 'label' else ORIGINS[origin].kind}",))
                )
        base = wrapped.line_start(line)
        revealed = wrapped.revealed(line)
        first = bisect_left(revealed.edits, start, key=lambda edit: edit[1])
        for raw, shown in revealed.edits[first : first + end - start]:
            low = revealed.shown(raw - 1)
            name = "faint" if text[low : low + 1] in "→␍" else "hidden"
            pieces = overlay(pieces, text_at + max(low, start) - start, text_at + min(shown, end) - start, name)
        raw_start, raw_end = base + revealed.raw(start), base + revealed.raw(end)
        for found, match_start, match_end in self.matches.within(panel.index, BODY, raw_start, raw_end):
            low = max(revealed.shown(max(match_start - base, 0)), start)
            high = min(revealed.shown(match_end - base), end)
            pieces = overlay(pieces, text_at + low - start, text_at + high - start, self._match(found))
        if sub == 0 and line in body.bullets and (room := self.layout.weights(panel)):
            pieces += self._weight(panel, body.bullets[line], room, pieces)
        return Painted("body", pieces, text_at, text_at + end - start)

    def _weight(self, panel: Panel, number_of: int, room: int, pieces: Sequence[Piece]) -> Iterator[Piece]:
        """What a bullet weighs, at the right; nothing until it is counted."""
        known = self.weights.get(panel.id, ())
        tokens = known[number_of] if len(known) == len(panel.body.bullets) else None
        if tokens is not None:
            mark = "=" if panel.section.confidence == "exact" else "≈"
            at = self.layout.width - 1 - room
            yield Piece(" " * max(at - sum(cell_len(piece.text) for piece in pieces), 0))
            yield Piece(f"{mark + number(tokens):>{room}}", ("faint",))

    def _absent_fragment(self, row: AbsentRow) -> Painted:
        panel, said = row.panel, row.panel.absent_text(row.absent)
        indents = Indents.of(panel)
        room = self.layout.width - indents.text - 3
        at = indents.text + 2
        pieces = [Piece(" " * indents.bar), Piece("┊", ("faint",)), Piece(" " * (indents.text - indents.bar - 1))]
        if said.mark == "cut":
            words, between, reason = said.words, " ", fit(said.reason, room - len(said.words) - 1)
            pieces += [Piece("✂ ", ("absent-mark",)), Piece(f"{words} {reason}", ("cut",))]
        else:
            between, reason = " — ", fit(said.reason, room * 3 // 5)
            words = fit(said.words, max(room - cell_len(reason) - 3, 8))
            pieces.append(Piece("✗ ", ("absent-mark",)))
            pieces += [Piece(words, ("absent-title",)), Piece(between + reason, ("absent",))]
        where, low = (panel.index, ABSENT + panel.body.absent.index(row.absent)), len(said.mark) + 1
        pieces = self._highlight(pieces, indents.text, where, 0, 1)
        pieces = self._highlight(pieces, at, where, low, low + len(words))
        behind = low + len(said.words) + 1
        pieces = self._highlight(pieces, at + len(words) + len(between), where, behind, behind + len(reason))
        return Painted("body", pieces, indents.text, len("".join(piece.text for piece in pieces)))

    # --- matches

    def _match(self, number: int) -> str:
        return "match-current" if number == self.current else "match"

    def _highlight(self, pieces: list[Piece], at: int, where: tuple[int, int], start: int, end: int) -> list[Piece]:
        for found, low, high in self.matches.within(*where, start, end):
            pieces = overlay(pieces, at + max(low, start) - start, at + min(high, end) - start, self._match(found))
        return pieces


def _fit_title(title: str, width: int) -> tuple[str, int]:
    """The title within a width, and its first character's place. Of a path the end is kept: it tells files apart."""
    if "/" not in title or " " in title or cell_len(title) <= width:
        return fit(title, width), 0
    cut = 1
    while cut < len(title) and cell_len(title[cut:]) >= width:
        cut += 1
    return f"…{title[cut:]}", cut - 1


def overlay(pieces: Sequence[Piece], start: int, end: int, name: str) -> list[Piece]:
    """The pieces with one more class on the characters from `start` to `end`."""
    found: list[Piece] = []
    at = 0
    for piece in pieces:
        text, classes = piece
        low, high = max(start - at, 0), min(end - at, len(text))
        at += len(text)
        if low >= high:
            found.append(piece)
            continue
        cuts = [(text[:low], classes), (text[low:high], (*classes, name)), (text[high:], classes)]
        found += [Piece(part, names) for part, names in cuts if part]
    return found


def _kinds(shares: Sequence[tuple[Kind, int]], eighths: int, cells: int) -> list[Kind]:
    """The kind that each cell of a bar stands for: the one at the middle of what the cell shows."""
    if not shares:
        return ["builtin"] * cells
    ends = list(accumulate(chars for _, chars in shares))
    middles = ((8 * cell + min(8 * cell + 8, eighths)) / 2 / eighths * ends[-1] for cell in range(cells))
    return [shares[min(bisect_left(ends, middle), len(shares) - 1)][0] for middle in middles]


def _change(panel: Panel) -> str:
    return difference(panel.change) if panel.change or (panel.changed and panel.change == 0) else ""


def _change_classes(panel: Panel) -> tuple[str, ...]:
    change = panel.change or 0
    return ("more",) if change > 0 else ("fewer",) if change < 0 else ("dim",)
