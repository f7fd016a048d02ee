"""A bar of one line: the base of header, tabs and footer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.strip import Strip
from textual.widget import Widget

from promptscope_tui.text.spans import Span, Spans, Tone, cut, shown, width_of

from .tones import tone_style


class BarPart(NamedTuple):
    """Spans that belong together; a click on them runs the action, if there is one."""

    spans: Spans
    action: str = ""


def part(*spans: Span | str, action: str = "") -> BarPart:
    """A part; plain strings are text."""
    return BarPart(tuple(s if isinstance(s, Span) else Span(s) for s in spans), action)


def width_of_parts(parts: Iterable[BarPart]) -> int:
    """The width in cells."""
    return sum(width_of(p.spans) for p in parts)


class LineBar(Widget):
    """One line: parts at the left, and parts at the right edge, which are never cut."""

    ALLOW_SELECT = False

    DEFAULT_CSS = """
    LineBar { height: 1; width: 1fr; }
    """

    def parts(self, width: int) -> tuple[list[BarPart], list[BarPart]]:  # noqa: ARG002 - the subclasses' shape
        """The parts at the left and at the right, for a width in cells; none unless the bar has its own."""
        return [], []

    @property
    def plain(self) -> str:
        """What is shown, as text."""
        return self.render_line(0).text.rstrip()

    def _places(self) -> list[tuple[int, int, BarPart]]:
        """Each part with its first cell and the cell after it, cut to the width."""
        width = self.size.width
        left, right = self.parts(width)
        left, right = ([BarPart(shown(p.spans), p.action) for p in parts] for parts in (left, right))
        end = width - width_of_parts(right)
        places, at = [], 0
        for p in left:
            spans = cut(p.spans, max(end - (2 if right else 0) - at, 0))
            places.append((at, at + width_of(spans), BarPart(spans, p.action)))
            at += width_of(spans)
        for p in right:
            places.append((end, end + width_of(p.spans), p))
            end += width_of(p.spans)
        return places

    def tone_style(self, tone: Tone) -> Style:
        """The look of a tone."""
        return tone_style(tone, self.app.theme_variables)

    def render_line(self, y: int) -> Strip:  # noqa: ARG002 - there is one line
        """The line."""
        base = self.rich_style
        segments: list[Segment] = []
        at = 0
        for start, end, p in self._places():
            segments.append(Segment(" " * max(start - at, 0), base))
            for text, tone in p.spans:
                segments.append(Segment(text, base + self.tone_style(tone)))
            at = end
        return Strip(segments).adjust_cell_length(self.size.width, base)

    async def on_click(self, event: events.Click) -> None:
        """Run the action of the part under the pointer."""
        for start, end, p in self._places():
            if start <= event.x < end and p.action:
                await self.act(p.action)

    async def act(self, id: str) -> None:
        """Run an action of the table: the main screen knows its owner."""
        await self.run_action(f"screen.run('{id}')")
