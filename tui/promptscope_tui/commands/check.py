"""`promptscope check`: budgets and rules for a repository's instruction files."""

from pathlib import Path
from typing import Any

import click
from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.registry import load_observed, observed_id
from promptscope_engine.checks.budgets import initial_settings, moved_budgets
from promptscope_engine.checks.checker import check as check_repository
from promptscope_engine.checks.checker import repository_of
from promptscope_engine.checks.findings import CheckReport
from promptscope_engine.checks.settings import OWN_FILE, Loaded, load_settings
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.tokens.counter import Counter, counter_for
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.paths import absolute, to_system
from promptscope_tui.output import exits
from promptscope_tui.output.findings import FORMATS
from promptscope_tui.output.stdout import harmless, put, put_json

from .options import lay_over_agents, with_settings
from .table import command


class _Asked(Struct, frozen=True):
    """The options of a check."""

    path: str
    agent: str | None
    capture: str | None
    home: str | None
    settings: tuple[str, ...]
    agent_dir: str | None
    against: str | None
    advice: bool
    strict: bool
    begins: bool
    moves: bool
    form: str

    def scenario(self) -> Scenario:
        """The repository and the agents to check: with no variables and, but for --home, no home folder."""
        scenario = Scenario(workspace=self.path, agent=self.agent, home=self.home, env={}, attended=True)
        if self.capture is not None:
            captured = absolute(self.capture)
            observed = load_observed(self.agent and observed_id(self.agent), captured, Workspace())
            scenario = scenario.model_copy(update={"agent": observed.id, "capture": captured})
        return with_settings(scenario.to_dict(), self.settings)


@command("check")
def check(**options: Any) -> None:
    """Check the instruction files in PATH: what they cost, what never loads, what should not be in them."""
    asked = _Asked(**options)
    if asked.begins and asked.moves:
        raise click.UsageError("--init and --update: give only one")
    lay_over_agents(asked.agent_dir, own=False)
    scenario, counter, place = asked.scenario(), counter_for(None), Workspace()
    _, root = repository_of(scenario, place)
    failed = False
    if asked.begins:
        _begin(root, scenario, counter)
    elif asked.moves:
        _move(root, scenario, counter, place)
    else:
        loaded = _settings(root, place)
        if asked.advice:
            loaded = replace(loaded, settings=loaded.settings.model_copy(update={"advice": True}))
        report = check_repository(scenario, counter=counter, loaded=loaded, growth_against=asked.against)
        _put(report, asked.form)
        failed = report.failed(strict=asked.strict or loaded.settings.strict)
    counter.flush()
    if failed:
        raise click.exceptions.Exit(exits.CHECK_FAILED)


def _put(report: CheckReport, form: str) -> None:
    if form == "json":
        put_json(report.to_dict())
        return
    put(harmless(FORMATS[form](report)))  # logs and viewers act on control characters as terminals do
    if form in ("sarif", "junit"):  # which have no place for them
        for note in report.notes:
            exits.say(f"promptscope: {note}")


def _settings(root: str, place: Workspace) -> Loaded:
    try:
        return load_settings(root, place)
    except ScenarioError as error:
        raise click.UsageError(str(error)) from None


def _begin(root: str, scenario: Scenario, counter: Counter) -> None:
    text = initial_settings(check_repository(scenario, counter=counter, loaded=Loaded.nothing()))
    try:
        with Path(to_system(root), OWN_FILE).open("x", encoding="utf-8") as file:  # never over another one
            file.write(text)
    except FileExistsError:
        raise click.UsageError(f"{root}/{OWN_FILE} is there already: `check --update` moves its budgets") from None
    exits.say(f"promptscope: wrote {root}/{OWN_FILE}")


def _move(root: str, scenario: Scenario, counter: Counter, place: Workspace) -> None:
    loaded = _settings(root, place)
    if loaded.path != f"{root}/{OWN_FILE}":
        raise click.UsageError(f"there is no {OWN_FILE} in {root}: only budgets in that file are moved")
    report = check_repository(scenario, counter=counter, loaded=loaded)
    with Path(to_system(loaded.path)).open(encoding="utf-8", newline="") as file:  # line ends stay as they are
        text = file.read()
    moved, changes = moved_budgets(text, loaded.settings, report)
    for change in changes:
        exits.say(f"promptscope: {OWN_FILE}:{change}")
    if not changes:
        exits.say("promptscope: no budget is exceeded")
        return
    with Path(to_system(loaded.path)).open("w", encoding="utf-8", newline="") as file:
        file.write(moved)
