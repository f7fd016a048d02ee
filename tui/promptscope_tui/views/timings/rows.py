"""What took how long, as rows."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

from promptscope_engine.prompt.model import Assembly
from promptscope_engine.timings import PHASES, Timings, measured
from promptscope_tui.text.spans import BLANK, Row, Span, fit, paragraph, row
from promptscope_tui.text.words import short_path


def timings_rows(timings: Timings, assembly: Assembly, width: int) -> list[Row]:
    """The phases, then every file, section and tool, the longest first; the keys are their names."""
    rows = [paragraph(Span("re-read and rebuilt, with the counts that are kept", "dim")), BLANK]
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


MOST = 20
"""Files, sections and tools that are told."""


def milliseconds(seconds: float) -> str:
    """`12.3 ms`."""
    return f"{seconds * 1000:,.1f} ms"


@contextmanager
def telling(say: Callable[[str], None]) -> Iterator[None]:
    """Measure, and say what took how long, however it ends."""
    with measured() as timings:
        try:
            yield
        finally:
            say("\n".join(lines(timings)))


def lines(timings: Timings) -> Iterator[str]:
    """All of it, each phase without the others, then the files, sections and tools that took longest."""
    whole = perf_counter() - timings.begun
    yield f"timings: {milliseconds(whole)} since the command line was read"
    for phase in PHASES:
        times = sum(count for (of, _), count in timings.times.items() if of == phase)
        yield f"  {phase:<11} {milliseconds(timings.total(phase)):>11}  {times:,} ×"
    rest = whole - sum(map(timings.total, PHASES))
    yield f"  {'else':<11} {milliseconds(rest):>11}  importing, printing, and all that is none of these"
    found = timings.by_name()
    for name, phases in found[:MOST]:
        parts = ", ".join(f"{phase} {milliseconds(phases[phase])}" for phase in PHASES if phase in phases)
        yield f"  {milliseconds(sum(phases.values())):>11}  {name}: {parts}"
    if len(found) > MOST:
        yield f"  … {len(found) - MOST:,} more"
