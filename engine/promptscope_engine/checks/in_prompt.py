"""Every rule about one prompt, for a check of a repository and for the prompt that the app shows."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct

from promptscope_engine.insight.repeats import Repeat

from .advice import advice, is_advised
from .budgets import Place, forbidden, over_budget
from .context import Context, Passage
from .files import file_findings
from .findings import Finding
from .references import Reference
from .settings import Loaded
from .stale import referred, stale_references
from .texts import duplicates, invisible, secrets


def in_text(passage: Passage, context: Context) -> Iterator[Finding]:
    """What a passage's own text alone decides."""
    yield from secrets(context, (passage,))
    yield from invisible(context, (passage,))


class Reading(Struct, frozen=True):
    """How a prompt is looked through: for what a passage's text holds, for what it refers to, and for repetitions."""

    texts: Callable[[Passage, Context], Iterable[Finding]] = in_text
    refers: Callable[[Passage], Iterable[Reference]] = referred
    repeats: Callable[[], Sequence[Repeat] | None] = lambda: None


def in_prompt(
    context: Context, loaded: Loaded, written: Callable[..., Place], reading: Reading | None = None
) -> Iterator[Finding]:
    """What is found in a prompt, before the settings judge it; `written` says where a setting is."""
    settings, reading = loaded.settings, reading or Reading()
    yield from file_findings(context)
    for passage in context.passages:
        yield from reading.texts(passage, context)
    yield from stale_references(context, reading.refers)
    yield from duplicates(context, reading.repeats())
    if is_advised(settings):
        yield from advice(context)
    yield from forbidden(settings.forbidden, context)
    for number, budget in enumerate(settings.budget):
        if budget.is_for(context.assembly.agent, context.assembly.mode):
            yield from over_budget(budget, context, written("budget", number, budget.limit))
