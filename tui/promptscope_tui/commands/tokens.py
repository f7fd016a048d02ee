"""`promptscope tokens`: what fills the window."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import TYPE_CHECKING

import click

from promptscope_engine.checks.live import LiveCheck
from promptscope_engine.checks.paid_twice import PaidTwice
from promptscope_engine.formats.document import Json
from promptscope_engine.insight.costs import Bullet, cost_of, weights
from promptscope_engine.insight.costs import savings as found_savings
from promptscope_engine.insight.effects import each_effect
from promptscope_engine.insight.repeats import Repeat
from promptscope_engine.prompt.model import Assembly, Section, Tool, to_json
from promptscope_engine.tokens.cache import CountCache
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import DATE
from promptscope_engine.workspace import Workspace
from promptscope_tui.output import exits
from promptscope_tui.output.stdout import Table, put_json, put_shown
from promptscope_tui.settings.knowledge import knowledge_for
from promptscope_tui.text import words
from promptscope_tui.text.totals import offer
from promptscope_tui.views.savings import rows as twice
from promptscope_tui.views.window import rows as costs
from promptscope_tui.views.window import rows as counts

from .options import Options, counter_of, with_options
from .table import command

if TYPE_CHECKING:
    from promptscope_engine.captures.model import Recorded

COLUMNS = ("id", "section", "tokens", "share", "bar")
NUMBERS = frozenset({"tokens", "share"})


IN_ROWS_ABOVE = " (in the rows above)"
"""Behind the title of what other rows count."""


@command("tokens")
@with_options
def tokens(options: Options, exact: bool, cost: bool, savings: bool, bullets: bool) -> None:
    """Print the token budget by section and by group of tools."""
    workspace, cache = Workspace(), CountCache()
    assembly = options.assembly(workspace=workspace, cache=cache)
    counter = counter_of(assembly, cache)
    asked = _asked(assembly, options, workspace) if exact else None
    paid = LiveCheck(counter).paid_twice(assembly, workspace)
    if savings:
        _put_savings(options, assembly, paid.repeats, workspace, counter)
    elif options.form == "json":
        more = ({"exact": asked} if exact else {}) | ({"cost": _cost_json(assembly)} if cost else {})
        put_json(_as_json(assembly, paid, counter) | more)
    else:
        lines = [*words.summary(assembly), *_beside(assembly, asked, cost), *twice.summary(assembly, paid)]
        cells = list(rows(assembly, counter if bullets else None))
        if options.form == "plain":
            cells += [("note", line, "", "", "") for line in lines[1:]]
        else:
            put_shown("\n".join(lines) + "\n\n")
        Table(COLUMNS, cells, NUMBERS).put(options.form)
    counter.flush()
    if asked is not None and asked["tokens"] is None:
        raise click.exceptions.Exit(exits.CHECK_FAILED)


def _put_savings(
    options: Options, assembly: Assembly, repeats: tuple[Repeat, ...], workspace: Workspace, counter: Counter
) -> None:
    """The savings as a table or JSON."""
    scenario = options.scenario()
    effects = each_effect(scenario, workspace, counter, assembly, knowledge=knowledge_for(scenario))
    found = found_savings(assembly, effects, repeats)
    if options.form == "json":
        put_json([to_json(each) for each in found])
        return
    whole = assembly.tokens.expected
    cells = [
        (s.kind, f"{s.tokens:,}", words.percent(s.tokens, whole), words.excerpt(s.title, twice.WORDS), s.detail)
        for s in found
    ]
    if options.form == "text":
        put_shown(f"{words.budget(assembly)}\n\n")
    Table(("what", "saves", "share", "name", "detail"), cells, frozenset({"saves", "share"})).put(options.form)


def _asked(assembly: Assembly, options: Options, workspace: Workspace) -> dict[str, Json]:
    """The provider's count as JSON; its `error` also goes to stderr, and the estimate stands."""
    from promptscope_engine.insight.exact_counts import NoEndpointError, question_about
    from promptscope_tui.capturing import counting  # 100 ms: it brings aiohttp along

    found: dict[str, Json] = {"tokens": None, "host": None, "kept": None, "notes": [], "error": None}
    try:
        question = question_about(assembly, _sent(options, workspace))
        counted = counting.count(question, os.environ, lambda line: exits.say(f"promptscope: {line}"))
    except (NoEndpointError, counting.CountError) as error:
        exits.say(f"promptscope: no exact count: {error}; the estimate is kept")
        return found | {"error": str(error)}
    return found | {"tokens": counted.tokens, "host": counted.host, "kept": counted.kept, "notes": list(question.notes)}


def _sent(options: Options, workspace: Workspace) -> Recorded | None:
    """The captured request that is shown, whose own body is counted."""
    from promptscope_engine.captures.files import chosen, recording

    scenario = options.scenario()
    if scenario.capture is None:
        return None
    return chosen(recording(scenario.capture, workspace), int(scenario.params.get("request", 0)))


