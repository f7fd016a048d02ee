"""What took how long, as rows."""

from __future__ import annotations

from promptscope_engine.prompt.model import Assembly
from promptscope_engine.timings import PHASES, Timings
from promptscope_tui.text.spans import BLANK, Row, Span, fit, paragraph, row
from promptscope_tui.text.words import short_path

from .words import milliseconds


def timings_rows(timings: Timings, assembly: Assembly, width: int) -> list[Row]:
    """The phases, then every file, section and tool, the longest first; the keys are their names."""
    rows = [paragraph(Span("all read, made and counted anew, but for counts that are kept", "dim")), BLANK]
    rows += [row(Span(phase, "strong"), right=[Span(milliseconds(timings.total(phase)), "strong")]) for phase in PHASES]
    rows.append(BLANK)
    for name, phases in timings.by_name():
        shown = fit(short_path(name, assembly), max(width - 14, 8))
        rows.append(row(Span(shown), right=[Span(milliseconds(sum(phases.values())), "dim")], key=name))
    return rows


def phase_rows(timings: Timings, assembly: Assembly, name: str) -> list[Row]:
    """One of them, phase by phase."""
    found = dict(timings.by_name()).get(name, {})
    rows = [paragraph(Span(short_path(name, assembly), "strong"))]
    return rows + [
        row(Span(f" {phase}"), right=[Span(milliseconds(found[phase]), "dim")]) for phase in PHASES if phase in found
    ]
