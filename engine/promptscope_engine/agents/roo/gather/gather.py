"""From the scenario and the disk to the materials of the sections."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.kit.earlier import Said
from promptscope_engine.agents.kit.params import facts_of
from promptscope_engine.agents.kit.servers import IdleServer, foreign, idle
from promptscope_engine.agents.roo.gather.derived import default_shell, derived_inputs, find_model, language_code
from promptscope_engine.agents.roo.gather.editor import Session, details, local_time
from promptscope_engine.agents.roo.gather.found import Collected, patterns_diagnostics
from promptscope_engine.agents.roo.gather.mcp_config import find_servers
from promptscope_engine.agents.roo.gather.modes import find_modes, find_override
from promptscope_engine.agents.roo.gather.rules import find_agent_files, find_rooignore, other_modes, rule_set
from promptscope_engine.agents.roo.gather.unread import unread
from promptscope_engine.agents.roo.gather.workspace_files import listing_diagnostics, workspace_files
from promptscope_engine.agents.roo.ignore import IGNORE_FILE, RooIgnore
from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.agents.roo.params import RooParams
from promptscope_engine.agents.roo.texts import MODEL_USES_COMPUTERS
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.path import resolve
from promptscope_engine.prompt.conditions import Facts
from promptscope_engine.prompt.model import ModeChoice
from promptscope_engine.workspace import Workspace

if TYPE_CHECKING:
    from promptscope_engine.agents.roo.mentions import Expansion


def gather(inputs: Inputs, workspace: Workspace) -> Gathered[Materials]:
    """Everything that the sections and tools are made of. What is on the disk never raises: see the diagnostics."""
    params = cast(RooParams, inputs.params).settled()
    cwd, home, editor = inputs.workspace, inputs.home, params.editor
    language = language_code(params.language, inputs.environment.language)
    found = Collected()
    modes = found.take(find_modes(inputs, params, workspace))
    slug, mode = modes.slug, modes.mode
    mcp, servers = found.take(find_servers(inputs, params, mode, workspace))
    override = found.take(find_override(inputs, params, slug, modes.modes, language, workspace))
    # A file override comes before the fallback for an unknown mode, so its mode rules are of the slug asked for.
    counting = slug if override.text else mode.slug
    mode_rules = found.take(rule_set(workspace, cwd, home, counting))
    rooignore = found.take(find_rooignore(workspace, cwd))
    agents = found.take(find_agent_files(workspace, cwd))
    rules = found.take(rule_set(workspace, cwd, home, None))
    found.take(other_modes(workspace, cwd, home, [each.slug for each in modes.choices], {slug, counting}))
    ignore = RooIgnore(cwd, rooignore.whole)
    earlier: tuple[Said, ...] = ()
    task: Expansion | None = None
    if params.task or params.taskFile:
        from .task import find_task, history  # most prompts do without the modules for mentions

        earlier = found.take(history(resolve(cwd, params.taskFile), workspace)) if params.taskFile else ()
        task = found.take(find_task(inputs, params.task, editor, ignore, workspace)) if params.task else None
    listing = workspace_files(workspace, cwd, home, editor.maxWorkspaceFiles if params.task else 0)
    session = Session(slug, mode.name, inputs.model or "", local_time(inputs.environment))
    known = {MODEL_USES_COMPUTERS: found.take(find_model(params.apiProvider, inputs.model))}
    choices = tuple(ModeChoice(m.slug, m.name, m.groups, m.source, m.edits_only) for m in modes.choices)
    facts = facts_of(inputs, params, mode.slug, choices, inputs.model, known)
    found.diagnostics += listing_diagnostics(listing, editor.maxWorkspaceFiles)
    found.diagnostics += patterns_diagnostics(f"{cwd}/{IGNORE_FILE}", ignore.left_out)
    materials = Materials(
        inputs=inputs,
        params=params,
        mode=mode,
        modes=modes.modes,
        override=override,
        mcp=mcp,
        servers=servers,
        shell=default_shell(inputs, params.terminalShell),
        language=language,
        mode_rules=mode_rules,
        # In the environment details they are of the slug asked for.
        repeated_rules=rule_set(workspace, cwd, home, slug).value,
        rooignore=rooignore,
        agents=agents,
        rules=rules,
        details=details(editor, session, cwd, home, ignore, listing),
        task=task,
        history=earlier,
    )
    files = (*found.files, *unread(inputs, workspace, found.files))
    derived, unused = derived_inputs(inputs, params, facts), tuple(_idle_servers(materials, facts, workspace))
    return Gathered(facts, materials, files, tuple(found.diagnostics), derived=derived, idle=unused)


def _idle_servers(found: Materials, facts: Facts, workspace: Workspace) -> Iterator[IdleServer]:
    """The servers that are not in the prompt, and those of a file that Roo does not read."""
    for server in found.servers:
        when = found.mcp & server.when
        if not when.holds(facts):
            yield idle(server.name, when)
    path, known = f"{found.inputs.workspace}/.mcp.json", [server.name for server in found.servers]
    yield from foreign(workspace, path, "Roo Code does not read .mcp.json: its servers are in .roo/mcp.json", known)
