"""A bar of one line in the theme's tones: the base of header, tabs and footers."""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.color import Color
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from promptscope_tui.actions.table import ACTIONS, BY_ID, Action, footer
from promptscope_tui.text.spans import Span, Spans, Tone, cut, shown, width_of


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

    def parts(self, _: int) -> tuple[list[BarPart], list[BarPart]]:
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

    def render_line(self, _: int) -> Strip:
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


class KeyLine(LineBar):
    """As many keys as fit; the last one, which closes the screen, always is at the end."""

    DEFAULT_CSS = "KeyLine { background: $panel; padding: 0 1; }"

    idle: reactive[frozenset[str]] = reactive(frozenset())
    """The ids of the actions that would do nothing now."""

    def __init__(self, pane: str, *, id: str | None = None) -> None:
        """`pane` is the screen's name in the table of actions."""
        super().__init__(id=id)
        self._pane = pane

    def parts(self, width: int) -> tuple[list[BarPart], list[BarPart]]:
        """The keys."""
        actions: Sequence[Action] = getattr(self.app, "actions", ACTIONS)
        offered = [(action, words) for action, words in footer(self._pane, actions) if action.id not in self.idle]
        *entries, last = [key_part(action, words) for action, words in offered]
        return fitting(entries, [last], width), []

    async def act(self, id: str) -> None:
        """Run it on the screen, or on the list that has the keys."""
        action = BY_ID[id]
        await self.app.run_action(action.call, self.screen.focused if action.owner == "list" else self.screen)


def fitting(parts: Sequence[BarPart], last: Sequence[BarPart], width: int) -> list[BarPart]:
    """As many parts as fit in so many cells, and the last ones, which always are at the end."""
    most = 0
    while most < len(parts) and width_of_parts([*parts[: most + 1], *last]) <= width:
        most += 1
    return [*parts[:most], *last]


def key_part(action: Action, words: str) -> BarPart:
    """A key with its word; a click runs the action."""
    return part(Span(action.shown_keys.partition(" ")[0], "accent"), Span(f" {words}", "dim"), "  ", action=action.id)


_TONES: Mapping[Tone, tuple[str, bool, bool]] = json.loads(
    Path(__file__).with_name("tones.json").read_text(encoding="utf-8")
)
"""The theme's variable for a tone, whether it is bold, and underlined; any other tone looks as its widget."""


def tone_style(tone: Tone, variables: Mapping[str, str]) -> Style:
    """A tone's style, to be added to that of its widget; `variables` are the app's `theme_variables`."""
    name, bold, underlined = _TONES.get(tone, ("", False, False))
    return _style(variables[name] if name else "", bold, underlined)


@cache
def _style(colour: str, bold: bool, underlined: bool) -> Style:
    return Style(
        color=Color.parse(colour).rich_color if colour else None, bold=bold or None, underline=underlined or None
    )
