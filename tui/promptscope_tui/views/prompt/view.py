"""The whole prompt as panels that fold, in one widget that draws only visible rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from textual import events, on
from textual.geometry import Region
from textual.widgets import Input

from promptscope_engine.prompt.model import Assembly
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.session.snapshot import GoTo, OpenSource
from promptscope_tui.views.subjects import Cursor, FileSubject
from promptscope_tui.widgets.messages import Latest, Noted, Requested
from promptscope_tui.widgets.picker import FindBar

from .canvas import PanelCanvas
from .folds import Folds, next_change
from .layout import HeaderRow, Layout, Place, cursor_at
from .matches import Search, place_of
from .panels import Panel, Panels

_MARGIN = 2
"""Rows kept visible above and below the cursor."""


_DOUBLE = 2
"""Clicks, one right after the other."""


class PromptView(PanelCanvas, can_focus=True):
    """Shows an assembly. Folds, cursor and scroll survive a reload, by section and line instead of row."""

    BINDINGS = bindings("cursor", "prompt")

    @dataclass
    class Moved(Latest):
        """Something else is under the cursor."""

        cursor: Cursor

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.folds = Folds()
        self._search = Search()
        self._posted = Cursor()
        self._waiting = False  # there was no room to lay it out: another tab is shown
        self._first: Place | None = None  # where a prompt that was not shown yet begins

    @property
    def _panels(self) -> Panels:
        return self.folds.panels

    def show(self, assembly: Assembly, baseline: Assembly | None = None) -> None:
        """Show an assembly, and what changed since the baseline.

        Folds, cursor and scroll stay where they were in the text. New sections are closed, except what the user wrote
        (see `unfolded`): another agent's prompt begins there.
        """
        # The first file that is saved is as good as a new prompt, for somebody who has not moved yet.
        still = self.cursor_row == 0 and not any(panel.is_own for panel in self._panels.all)
        fresh = still or self._panels.agent != assembly.agent
        self.folds.take(Panels(assembly, baseline, self._panels))
        if fresh:
            self._first = self.folds.first
        self._search.find(self._panels, self.folds.hide_absent)
        self._lay_out()

    def weigh(self, weights: Mapping[str, Sequence[int | None]]) -> None:
        """Show what the bullets of the agent's lists weigh, by section."""
        self.weights = weights
        if not self._waiting:
            self.draw(self.rows, self._search, self.cursor_row)

    def on_resize(self) -> None:
        """Another width is another wrapping; the cursor stays on its text."""
        if self._waiting or self.rows.width != self.scrollable_content_region.width:
            self._lay_out()
        else:
            self.fix_top(self.top_spot)

    def _lay_out(self, place: Place | None = None) -> None:
        """Rebuild the rows. The cursor goes to `place`; without one, cursor and view stay where they are."""
        width, height = self.scrollable_content_region.size
        self._waiting = not width
        if self._waiting:
            return
        before, above, top = self.rows, self.cursor_row - self.top, self.top_spot
        if before.height:
            place = place or before.place(self.cursor_row)
        # From here on the rows before are of no use: panels are wrapped to one width at a time.
        rows = Layout(self._panels, self.folds.opened, self.folds.hide_absent, width, before)
        if self._first is not None:
            begin, self._first = rows.find(self._first) or 0, None
            self.draw(rows, self._search, begin)
            self.scroll_to(y=rows.top_for(begin, height), animate=False, force=True)  # there is no scroll bar yet
            self.fix_top()
        else:
            found = rows.find(place) if place else 0
            if found is None:
                found = min(self.cursor_row, max(rows.height - 1, 0))
            self.draw(rows, self._search, found)
            if width == before.width and 0 <= above < height:  # folded or reloaded: what the user looks at stays
                self.scroll_to(y=found - above, animate=False, force=True)
                self.fix_top()
            else:
                self.fix_top(top)
        self._post()

    def spot_at(self, line: int) -> Place | None:
        """The place that a row shows."""
        height = self.rows.height
        return self.rows.place(min(line, height - 1)) if height else None

    def line_showing(self, spot: Place) -> int:
        """The row that shows a place; where its section is gone, the one that was at the top."""
        row = self.rows.find(spot)
        return self.top if row is None else row

    # --- the cursor

    @property
    def cursor(self) -> Cursor:
        """What is under the cursor; all None while nothing is shown."""
        return cursor_at(self.rows.row(self.cursor_row)) if self.rows.height else Cursor()

    @property
    def cursor_lines(self) -> range:
        """The line under the cursor."""
        return range(self.cursor_row, self.cursor_row + 1) if self.rows.height else range(0)

    def _post(self) -> None:
        if (cursor := self.cursor) != self._posted:
            self._posted = cursor
            self.post_message(self.Moved(cursor))

    def _move(self, row: int) -> None:
        """Put the cursor on a row, or the nearest one, and make it visible."""
        before, self.cursor_row = self.cursor_row, min(max(row, 0), max(self.rows.height - 1, 0))
        self.refresh_line(before)
        self.refresh_line(self.cursor_row)
        height = self.scrollable_content_region.height
        margin = min(_MARGIN, max(height - 1, 0) // 2)
        self.scroll_to_region(Region(0, self.cursor_row - margin, 1, 2 * margin + 1), animate=False, force=True)
        self._post()

    def reveal(self) -> None:
        """Bring the row under the cursor into view."""
        self._move(self.cursor_row)

    @property
    def panel(self) -> Panel | None:
        """The panel under the cursor."""
        return self.rows.panel_at(self.cursor_row)[0] if self.rows.height else None

    def action_move(self, rows: int) -> None:
        """Move the cursor down by rows, up by negative ones."""
        self._move(self.cursor_row + rows)

    def action_page(self, pages: float) -> None:
        """Move the cursor and the view by pages."""
        rows = int(self.scrollable_content_region.height * pages)
        self.scroll_to(y=self.scroll_offset.y + rows, animate=False, force=True)
        self._move(self.cursor_row + rows)

    def action_end(self, side: int) -> None:
        """To the first row (-1) or the last (1)."""
        self._move(0 if side < 0 else self.rows.height - 1)

    def action_section(self, step: int) -> None:
        """To the header before (-1) or after (1)."""
        if self.rows.height:
            self._move(self.rows.neighbour(self.cursor_row, step))

    def goto(self, section_id: str, offset: int = 0) -> None:
        """Put the cursor on a section's header, or on a line (from 1) of its text. An unknown id does nothing."""
        panel = self._panels.by_id.get(section_id)
        if panel is None:
            return
        if not panel.present and self.folds.hide_absent:
            self.folds.hide_absent = False
            self._search.find(self._panels, self.folds.hide_absent)
        self._reach(Place(panel.id, offset - 1 if offset > 0 else None))

    @property
    def place(self) -> Place | None:
        """Where the cursor is, in words that survive folding and reloading; None while nothing is shown."""
        return self.rows.place(self.cursor_row) if self.rows.height else None

    def return_to(self, place: Place, top: Place | None) -> None:
        """Put the cursor on a place that was left, with the same line at the top."""
        self.folds.reach(place)
        self._lay_out(place)
        self.fix_top(top)
        self._move(self.cursor_row)

    def _reach(self, place: Place) -> None:
        """To a place, whose panels are opened."""
        self.folds.reach(place)
        self._jump(place)

    def _jump(self, place: Place) -> None:
        """To a place whose panels are open; if it was not visible, to a quarter of the height."""
        self._lay_out(place)
        top, height = self.scroll_offset.y, self.scrollable_content_region.height
        if not top <= self.cursor_row < top + height:
            self.scroll_to(y=self.cursor_row - height // 4, animate=False, force=True)
        self._move(self.cursor_row)

    # --- folds

    def action_fold(self) -> None:
        """Open or close the panel under the cursor."""
        if (panel := self.panel) and panel.present:
            self._fold(panel, panel.id not in self.folds.opened)

    def _fold(self, panel: Panel, is_open: bool) -> None:
        if panel.leads:
            self.post_message(Requested(GoTo("tools")))
            return
        self.folds.turn(panel, is_open)
        self._jump(Place(panel.id))

    def action_open_all(self) -> None:
        """Open every panel."""
        self.folds.opened |= {panel.id for panel in self._panels.all}
        self._lay_out()

    def action_close_all(self) -> None:
        """Close every panel."""
        self.folds.opened.clear()
        self._lay_out()

    def action_toggle_absent(self) -> None:
        """Show what is absent in its place, then hide it, then show one row for all of it."""
        words = self.folds.toggle_absent()
        self.post_message(Noted(f"what is absent is {words}"))
        self._search.find(self._panels, self.folds.hide_absent)
        self._lay_out()

    def action_choose(self) -> None:
        """On a row from a file, go to the file's row in Files; else fold or unfold."""
        cursor = self.cursor
        if cursor.kind == "body" and cursor.path is not None:
            self.post_message(Requested(GoTo("files", FileSubject(cursor.path))))
        else:
            self.action_fold()

    def action_close(self) -> None:
        """Close an open panel from its header; from anywhere else, to the header above."""
        if (panel := self.panel) is None:
            return
        row = self.rows.row(self.cursor_row)
        if not isinstance(row, HeaderRow):
            self._move(self.rows.header(panel.id) or 0)
        elif row.is_open:
            self._fold(panel, False)
        elif panel.parent is not None:
            self._move(self.rows.header(self._panels.all[panel.parent].id) or 0)

    def action_open(self) -> None:
        """Open a closed panel; in an open one, one row down."""
        if (panel := self.panel) is None or not panel.present:
            return
        if panel.id in self.folds.opened:
            self._move(self.cursor_row + 1)
        else:
            self._fold(panel, True)

    # --- the mouse

    def on_click(self, event: events.Click) -> None:
        """Move the cursor; a double click folds a header's panel, and opens the file of a row from a file."""
        event.prevent_default()  # Textual selects everything on a double click
        row = self.row_under(event)
        if row is None or event.screen_offset != self._pressed:
            return
        self._move(row)
        if event.chain != _DOUBLE:
            return
        if isinstance(self.rows.row(row), HeaderRow):
            self.action_fold()
        elif (cursor := self.cursor).kind == "body" and cursor.path is not None:
            self.post_message(Requested(OpenSource(cursor.path, cursor.line or 1)))

    # --- search

    def begin_search(self) -> None:
        """What is typed from now on is searched from here on."""
        self._search.begin(self.rows, self.cursor_row, frozenset(self.folds.opened))

    def search(self, term: str) -> int:
        """Find plain text in all panels, folded or not, and go to the first match from the cursor on.

        Capitals in the term make it case-sensitive. Panels that were opened for what was typed before are closed
        again, and without a match the cursor is where it was. Returns the number of matches.
        """
        if not self._search.begun:
            self.begin_search()
        self.folds.opened = set(self._search.opened)
        self._search.look_for(term, self._panels, self.folds.hide_absent)
        if self._search.matches:
            self._go(self._search.first)
        else:
            self._lay_out(self._search.left)
        return len(self._search.matches)

    def clear_search(self) -> None:
        """End the search; the cursor and the panels that were opened for its matches stay."""
        self._search.end()
        self._search.find(self._panels, self.folds.hide_absent)
        self._lay_out()

    @property
    def search_position(self) -> tuple[int, int]:
        """The number of the current match, from 1, and how many there are; (0, 0) without any."""
        return self._search.position

    def step_match(self, by: int) -> None:
        """To the next match (1), and from the last to the first; or to the previous one (-1)."""
        self._go(self._search.current + by)

    def _go(self, number: int) -> None:
        """To a match by its number, wrapping around; its panel is opened."""
        match = self._search.turn_to(number)
        if match is None:
            self._lay_out()
        else:
            self._reach(place_of(match, self._panels))


class SearchBar(FindBar):
    """Searches as one types; the arrows go from match to match, enter goes into the prompt, escape leaves."""

    BINDINGS = bindings("search")
    placeholder = "search the whole prompt"

    @property
    def _prompt(self) -> PromptView:
        return self.screen.query_one(PromptView)

    async def action_search(self) -> None:
        """Show the line over the prompt and take the keys."""
        await self.run_action("screen.show_tab('prompt')")
        self._prompt.begin_search()
        await self.show_line()

    def leave(self, *, keep: bool) -> None:
        """Back to the prompt; its matches stay marked with `keep`."""
        if not keep:
            self._prompt.clear_search()
            self.remove_class("-open")
        if self.has_focus_within:
            self.screen.set_focus(self._prompt)  # at once: the next key is meant for it

    def count(self) -> None:
        """Say which match is shown."""
        position, matches = self._prompt.search_position
        self.say_count("" if not self.query_one(Input).value else f"{position} of {matches}" if matches else "no match")

    @on(Input.Changed)
    def typed(self, event: Input.Changed) -> None:
        """Search with every letter."""
        event.stop()
        self._prompt.search(event.value)
        self.count()

    def action_step(self, by: int) -> None:
        """To the next match (1) or the previous one (-1); while nothing is searched for, to what changed."""
        if not self.is_open:
            self._step_change(by)
        elif not self._prompt.search_position[1]:
            self.post_message(Noted("no match to go to", error=True))
        else:
            self._prompt.step_match(by)
            self.count()

    def _step_change(self, by: int) -> None:
        found = next_change(self._prompt.folds.panels, self._prompt.panel, by)
        if found is None:
            self.post_message(Noted("nothing in the prompt has changed; / searches it", error=True))
            return
        place, words = found
        if self._prompt.has_focus:
            self._prompt.goto(str(place.key), place.line)
        else:
            self.post_message(Requested(place))
        self.post_message(Noted(words))
