"""The agents and the files: who takes what, and what each pays."""

from collections.abc import Hashable, Iterator
from functools import partial

from textual.worker import get_current_worker

from promptscope_engine.assembly.resolve import agents_for
from promptscope_engine.insight.agents_table import AgentsTable, AgentTotal, AgentUse, FileUse, agents_table
from promptscope_engine.tokens.counter import counter_for
from promptscope_tui.session.session import Session
from promptscope_tui.text.spans import BLANK, Row, Span, Tone, fit, pad, paragraph, row
from promptscope_tui.text.words import copy_place, line_range, number, total
from promptscope_tui.widgets.editor import open_editor
from promptscope_tui.widgets.split_view import FollowingView

_LEAST = 7  # cells of an agent's column
_MOST = 13
_NAME = 22
_SHARED = 12  # that are listed
_LEGEND = "tokens: in the prompt   ○ loads later   ✗ looked at, and left   · never looked at   ≡ lines paid for twice"


def agents_rows(found: AgentsTable, width: int) -> list[Row]:
    """The table in `width` cells; the rows' keys are the files' real paths."""
    columns = max(min((width - _NAME) // max(len(found.agents), 1), _MOST), _LEAST)
    name = max(width - columns * len(found.agents), _NAME)
    rows = [
        row(
            Span(pad("FILE", name), "title"),
            *(Span(f"{fit(_head(agent, columns), columns - 1):>{columns - 1}} ", "title") for agent in found.agents),
        )
    ]
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
    return rows


def _head(agent: AgentTotal, columns: int) -> str:
    """The agent's name, or its id, which is shorter, where there is no room for the name."""
    return agent.name if len(agent.name) < columns else agent.id


def _file(file: FileUse, found: AgentsTable, name: int, width: int) -> Row:
    twice = sum(each.end - each.start + 1 for each in file.shared)
    note = f"  ≡ {twice}" if twice else ""
    path = Span(pad(fit(file.path, name - len(note) - 1) + note, name), "file" if file.is_read else "warn")
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


class AgentsScreen(FollowingView):
    """The table above, what each agent makes of one file below; it follows the files."""

    title_words = "AGENTS   which agent reads which file, and what it costs"
    pane = "agents"

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.found: AgentsTable | None = None

    def find(self) -> AgentsTable | None:
        """Assemble every agent, with a copy of the workspace: the session's thread is reading with the original."""
        session, worker = self._session, get_current_worker()
        scenarios = [(agent, session.scenario_of(agent)) for agent in agents_for(session.placed)]
        counter = counter_for(session.placed.model, session.counter.cache)
        return agents_table(scenarios, session.workspace.snapshot(), counter, lambda: not worker.is_cancelled)

    def show_found(self, found: AgentsTable) -> None:
        """Show the table."""
        kept, self.found = self.found is not None, found
        self.show_choices(lambda width: agents_rows(found, width), keep=kept)

    def detail(self, key: Hashable, _: int) -> list[Row]:
        """What each agent makes of the file."""
        return list(use_rows(self.found, key)) if self.found and isinstance(key, str) else []

    def chosen(self, key: Hashable) -> None:
        """Open the file in the editor."""
        open_editor(self.app, str(key), 1, partial(self.call_later, self.note, error=True))
