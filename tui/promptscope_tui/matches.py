"""Where a searched text stands: in titles, reasons and bodies of all panels, folded or not."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import NamedTuple

from .panels import Panels

TITLE, REASON, BODY = 0, 1, 2


class Match(NamedTuple):
    """One occurrence. They sort in reading order; offsets are in the text that `part` names."""

    panel: int
    part: int
    start: int
    end: int


class Matches:
    """All occurrences of a term: plain text, and its case counts only if it has capitals."""

    def __init__(self, panels: Panels, term: str, hide_absent: bool) -> None:
        self.term = term
        self.found: list[Match] = []
        if not term:
            return
        pattern = re.compile(re.escape(term), re.IGNORECASE if term == term.lower() else re.NOFLAG)
        for panel in panels.all:
            if not panel.present and hide_absent:
                continue
            parts = [(TITLE, panel.title), (REASON, panel.reason), (BODY, panel.body.text)]
            for part, text in parts:
                self.found += [Match(panel.index, part, *m.span()) for m in pattern.finditer(text)]

    def within(self, panel: int, part: int, start: int, end: int) -> list[tuple[int, Match]]:
        """The occurrences that touch a stretch, each with its number."""
        if not self.found:
            return []
        first = bisect_left(self.found, (panel, part, max(start - len(self.term), 0)))
        touching = []
        for number in range(first, len(self.found)):
            match = self.found[number]
            if match[:2] != (panel, part) or match.start >= end:
                break
            if match.end > start:
                touching.append((number, match))
        return touching

    def after(self, place: Match) -> int:
        """The number of the first occurrence from a place on; from the top again after the last one."""
        found = bisect_left(self.found, place)
        return found if found < len(self.found) else 0
