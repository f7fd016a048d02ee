"""The agents and the files: who takes what, and what each pays; and how old the models of the agents are."""

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from rich.cells import cell_len
from textual.worker import get_current_worker

from promptscope_engine.assembly.resolve import agents_for
from promptscope_engine.checks.live import LiveCheck
from promptscope_engine.insight.agents_table import AgentsTable, AgentTotal, AgentUse, FileUse, agents_table
from promptscope_engine.insight.repeats import Repeat
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.tokens.counter import counter_for
from promptscope_tui.session.installed import Standing
from promptscope_tui.text.spans import BLANK, Row, Span, Tone, fit, middle, pad, paragraph, row
from promptscope_tui.text.tables import COLUMNS, table
from promptscope_tui.text.words import copy_place, line_range, number, total
from promptscope_tui.widgets.editor import open_editor
from promptscope_tui.widgets.split_view import FindingView

_LEAST = 7  # cells of an agent's column
_MOST = 13
_NAME = 22
_TITLE = 12  # cells
_SHARED = 12  # that are listed
_WORD = re.compile(r" |(?<=-)|(?<=[a-z])(?=[A-Z])")
"""Where a word of a name begins: `GitHub Copilot CLI`, `my-agent`, `OpenClaw`."""
_LEGEND = "tokens: in the prompt   ○ loads later   ✗ looked at, and left   · never looked at   ≡ lines paid for twice"


