"""Search in all panels, folded or not: titles, words beside them, texts, what is absent, and what the marks mean."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from .layout import BodyRow, Layout, Place
from .panels import Panels

MARK, TITLE, WORDS, BODY, ABSENT = range(5)
"""The parts of a panel; from `ABSENT` on its absent fragments."""


class Match(NamedTuple):
    """One occurrence; `start` is in the text that `part` names.

    They sort in reading order, but what a section lacks comes behind its text.
    """

    panel: int
    part: int
    start: int


class Matches:
    """All occurrences of a term: plain text, case-sensitive only if it has capitals.

    They are numbered in reading order. A letter may occur 300,000 times in a prompt, so only starts are kept.
    """

    def __init__(self, panels: Panels, term: str, hide_absent: bool) -> None:
        self.length = len(term)
        self._parts: list[tuple[int, int]] = []
        self._starts: list[list[int]] = []
        if term:
            pattern = re.compile(re.escape(term), re.IGNORECASE if term == term.lower() else re.NOFLAG)
            for panel in panels.all:
                if panel.folds or (not panel.present and hide_absent):
                    continue
                absent = () if hide_absent or not panel.present else map(panel.absent_text, panel.body.absent)
                texts = panel.mark, panel.title, panel.reason or panel.summary, panel.body.text, *map(str, absent)
                for part, text in enumerate(texts):
                    if starts := [found.start() for found in pattern.finditer(text)]:
                        self._parts.append((panel.index, part))
                        self._starts.append(starts)
        self._first = list(accumulate(map(len, self._starts), initial=0))

    def __len__(self) -> int:
        return self._first[-1]

    def __iter__(self) -> Iterator[Match]:
        return (Match(*part, start) for part, starts in zip(self._parts, self._starts, strict=True) for start in starts)

    def __getitem__(self, number: int) -> Match:
        group = bisect_right(self._first, number) - 1
        return Match(*self._parts[group], self._starts[group][number - self._first[group]])

    def within(self, panel: int, part: int, start: int, end: int) -> Iterator[tuple[int, int, int]]:
        """The occurrences that overlap a range: number, start, end."""
        group = bisect_left(self._parts, (panel, part))
        if group == len(self._parts) or self._parts[group] != (panel, part):
            return
        starts = self._starts[group]
        for at in range(bisect_right(starts, start - self.length), bisect_left(starts, end)):
            yield self._first[group] + at, starts[at], starts[at] + self.length

    def after(self, place: Match) -> int:
        """The number of the first occurrence from a place on, starting over after the last one."""
        group = bisect_left(self._parts, place[:2])
        if group == len(self._parts):
            return 0
        found = self._first[group]
        if self._parts[group] == place[:2]:
            found += bisect_left(self._starts[group], place.start)
        return found if found < len(self) else 0


class Search:
    """A search that is under way, or none while the term is empty."""

    def __init__(self) -> None:
        self.term = ""
        self.matches = Matches(Panels(None), "", False)
        self.current = -1
        """The number of the match under the cursor; -1 for none."""
        self.begun = False
        self.opened: frozenset[str] = frozenset()
        """The panels that were open when it began."""
        self.left: Place | None = None
        """Where the cursor was then."""
        self._origin = Match(0, MARK, 0)

    def begin(self, rows: Layout, cursor: int, opened: frozenset[str]) -> None:
        """What is typed from now on is searched from the cursor on."""
        self.begun, self.opened = True, opened
        self.left = rows.place(cursor) if rows.height else None
        row = rows.row(cursor) if rows.height else None
        if isinstance(row, BodyRow):
            start = row.panel.body.offset(row.text.line, row.text.start)
            self._origin = Match(row.panel.index, BODY, start)
        else:
            self._origin = Match(row.panel.index if row else 0, MARK, 0)

    def end(self) -> None:
        """Look for nothing any more."""
        self.term, self.current, self.begun = "", -1, False

    def look_for(self, term: str, panels: Panels, hide_absent: bool) -> None:
        """Look for another term in these panels."""
        self.term, self.current = term, -1
        self.find(panels, hide_absent)

    def find(self, panels: Panels, hide_absent: bool) -> None:
        """Look for the term in these panels."""
        self.matches = Matches(panels, self.term, hide_absent)
        self.current = min(self.current, len(self.matches) - 1)

    def turn_to(self, number: int) -> Match | None:
        """Make a match the current one, by its number, wrapping around; None without any."""
        self.current = number % len(self.matches) if self.matches else -1
        return self.matches[self.current] if self.matches else None

    @property
    def first(self) -> int:
        """The number of the first match from where it began."""
        return self.matches.after(self._origin)

    @property
    def position(self) -> tuple[int, int]:
        """The number of the current match, from 1, and how many there are; (0, 0) without any."""
        return self.current + 1, len(self.matches)


def place_of(match: Match, panels: Panels) -> Place:
    """Where a match is: on its panel's header, in its text, or in a text that is absent from it."""
    panel = panels.all[match.panel]
    if match.part < BODY:
        return Place(panel.id)
    if match.part == BODY:
        return Place(panel.id, *panel.body.place(match.start))
    return Place(panel.id, 0, 0, panel.body.absent[match.part - ABSENT])
