"""The tables of agents and files on a screen, what an agent makes of a file, and how old its model is."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from rich.cells import cell_len

from promptscope_engine.insight.agents_table import AgentsTable, AgentTotal, FileUse
from promptscope_tui.session.installed import Standing
from promptscope_tui.text.folders import Choices
from promptscope_tui.text.short_names import ALSO, ShortNames
from promptscope_tui.text.spans import BLANK, Row, Span, Tone, fit, middle, pad, paragraph, row
from promptscope_tui.text.tables import COLUMNS, table
from promptscope_tui.text.words import copy_place, line_range, many, number, total

from .lines import LEGEND, FolderKey, Line, file_lines, said, totals

_LEAST = 7  # cells of an agent's column
_MOST = 13
_NAME = 22
_GAP = 2  # cells between the name and the numbers
_MARK = 2
_TITLE = 12  # cells
_SHARED = 12  # that are listed
_WORD = re.compile(r" |(?<=-)|(?<=[a-z])(?=[A-Z])")
"""Where a word of a name begins: `GitHub Copilot CLI`, `my-agent`, `OpenClaw`."""
_UNREAD = "READ BY NO AGENT"


class _Layout(NamedTuple):
    """How lines are laid out: what cuts their names, and the cells of a mark, of a name with it, and of an agent."""

    names: ShortNames
    marks: int
    name: int
    cells: int


def agents_rows(
    found: AgentsTable, width: int, standings: Sequence[Standing] = (), choices: Mapping[bool, Choices] | None = None
) -> list[Row]:
    """The tables in `width` cells; the rows' keys are the files' real paths, folders, and the agents' ids.

    `choices` say which folders the user opened or folded, among the files that are read and among the others.
    """
    read, unread = (file_lines(found, is_read=which, choices=(choices or {}).get(which, {})) for which in (True, False))
    sums = list(totals(found))
    files = [*read, *unread]
    marks = _MARK if any(line.mark for line in files) else 0
    longest = marks + max(cell_len(f"{line.name}  {line.note}".rstrip()) for line in (*files, *sums)) + _GAP
    cells = max(min((width - max(longest, _NAME)) // max(len(found.agents), 1), _MOST), _LEAST)
    name = min(longest, max(width - cells * len(found.agents), _NAME))
    layout = _Layout(ShortNames(line.name for line in files), marks, name, cells)
    rows = list(_heads(found, layout))
    rows += [_line(line, layout, "file") for line in read]
    if not found.files:
        rows.append(paragraph(Span("There is no instruction file here.", "dim")))
    rows += [BLANK, *(_line(line, layout, "dim") for line in sums)]
    if unread:
        rows += [BLANK, row(Span(_UNREAD, "title"), Span("  with current settings", "faint"))]
        rows += [_line(line, layout, "warn") for line in unread]
    rows += [BLANK, paragraph(Span(LEGEND, "faint"))]
    if standings:
        records = [_standing(each) for each in standings]
        rows += [BLANK, row(Span("THE MODELS", "title")), *table(COLUMNS["agents"], records, width)]
    return rows


def _line(line: Line, layout: _Layout, tone: Tone) -> Row:
    note = f"  {line.note}" if line.note else ""
    mark = f"{line.mark:<{layout.marks}}"
    shown = mark + layout.names.cut(line.name, layout.name - cell_len(mark + note) - 1) + note
    cells = layout.cells
    numbers = (Span(f"{fit(text, cells - 1):>{cells - 1}} ", cell) for text, cell in line.cells)
    return row(Span(pad(shown, layout.name), tone), *numbers, key=line.key)


def _standing(standing: Standing) -> Row:
    newest, day, since, learned, installed, state = standing.cells
    tone: Tone = "dim" if state == "active" else "warn"
    cells = (Span(newest), Span(day, "dim"), Span(since), Span(learned), Span(installed), Span(state, tone))
    return row(Span(standing.agent.name), *cells, key=standing.agent.id)


def _heads(found: AgentsTable, layout: _Layout) -> Iterator[Row]:
    """The agents' names, in two lines if one of them needs both."""
    cells = layout.cells
    lines = [_head(agent, cells - 1) for agent in found.agents]
    above, below = zip(*lines, strict=True) if lines else ((), ())
    for title, heads in (("", above), (" " * layout.marks + "FILE", below)):
        if title.strip() or any(heads):
            yield row(
                Span(pad(title, layout.name), "title"), *(Span(f"{head:>{cells - 1}} ", "title") for head in heads)
            )


