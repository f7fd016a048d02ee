"""The tabs of the middle column, in one line."""

from textual.reactive import reactive

from promptscope_tui.session.snapshot import Sent, Snapshot, View
from promptscope_tui.text.spans import Span, Tone
from promptscope_tui.widgets.line_bar import BarPart, LineBar, part, width_of_parts

TABS = ("prompt", "tools", "files", "window", "request", "changes")
_ROOMY = 68


class TabBar(LineBar):
    """`1 Prompt   2 Tools 15   3 Files 14   4 Window   5 Request   6 Changes 1`."""

    DEFAULT_CSS = "TabBar { background: $background; padding: 0 0 0 1; }"

    active: reactive[str] = reactive("prompt")
    """The name of the tab that is shown."""

    counts: reactive[dict[str, int]] = reactive(dict)
    """The number after a tab's name."""

    pinned: reactive[str] = reactive("")
    """When the baseline was set, empty without one."""

    def count(self, snapshot: Snapshot) -> None:
        """Count what the tabs hold; the snapshot has an assembly."""
        assembly = snapshot.assembly
        assert assembly is not None
        self.pinned = f"{snapshot.pinned_at:%H:%M}" if snapshot.pinned_at else ""
        self.counts = {
            "prompt": sum(s.present and s.parent is None for s in assembly.sections),
            "tools": sum(t.present for t in assembly.tools),
            "files": sum(f.present for f in assembly.files),
            "changes": len(snapshot.changes),
        }

    def parts(self, width: int) -> tuple[list[BarPart], list[BarPart]]:
        """The tabs, closer together on a narrow screen."""
        found = []
        shown: Tone = "strong" if self.app.no_color else "accent"
        for position, name in enumerate(TABS, 1):
            on = name == self.active
            words = [Span(f"{position} ", shown if on else "faint"), Span(name.title(), shown if on else "dim")]
            if (count := self.counts.get(name)) and width >= _ROOMY - 4:
                words.append(Span(f" {count}", "dim" if on else "faint"))
            if name == "changes" and self.pinned:
                words.append(Span(" ◆" if width < _ROOMY + 20 else f" ◆ since {self.pinned}", "accent"))
            gap = "" if position == len(TABS) else "   " if width >= _ROOMY else " "
            found.append(part(*words, gap, action=f"tab_{name}"))
        return found, []


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
    """What is shown."""

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

    async def act(self, id: str) -> None:
        """To the view under the pointer."""
        await self.run_action(f"screen.show_view('{id}')")
