"""`promptscope diff`: two prompts compared, as text, Markdown or a patch."""

import html
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from itertools import accumulate
from pathlib import Path

import click
from msgspec import Struct

from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.comparison import Comparison, FileChange, SectionChange, ToolChange, compare, unified
from promptscope_engine.insight.sides import (
    FORMS,
    Side,
    assemble_both,
    between,
    is_side,
    question_of,
    saved_in,
    side_of,
)
from promptscope_engine.insight.text_difference import DiffLine, hunks, signed_lines, text_difference
from promptscope_engine.learned import Learned
from promptscope_engine.learning.mod_difference import AS_RUN, BEFORE, by_last_run
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.tokens.counter import counter_for
from promptscope_engine.workspace import Workspace
from promptscope_tui.output import exits
from promptscope_tui.output.stdout import Styled, Table, on_terminal, put, put_json, put_shown, put_styled
from promptscope_tui.session.releases import refuse_sizes_alone
from promptscope_tui.settings import wordings
from promptscope_tui.settings.settings import DEFAULTS
from promptscope_tui.text.words import difference, number, place
from promptscope_tui.views.compare.rows import MARKS, about, all_counts, totals, whose

from .diff_cache import put_cache
from .options import Options, with_side_options
from .table import command


@command("diff")
@with_side_options
def diff(options: Options, words: tuple[str, ...], revisions: str | None, *, exit_code: bool, **shown: bool) -> None:
    """Compare two prompts: sections, tools and files that came, went, changed or moved, then the text."""
    if shown["cache"]:
        missed = put_cache(options, words)
        raise click.exceptions.Exit(exits.CHECK_FAILED if exit_code and missed else 0)
    found = by_mods(options, words) if any(map(is_of_mods, words)) else compared(options, words, revisions)
    report = Report(found, texts=not shown["summary"])
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


def is_of_mods(word: str) -> bool:
    """Whether it is a side of the prompt before mods, or as they left it when they were run."""
    return word in (BEFORE, AS_RUN)


def by_mods(options: Options, words: tuple[str, ...]) -> Comparison:
    """What the mods of a folder did when `learn --mods` ran them."""
    if words != (BEFORE, AS_RUN):
        raise click.UsageError(f"these two go together: {BEFORE} {AS_RUN}")
    assembly = options.assembly()
    counter = counter_for(assembly.model)
    found = by_last_run(assembly, counter.count)
    counter.flush()
    return found


def compared(options: Options, words: tuple[str, ...], revisions: str | None) -> Comparison:
    """The comparison that was asked for; what keeps a side from being assembled as meant goes to stderr."""
    base = options.scenario(DEFAULTS, env={})
    saved = {word: found for word in words if not is_side(word) and (found := saved_in(word))}
    if base.agent is None and saved:
        first = next(iter(saved.values()))
        base = base.with_value("agent", first.agent).with_value("agent_version", first.agent_version)
    agent = resolve(base, Workspace()).agent  # once: a revision may lack the files that tell whose repository it is
    base = base.with_value("agent", agent.id)
    if revisions is not None and words:
        raise click.UsageError("--git names both sides: give no other one")
    learned = wordings.load() if any("@" in word for word in words) else None
    sides = between(revisions, base) if revisions is not None else _sides(words, base, saved, learned)
    counter = counter_for(base.model)
    before, after = assemble_both(sides, counter, learned)
    counter.flush()
    exits.report(dict.fromkeys(d for d in (*before.diagnostics, *after.diagnostics) if d.severity == "error"))
    return compare(before, after, (sides[0].name, sides[1].name), question_of(*sides))


def _sides(
    words: tuple[str, ...], base: Scenario, saved: Mapping[str, Assembly], learned: Learned | None
) -> tuple[Side, Side]:
    sides = [Side(word, base, saved=saved[word]) if word in saved else _side(word, base, learned) for word in words]
    match sides:
        case [one, other]:
            return one, other
        case [before]:
            return before, Side("work tree" if before.revision else "this prompt", base)
    raise click.UsageError(f"give one or two sides to compare, each {FORMS}; or --git REV")


