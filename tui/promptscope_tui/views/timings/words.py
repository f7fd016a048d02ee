"""What took how long, in words."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

from promptscope_engine.timings import PHASES, Timings

MOST = 20
"""Files, sections and tools that are told."""


def milliseconds(seconds: float) -> str:
    """`12.3 ms`."""
    return f"{seconds * 1000:,.1f} ms"


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
