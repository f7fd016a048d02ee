"""What a turn's prompt costs, as rows of the window."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.insight.costs import cost_of
from promptscope_engine.prompt.model import Assembly
from promptscope_tui.text.cost import dollars, explanation, prices, unpriced
from promptscope_tui.text.counts import reported
from promptscope_tui.text.spans import Row, Span, paragraph, row


def cost_rows(assembly: Assembly) -> Iterator[Row]:
    """What the service reported for a captured request, then the cost cold and cached, and what it rests on.

    Nothing while tokens are not counted.
    """
    if assembly.tokens.expected is None:
        return
    if assembly.tokens.reported is not None:
        yield paragraph(Span(f" {reported(assembly.tokens.reported, assembly.tokens.total)}", "faint"), indent=1)
    cost = cost_of(assembly)
    yield row(" ", Span("COST", "title"), Span("  the prompt of one turn, in US dollars", "faint"))
    if cost is None:
        yield paragraph(Span(f" {unpriced(assembly.model)}", "faint"), indent=1)
        return
    cached = "unknown" if cost.cached is None else dollars(cost.cached)
    yield row(" ", Span(f"{dollars(cost.cold):>9}"), Span(" cold   ", "dim"), Span(cached), Span(" cached", "dim"))
    for words in (explanation(cost), prices(cost)):
        yield paragraph(Span(f" {words}", "faint"), indent=1)
