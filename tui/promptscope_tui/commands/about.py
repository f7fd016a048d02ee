"""`promptscope schema`, `agents` and `locate`: what can be said without a prompt."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from promptscope_tui.output.stdout import FORMATS, Format, Table, put_json, put_shown

if TYPE_CHECKING:
    from promptscope_engine.agents.adapter import Agent
    from promptscope_engine.inputs.params import ParamField
    from promptscope_engine.prompt.model import ModeChoice
    from promptscope_engine.schemas import Schema

AGENT_DIR = click.option(
    "--agent-dir",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False),
    help="Corrections to a built-in agent: a folder of texts and data that is laid over its own.",
)
_format = click.option(
    "--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="How to print it."
)


@click.command()
@click.argument("what", type=click.Choice(["scenario", "assembly", "diff", "check", "capture", "verify", "agent"]))
@click.option("--agent", metavar="ID", help="Include this agent's own inputs, under `params`.")
def schema(what: Schema, agent: str | None) -> None:
    """Print a JSON schema: of a scenario (what goes in), an assembly (what comes out), a diff, a check, a capture, of
    what `verify` finds, or of a file that defines an agent.

    \b
    Examples:
      promptscope schema assembly > assembly.schema.json
      promptscope schema scenario --agent roo
    """
    from promptscope_engine import schema as schema_of  # the engine with pydantic

    put_json(schema_of(what, agent))


@click.command()
@click.argument("words", nargs=-1, metavar="[AGENT] | lint [AGENT|DIR] | diff AGENT")
@click.option("--path", "place", is_flag=True, help="Print the folder of the agent's texts alone.")
@AGENT_DIR
@_format
def agents(words: tuple[str, ...], place: bool, agent_dir: str | None, form: Format) -> None:
    """List the agents with their versions and modes, or one AGENT's inputs with their defaults.

    The one that a `promptscope-agent.toml` in this folder defines is among them. The inputs are what --set takes.

    `lint` says what is wrong with an agent's texts, with corrections to them, or with a folder that defines an agent
    (see docs/agents-as-data.md), with file and line, and exits with 1 if there is an error. `diff` prints what your
    corrections change.

    \b
    Examples:
      promptscope agents
      promptscope agents roo
      promptscope agents roo --format json | jq '.params[].name'
      promptscope agents roo --path
      promptscope agents lint roo
      promptscope agents diff roo
    """
    from .options import lay_over_agents

    lay_over_agents(agent_dir)
    match words:
        case ("lint", *rest) if len(rest) < 2:
            from .agent_texts import lint

            lint(*rest)
        case ("diff", agent):
            from .agent_texts import diff

            diff(agent)
        case (agent,) if place:
            from .agent_texts import folder_of

            put_shown(f"{folder_of(agent).path}\n")
        case () | (_,) if not place:
            _listed(words[0] if words else None, form)
        case _:
            raise click.UsageError("give one AGENT, `lint [AGENT|DIR]` or `diff AGENT`")


def _listed(agent: str | None, form: Format) -> None:
    from promptscope_engine.agents.registry import load_agent  # the engine
    from promptscope_engine.assembly.resolve import agents_for
    from promptscope_engine.inputs.scenario import Scenario

    here = list(agents_for(Scenario()))
    if agent is not None:
        _inputs({each.id: each for each in here}.get(agent) or load_agent(agent), form)
        return
    known = [(each, _modes(each)) for each in here]
    if form == "json":
        put_json([_described(each, modes) for each, modes in known])
        return
    rows = [(e.id, e.name, ", ".join(e.versions), ", ".join(m.slug for m in modes)) for e, modes in known]
    Table(("id", "name", "versions", "modes"), rows).put(form)


def _inputs(agent: Agent, form: Format) -> None:
    from promptscope_engine.agents.adapter import inputs_of
    from promptscope_tui.text.words import edits_only

    fields = inputs_of(agent)
    if form == "json":
        keys = ("name", "group", "kind", "default", "help", "choices")
        put_json({**_described(agent, _modes(agent)), "params": [{k: getattr(f, k) for k in keys} for f in fields]})
        return
    rows = [(f.name, f.group, f.kind, json.dumps(f.default), _choices(f), f.help) for f in fields]
    if form != "plain":
        heading = "# " if form == "markdown" else ""
        modes = _modes(agent)
        names = ", ".join(mode.slug for mode in modes)
        limits = "".join(f"{mode.slug} {edits_only(mode)}\n" for mode in modes if mode.edits_only)
        put_shown(f"{heading}{agent.name} ({agent.id}) {', '.join(agent.versions)}; modes: {names}\n{limits}\n")
    Table(("name", "group", "kind", "default", "choices", "help"), rows).put(form)


def _choices(field: ParamField) -> str:
    return ", ".join(label for label, _ in field.choices) if field.kind == "enum" else ""


def _described(agent: Agent, modes: tuple[ModeChoice, ...]) -> dict[str, object]:
    from promptscope_engine.prompt.model import to_json

    named = [to_json(mode) for mode in modes]
    return {"id": agent.id, "name": agent.name, "versions": list(agent.versions), "modes": named}


def _modes(agent: Agent) -> tuple[ModeChoice, ...]:
    """The built-in modes: those without any file but one that defines the agent."""
    from promptscope_engine import Scenario, Workspace, assemble
    from promptscope_engine.agents.features import Defined
    from promptscope_engine.workspace.disk import EmptyDisk

    if isinstance(agent, Defined):
        own = Scenario(definition=agent.definition, env={})
        return assemble(own, Workspace(), cached_only=True).modes

    scenario = Scenario(agent=agent.id, workspace="/", home="/", env={})
    return assemble(scenario, Workspace(EmptyDisk()), cached_only=True).modes


@click.command()
@_format
def locate(form: Format) -> None:
    """Print the folders that promptscope uses. They follow the platform's conventions and may not exist yet.

    \b
    Examples:
      promptscope locate
      rm -r "$(promptscope locate --format json | jq -r .cache)"
    """
    from promptscope_tui.settings import paths as places

    found = {
        "cache": (str(places.cache_folder()), "token counts, those of providers too, and last frames; safe to delete"),
        "config": (str(places.config_folder()), "your settings, settings.toml; only read"),
        "state": (
            str(places.state_folder()),
            "your screenshots, scenarios and captures; the last theme, tab and folders",
        ),
    }
    if form == "json":
        put_json({name: path for name, (path, _) in found.items()})
        return
    Table(("folder", "path", "holds"), [(name, path, holds) for name, (path, holds) in found.items()]).put(form)
