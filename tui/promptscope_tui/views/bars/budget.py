"""The context window in one line: what fills it, the reserve, and where the agent compacts."""

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style
from textual.reactive import reactive
from textual.strip import Strip

from promptscope_engine.prompt.model import Assembly, TokenSummary
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.session.snapshot import ApplyLevers
from promptscope_tui.text.spans import Span, Spans, Tone, joined, width_of
from promptscope_tui.text.words import MARKS, assumptions, compacts, number, percent, total_mark
from promptscope_tui.views.window.rows import Share, composition
from promptscope_tui.widgets.line_bar import BarPart, LineBar, part
from promptscope_tui.widgets.messages import Requested

_LEGEND_GAP = 2
_MATTERS: tuple[Tone, ...] = ("accent", "file", "tool", "builtin", "param", "environment")
"""What the legend keeps where there is little room, the first the longest."""
_MIN_BAR = 12
_EXCESS_FROM, _COMPACTION_FROM = 64, 120
"""Cells from which on there is room to say by how much it is over, and where it compacts."""


class BudgetBar(LineBar):
    """A stacked bar in half cells, with the legend in its free part and the numbers at the right."""

    DEFAULT_CSS = """
    BudgetBar { background: $surface; padding: 0 1; }
    BudgetBar:ansi { background: ansi_default; }
    """

    assembly: reactive[Assembly | None] = reactive(None, always_update=True)
    """What is shown."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._shares: tuple[Share, ...] = ()

    conversation: reactive[int] = reactive(0)
    """Tokens of the conversation so far, after a turn of a transcript."""

    def show(self, assembly: Assembly, conversation: int) -> None:
        """Show an assembly, unless its sections are those that are shown, and the conversation behind it."""
        if self.assembly is None or assembly.sections is not self.assembly.sections:
            self.assembly = assembly
        self.conversation = conversation

    def watch_assembly(self, assembly: Assembly | None) -> None:
        """Find out once what the bar is drawn from."""
        self._shares = composition(assembly) if assembly is not None else ()

    def render_line(self, y: int) -> Strip:
        """The bar, cell by cell, then the numbers."""
        if self.assembly is None:
            return super().render_line(y)
        base = self.rich_style
        figure = figures(self.assembly.tokens, self.size.width, total_mark(self.assembly), self.conversation)
        bar = max(self.size.width - width_of(figure) - 2, 0)
        segments = self._bar(bar, base) if bar >= _MIN_BAR else []
        segments.append(Segment("  ", base))
        segments += [Segment(text, base + self.tone_style(tone)) for text, tone in figure]
        return Strip(segments).adjust_cell_length(self.size.width, base)

    def _bar(self, width: int, base: Style) -> list[Segment]:
        assert self.assembly is not None
        shares = self._shares
        if self.conversation:
            shares += (Share("accent", "conversation", self.conversation),)
        halves = half_cells(shares, self.assembly.tokens.window, width)
        segments = []
        for left, right in zip(halves[::2], halves[1::2], strict=True):
            if left == right or right is None:
                segments.append(Segment("█" if left == right else "▌", base + self.tone_style(left or "faint")))
            else:
                over = Style(bgcolor=self.tone_style(right).color)
                segments.append(Segment("▌", base + self.tone_style(left or "faint") + over))
        rest = free_part(shares, self.assembly.tokens, width, len(segments))
        return segments + [Segment(text, base + self.tone_style(tone)) for text, tone in rest]


def half_cells(shares: Sequence[Share], window: int, width: int) -> list[Tone | None]:
    """The used part in half cells, an even number of them, at least one for each group."""
    halves: list[Tone | None] = []
    for share in shares:
        count = max(1, round(share.tokens / max(window, 1) * width * 2))
        halves += [share.tone] * count
    halves = halves[: width * 2]
    return [*halves, None] if len(halves) % 2 else halves


def free_part(shares: Sequence[Share], tokens: TokenSummary, width: int, used: int) -> Spans:
    """The cells after the used ones: the legend if it fits, the compaction mark, the reserve."""
    cells: list[Span] = [Span(" ", "faint")] * (width - used)
    reserved = round(tokens.reserve / max(tokens.window, 1) * width)
    for at in range(max(len(cells) - reserved, 0), len(cells)):
        cells[at] = Span("▒", "faint")
    mark = round(tokens.compact_at / max(tokens.window, 1) * width) - used if tokens.compact_at else len(cells)
    if 0 <= mark < len(cells):
        cells[mark] = Span("│", "warn")
    at = 1
    end = min(mark, len(cells) - reserved)
    for entry in _entries(shares, end - at):
        cells[at : at + len(entry)] = entry
        at += len(entry) + _LEGEND_GAP
    return joined(cells)


def _entries(shares: Sequence[Share], room: int) -> list[list[Span]]:
    """The entries of the legend that fit, in the order of the shares, each as single cells.

    What matters less to the user is left out first.
    """
    entries: dict[Tone, list[Span]] = {}
    for share in shares:
        parts = (Span("■", share.tone), Span(f" {share.name} "), Span(f"{share.tokens:,}", "dim"))
        entries[share.tone] = [Span(char, span.tone) for span in parts for char in span.text]
    taken: set[Tone] = set()
    for tone in sorted(entries, key=_MATTERS.index):
        if room > len(entries[tone]):
            taken.add(tone)
            room -= len(entries[tone]) + _LEGEND_GAP
    return [entry for tone, entry in entries.items() if tone in taken]


def figures(tokens: TokenSummary, width: int, mark: str, conversation: int = 0) -> Spans:
    """`≈ 9,812 of 200,000 tok  4.9%  compacts at 167,000`, what fits and is known. `mark`: whether it is exact.

    With the tokens of a `conversation` it is `≈ 150,000 of 200,000 tok  75%  after a turn, the prompt 9,812`.
    """
    used = None if tokens.expected is None else tokens.expected + conversation
    sign = "" if mark == MARKS["exact"] else f"{mark} "
    share = percent(used, tokens.window) or "…"
    found = [Span(sign, "dim"), Span(number(used), "strong"), Span(f" of {tokens.window:,} tok  ", "dim")]
    if used is not None and used > tokens.window:
        over = f"   over by {used - tokens.window:,}" if width >= _EXCESS_FROM else ""
        return (*found, Span(f"{share}{over}", "warn"))
    found.append(Span(share))
    if conversation:
        more = f", the prompt {number(tokens.expected)}" if width >= _COMPACTION_FROM else ""
        return (*found, Span(f"   after a turn{more}", "accent"))
    if width >= _COMPACTION_FROM and (where := compacts(tokens.compact_at, tokens.compaction)):
        found.append(Span(f"   {where}", "warn" if tokens.compact_at else "dim"))
    return tuple(found)


class AssumedBar(LineBar, can_focus=True):
    """`assumed: interactive, trusted   enter the untrusted start`."""

    DEFAULT_CSS = """
    AssumedBar { display: none; padding: 0 1; }
    AssumedBar.-shown { display: block; }
    AssumedBar:focus { background: $boost; }
    """
    BINDINGS = bindings("assumed")

    assembly: reactive[Assembly | None] = reactive(None, always_update=True)
    """What is shown."""

    def show(self, assembly: Assembly) -> None:
        """Show what was assumed of an assembly, unless that is shown."""
        if self.assembly is None or assembly.assumed != self.assembly.assumed:
            self.assembly = assembly

    def watch_assembly(self, assembly: Assembly | None) -> None:
        """Without an assumption there is nothing to say."""
        self.set_class(bool(assembly and assembly.assumed), "-shown")

    def parts(self, _: int) -> tuple[list[BarPart], list[BarPart]]:
        """The assumptions, and how to see the opposite of the last one."""
        if self.assembly is None or not self.assembly.assumed:
            return [], []
        start = "untrusted" if self.assembly.assumed[-1].text == "trusted" else "headless"
        keys = part(Span("   enter", "accent"), Span(f" the {start} start", "dim"), action="opposite")
        return [part(Span(assumptions(self.assembly), "dim")), keys], []

    def action_opposite(self) -> None:
        """Show the start without the last assumption."""
        if self.assembly and self.assembly.assumed:
            self.post_message(Requested(ApplyLevers(self.assembly.assumed[-1].otherwise)))

    async def act(self, _: str) -> None:
        """A click does the same."""
        self.action_opposite()
