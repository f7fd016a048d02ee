"""Which panels are open, and whether what is absent is shown: both survive a reload."""

from bisect import bisect_left, bisect_right

from promptscope_tui.session.snapshot import GoTo
from promptscope_tui.text.words import difference

from .layout import Place, unfolded
from .panels import ABSENT_PARTS, Panel, Panels


class Folds:
    """The folds of the panels that are shown."""

    def __init__(self) -> None:
        self.panels = Panels(None)
        self.opened: set[str] = set()
        self.hide_absent = False
        self._known: set[str] = set()

    def take(self, panels: Panels) -> None:
        """Show these panels; new ones are closed, except what the user wrote (see `unfolded`)."""
        self.panels = panels
        opened = unfolded(panels, self._known)
        by_id = panels.by_id
        self._known |= {id for id in by_id.keys() - self._known if by_id[id].present}
        self.opened |= opened

    @property
    def first(self) -> Place | None:
        """Where a prompt begins that was not shown yet: at the first open panel with the user's own text."""
        panels = [panel for panel in self.panels.all if not panel.folds]
        own = next((panel for panel in panels if panel.id in self.opened and panel.is_own), None)
        return Place((own or panels[0]).id) if panels else None

    def reach(self, place: Place) -> None:
        """Unfold what a place is nested in, or absent among; and its panel, if it is in the text."""
        panel = self.panels.by_id.get(place.section_id)
        if panel is None:
            return
        self.opened |= {above.id for above in self.panels.ancestors(panel)}
        if panel.id in self.panels.folded:
            self.opened.add(ABSENT_PARTS)
        if place.line is not None:
            self.opened.add(panel.id)

    def turn(self, panel: Panel, is_open: bool) -> None:
        """Open or close a panel."""
        (self.opened.add if is_open else self.opened.discard)(panel.id)

    def toggle_absent(self) -> str:
        """Show what is absent in its place, then hide it, then show one row for all of it; says which."""
        if self.hide_absent:
            self.hide_absent = False
            return "folded" if self.panels.folded else "shown"
        if self.panels.folded and ABSENT_PARTS not in self.opened:
            self.opened.add(ABSENT_PARTS)
            return "shown"
        self.opened.discard(ABSENT_PARTS)
        self.hide_absent = True
        return "hidden"


def next_change(panels: Panels, here: Panel | None, by: int) -> tuple[GoTo, str] | None:
    """The next panel whose own text changed (1), or the previous one (-1), and words about it; None without any.

    It goes on from the panel `here`. The place is where the change begins; after the last comes the first.
    """
    changed = panels.changed
    if not changed:
        return None
    at = here.index if here else -1
    later = bisect_right(changed, at) if by > 0 else bisect_left(changed, at) - 1
    panel = panels.all[changed[later % len(changed)]]
    first = min(panel.body.marks, default=0)
    words = f"{later % len(changed) + 1} of {len(changed)} changed: {panel.title}"
    if panel.change is not None:
        words += f" {difference(panel.change)}"
    return GoTo("prompt", panel.id, first + 1 if first else 0), words
