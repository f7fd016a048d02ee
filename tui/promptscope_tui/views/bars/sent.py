"""The line below the tabs while a capture is open: which of its views is shown, and how much was predicted."""

from __future__ import annotations

from textual import events
from textual.reactive import reactive

from promptscope_tui.session.sent import Sent, View
from promptscope_tui.text.spans import Span
from promptscope_tui.widgets.line_bar import BarPart, LineBar, part, width_of_parts

VIEWS: tuple[View, ...] = ("predicted", "sent", "differences")


class SentBar(LineBar):
    """`V predicted · sent · differences   [ ] request 2 of 3: main    97.8 % of 61,204 characters explained`."""

    DEFAULT_CSS = """
    SentBar { display: none; background: $panel; padding: 0 0 0 1; }
    SentBar.-shown { display: block; }
    """

    sent: reactive[Sent | None] = reactive(None)
    """The request that is open."""

    view: reactive[View | None] = reactive(None)
    """What of it is shown."""

    summary: reactive[str] = reactive("")
    """How far the prediction was from it; "" until that is computed."""

    def watch_view(self) -> None:
        """Without a view there is nothing to say."""
        self.set_class(self.view is not None, "-shown")

    def parts(self, width: int) -> tuple[list[BarPart], list[BarPart]]:
        """The views, the request, what was explained."""
        if self.sent is None:
            return [], []
        offered = VIEWS if self.sent.agent else VIEWS[1:2]
        left = [part(Span("V ", "accent"))] if self.sent.agent else []
        for number, name in enumerate(offered):
            left.append(part(Span(" · ", "faint") if number else ""))
            left.append(part(Span(name, "strong" if name == self.view else "dim"), action=name))
        if len(self.sent.numbers) > 1:
            words = f"request {self.sent.at} of {len(self.sent.numbers)}: {self.sent.request.label}"
            left.append(part("   ", Span("[ ] ", "accent"), Span(words, "dim")))
        shares = self.summary.partition(" of ")[0]
        for words in (self.summary, self.summary.partition(", ")[0], shares and f"{shares} explained", shares):
            right = [part(Span(words, "dim"))]
            if width_of_parts([*left, *right]) + 3 <= width:
                return left, right
        return left, []

    async def on_click(self, event: events.Click) -> None:
        """To the view under the pointer."""
        for start, end, p in self._places():
            if start <= event.x < end and p.action:
                await self.run_action(f"screen.show_view('{p.action}')")
