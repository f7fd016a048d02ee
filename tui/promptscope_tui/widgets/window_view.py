"""The context window as a block map by category, with the reserve and the point of compaction."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.model import Assembly
from promptscope_tui.rows.accounts import no_account, own_account
from promptscope_tui.rows.composition import composition, tone_of
from promptscope_tui.rows.subjects import WindowSubject
from promptscope_tui.rows.window import context_rows
from promptscope_tui.text.paths import short_text
from promptscope_tui.text.spans import BLANK, Row, Span, Tone, fit, joined, paragraph, row
from promptscope_tui.text.words import number, percent

from .row_list import RowList

_FULL, _FREE, _RESERVE, _MARK = "■", "·", "▒", "│"
_ROWS = 10
_LIST = 20  # sections in the list


class WindowView(RowList):
    """A map of blocks, each an equal part of the window; below it the largest sections."""

    DEFAULT_CSS = "WindowView { padding: 0 1; }"

    def show_assembly(self, assembly: Assembly, scenario: Scenario) -> None:
        """Show an assembly's window, in the agent's own categories if it has any."""
        agent = load_agent(assembly.agent)
        report = own_account(agent, assembly, scenario)
        if report is None:
            said = paragraph(Span(f" {no_account(agent)}", "faint"), indent=1)
            self.show(lambda width: [*window_rows(assembly, width), BLANK, said])
            return
        used = report
        expected = assembly.tokens.expected
        self.show(lambda width: [BLANK, *context_rows(used, expected, width), BLANK, *_largest(assembly, width)])

    @property
    def subject(self) -> WindowSubject:
        """What Why explains while this is shown."""
        return WindowSubject()


def window_rows(assembly: Assembly, width: int) -> list[Row]:
    """The rows, for a width in cells."""
    columns = min(max((width - 38) // 2, 10), 30) if width >= 62 else min(max((width - 2) // 2, 8), 30)
    blocks = _blocks(assembly, columns * _ROWS)
    lines = [blocks[n : n + columns] for n in range(0, len(blocks), columns)]
    legend = list(_legend(assembly, columns * _ROWS))
    beside = width >= 62
    rows = [BLANK]
    for number_, line in enumerate(lines):
        spans = joined(Span(f"{block.text} ", block.tone) for block in line)
        words = legend[number_] if beside and number_ < len(legend) else ()
        rows.append(row(" ", *spans, Span("  " if words else ""), *words))
    if not beside:
        rows += [BLANK, *(row(" ", *words) for words in legend)]
    return [*rows, BLANK, *_largest(assembly, width)]


def _blocks(assembly: Assembly, count: int) -> list[Span]:
    """One span per block: at least one for each group, then free space, then the reserve."""
    window = max(assembly.tokens.window, 1)
    blocks = [
        Span(_FULL, share.tone)
        for share in composition(assembly)
        for _ in range(max(1, round(share.tokens / window * count)))
    ][:count]
    reserve = min(round(assembly.tokens.reserve / window * count), count - len(blocks))
    blocks += [Span(_FREE, "faint")] * (count - len(blocks) - reserve) + [Span(_RESERVE, "dim")] * reserve
    if assembly.tokens.compact_at is not None:
        blocks[min(round(assembly.tokens.compact_at / window * count), count - 1)] = Span(_MARK, "warn")
    return blocks


def _legend(assembly: Assembly, count: int) -> Iterator[tuple[Span, ...]]:
    tokens = assembly.tokens
    window = max(tokens.window, 1)

    def entry(glyph: str, tone: Tone, words: str, size: int | None) -> tuple[Span, ...]:
        share = f"{percent(size, window):>6}"
        return Span(f"{glyph} ", tone), Span(f"{words:<12}"), Span(f"{number(size):>9}"), Span(f"  {share}", "dim")

    for share in composition(assembly):
        yield entry(_FULL, share.tone, share.name, share.tokens)
    yield entry(_FREE, "faint", "free", tokens.free)
    if tokens.reserve:
        yield entry(_RESERVE, "dim", "reserve", tokens.reserve)
    if tokens.compact_at is not None:
        yield entry(_MARK, "warn", "compacts at", tokens.compact_at)
    yield (Span(f"a block is {max(1, round(window / count)):,} tok", "faint"),)


def _largest(assembly: Assembly, width: int) -> Iterator[Row]:
    """The largest sections, with bars."""
    counted = [
        (short_text(s.title, assembly), s.expected_tokens, tone_of(s, assembly)) for s in assembly.sections if s.present
    ]
    counted += [(t.name, t.expected_tokens, "tool") for t in assembly.tools if t.present and not t.section]
    known = [(title, size, tone) for title, size, tone in counted if size]
    sizes = sorted(known, key=lambda entry: -entry[1])[:_LIST]
    if not sizes:
        return
    yield row(" ", Span("LARGEST", "title"))
    most = sizes[0][1]
    title_width = min(max(len(title) for title, _, _ in sizes), max(width - 30, 12))
    room = max(width - title_width - 20, 4)
    for title, size, tone in sizes:
        bar = "█" * max(1, round(size / most * room)) if size * room * 2 >= most else "▏"
        yield row(
            " ",
            Span(f"{fit(title, title_width):<{title_width}}"),
            Span(f"{size:>8,}"),
            Span(f" {percent(size, assembly.tokens.expected or size):>6}  ", "dim"),
            Span(bar, tone),
        )