def _side(text: str, base: Scenario, learned: Learned | None) -> Side:
    refuse_sizes_alone(text, learned)
    kind, _, value = text.partition(":")
    if kind == "git" and ".." in value:
        raise click.UsageError(f"two revisions are given as --git {value}")
    try:
        return side_of(text, base)
    except ScenarioError as error:
        if is_side(text) or Path(text).exists():
            raise
        raise click.UsageError(str(error)) from None


COMMENT = 60_000
"""Characters of the Markdown: a comment on GitHub may have 65,536."""

_CONTEXT = 3
_COLOURS = {" ": "dim", "-": "red", "+": "green"}
_NUMBERS = frozenset({"before", "after", "±"})
_TEXT = 15_000
"""Characters of one text in Markdown."""

_Line = tuple[str, DiffLine]
"""A sign, and a line of one side."""


class Report(Struct, frozen=True):
    """What is printed of a comparison; without `texts` only what changed, and by how much."""

    found: Comparison
    texts: bool = True

    def text(self) -> str:
        """For people; words that differ are in `[-…-]` and `{+…+}`."""
        parts = ["\n".join(self._heads()) + "\n"]
        if self._rows():
            parts.append("\n" + self._table().aligned())
        parts += [f"{line}\n" for line in self._problems()]
        for name, cost, lines in self._differences():
            parts.append(f"\n── {name}  {cost}\n")
            parts += [f"{line}\n" if isinstance(line, str) else f"{_in_words(*line)}\n" for line in lines]
        return "".join(parts)

    def print(self) -> None:
        """The same in colours, for a terminal."""
        title, *heads = self._heads()
        put_styled([[(title, "bold")], *([(head, "")] for head in heads), *([[]] if self._rows() else [])])
        if self._rows():
            self._table().put("text")
        shown: list[list[Styled]] = [[(line, "")] for line in self._problems()]
        for name, cost, lines in self._differences():
            shown.append([(f"\n── {name}  {cost}", "bold")])
            shown += [[(each, "dim")] if isinstance(each, str) else _coloured(*each) for each in lines]
        put_styled(shown)

    def markdown(self) -> str:
        """For a comment: one line, a table, folded details; what would make it too long is left out, and says so."""
        whole = "; ".join(self._heads()[1:])
        names = f"{_code(self.found.before.name)} → {_code(self.found.after.name)}"
        parts = [f"**Prompt** {names}, {_code(self._whose())}: {whole}\n"]
        if rows := self._rows():
            coded = [(mark, what, _code(name), *sizes) for mark, what, name, *sizes in rows]
            parts.append("\n" + self._table()._replace(rows=coded).markdown())
        if problems := self._problems():
            parts.append("\n" + "".join(f"- {_code(line)}\n" for line in problems))
        length, left = sum(map(len, parts)), 0
        for name, cost, lines in self._differences():
            folded = _folded(name, cost, [_patched(line) for line in lines])
            length += len(folded)
            if length <= COMMENT:
                parts.append(folded)
            else:
                left += 1
        if left:
            parts.append(f"\n{left} more {'text' if left == 1 else 'texts'} left out: too long for a comment.\n")
        return "".join(parts)

    def patch(self) -> str:
        """A unified diff of each text."""
        parts: list[str] = []
        for name, _, _, before, after in self._texts():
            lines = unified(before, after, _CONTEXT)
            parts += [f"--- {name}\n", f"+++ {name}\n", *(f"{line}\n" for line in lines)] if lines else []
        return "".join(parts)

    # --- parts --------------------------------------------------------------------------------------------------

    def _whose(self) -> str:
        one, other = whose(self.found.before), whose(self.found.after)
        return one if one == other else f"{one} → {other}"

    def _heads(self) -> list[str]:
        """What is compared, the totals, and how much differs."""
        names = f"{self.found.before.name} → {self.found.after.name}"
        differences = all_counts(self.found) or "no difference"
        return [f"{names}   {self._whose()}", totals(self.found), differences, *about(self.found)]

    def _rows(self) -> list[tuple[str, ...]]:
        rows = []
        for kind, name, change in self._changes():
            sizes = number(change.tokens_before), number(change.tokens_after), difference(change.tokens)
            by = ", ".join(change.by) if isinstance(change, SectionChange) else ""
            rows.append((MARKS[change.change], kind, name, *sizes, *[by] * self._has_mods))
        return rows

    def _changes(self) -> Iterator[tuple[str, str, SectionChange | ToolChange | FileChange]]:
        """Each change with its kind and name. Of a section's tools and files the tokens are the section's too."""
        for section in self.found.sections:
            also_moved = section.moved and section.change != "moved"
            kind = section.id.partition(":")[0] if section.by else "section"
            yield f"{kind}, moved" if also_moved else kind, section.title, section
        for tool in self.found.tools:
            yield "tool", tool.name, tool
        for file in self.found.files:
            yield "file", file.path, file

    def _table(self) -> Table:
        return Table((*_COLUMNS, *["mod"] * self._has_mods), self._rows(), _NUMBERS)

    @property
    def _has_mods(self) -> bool:
        return any(each.by for each in self.found.sections)

    def _problems(self) -> list[str]:
        said = ((each, place(each.path, each.line)) for each in self.found.problems)
        return [f"{MARKS[p.change]} {p.severity}: {f'{at}: ' if at else ''}{p.message}" for p, at in said]

    def _texts(self) -> Iterator[tuple[str, str, str, str, str]]:
        """The id, the title, the tokens more or less, and the two texts of everything whose text differs."""
        if not self.texts:
            return
        for section in self.found.sections:
            if section.before != section.after:
                yield section.id, section.title, difference(section.tokens), section.before, section.after
        for tool in self.found.tools:
            if tool.section is None:
                yield f"tool {tool.name}", tool.name, difference(tool.tokens), tool.before, tool.after

    def _differences(self) -> Iterator[tuple[str, str, list[str | _Line]]]:
        """Each title and its tokens with the lines that differ: a place, or a line with its sign."""
        for _, title, cost, before, after in self._texts():
            yield title, cost, list(_lines(before, after))


