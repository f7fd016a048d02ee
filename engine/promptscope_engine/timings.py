"""What took how long, by phase and by what it was done for: measured in a thread that asks for it, and nowhere else."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from time import perf_counter
from typing import Concatenate, Literal, ParamSpec, TypeVar

from msgspec import Struct, field

Phase = Literal["reading", "gathering", "assembling", "counting"]

PHASES: tuple[Phase, ...] = ("reading", "gathering", "assembling", "counting")

P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")


class Timings(Struct, eq=False):
    """Seconds by phase and name, each without what it called for.

    A name is a file's path, a section's id or a tool's, "" for neither. `begun` is when measuring began, `times` how
    often.
    """

    spent: dict[tuple[Phase, str], float] = {}
    times: dict[tuple[Phase, str], int] = {}
    begun: float = field(default_factory=perf_counter)
    _open: list[tuple[Phase, str, float]] = []
    _within: list[float] = field(default_factory=lambda: [0.0])
    """What took time within each of those that are open, and in all."""

    def total(self, phase: Phase) -> float:
        """The seconds of a phase."""
        return sum(seconds for (of, _), seconds in self.spent.items() if of == phase)

    def by_name(self) -> list[tuple[str, dict[Phase, float]]]:
        """What each file, section and tool took, by phase; the longest first, what has no name left out."""
        found: dict[str, dict[Phase, float]] = {}
        for (phase, name), seconds in self.spent.items():
            if name:
                found.setdefault(name, {})[phase] = seconds
        return sorted(found.items(), key=lambda each: (-sum(each[1].values()), each[0]))

    def enter(self, phase: Phase, name: str) -> None:
        """Something begins; without a name it is done for what is being done."""
        self._open.append((phase, name or (self._open[-1][1] if self._open else ""), perf_counter()))
        self._within.append(0.0)

    def leave(self) -> None:
        """What began last is done."""
        phase, name, since = self._open.pop()
        key = phase, name
        took = perf_counter() - since
        self.spent[key] = self.spent.get(key, 0.0) + took - self._within.pop()
        self.times[key] = self.times.get(key, 0) + 1
        self._within[-1] += took


_MEASURED: ContextVar[Timings | None] = ContextVar("timings", default=None)
"""Those of this thread."""


@contextmanager
def measured() -> Iterator[Timings]:
    """Measure what this thread does."""
    timings = Timings()
    before = _MEASURED.set(timings)
    try:
        yield timings
    finally:
        _MEASURED.reset(before)


def timed(
    phase: Phase, name: Callable[Concatenate[S, P], str]
) -> Callable[[Callable[Concatenate[S, P], T]], Callable[Concatenate[S, P], T]]:
    """Count a function's time to a phase, under the name that `name` makes of its arguments.

    It is for functions that do real work: if nobody measures, all it costs is one look whether somebody does.
    """

    def around(function: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[S, P], T]:
        @wraps(function)
        def inner(first: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
            timings = _MEASURED.get()
            if timings is None:
                return function(first, *args, **kwargs)
            timings.enter(phase, name(first, *args, **kwargs))
            try:
                return function(first, *args, **kwargs)
            finally:
                timings.leave()

        return inner

    return around


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
