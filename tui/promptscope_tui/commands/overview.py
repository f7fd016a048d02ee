"""`promptscope overview`: what costs most, is paid twice, cut, gone or never read, on one screen."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from shutil import get_terminal_size

from promptscope_engine.agents.adapter import Describes
from promptscope_engine.assembly.knowledge import Knowledge
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.tokens.cache import CountCache
from promptscope_engine.workspace import Workspace
from promptscope_tui.output.stdout import harmless, on_terminal, put_json, put_shown, put_styled
from promptscope_tui.session.findings import Tools
from promptscope_tui.session.found_out import found_out
from promptscope_tui.session.history import placed, switched
from promptscope_tui.session.versions import default_version
from promptscope_tui.settings.knowledge import knowledge_for
from promptscope_tui.text import words
from promptscope_tui.text.spans import Span, Tone, lay_out
from promptscope_tui.views.overview.items import Overview, overview_of
from promptscope_tui.views.overview.rows import overview_rows

from .options import Options, counter_of, with_options
from .table import command

_NARROWEST, _WIDE, _LINES = 60, 110, 24
_STYLES: Mapping[Tone, str] = {"title": "bold", "strong": "bold", "dim": "dim", "faint": "dim", "warn": "yellow"}


@command("overview")
@with_options
def overview(options: Options) -> None:
    """Print the answer at first sight, for one agent, with a line for each other agent that has files here."""
    workspace, cache = Workspace(), CountCache()
    assembly = options.assembly(workspace=workspace, cache=cache)
    scenario = options.scenario()
    found = overview_here(scenario, assembly, workspace, cache, knowledge_for(scenario))
    if options.form == "json":
        put_json(found.to_dict())
    else:
        put_overview(found, assembly)


def overview_here(
    scenario: Scenario, assembly: Assembly, workspace: Workspace, cache: CountCache, knowledge: Knowledge
) -> Overview:
    """The overview of a scenario's assembly, with the other agents as they are when they are chosen. Writes `cache`."""
    now = placed(scenario, ".").model_copy(
        update={"agent": assembly.agent, "workspace": assembly.workspace, "home": assembly.home}
    )

    def of(agent: Describes) -> Scenario:
        return now if agent.id == assembly.agent else switched(now, agent, default_version(agent, None), None)

    counter = counter_of(assembly, cache)
    tools = Tools(workspace, counter, lambda: False, knowledge=lambda: knowledge)
    found = overview_of(found_out(now, assembly, tools, of), date.today())
    assert found is not None  # there is an assembly
    counter.flush()
    return found


def put_overview(found: Overview, assembly: Assembly) -> None:
    """Print it as the app shows it, in colours on a terminal."""
    put_shown(f"{words.who(assembly)}\n{words.budget(assembly)}\n\n")
    width = max(get_terminal_size().columns, _NARROWEST) if on_terminal() else _WIDE
    lines = [left for row in overview_rows(found, width, _LINES) for left, _ in lay_out(row, width)]
    if on_terminal():
        put_styled([[(text, _STYLES.get(tone, "")) for text, tone in line] for line in map(_stripped, lines)])
    else:
        put_shown("".join(harmless("".join(span.text for span in line)).rstrip() + "\n" for line in lines))


def _stripped(line: tuple[Span, ...]) -> tuple[Span, ...]:
    """Without spaces at its end, which a narrow terminal would wrap."""
    return (*line[:-1], Span(line[-1].text.rstrip(), line[-1].tone)) if line else line
