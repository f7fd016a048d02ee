"""From the scenario and the disk to the materials of the sections."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.kit import near_misses
from promptscope_engine.agents.kit.earlier import Said
from promptscope_engine.agents.kit.near_misses import Place, Reads, rows_above, rows_below
from promptscope_engine.agents.kit.params import facts_of
from promptscope_engine.agents.kit.servers import IdleServer, foreign, idle
from promptscope_engine.agents.roo.gather.derived import default_shell, derived_inputs, find_model, language_code
from promptscope_engine.agents.roo.gather.editor import Session, details, local_time
from promptscope_engine.agents.roo.gather.found import Collected, patterns_diagnostics
from promptscope_engine.agents.roo.gather.mcp_config import find_servers
from promptscope_engine.agents.roo.gather.modes import find_modes, find_override
from promptscope_engine.agents.roo.gather.rules import find_agent_files, find_rooignore, other_modes, rule_set
from promptscope_engine.agents.roo.gather.workspace_files import listing_diagnostics, workspace_files
from promptscope_engine.agents.roo.ignore import IGNORE_FILE, RooIgnore
from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.agents.roo.params import RooParams
from promptscope_engine.agents.roo.texts import FOLDER, MODEL_USES_COMPUTERS
from promptscope_engine.inputs.errors import nearest
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.path import resolve
from promptscope_engine.prompt.conditions import Facts
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
    files = (*found.files, *_unread(inputs, workspace, found.files))
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


def _unread(inputs: Inputs, workspace: Workspace, files: Iterable[FileDraft]) -> Iterator[FileDraft]:
    """Rows of what nearly counts: other spellings, and files of these names below the workspace root or at home."""
    cwd, reads = inputs.workspace, Reads.of(FOLDER.agent, inputs.agent_version)
    known = {file.path if file.path.startswith("/") else f"{cwd}/{file.path}" for file in files}
    near = near_misses.near_misses(workspace, [*places(cwd, inputs.home, reads)], known)
    known |= {draft.path for draft in near}
    around = (rows(workspace, cwd, AT_TOP, "agents-md", reads, known) for rows in (rows_above, rows_below))
    elsewhere = [row for rows in around for row in rows]
    seen = {*known, *(draft.path for draft in elsewhere)}
    own: list[FileDraft] = []
    for folder in dict.fromkeys((cwd, inputs.home)):
        own += near_misses.strays(workspace, f"{folder}/.roo", "rules", seen, strays_in_roo)
        own += near_misses.spelled_otherwise(
            workspace, folder, ".roo", "rules", seen, lambda path: _COUNTS.match(path) is not None
        )
    if workspace.kind(f"{cwd}/.clinerules") == "directory":
        own += near_misses.strays(
            workspace, f"{cwd}/.clinerules", "rules", seen, lambda _: (".clinerules counts as a file", "")
        )
    for draft in (*near, *elsewhere, *own):
        inside = draft.path.startswith(f"{cwd}/")  # shown relative, as all of Roo's files
        yield replace(draft, path=draft.path.removeprefix(f"{cwd}/")) if inside else draft
