"""The prompt before mods beside the prompt as it was run with them, as a comparison that says which mod did what."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.insight.comparison import Change, Compared, Comparison, SectionChange
from promptscope_engine.prompt.model import Assembly

from .mod_effects import Deed, Effect, ModRun, Part, last_run

BEFORE, AS_RUN = "mods:before", "mods:run"
"""The two sides."""

_CHANGES: dict[Deed, Change] = {"wrote": "added", "changed": "changed", "removed": "removed"}
_UNSENT = "deferred tool"
"""Of a tool that is deferred only the name is sent."""


def by_last_run(assembly: Assembly, count: Callable[[str], int]) -> Comparison:
    """What the mods of an assembly did when they were run last. Raises ScenarioError where they never were."""
    run = last_run(assembly.programs)
    if run is None:
        raise ScenarioError("what the mods here do is not known until `promptscope learn --mods` has run them")
    return difference(assembly, run, count)


def difference(assembly: Assembly, run: ModRun, count: Callable[[str], int]) -> Comparison:
    """What the mods did when they were run. The totals are those of the prompt that is expected before mods."""
    sections = tuple(_changes(run, count, assembly.shortened))
    tokens = sum(each.tokens or 0 for each in sections)
    before = assembly.tokens.expected
    sides = [
        Compared(
            name=name,
            agent=assembly.agent,
            agent_version=assembly.shown_version,
            mode=assembly.mode,
            model=assembly.model,
            tokens=None if before is None else before + more,
            window=assembly.tokens.window,
        )
        for name, more in ((BEFORE, 0), (AS_RUN, tokens))
    ]
    question = f"what the mods did when they were run with {run.client} on {run.date}"
    return Comparison(sides[0], sides[1], tokens, sections, question=question)


def _changes(run: ModRun, count: Callable[[str], int], short: Callable[[str], str]) -> Iterator[SectionChange]:
    by_part: dict[Part, list[Effect]] = defaultdict(list)
    for each in run.effects:
        by_part[Part(each.kind, each.name)].append(each)
    for part, effects in by_part.items():
        yield _change(part, effects, count, short)


def _change(
    part: Part, effects: Sequence[Effect], count: Callable[[str], int], short: Callable[[str], str]
) -> SectionChange:
    first = effects[0]
    one, other = (0 if part.kind == _UNSENT else count(text) for text in first.texts)
    return SectionChange(
        id=f"{part.kind}:{part.name}",
        title=short(part.name) if part.kind == "file" else part.name,
        change=_CHANGES[first.did],
        tokens=other - one,
        before=first.texts[0],
        after=first.texts[1],
        moved=False,
        tokens_before=one,
        tokens_after=other,
        by=tuple(effect.mod for effect in effects),
    )
