"""The changes so far: when, which files, which sections, how many tokens, and the difference."""

from collections.abc import Iterator

from promptscope_engine.prompt.model import Assembly
from promptscope_tui.session.session import Session
from promptscope_tui.session.snapshot import Change, Snapshot
from promptscope_tui.text.spans import BLANK, Row, Span, paragraph, row, signed
from promptscope_tui.text.words import many, short_path, short_text, total
from promptscope_tui.views.why.pages import diff_row
from promptscope_tui.widgets.messages import Noted
from promptscope_tui.widgets.row_list import RowList

from .cache import boundary_rows, cache_rows
from .subjects import ChangeSubject

_OPEN = 3  # the latest changes, whose differences are shown in full


class ChangesView(RowList):
    """The reloads, latest first."""

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
        return [
            BLANK,
            paragraph(Span(" No changes yet.", "dim")),
            BLANK,
            paragraph(Span(" Save a file to see which sections change, and by how many tokens.", "faint"), indent=1),
        ]
    return [row_ for index, change in enumerate(snapshot.changes) for row_ in _entry(index, change, snapshot)]


def _entry(index: int, change: Change, snapshot: Snapshot) -> Iterator[Row]:
    assembly = snapshot.assembly
    name, more = change_title(change, assembly)
    yield row(
        Span(f"{change.at:%H:%M:%S}  ", "dim"),
        Span(name, "file"),
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
            yield from (diff_row(line, indent=6) for line in section.unified())
    if rest := beside_sections(change):
        yield row("  ", Span("tools", "strong"), Span("  sent beside the prompt", "dim"), right=[signed(rest)])
    yield BLANK


def change_title(change: Change, assembly: Assembly | None) -> tuple[str, str]:
    """What an entry is called, and how many more files there are: a checkout, the user's files, or git's status."""
    files = [path for path in change.paths if "/.git/" not in path]
    names = [short_path(path, assembly) if assembly else path for path in files]
    if change.requests:
        return f"request {change.requests[0]} → request {change.requests[1]}", ""
    if change.checkout:
        more = f" and {many(len(names), 'file')}" if names else ""
        return f"checkout: {change.checkout[0]} → {change.checkout[1]}", more
    if not change.paths:
        return "reloaded by hand", ""
    if not names:
        return "git: what is staged or committed", ""
    return names[0], f" and {len(names) - 1} more" if len(names) > 1 else ""


def beside_sections(change: Change) -> int:
    """What a change adds to the total beside the sections that it lists, in tokens: tools."""
    known = total(section.tokens for section in change.sections)
    return 0 if change.tokens is None or known is None else change.tokens - known
