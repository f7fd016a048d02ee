"""`promptscope agents lint`, `diff` and `--path`: the texts of an agent, and corrections to them."""

from __future__ import annotations

from pathlib import Path

import click
from msgspec.structs import replace

from promptscope_engine.agents.features import Defined, WrittenAsText
from promptscope_engine.agents.kit.folder import Folder
from promptscope_engine.agents.kit.lint import changes_of, mistake_of, mistakes_in
from promptscope_engine.agents.kit.sources import Layer, given_layer, laid_over, layers_of
from promptscope_engine.agents.registry import built_in_ids, definition_in, load_agent
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.inputs.errors import ScenarioError, unknown
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import Workspace
from promptscope_tui.output.exits import CHECK_FAILED
from promptscope_tui.output.stdout import put_shown


def folder_of(agent_id: str) -> Folder:
    """The texts of a built-in agent. Raises ScenarioError for another one."""
    if agent_id not in built_in_ids():
        raise unknown("built-in agent", agent_id, built_in_ids())
    with laid_over():  # whatever is wrong with corrections, this is what they are laid over
        agent = load_agent(agent_id)
        assert isinstance(agent, WrittenAsText)
        return agent.folder


def lint(which: str | None = None) -> None:
    """Print what is wrong with an agent and the corrections to it, with a folder of corrections or one that defines an
    agent, or with everything."""
    found: list[Diagnostic] = []
    if which is not None and which not in built_in_ids() and Path(which).is_dir():
        place = Path(which).absolute()
        definition = definition_in(place)
        found += _of_definition(definition) if definition else _of_layer(given_layer(place, built_in_ids()))
    else:
        for agent_id in (which,) if which is not None else built_in_ids():
            with laid_over():
                found += mistakes_in(folder_of(agent_id))
            for layer in layers_of(agent_id):
                found += _of_layer(layer)
    for each in found:
        line = f":{each.line}" if each.line else ""
        put_shown(f"{each.path}{line}: {each.severity}: {each.message}\n")
    errors = sum(each.severity == "error" for each in found)
    put_shown(f"{errors} error{'s' * (errors != 1)}, {len(found) - errors} warning{'s' * (len(found) - errors != 1)}\n")
    if errors:
        raise click.exceptions.Exit(CHECK_FAILED)


def _of_layer(layer: Layer) -> list[Diagnostic]:
    folder = folder_of(layer.id)
    with laid_over():
        try:
            return mistakes_in(folder, layer)
        except ScenarioError as error:  # too many files, a link out of it
            return [mistake_of(error)]


def _of_definition(file: Path) -> list[Diagnostic]:
    """Every mistake in the texts; where there is none, what assembling says."""
    scenario, workspace = Scenario(definition=str(file), workspace=str(file.parent), env={}), Workspace()
    try:
        agent, inputs = resolve(scenario, workspace)
        assert isinstance(agent, Defined)
        if wrong := [mistake_of(error) for error in agent.mistakes(inputs, workspace)]:
            return wrong
        said = assemble(scenario, workspace, cached_only=True).diagnostics
    except ScenarioError as error:
        return [mistake_of(error)]
    return [replace(each, path=each.path or str(file)) for each in said]


def diff(agent_id: str) -> None:
    """Print what the corrections to an agent change, file by file."""
    folder = folder_of(agent_id)
    for layer in layers_of(agent_id):
        put_shown("".join(f"{line}\n" for line in changes_of(folder, layer)))
