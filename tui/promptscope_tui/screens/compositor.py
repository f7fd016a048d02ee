"""Draws no more of a screen than what changed on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from textual._compositor import ChopsUpdate, Compositor, CompositorMap, ReflowResult
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget

Missing = dict[int, set[int]]
"""By line: where the stretches begin that nothing was drawn for yet."""


class SparingCompositor(Compositor):
    """Textual's own asks every widget within the frame around all changes for all of its lines, also the containers
    that are covered. This one goes from the front to the back until the changed stretches are filled.

    To Textual every widget has changed when one is shown or hidden, as then all of them are numbered anew. Here what
    stands where it stood, in front of and behind the same widgets, is not drawn again."""

    def reflow(self, parent: Widget, size: Size) -> ReflowResult:
        """Lay out the screen again."""
        before, known = self._full_map, set(self._dirty_regions)
        found = super().reflow(parent, size)
        if size.region not in self._dirty_regions and _in_one_order(before, self._full_map):
            self._dirty_regions = known | set(_moved(before, self._full_map))
        return found

    def render_partial_update(self) -> ChopsUpdate | None:
        """What changed since the last time; None if nothing did."""
        screen, changed = self.size.region, self._dirty_regions.copy()
        self._dirty_regions.clear()
        spans = list(self._regions_to_spans(region.intersection(screen) for region in changed))
        if not spans:
            return None
        return ChopsUpdate(self._drawn(spans), spans, [line[1:] for line in self.cuts])

    def _drawn(self, spans: Sequence[tuple[int, int, int]]) -> Sequence[Mapping[int, Strip | None]]:
        """The stretches of each line that lie in spans: line, first column, column after the last."""
        cuts, missing = self.cuts, self._missing(spans)
        drawn: list[dict[int, Strip | None]] = [dict.fromkeys(line[:-1]) for line in cuts]
        for widget, (region, clip) in self.visible_widgets.items():
            shown = region.intersection(clip)
            left, right = shown.column_span
            lines = [y for y in shown.line_range if any(left <= at < right for at in missing.get(y, ()))]
            if not lines:
                continue
            first = lines[0]
            crop = Region(shown.x - region.x, first - region.y, shown.width, lines[-1] + 1 - first)
            strips = widget.render_lines(crop)
            for y in lines:
                inside = [at for at in cuts[y] if left <= at <= right]
                parts = strips[y - first].divide([at - left for at in inside[1:]])
                for at, part in zip(inside, parts, strict=False):
                    if at in missing[y]:
                        drawn[y][at] = part
                        missing[y].discard(at)
        return drawn

    def _missing(self, spans: Sequence[tuple[int, int, int]]) -> Missing:
        """All stretches in the spans."""
        found: Missing = {}
        for y, x1, x2 in spans:
            line = self.cuts[y]
            found.setdefault(y, set()).update(at for at, end in pairwise(line) if at < x2 and end > x1)
        return found


def _in_one_order(before: CompositorMap, after: CompositorMap) -> bool:
    """Whether the widgets that are in both stand in front of each other as before."""
    kept = before.keys() & after.keys()
    one, other = (sorted(kept, key=lambda widget: shown[widget].order) for shown in (before, after))
    return one == other


def _moved(before: CompositorMap, after: CompositorMap) -> Iterator[Region]:
    """Where widgets are and were that came, went, or have another geometry."""
    for one, other in ((before, after), (after, before)):
        for widget, there in one.items():
            now = other.get(widget)
            # What is docked beside it is for those who scroll to a widget.
            same = now is not None and there._replace(order=now.order, dock_gutter=now.dock_gutter) == now
            if not same and (region := there.clip.intersection(there.region)):
                yield region