def agents_rows(found: AgentsTable, width: int, standings: Sequence[Standing] = ()) -> list[Row]:
    """The tables in `width` cells; the rows' keys are the files' real paths, and the agents' ids."""
    columns = max(min((width - _NAME) // max(len(found.agents), 1), _MOST), _LEAST)
    name = max(width - columns * len(found.agents), _NAME)
    rows = list(_heads(found, name, columns))
    read = [file for file in found.files if file.is_read]
    unread = [file for file in found.files if not file.is_read]
    rows += [_file(file, found, name, columns) for file in read]
    if not found.files:
        rows.append(paragraph(Span("There is no instruction file here.", "dim")))
    rows.append(BLANK)
    for words, cells in (
        ("from files", [number(_paid(found, agent)) for agent in found.agents]),
        ("whole prompt", ["refuses" if agent.refused else number(agent.tokens) for agent in found.agents]),
    ):
        strong = [Span(f"{fit(cell, columns - 1):>{columns - 1}} ", "strong") for cell in cells]
        rows.append(row(Span(pad(words, name), "dim"), *strong))
    if unread:
        rows += [BLANK, row(Span("READ BY NO AGENT", "title"), Span("  with current settings", "faint"))]
        rows += [_file(file, found, name, columns) for file in unread]
    rows += [BLANK, paragraph(Span(_LEGEND, "faint"))]
    if standings:
        records = [_standing(each) for each in standings]
        rows += [BLANK, row(Span("THE MODELS", "title")), *table(COLUMNS["agents"], records, width)]
    return rows


def _standing(standing: Standing) -> Row:
    newest, day, since, learned, installed, state = standing.cells
    tone: Tone = "dim" if state == "active" else "warn"
    cells = (Span(newest), Span(day, "dim"), Span(since), Span(learned), Span(installed), Span(state, tone))
    return row(Span(standing.agent.name), *cells, key=standing.agent.id)


def _heads(found: AgentsTable, name: int, columns: int) -> Iterator[Row]:
    """The agents' names, in two lines if one of them needs both."""
    lines = [_head(agent, columns - 1) for agent in found.agents]
    above, below = zip(*lines, strict=True) if lines else ((), ())
    for title, heads in (("", above), ("FILE", below)):
        if title or any(heads):
            yield row(Span(pad(title, name), "title"), *(Span(f"{head:>{columns - 1}} ", "title") for head in heads))


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


def _file(file: FileUse, found: AgentsTable, name: int, width: int) -> Row:
    twice = sum(each.end - each.start + 1 for each in file.shared)
    note = f"  ≡ {twice}" if twice else ""
    path = Span(pad(middle(file.path, name - len(note) - 1) + note, name), "file" if file.is_read else "warn")
    uses = (_said(file.uses.get(agent.id)) for agent in found.agents)
    return row(path, *(Span(f"{words:>{width - 1}} ", tone) for words, tone in uses), key=file.real_path)


def _said(use: AgentUse | None) -> tuple[str, Tone]:
    if use is None:
        return "·", "faint"
    if use.taken == "taken":
        return number(use.tokens), "text"
    return ("○", "accent") if use.taken == "later" else ("✗", "dim")


def _paid(found: AgentsTable, agent: AgentTotal) -> int | None:
    if agent.error:
        return None
    uses = [use for file in found.files if (use := file.uses.get(agent.id))]
    return total(use.tokens for use in uses if use.taken == "taken")


def use_rows(found: AgentsTable, real_path: str) -> Iterator[Row]:
    """What each agent makes of one file, and which of its lines are in another one."""
    file = next((each for each in found.files if each.real_path == real_path), None)
    if file is None:
        return
    yield paragraph(Span(file.path, "strong"))
    if not file.is_read:
        yield paragraph(Span("no agent reads it, as they are set here", "warn"))
    names = max(len(agent.name) for agent in found.agents) + 3
    for agent in found.agents:
        use = file.uses.get(agent.id)
        words, tone = _said(use)
        said = "never looks at it" if use is None else f"{words} tok, {use.kind}" if use.taken == "taken" else use.kind
        why = f": {use.why.removeprefix('absent: ')}" if use and use.why else ""
        mark = "✓" if use and use.taken == "taken" else words
        if problem := f"unknown: {agent.error}" if agent.error else agent.refused:
            mark, tone, said, why = "✗", "error", problem, ""
        yield paragraph(
            Span(pad(f" {agent.name}", names), "dim"), Span(f"{mark} ", tone), f"{said}{why}", indent=names + 2
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
    for title, said in (
        ("modelled", f"{newest}, on {day}, {since}" if day else newest),
        ("earlier", ", ".join(agent.versions[:-1])),
        ("learned", learned or "no version"),
        ("installed", client),
        ("state", agent.state.sentence if agent.state else ""),
    ):
        if said:
            yield paragraph(Span(pad(f" {title}", _TITLE), "dim"), said, indent=_TITLE)


class _Found(NamedTuple):
    table: AgentsTable
    standings: Mapping[str, Standing]
    """By the agents' ids."""


class AgentsScreen(FindingView[_Found]):
    """The table above, what each agent makes of one file below; it follows the files."""

    title_words = "AGENTS   which agent reads which file, and what it costs"
    pane = "agents"

    def find(self) -> _Found | None:
        """Assemble every agent, with a copy of the workspace: the session's thread is reading with the original."""
        session, worker = self._session, get_current_worker()
        agents = list(agents_for(session.placed))
        scenarios = [(agent, session.scenario_of(agent)) for agent in agents]
        counter = counter_for(session.placed.model, session.counter.cache)
        check, workspace = LiveCheck(counter), session.workspace.snapshot()

        def repeats_of(assembly: Assembly) -> tuple[Repeat, ...]:
            return check.paid_twice(assembly, workspace).repeats

        found = agents_table(scenarios, workspace, counter, lambda: not worker.is_cancelled, repeats_of)
        standings = {each.id: Standing.of(each, session.learned, session.today) for each in agents}
        return _Found(found, standings) if found else None

    def choice_rows(self, found: _Found, width: int) -> list[Row]:
        """The tables."""
        return agents_rows(found.table, width, list(found.standings.values()))

    def detail_rows(self, found: _Found, key: Hashable, _: int) -> Iterator[Row]:
        """What each agent makes of the file, or how an agent stands."""
        standing = found.standings.get(str(key))
        return standing_rows(standing) if standing else use_rows(found.table, str(key))

    def chosen(self, key: Hashable) -> None:
        """Open the file in the editor."""
        if self.found and key not in self.found.standings:
            open_editor(self.app, str(key), 1, partial(self.call_later, self.note, error=True))
