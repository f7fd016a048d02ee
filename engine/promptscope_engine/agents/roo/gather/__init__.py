"""From the scenario and the disk to the materials of the sections (specs/roo.md 1, 3, 4, 5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.kit.near_misses import (
    Reads,
    near_misses,
    rows_above,
    rows_below,
    spelled_otherwise,
    strays,
)
from promptscope_engine.agents.kit.params import facts_of
from promptscope_engine.agents.kit.servers import IdleServer, foreign, idle
from promptscope_engine.agents.roo.clock import local_time
from promptscope_engine.agents.roo.gates import MODEL_USES_COMPUTERS
from promptscope_engine.agents.roo.ignore import IGNORE_FILE, RooIgnore
from promptscope_engine.agents.roo.lookups import AT_TOP, counts_in_roo, places, strays_in_roo
from promptscope_engine.agents.roo.materials import Instructions, Materials
from promptscope_engine.agents.roo.params import RooParams
from promptscope_engine.agents.roo.texts import FOLDER
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.path import resolve
from promptscope_engine.prompt.conditions import Condition, Facts
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import ModeChoice
from promptscope_engine.workspace import Workspace

from .agents_md import find_agent_files, find_rooignore
from .derived import derived_inputs, find_model
from .editor import Session, details
from .found import Found, patterns_diagnostics
from .history import history
from .mcp_config import McpFound, find_servers
from .modes import ModesFound, find_modes
from .other_modes import other_modes
from .override import find_override
from .rule_sets import rule_set
from .system_info import default_shell, language_code
from .workspace_files import listing_diagnostics, workspace_files

if TYPE_CHECKING:
    from promptscope_engine.agents.roo.mentions.expand import Expansion


def gather(inputs: Inputs, workspace: Workspace) -> Gathered[Materials]:
    """Everything that the sections and tools are made of. What is on the disk never raises: see the diagnostics."""
    params = cast(RooParams, inputs.params).settled()
    cwd, home, editor = inputs.workspace, inputs.home, params.editor
    language = language_code(params.language, inputs.environment.language)
    modes = find_modes(inputs, params, workspace)
    slug, mode = modes.value.slug, modes.value.mode
    servers = find_servers(inputs, params, mode, workspace)
    override = find_override(inputs, params, slug, modes.value.modes, language, workspace)
    # A file override comes before the fallback for an unknown mode, so its mode rules are of the slug asked for.
    counting = slug if override.value.text else mode.slug
    mode_rules = rule_set(workspace, cwd, home, counting)
    others = other_modes(workspace, cwd, home, [each.slug for each in modes.value.choices], {slug, counting})
    rooignore = find_rooignore(workspace, cwd)
    agents = find_agent_files(workspace, cwd)
    rules = rule_set(workspace, cwd, home, None)
    ignore = RooIgnore(cwd, rooignore.value.whole)
    task = _task(inputs, params, ignore, workspace)
    earlier = history(params.taskFile and resolve(cwd, params.taskFile), workspace)
    listing = workspace_files(workspace, cwd, home, editor.maxWorkspaceFiles if params.task else 0)
    session = Session(slug, mode.name, inputs.model or "", local_time(inputs.environment))
    models = find_model(params.apiProvider, inputs.model)
    found: tuple[Found[object], ...] = (
        modes,
        servers,
        override,
        mode_rules,
        rooignore,
        agents,
        rules,
        others,
        earlier,
        task,
        models,
    )
    facts = _facts(inputs, params, modes.value, {MODEL_USES_COMPUTERS: models.value})
    files = tuple(file for each in found for file in each.files)
    return Gathered(
        facts=facts,
        materials=Materials(
            inputs=inputs,
            params=params,
            mode=mode,
            modes=modes.value.modes,
            override=override.value,
            mcp=servers.value.condition,
            servers=servers.value.servers,
            shell=default_shell(inputs, params.terminalShell),
            language=language,
            instructions=Instructions(
                mode_rules=mode_rules.value,
                # In the environment details they are of the slug asked for (messages, 4.8).
                repeated_rules=rule_set(workspace, cwd, home, slug).value,
                rooignore=rooignore.value,
                agents=agents.value,
                rules=rules.value,
            ),
            details=details(editor, session, cwd, home, ignore, listing),
            task=task.value,
            history=earlier.value,
        ),
        files=(*files, *_unread(inputs, workspace, files)),
        diagnostics=(
            *(diagnostic for each in found for diagnostic in each.diagnostics),
            *listing_diagnostics(listing, editor.maxWorkspaceFiles),
            *patterns_diagnostics(f"{cwd}/{IGNORE_FILE}", ignore.left_out),
        ),
        derived=derived_inputs(inputs, params, facts),
        idle=tuple(_idle_servers(servers.value, cwd, facts, workspace)),
    )


def _idle_servers(found: McpFound, cwd: str, facts: Facts, workspace: Workspace) -> Iterator[IdleServer]:
    """The servers that are not in the prompt, and those of a file that Roo does not read."""
    for server in found.servers:
        when = found.condition & server.when
        if not when.holds(facts):
            yield idle(server.name, when)
    why = "Roo Code does not read .mcp.json: its servers are in .roo/mcp.json"
    yield from foreign(workspace, f"{cwd}/.mcp.json", why, [server.name for server in found.servers])


def _unread(inputs: Inputs, workspace: Workspace, files: Iterable[FileDraft]) -> Iterator[FileDraft]:
    """Rows of what nearly counts: other spellings, and files of these names below the workspace root or at home."""
    cwd, reads = inputs.workspace, Reads.of(FOLDER.agent, inputs.agent_version)
    known = {file.path if file.path.startswith("/") else f"{cwd}/{file.path}" for file in files}
    near = near_misses(workspace, [*places(cwd, inputs.home, reads)], known)
    known |= {draft.path for draft in near}
    elsewhere = [
        row for rows in (rows_above, rows_below) for row in rows(workspace, cwd, AT_TOP, "agents-md", reads, known)
    ]
    seen = {*known, *(draft.path for draft in elsewhere)}
    own: list[FileDraft] = []
    for folder in dict.fromkeys((cwd, inputs.home)):
        own += strays(workspace, f"{folder}/.roo", "rules", seen, strays_in_roo)
        own += spelled_otherwise(workspace, folder, ".roo", "rules", seen, counts_in_roo)
    if workspace.kind(f"{cwd}/.clinerules") == "directory":
        own += strays(workspace, f"{cwd}/.clinerules", "rules", seen, lambda _: (".clinerules counts as a file", ""))
    for draft in (*near, *elsewhere, *own):
        inside = draft.path.startswith(f"{cwd}/")  # shown relative, as all of Roo's files
        yield replace(draft, path=draft.path.removeprefix(f"{cwd}/")) if inside else draft


def _task(inputs: Inputs, params: RooParams, ignore: RooIgnore, workspace: Workspace) -> Found[Expansion | None]:
    """The drafted task; None without one, as in most prompts, which do without the modules for mentions."""
    if not params.task:
        return Found(None)
    from .task import find_task

    task = find_task(inputs, params.task, params.editor, ignore, workspace)
    return Found(task.value, task.files, task.diagnostics)


def _facts(inputs: Inputs, params: RooParams, modes: ModesFound, found: dict[str, Condition]) -> Facts:
    choices = tuple(ModeChoice(m.slug, m.name, m.groups, m.source, m.edits_only) for m in modes.choices)
    return facts_of(inputs, params, modes.mode.slug, choices, inputs.model, found)
