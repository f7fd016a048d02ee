"""What is unfolded at first: the user's own files, short enough to be read on a screen."""

from __future__ import annotations

from collections.abc import Set

from .tree import Panel, Panels

MOST_LINES = 200
"""Lines of a file that is unfolded."""

_MOST_TOGETHER = 2_000
"""Lines of all that are unfolded: thousands of rule files stay folded, as wrapping them takes seconds."""

_LINE = 120
"""Characters that take a line, where a file has none."""


def unfolded(panels: Panels, known: Set[str]) -> set[str]:
    """The ids of the panels to unfold: files that are not known yet, and what contains no files but such."""
    found: set[str] = set()
    if not any(panels.by_id[id].present for id in panels.by_id.keys() - known):
        return found
    left = _MOST_TOGETHER
    for panel in panels.all:
        files = [child for child in panel.children if panels.all[child].file]
        if files and not any(panels.all[child].id in known for child in files):
            found.add(panel.id)
        if panel.id in known or files:
            continue
        if left > 0 and panel.file and panel.is_own and (lines := _lines(panel)) <= min(MOST_LINES, left):
            found.add(panel.id)
            left -= lines
    return found


def _lines(panel: Panel) -> int:
    """About how many rows the text takes; one without line breaks may be a megabyte long."""
    text = panel.body.text
    return max(text.count("\n", 0, len(text.rstrip("\n"))) + 1, len(text) // _LINE)
