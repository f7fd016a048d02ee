"""`promptscope tokens`: what fills the window."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

import click

from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.model import Assembly, Section, Tool, to_json
from promptscope_tui.output.stdout import Table, put_json, put_shown
from promptscope_tui.text import words

from .options import Options, with_options

COLUMNS = ("id", "section", "tokens", "share", "bar")
NUMBERS = frozenset({"tokens", "share"})


@click.command()
@with_options
def tokens(options: Options) -> None:
    """Print the token budget by section and by group of tools.

    Sizes are what the real agent would send: = exact, ≈ estimated or scaled to the agent's measured size. A section
    that contains others shows their sum, its own text apart. The sections and the tools sent beside the prompt add up
    to the total in the last line. Tools described in the sections are not counted twice: their groups say so.

    \b
    Examples:
      promptscope tokens
      promptscope tokens --mode architect --tokenizer cl100k_base
      promptscope tokens --format json | jq .summary.expected
    """
    assembly = options.assembly()
    if options.form == "json":
        put_json(_as_json(assembly))
        return
    if options.form != "plain":
        put_shown(words.budget(assembly) + "\n\n")
    Table(COLUMNS, tuple(rows(assembly)), NUMBERS).put(options.form)


def rows(assembly: Assembly) -> Iterable[tuple[str, ...]]:
    """The cells of COLUMNS for each section, each group of tools, and the total."""
    whole = assembly.tokens.expected
    for section in assembly.sections:
        if section.present and section.parent is None:
            family = _family(section, assembly)
            exact = all(s.confidence == "exact" for s in family)
            yield _row(section.id, section.title, words.total(s.expected_tokens for s in family), whole, exact)
            if len(family) > 1:
                yield _row(
                    f"{section.id}:own", "  own text", section.expected_tokens, whole, section.confidence == "exact"
                )
            for child in family[1:]:
                yield _row(child.id, f"  {child.title}", child.expected_tokens, whole, child.confidence == "exact")
    for group, members in _groups(assembly.tools_beside):
        yield _of_tools(group, members, "", whole)
    for group, members in _groups(_described(assembly)):
        yield _of_tools(group, members, " (in the sections above)", whole)
    yield _row("total", "the whole request", whole, whole, words.total_mark(assembly) == words.MARKS["exact"])


def _of_tools(group: str, members: list[Tool], place: str, whole: int | None) -> tuple[str, ...]:
    cost = words.total(tool.expected_tokens for tool in members)
    exact = all(tool.confidence == "exact" for tool in members)
    return _row(f"tools:{group}", f"tools of {group}{place}", cost, whole, exact)


def _row(id: str, title: str, cost: int | None, whole: int | None, exact: bool) -> tuple[str, ...]:
    tokens = f"{'=' if exact else '≈'}{words.number(cost)}"
    return id, title, tokens, words.percent(cost, whole), words.bar(cost, whole)


def _family(section: Section, assembly: Assembly) -> list[Section]:
    """The section and everything nested in it, in order; only what is present."""
    found = [section]
    for child in assembly.children(section.id):
        if child.present:
            found += _family(child, assembly)
    return found


def _described(assembly: Assembly) -> list[Tool]:
    """The tools that sections describe, which count there."""
    return [tool for tool in assembly.tools if tool.present and tool.section is not None]


def _groups(tools: Iterable[Tool]) -> list[tuple[str, list[Tool]]]:
    ordered = sorted(tools, key=lambda tool: tool.group)
    return [(group, list(members)) for group, members in groupby(ordered, key=lambda tool: tool.group)]


def _as_json(assembly: Assembly) -> Json:
    keys = ("id", "title", "parent", "channel", "tokens", "expected_tokens", "confidence", "reference_tokens")
    return {
        "summary": to_json(assembly.tokens),
        "sections": [{key: getattr(s, key) for key in keys} for s in assembly.sections if s.present],
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
    }