def _beside(assembly: Assembly, asked: dict[str, Json] | None, cost: bool) -> Iterable[str]:
    """Lines below the budget: counts of others, and the cost."""
    ours = assembly.tokens.total
    if assembly.tokens.reported is not None:
        yield counts.reported(assembly.tokens.reported, ours)
    if asked is not None and asked["tokens"] is not None:
        when = f"on {asked['kept']}" if asked["kept"] else "just now"
        notes = "".join(f", {note}" for note in asked["notes"])
        beside = counts.difference(ours, asked["tokens"])
        yield f"={asked['tokens']:,} tokens as {asked['host']} counted {when} the request as it is{notes}; {beside}"
    if cost:
        found = cost_of(assembly)
        if found is None:
            yield costs.unpriced(assembly.model)
        else:
            yield f"a turn's prompt costs {costs.summary(found)}"
            yield f"  {costs.explanation(found)}"
            yield f"  {costs.prices(found)}"


def _cost_json(assembly: Assembly) -> Json:
    cost = cost_of(assembly)
    if cost is None:
        return {"error": costs.unpriced(assembly.model), "prices_of": DATE}
    return {
        "model": cost.model,
        "currency": "USD",
        "prices_of": cost.date,
        "per_million": {"input": cost.price.input, "cache_write": cost.price.write, "cache_read": cost.price.read},
        "tokens": cost.tokens,
        "cacheable": cost.prefix,
        "caching": cost.caching,
        "cold": round(cost.cold, 8),
        "cached": None if cost.cached is None else round(cost.cached, 8),
    }


def rows(assembly: Assembly, bullets: Counter | None = None) -> Iterable[tuple[str, ...]]:
    """The cells of COLUMNS for each section, each group of tools, and the total; with a counter also for bullets."""
    whole = assembly.tokens.expected
    found = weights(assembly, bullets.count) if bullets else {}
    ids = {section.id for section in assembly.sections}
    for section in assembly.sections:
        if section.present and section.parent not in ids:
            family = [each for each in assembly.family(section) if each.present]
            exact = all(s.confidence == "exact" for s in family)
            yield _row(section.id, section.title, words.total(s.expected_tokens for s in family), whole, exact)
            if len(family) > 1:
                is_exact = section.confidence == "exact"
                yield _row(f"{section.id}:own", "  own text", section.expected_tokens, whole, is_exact)
            yield from _of_bullets(section, found, whole)
            for child in family[1:]:
                yield _row(child.id, f"  {child.title}", child.expected_tokens, whole, child.confidence == "exact")
                yield from _of_bullets(child, found, whole)
    for group, members in _groups(assembly.tools_beside):
        yield _of_tools(group, members, "", whole)
    for group, members in _groups(_described(assembly)):
        yield _of_tools(group, members, " (in the sections above)", whole)
    for server in assembly.servers:
        title = f"server {server.name}: {offer(server)}{IN_ROWS_ABOVE}"
        cells = _row(f"server:{server.name}", title, server.tokens.expected, whole, assembly.tokens.exact)
        yield cells if server.known else (*cells[:2], "", "", "")
    yield _row("total", "the whole request", whole, whole, words.total_mark(assembly) == words.MARKS["exact"])


def _of_bullets(
    section: Section, found: Mapping[str, tuple[Bullet, ...]], whole: int | None
) -> Iterable[tuple[str, ...]]:
    for bullet in found.get(section.id, ()):
        title = f"    {words.excerpt(bullet.text, twice.WORDS)}"
        yield _row(f"{section.id}:{bullet.first + 1}", title, bullet.tokens, whole, section.confidence == "exact")


def _of_tools(group: str, members: list[Tool], place: str, whole: int | None) -> tuple[str, ...]:
    cost = words.total(tool.expected_tokens for tool in members)
    exact = all(tool.confidence == "exact" for tool in members)
    return _row(f"tools:{group}", f"tools of {group}{place}", cost, whole, exact)


def _row(id: str, title: str, cost: int | None, whole: int | None, exact: bool) -> tuple[str, ...]:
    tokens = f"{'=' if exact else '≈'}{words.number(cost)}"
    return id, title, tokens, words.percent(cost, whole), words.bar(cost, whole)


def _described(assembly: Assembly) -> list[Tool]:
    """The tools that sections describe, which count there."""
    return [tool for tool in assembly.tools if tool.present and tool.section is not None]


def _groups(tools: Iterable[Tool]) -> list[tuple[str, list[Tool]]]:
    ordered = sorted(tools, key=lambda tool: tool.group)
    return [(group, list(members)) for group, members in groupby(ordered, key=lambda tool: tool.group)]


def _as_json(assembly: Assembly, paid: PaidTwice, counter: Counter) -> dict[str, Json]:
    found = weights(assembly, counter.count)
    keys = ("id", "title", "parent", "channel", "tokens", "expected_tokens", "confidence", "reference_tokens")
    return {
        "summary": to_json(assembly.tokens),
        "sections": [
            {key: getattr(s, key) for key in keys} | {"bullets": to_json(found.get(s.id, ()))}
            for s in assembly.sections
            if s.present
        ],
        "tools": [
            {
                "group": group,
                "tools": [t.name for t in members],
                "expected_tokens": words.total(t.expected_tokens for t in members),
                "in_sections": in_sections,
            }
            for in_sections, tools in ((False, assembly.tools_beside), (True, _described(assembly)))
            for group, members in _groups(tools)
        ],
        "servers": to_json(assembly.servers),
        "paid_twice": {
            "tokens": paid.tokens,
            "passages": to_json(paid.repeats),
            "findings": to_json(paid.findings),
        },
    }
