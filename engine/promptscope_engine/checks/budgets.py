"""Findings about sizes: budgets, growth since a revision, files that must or may not be there."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatchcase
from itertools import accumulate

from promptscope_engine.prompt.model import Assembly

from .context import Context
from .findings import RULES, Finding, Spent
from .settings import Budget, Growth

Place = tuple[str | None, int | None]
"""A file's absolute path, and a line of it."""


def over_budget(budget: Budget, context: Context, place: Place = (None, None)) -> Iterator[Finding]:
    """What costs more than this budget, which is for this agent and mode; `place` is where the budget is written.

    A file is at fault from the line on with which it goes over; all else has no lines but those of the budget.
    """
    limit = _limit(budget, context.assembly)
    for name, path, tokens in _costs(budget, context):
        if tokens > limit:
            words = f"{name} takes {tokens:,} tokens, {tokens - limit:,} over its budget of {limit:,}"
            where = place if path is None else (path, _line_over(limit, path, context))
            yield context.finding("budget", words, *where)


def _line_over(limit: int, path: str, context: Context) -> int:
    """The first line of a file that is beyond the limit; the last one where imports or headings make the difference."""
    text = context.text(path)
    ends = list(accumulate(len(line) + 1 for line in text.rstrip("\n").split("\n")))
    return bisect_right(ends[:-1], limit, key=lambda end: context.counter.count(text[:end])) + 1


def spent(number: int, budget: Budget, context: Context) -> Iterator[Spent]:
    """What the dearest of the budget's things costs; nothing where it has none."""
    costs = max(_costs(budget, context), key=lambda cost: cost[2], default=None)
    if costs is not None:
        yield Spent(number, costs[0], context.assembly.agent, costs[2], _limit(budget, context.assembly))


def _limit(budget: Budget, assembly: Assembly) -> int:
    share = None if budget.share is None else int(budget.share * assembly.tokens.window)
    return min(each for each in (budget.tokens, share) if each is not None)


def _costs(budget: Budget, context: Context) -> Iterator[tuple[str, str | None, int]]:
    assembly = context.assembly
    if budget.section is not None:
        for section in assembly.sections:
            if section.present and fnmatchcase(section.id, budget.section):
                yield f"section {section.id}", None, section.expected_tokens or 0
    elif budget.tool is not None:
        for tool in assembly.tools:
            if tool.present and fnmatchcase(tool.name, budget.tool):
                yield f"tool {tool.name}", None, tool.expected_tokens or 0
    elif budget.file is not None:
        for file in assembly.files:
            shown = context.relative(file.path)
            if file.present and shown is not None and fnmatchcase(shown, budget.file):
                yield shown, file.path, file.tokens or 0
    else:
        mode = f" in mode {budget.mode}" if budget.mode else ""
        yield f"the prompt of {assembly.agent}{mode}", None, assembly.tokens.expected or 0


def grown(growth: Growth, before: Assembly, context: Context, place: Place = (None, None)) -> Iterator[Finding]:
    """Whether the prompt grew by more than is allowed since the revision; `place` is where that is written."""
    old, new = before.tokens.expected or 0, context.assembly.tokens.expected or 0
    more = new - old
    share = None if growth.percent is None else int(old * growth.percent / 100)
    allowed = [each for each in (growth.tokens, share) if each is not None]
    if allowed and more > min(allowed):
        words = f"{context.assembly.agent} has {more:,} tokens more than at {growth.against} ({old:,} → {new:,})"
        yield context.finding("growth", f"{words}; {min(allowed):,} are allowed", *place)


def required(
    patterns: Iterable[str], contexts: Iterable[Context], elsewhere: Callable[[], set[str]] = set
) -> Iterator[Finding]:
    """The required files that no agent is given; `elsewhere`: what agents are given whose prompts are not here."""
    here = {name for context in contexts for name in given(context)}
    missing = [pattern for pattern in patterns if not any(fnmatchcase(name, pattern) for name in here)]
    others = elsewhere() if missing else set()
    for pattern in missing:
        if not any(fnmatchcase(name, pattern) for name in others):
            text = "it is required, and no agent is given it"
            yield Finding("required-file", RULES["required-file"].level, text, pattern)


def forbidden(patterns: Iterable[str], context: Context) -> Iterator[Finding]:
    """The forbidden files that an agent is given."""
    for name in given(context):
        for pattern in patterns:
            if fnmatchcase(name, pattern):
                yield context.finding("forbidden-file", f"it is forbidden ({pattern}), and the agent is given it", name)


def given(context: Context) -> set[str]:
    """The files below the repository's root that the agent is given."""
    names = (context.relative(file.path) for file in context.assembly.files if file.present)
    return {name for name in names if name is not None}
