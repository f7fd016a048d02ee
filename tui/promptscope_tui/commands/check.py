"""`promptscope check`: budgets and rules for a repository's instruction files."""

from pathlib import Path
from typing import Any

import click
from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.registry import load_observed, observed_id
from promptscope_engine.checks.checker import check as check_repository
from promptscope_engine.checks.checker import repository_of
from promptscope_engine.checks.findings import CheckReport
from promptscope_engine.checks.init import initial_settings, moved_budgets
from promptscope_engine.checks.settings import OWN_FILE, Loaded, load_settings
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.tokens.cache import CountCache
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.tokenizers import tokenizer_for_model
from promptscope_engine.workspace import Workspace
from promptscope_tui.output import exits
from promptscope_tui.output.findings import FORMATS
from promptscope_tui.output.stdout import harmless, put, put_json

from .options import AGENT_DIR, FOLDER, lay_over_agents, with_settings


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
        scenario = Scenario(workspace=self.path, agent=self.agent, home=self.home, env={})
        if self.capture is not None:
            captured = str(Path(self.capture).absolute())
            observed = load_observed(self.agent and observed_id(self.agent), captured, Workspace())
            scenario = scenario.model_copy(update={"agent": observed.id, "capture": captured})
        return with_settings(scenario.to_dict(), self.settings)


@click.command()
@click.argument("path", required=False, default=".", metavar="[PATH]", type=FOLDER)
@click.option("--agent", metavar="ID", help="Check for this agent only; by default for all that have files here.")
@click.option(
    "--capture",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False),
    help="Check what an agent really sent: a file of `promptscope capture`.",
)
@click.option("--home", metavar="DIR", type=FOLDER, help="The home folder to read; by default none, as on any machine.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="Set an input, as for `promptscope show`. Repeatable.",
)
@AGENT_DIR
@click.option("--against", metavar="REV", help="The revision that growth is measured from, instead of the settings'.")
@click.option("--advice", is_flag=True, help="Hints on how instructions are worded, too: never more than info.")
@click.option("--strict", is_flag=True, help="Warnings fail too.")
@click.option("--init", "begins", is_flag=True, help=f"Write {OWN_FILE} with budgets from today's numbers.")
@click.option("--update", "moves", is_flag=True, help=f"Move the budgets in {OWN_FILE} that are exceeded.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "github", "sarif", "json", "junit"]),
    default="text",
    show_default=True,
    help="How to print the findings.",
)
def check(**options: Any) -> None:
    """Check the instruction files in PATH: what they cost, what never loads, what should not be in them.

    Settings are in .promptscope.toml, or under [tool.promptscope] in pyproject.toml. Date, system and user are fixed
    and the home folder is left out, so that every machine finds the same. Exits with 1 if there is an error.

    Examples:
      promptscope check --init
      promptscope check
      promptscope check --advice
      promptscope check --against origin/main --format github
      promptscope check --format sarif > promptscope.sarif
    """
    asked = _Asked(**options)
    if asked.begins and asked.moves:
        raise click.UsageError("--init and --update: give only one")
    lay_over_agents(asked.agent_dir, own=False)
    scenario, cache, place = asked.scenario(), CountCache(), Workspace()
    counter = Counter(tokenizer_for_model(None), cache)
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
    cache.flush()
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
        with Path(root, OWN_FILE).open("x", encoding="utf-8") as file:  # never over another one
            file.write(text)
    except FileExistsError:
        raise click.UsageError(f"{root}/{OWN_FILE} is there already: `check --update` moves its budgets") from None
    exits.say(f"promptscope: wrote {root}/{OWN_FILE}")


def _move(root: str, scenario: Scenario, counter: Counter, place: Workspace) -> None:
    loaded = _settings(root, place)
    if loaded.path != f"{root}/{OWN_FILE}":
        raise click.UsageError(f"there is no {OWN_FILE} in {root}: only budgets in that file are moved")
    report = check_repository(scenario, counter=counter, loaded=loaded)
    with Path(loaded.path).open(encoding="utf-8", newline="") as file:  # line ends stay as they are
        text = file.read()
    moved, changes = moved_budgets(text, loaded.settings, report)
    for change in changes:
        exits.say(f"promptscope: {OWN_FILE}:{change}")
    if not changes:
        exits.say("promptscope: no budget is exceeded")
        return
    with Path(loaded.path).open("w", encoding="utf-8", newline="") as file:
        file.write(moved)
