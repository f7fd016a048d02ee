"""From the scenario and the disk to the materials of the sections."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.kit.earlier import Said
from promptscope_engine.agents.kit.near_misses import (
    Place,
    Reads,
    near_misses,
    rows_above,
    rows_below,
    spelled_otherwise,
    strays,
)
from promptscope_engine.agents.kit.params import facts_of
from promptscope_engine.agents.kit.servers import IdleServer, foreign, idle
from promptscope_engine.agents.roo.gather.derived import default_shell, derived_inputs, find_model, language_code
from promptscope_engine.agents.roo.gather.editor import Session, details, local_time
from promptscope_engine.agents.roo.gather.found import Found, patterns_diagnostics
from promptscope_engine.agents.roo.gather.mcp_config import McpFound, find_servers
from promptscope_engine.agents.roo.gather.modes import ModesFound, find_modes, find_override
from promptscope_engine.agents.roo.gather.rules import find_agent_files, find_rooignore, other_modes, rule_set
from promptscope_engine.agents.roo.gather.workspace_files import listing_diagnostics, workspace_files
from promptscope_engine.agents.roo.ignore import IGNORE_FILE, RooIgnore
from promptscope_engine.agents.roo.materials import Instructions, Materials
from promptscope_engine.agents.roo.params import RooParams
from promptscope_engine.agents.roo.texts import FOLDER, MODEL_USES_COMPUTERS
from promptscope_engine.inputs.errors import nearest
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.path import resolve
from promptscope_engine.prompt.conditions import Condition, Facts
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import ModeChoice
from promptscope_engine.workspace import Workspace

if TYPE_CHECKING:
    from promptscope_engine.agents.roo.mentions import Expansion


NAMES = ("AGENTS.md", "AGENT.md")
AT_ROOT = (*NAMES, ".roorules", ".clinerules", ".rooignore", ".roomodes")
"""Files that count at the workspace root alone."""
AT_TOP = (*AT_ROOT, ".roo/")
"""The same, with the folder that counts there and at home."""
_COMMANDS, _RULES = "commands", "rules"
_COUNTS = re.compile(r"rules(-[^/]+)?/|commands/[^/]+\.md$|mcp\.json$|system-prompt-[^/]+$")


def places(cwd: str, home: str, reads: Reads) -> Iterator[Place]:
    """The workspace root, its .roo, and the home folder."""
    theirs = {name: reads.sentence(name) for name in ("AGENTS.local.md", "CLAUDE.md", "GEMINI.md")}
    theirs |= {name: f"Roo Code does not read {name}" for name in (".cursorrules", ".github/copilot-instructions.md")}
    theirs[".mcp.json"] = "Roo Code does not read .mcp.json: its servers are in .roo/mcp.json"
    theirs["AGENTS.override.md"] = "Roo Code has no AGENTS.override.md: it reads AGENTS.md at the workspace root"
    in_dot_roo = {f".roo/{name}": f"{name} counts beside .roo, not in it" for name in AT_ROOT}
    yield Place(cwd, "agents-md", AT_ROOT, others=in_dot_roo, theirs=theirs)
    if home != cwd:
        yield Place(home, "agents-md", theirs={name: reads.sentence(name) for name in AT_ROOT})


def counts_in_roo(path: str) -> bool:
    """Whether a path is of the kind that Roo reads below `.roo`."""
    return _COUNTS.match(path) is not None


def strays_in_roo(path: str) -> tuple[str, str]:
    """Why a file below `.roo` does not count, by its path there, and where it was probably meant to be."""
    top, _, rest = path.partition("/")
    if top == _COMMANDS:
        name = rest.rpartition("/")[2]
        if "/" in rest:
            return "only files of .roo/commands itself are commands", f"{_COMMANDS}/{name}"
        if not rest.endswith(".md"):
            return "only names that end in .md are commands", f"{_COMMANDS}/{name.rpartition('.')[0] or name}.md"
        return f"a command comes into the prompt where the task says /{name.removesuffix('.md')}", ""
    if rest and (top == _RULES or top.startswith(f"{_RULES}-")):
        return "Roo leaves files of this kind out of its rules", ""
    if rest and top.removeprefix(".") == "roo":
        return f".roo/{top} is one folder too deep", rest
    if top.startswith(_RULES) and not rest:
        folder = top.partition(".")[0]
        return f"Roo reads the folder .roo/{folder}, not a file of that name", f"{folder}/{top}"
    known = (_COMMANDS, _RULES) if rest else ("mcp.json",)
    near = nearest(top.lower(), known, 1) or [name for name in known if top.lower().startswith(name)]
    for_mode = "" if rest else " and system-prompt-<mode>"
    why = f"in .roo, Roo reads {'the folders commands, rules and rules-<mode>' if rest else 'mcp.json'}{for_mode}"
    return why, f"{near[0]}/{rest}".rstrip("/") if near else ""


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
    earlier = _earlier(params, cwd, workspace)
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
    from .task import find_task  # most prompts do without the modules for mentions

    return find_task(inputs, params.task, params.editor, ignore, workspace)


def _earlier(params: RooParams, cwd: str, workspace: Workspace) -> Found[tuple[Said, ...]]:
    if not params.taskFile:
        return Found(())
    from .task import history

    return history(resolve(cwd, params.taskFile), workspace)


def _facts(inputs: Inputs, params: RooParams, modes: ModesFound, found: dict[str, Condition]) -> Facts:
    choices = tuple(ModeChoice(m.slug, m.name, m.groups, m.source, m.edits_only) for m in modes.choices)
    return facts_of(inputs, params, modes.mode.slug, choices, inputs.model, found)