def _head(agent: AgentTotal, cells: int) -> tuple[str, str]:
    """The agent's name in two lines of so many cells, the first one often empty.

    A name that needs more makes room for the id, which is shorter, and that is cut in its middle: `openclaw` and
    `opencode` begin alike.
    """
    return _two_lines(agent.name, cells) or _two_lines(agent.id, cells) or ("", middle(agent.id, cells))


def _two_lines(text: str, cells: int) -> tuple[str, str] | None:
    """A name in one line, or two, broken where a word of it begins; None where one of them would be too long."""
    if cell_len(text) <= cells:
        return "", text
    breaks = ((text[: found.start()], text[found.end() :]) for found in _WORD.finditer(text))
    fitting = [lines for lines in breaks if max(map(cell_len, lines)) <= cells]
    return fitting[-1] if fitting else None


def folder_rows(found: AgentsTable, key: FolderKey) -> Iterator[Row]:
    """What each agent takes of a folder's files."""
    inside = [f for f in found.files if f.is_read is key.is_read and f.path.startswith(f"{key.path}/")]
    yield paragraph(Span(f"{key.path}/", "strong"), Span(f"  {many(len(inside), 'file')}", "dim"))
    names = max(len(agent.name) for agent in found.agents) + 3
    for agent in found.agents:
        words = ", ".join(_shares(inside, agent)) or "never looks at them"
        yield paragraph(Span(pad(f" {agent.name}", names), "dim"), words, indent=names)


def _shares(files: Iterable[FileUse], agent: AgentTotal) -> Iterator[str]:
    """`1,417 tok of 32 files`, `2 load later`, `1 is left`."""
    uses = [use for file in files if (use := file.uses.get(agent.id))]
    by = {taken: [use for use in uses if use.taken == taken] for taken in ("taken", "later", "left")}
    if by["taken"]:
        yield f"{number(total(use.tokens for use in by['taken']))} tok of {many(len(by['taken']), 'file')}"
    for taken, words in (("later", "later"), ("left", "not taken")):
        if by[taken]:
            yield f"{len(by[taken]):,} {words}"


def use_rows(found: AgentsTable, real_path: str) -> Iterator[Row]:
    """What each agent makes of one file, and which of its lines are in another one."""
    file = next((each for each in found.files if each.real_path == real_path), None)
    if file is None:
        return
    yield paragraph(Span(ALSO.join(file.names or [file.path]), "strong"))
    if not file.is_read:
        yield paragraph(Span("no agent reads it, as they are set here", "warn"))
    names = max(len(agent.name) for agent in found.agents) + 3
    for agent in found.agents:
        use = file.uses.get(agent.id)
        words, tone = said(use)
        told = "never looks at it" if use is None else f"{words} tok, {use.kind}" if use.taken == "taken" else use.kind
        why = f": {use.why.removeprefix('absent: ')}" if use and use.why else ""
        mark = "✓" if use and use.taken == "taken" else words
        if problem := f"unknown: {agent.error}" if agent.error else agent.refused:
            mark, tone, told, why = "✗", "error", problem, ""
        yield paragraph(
            Span(pad(f" {agent.name}", names), "dim"), Span(f"{mark} ", tone), f"{told}{why}", indent=names + 2
        )
    if file.shared:
        yield BLANK
        yield row(Span("ALSO ELSEWHERE", "title"))
    for each in file.shared[:_SHARED]:
        tokens = f"  {number(each.tokens)} tok"
        yield paragraph(
            f" {line_range(each.start, each.end)}, also in ",
            Span(copy_place(each.copy), "file" if each.copy.path else "text"),
            Span(tokens, "more"),
            indent=2,
        )
    if len(file.shared) > _SHARED:
        yield row(Span(f" … {len(file.shared) - _SHARED} more", "dim"))


def standing_rows(standing: Standing) -> Iterator[Row]:
    """How old the model of an agent is, what is known here beside it, and what became of the agent."""
    agent = standing.agent
    newest, day, since, learned, installed, _ = standing.cells
    yield row(Span(agent.name, "strong"))
    client = f"{installed}, {standing.client.path}" if standing.client else "no client was found"
    for title, words in (
        ("modelled", f"{newest}, on {day}, {since}" if day else newest),
        ("earlier", ", ".join(agent.versions[:-1])),
        ("learned", learned or "no version"),
        ("installed", client),
        ("state", agent.about.state.sentence if agent.about.state else ""),
    ):
        if words:
            yield paragraph(Span(pad(f" {title}", _TITLE), "dim"), words, indent=_TITLE)
