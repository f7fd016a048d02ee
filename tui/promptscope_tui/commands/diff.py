"""`promptscope diff`: two prompts held against each other."""

from __future__ import annotations

from pathlib import Path

import click

from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.comparison import Comparison, compare
from promptscope_engine.insight.sides import FORMS, Side, assemble_pinned, between, is_side, side_of
from promptscope_engine.tokens.cache import CountCache
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.tokenizers import tokenizer_for_model
from promptscope_engine.workspace import Workspace
from promptscope_tui.output import exits
from promptscope_tui.output.stdout import on_terminal, put, put_json, put_shown

from .diff_report import Report
from .options import Options, with_side_options


@click.command()
@with_side_options
@click.option(
    "--git",
    "revisions",
    metavar="REV",
    help="A revision against the work tree, or two: A..B, or A...B from the commit where B left A.",
)
@click.option("--exit-code", is_flag=True, help="Exit with 1 if the prompts differ.")
@click.option("--summary", is_flag=True, help="Leave the texts out: only what changed, and by how much.")
def diff(options: Options, words: tuple[str, ...], revisions: str | None, *, exit_code: bool, summary: bool) -> None:
    """Compare two prompts: sections, tools and files that came, went, changed or moved, then the text.

    A and B are each git:REV, agent:ID, version:V, mode:M or a scenario file; without B, the prompt that the options
    describe. Revisions are read through git's objects: the work tree is not touched.

    The same comparison gives the same result on every machine: date, system, user and what git says of the
    repository are pinned, and nothing outside of the repository is read. With --home DIR that home folder is; --set
    environment.date=... and the like replace what is pinned. A skill that needs a program counts as without it.

    Examples:
      promptscope diff --git main
      promptscope diff --git origin/main...HEAD --format markdown > comment.md
      promptscope diff mode:code mode:ask --agent roo
      promptscope diff agent:roo agent:claude-code --summary
      promptscope diff version:2.1.100 --exit-code
      promptscope diff before.yaml after.yaml ~/code/shop
    """
    found = compared(options, words, revisions)
    report = Report(found, texts=not summary)
    match options.form:
        case "json":
            put_json(found.to_dict())
        case "markdown":
            put_shown(report.markdown())
        case "plain":
            put(report.patch())
        case _ if on_terminal():
            report.print()
        case _:
            put_shown(report.text())
    if exit_code and found.differs:
        raise click.exceptions.Exit(exits.CHECK_FAILED)


def compared(options: Options, words: tuple[str, ...], revisions: str | None) -> Comparison:
    """The comparison that was asked for; what keeps a side from being assembled as meant goes to stderr."""
    base = options.as_given()
    agent, _ = resolve(base, Workspace())  # once: a revision may lack the files that tell whose repository it is
    base = base.with_value("agent", agent.id)
    sides = _between(revisions, words, base) if revisions is not None else _sides(words, base)
    cache = CountCache()
    counter = Counter(tokenizer_for_model(base.model), cache)
    before, after = (assemble_pinned(side, counter) for side in sides)
    cache.flush()
    exits.report(dict.fromkeys(d for d in (*before.diagnostics, *after.diagnostics) if d.severity == "error"))
    return compare(before, after, (sides[0].name, sides[1].name))


def _between(revisions: str, words: tuple[str, ...], base: Scenario) -> tuple[Side, Side]:
    if words:
        raise click.UsageError("--git names both sides: give no other one")
    return between(revisions, base)


def _sides(words: tuple[str, ...], base: Scenario) -> tuple[Side, Side]:
    match words:
        case (one, other):
            return _side(one, base), _side(other, base)
        case (one,):
            before = _side(one, base)
            return before, Side("work tree" if before.revision else "this prompt", base)
    raise click.UsageError(f"give one or two sides to compare, each {FORMS}; or --git REV")


def _side(text: str, base: Scenario) -> Side:
    kind, _, value = text.partition(":")
    if kind == "git" and ".." in value:
        raise click.UsageError(f"two revisions are given as --git {value}")
    try:
        return side_of(text, base)
    except ScenarioError as error:
        if is_side(text) or Path(text).exists():
            raise
        raise click.UsageError(str(error)) from None
