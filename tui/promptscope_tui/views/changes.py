"""The changes so far: when, which files and switches, which sections, how many tokens, and the difference."""

from collections.abc import Iterator

from promptscope_tui.session.session import Session
from promptscope_tui.session.snapshot import Change, Snapshot
from promptscope_tui.text.spans import BLANK, Row, Span, paragraph, row, signed
from promptscope_tui.text.words import short_text
from promptscope_tui.views.why.pages import diff_rows
from promptscope_tui.widgets.messages import Noted
from promptscope_tui.widgets.row_list import RowList

from .cache import boundary_rows, cache_rows
from .change_words import beside_sections, change_title, unlisted
from .subjects import ChangeSubject

_OPEN, _LINES = 3, 12  # the latest changes, whose differences are shown, and lines of a section: Why has more


class ChangesView(RowList):
    """All of them, latest first."""

    def __init__(self, session: Session, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._session = session

    def action_baseline(self) -> None:
        """Set or clear the baseline."""
        self._session.pin_baseline()
        pinned = self._session.snapshot.pinned
        words = "the baseline is the prompt as it is now" if pinned else "compared with the state before each change"
        self.post_message(Noted(words))

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show a session's changes."""
        self.show(lambda _: change_rows(snapshot))


def change_rows(snapshot: Snapshot) -> list[Row]:
    """What changes are compared with, and all of them."""
    return [*_baseline(snapshot), *_changes(snapshot)]


def _baseline(snapshot: Snapshot) -> Iterator[Row]:
    if snapshot.pinned_at:
        yield paragraph(
            Span(" ◆ ", "accent"),
            Span(f"compared with the baseline of {snapshot.pinned_at:%H:%M:%S}", "strong"),
            Span("  b clears it", "dim"),
            indent=3,
        )
    else:
        yield paragraph(Span(" compared with the state before each change; b sets a baseline", "dim"), indent=1)


def _changes(snapshot: Snapshot) -> list[Row]:
    if not snapshot.changes:
        first = "Save a file or set a switch to see which sections change, and by how many tokens."
        return [
            BLANK,
            paragraph(Span(" No changes yet.", "dim")),
            BLANK,
            paragraph(Span(f" {first}", "faint"), indent=1),
        ]
    return [row_ for index, change in enumerate(snapshot.changes) for row_ in _entry(index, change, snapshot)]


def _entry(index: int, change: Change, snapshot: Snapshot) -> Iterator[Row]:
    assembly = snapshot.assembly
    name, more = change_title(change, assembly)
    yield row(
        Span(f"{change.at:%H:%M:%S}  ", "dim"),
        Span(name, "param" if change.steps else "file"),
        Span(more, "dim"),
        right=[signed(change.tokens), Span(" tok", "dim")],
        key=ChangeSubject(index),
    )
    if change.cache:
        yield from cache_rows(change.cache, short=index >= _OPEN)
    if change.crossing:
        yield from boundary_rows(change.crossing)
    for section in change.sections:
        yield row(
            "  ",
            Span(short_text(section.title, assembly) if assembly else section.title, "strong"),
            Span(f"  {section.change}", "dim"),
            right=[signed(section.tokens)],
        )
        if index < _OPEN:
            yield from diff_rows(section, _LINES, indent=6)
    if rest := beside_sections(change):
        yield row("  ", Span("tools", "strong"), Span("  sent beside the prompt", "dim"), right=[signed(rest)])
    elif words := unlisted(change):
        yield row("  ", Span(words, "faint"))
    yield BLANK