_COLUMNS = ("", "what", "name", "before", "after", "±")


def _lines(before: str, after: str) -> Iterator[str | _Line]:
    """The hunks of a text, each after its place: the removed lines of a stretch before the added ones."""
    for hunk in hunks(text_difference(before, after), _CONTEXT):
        old = next((pair.before.number for pair in hunk if pair.before), 0)
        new = next((pair.after.number for pair in hunk if pair.after), 0)
        yield f"@@ -{old} +{new} @@"
        yield from signed_lines(hunk)


def _in_words(sign: str, line: DiffLine) -> str:
    opens, closes = ("[-", "-]") if sign == "-" else ("{+", "+}")
    return sign + "".join(f"{opens}{part.text}{closes}" if part.marked else part.text for part in line.stretches)


def _coloured(sign: str, line: DiffLine) -> list[Styled]:
    colour = _COLOURS[sign]
    parts = [(part.text, f"{colour} reverse" if part.marked else colour) for part in line.stretches]
    return [(sign, colour), *parts]


def _patched(line: str | _Line) -> str:
    return line if isinstance(line, str) else f"{line[0]}{line[1].text}"


def _folded(title: str, cost: str, lines: list[str]) -> str:
    """A text that opens when one clicks on its title, which is code: there, a name mentions nobody."""
    title = html.escape(" ".join(title.split()))  # a blank line would end the heading
    ends = list(accumulate(len(line) + 1 for line in lines))
    shown = bisect_right(ends, _TEXT)
    more = [f"@@ {len(lines) - shown:,} more lines @@"] if shown < len(lines) else []
    body = "\n".join([*lines[:shown], *more])
    longest = max((len(run) for run in re.findall("`+", body)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"\n<details><summary><code>{title}</code> {cost}</summary>\n\n{fence}diff\n{body}\n{fence}\n\n</details>\n"


def _code(text: str) -> str:
    """Text that Markdown leaves alone: a file's name mentions nobody and is not a link."""
    text = " ".join(text.split())
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {text} {fence}" if longest else f"`{text}`"
