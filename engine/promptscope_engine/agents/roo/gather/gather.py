"""From the scenario and the disk to the materials of the sections, and what Roo computes from its other inputs."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, cast

from msgspec.structs import replace

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.kit.disk.servers import USUAL, Configured, IdleServer, foreign, idle
from promptscope_engine.agents.kit.sessions.earlier import Said
from promptscope_engine.agents.kit.text.endpoints import endpoint
from promptscope_engine.agents.kit.text.params import facts_of
from promptscope_engine.agents.roo.gather.editor import (
    Session,
    details,
    listing_diagnostics,
    local_time,
    workspace_files,
)
from promptscope_engine.agents.roo.gather.found import Collected, Found, patterns_diagnostics, unread
from promptscope_engine.agents.roo.gather.mcp_config import find_servers
from promptscope_engine.agents.roo.gather.modes import find_modes, find_override, global_storage
from promptscope_engine.agents.roo.gather.rules import find_agent_files, find_rooignore, other_modes, rule_set
from promptscope_engine.agents.roo.ignore import IGNORE_FILE, RooIgnore
from promptscope_engine.agents.roo.materials import Materials, Server
from promptscope_engine.agents.roo.params import RooParams
from promptscope_engine.agents.roo.texts import (
    BROWSER,
    FILES_LISTED,
    FOLDER,
    LANGUAGES,
    MODEL_USES_COMPUTERS,
    PARTIAL_READS,
)
from promptscope_engine.inputs.errors import nearest
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.text import resolve
from promptscope_engine.prompt.conditions import Condition, Facts, stated
from promptscope_engine.prompt.derived import Derivation, because
from promptscope_engine.prompt.leaves import flag
from promptscope_engine.prompt.model import Diagnostic, Endpoint, ModeChoice
from promptscope_engine.workspace import Workspace

if TYPE_CHECKING:
    from promptscope_engine.agents.roo.mentions import Expansion


_SHELLS = {
    "/bin/": ("sh", "bash", "zsh", "dash", "ash", "csh", "tcsh", "ksh", "ksh93", "mksh", "pdksh", "busybox"),
    "/usr/bin/": (
        "sh", "bash", "zsh", "dash", "ash", "csh", "tcsh", "ksh", "ksh93", "mksh", "pdksh", "fish", "elvish",
        "xonsh", "nu", "nushell", "ion", "busybox",
    ),
    "/usr/local/bin/": ("bash", "zsh", "tcsh", "fish", "elvish", "xonsh", "nu", "nushell", "ion"),
    "/opt/homebrew/bin/": ("bash", "zsh", "fish"),
    "/opt/local/bin/": ("bash", "zsh", "fish"),
    "C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\": ("powershell.exe",),
    "C:\\Program Files\\PowerShell\\7\\": ("pwsh.exe",),
    "C:\\Program Files\\PowerShell\\6\\": ("pwsh.exe",),
    "C:\\Program Files\\PowerShell\\5\\": ("pwsh.exe",),
    "C:\\Windows\\System32\\": ("cmd.exe", "wsl.exe"),
    "C:\\Program Files\\Git\\bin\\": ("bash.exe",),
    "C:\\Program Files\\Git\\usr\\bin\\": ("bash.exe",),
    "C:\\Program Files (x86)\\Git\\bin\\": ("bash.exe",),
    "C:\\Program Files (x86)\\Git\\usr\\bin\\": ("bash.exe",),
    "C:\\msys64\\usr\\bin\\": ("bash.exe",),
    "C:\\msys32\\usr\\bin\\": ("bash.exe",),
    "C:\\MinGW\\msys\\1.0\\bin\\": ("bash.exe",),
    "C:\\cygwin64\\bin\\": ("bash.exe",),
    "C:\\cygwin\\bin\\": ("bash.exe",),
}  # fmt: skip
"""The shells that Roo accepts, by folder."""
ALLOWED_SHELLS = frozenset(f"{folder}{name}" for folder, names in _SHELLS.items() for name in names)
_ALLOWED_ANY_CASE = frozenset(path.lower() for path in ALLOWED_SHELLS)
_CMD = r"C:\Windows\System32\cmd.exe"
_FALLBACKS = {"win32": _CMD, "darwin": "/bin/zsh"}


def default_shell(inputs: Inputs, terminal_shell: str | None) -> str:
    """getShell(): the terminal profile's shell, else the login shell, else the environment's, if it is allowed."""
    platform = inputs.environment.platform or "linux"
    fallback = _FALLBACKS.get(platform, "/bin/bash")
    named = inputs.env.get("COMSPEC" if platform == "win32" else "SHELL")
    shell = terminal_shell or inputs.environment.shell or named or fallback
    if platform == "win32":
        return shell if shell.replace("/", "\\").lower() in _ALLOWED_ANY_CASE else fallback
    return shell if posixpath.normpath(shell) in ALLOWED_SHELLS else fallback


def language_code(given: str | None, editor: str | None) -> str:
    """The prompt's language: "" for none; null is the editor's, as formatLanguage() has it (known ones, else en)."""
    if given is not None:
        return given
    locale = editor or ""
    head, dash, region = locale.rpartition("-")
    code = f"{head}-{region.upper()}" if dash else locale
    return code if code in LANGUAGES else "en"


_REMEDY = "`--model claude-sonnet-4-5`"

_MULTI, _SINGLE = "multi-file-search-replace", "multi-search-replace"


_MODELS = "models.json"
"""The models of each provider; a name in brackets is what a provider that fetches its list starts from."""


def is_listed(params: RooParams, model: str | None) -> bool:
    """Whether it is known what the model can do."""
    lists = FOLDER.data(_MODELS)
    asked = lists.values() if params.apiProvider is None else [lists.get(params.apiProvider, {})]
    return any(model in names for models in asked for names in models.values())


def find_model(provider: str | None, model: str | None) -> Found[Condition]:
    """Whether the model can use a computer, by the lists of 3.28.16."""
    if not model:
        return Found(_can(False, "no model is set"))
    lists = FOLDER.data(_MODELS)
    if provider is not None and provider not in lists:
        close = nearest(provider, list(lists)) or tuple(lists)
        note = f"Roo has no provider {provider!r}; known: {', '.join(close)}"
        return Found(_can(False, note), diagnostics=(Diagnostic("warning", "unknown-provider", note),))
    asked = lists if provider is None else {provider: lists[provider]}
    for name, models in asked.items():
        if model in models["computer"]:
            return Found(_can(True, f"{model} can use a computer (the list of {name})"))
        if model in models["other"]:
            return Found(_can(False, f"{model} cannot use a computer (the list of {name})"))
    names = [each for models in asked.values() for each in (*models["computer"], *models["other"])]
    if all(each.startswith("(") for each in names):
        return Found(_can(False, f"{provider} is asked for its models at run time: {model} is not known here"))
    where = f"the list of {provider}" if provider else "no provider's list"
    lacks = "lacks" if provider else "has"
    return Found(_can(False, f"{where} {lacks} {model}"))


def _can(ok: bool, text: str) -> Condition:
    return stated("model", "supportsComputerUse", ok, text, remedy=_REMEDY)


def derived_inputs(inputs: Inputs, params: RooParams, facts: Facts) -> tuple[Derivation, ...]:
    """Every input that Roo computes, with its arrow."""
    machine = inputs.environment
    several = flag("experiments.multiFileApplyDiff")
    own_language = language_code(None, machine.language)
    speaks = f"the editor speaks {machine.language or 'an unknown one'}"
    asked = params.language is None or "language" in params.model_fields_set
    return (
        # Of a model that no list has, nobody knows whether it can: then nothing is contradicted.
        Derivation.of(BROWSER, facts, is_setting=params.browserToolEnabled and not is_listed(params, inputs.model)),
        Derivation.of(PARTIAL_READS, facts),
        Derivation.of(FILES_LISTED, facts),
        Derivation(
            "diffStrategy",
            _MULTI if several.holds(facts) else _SINGLE,
            several,
            params.diffStrategy if "diffStrategy" in params.model_fields_set else None,
        ),
        *((_setting("language", own_language, params.language, speaks),) if asked else ()),
        _setting("terminalShell", default_shell(inputs, None), params.terminalShell, "it is the login shell"),
        _setting("vscodeShell", machine.shell or "", params.vscodeShell, "it is the login shell"),
        _setting(
            "globalStorage",
            global_storage(inputs, None),
            params.globalStorage,
            "it is the editor's own place below the home folder",
        ),
    )


def _setting(param: str, computed: str, given: str | None, why: str) -> Derivation:
    """What the machine decides while a setting does not."""
    return Derivation(param, computed, because(param, why), given, is_setting=True)


def gather(inputs: Inputs, workspace: Workspace) -> Gathered[Materials]:
    """Everything that the sections and tools are made of. What is on the disk never raises: see the diagnostics."""
    params = cast(RooParams, inputs.params).settled()
    inputs = replace(inputs, params=params)  # conditions go by what null stands for
    cwd, home, editor = inputs.workspace, inputs.home, params.editor
    language = language_code(params.language, inputs.environment.language)
    found = Collected()
    modes = found.take(find_modes(inputs, params, workspace))
    slug, mode = modes.slug, modes.mode
    mcp, servers = found.take(find_servers(inputs, params, mode, workspace))
    override = found.take(find_override(inputs, slug, modes.modes, language, workspace))
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
    session = Session(slug, mode.name, inputs.model or "", local_time(inputs.environment), cwd)
    known = {MODEL_USES_COMPUTERS: found.take(find_model(params.apiProvider, inputs.model))}
    choices = tuple(ModeChoice(m.slug, m.name, m.groups, m.source, m.edits_only) for m in modes.choices)
    facts = facts_of(inputs, mode.slug, choices, inputs.model, known)
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
        details=details(editor, session, home, ignore, listing),
        task=task,
        history=earlier,
    )
    files = (*found.files, *unread(inputs, workspace, found.files))
    derived, unused = derived_inputs(inputs, params, facts), tuple(_idle_servers(materials, facts, workspace))
    own = tuple(_configured(servers, cwd))
    notes, goes_to = tuple(found.diagnostics), _endpoint(params, inputs.model)
    return Gathered(facts, materials, files, notes, derived=derived, configured=own, idle=unused, endpoint=goes_to)


def _endpoint(params: RooParams, model: str | None) -> Endpoint:
    provider, hosts = params.apiProvider or "", FOLDER.agent["hosts"]
    said = {"provider": provider, "host": hosts.get(provider), "model": model}
    return endpoint(FOLDER.agent["endpoints"], said, {})


def _configured(servers: Iterable[Server], cwd: str) -> Iterator[Configured]:
    for each in servers:
        if each.path is not None:
            yield Configured(each.name, each.config, cwd, each.path, USUAL.__contains__)


_UNTIL_THEN = "it offers nothing until then"


def _idle_servers(found: Materials, facts: Facts, workspace: Workspace) -> Iterator[IdleServer]:
    """The servers that are not in the prompt, and those of a file that Roo does not read."""
    for server in found.servers:
        when = found.mcp & server.when
        if not when.holds(facts):
            is_stand_in = server.path is None  # a switch that connects it makes it no tool of this name
            yield idle(server.name, when, why=_UNTIL_THEN) if is_stand_in else IdleServer(server.name, when)
    path, known = f"{found.inputs.workspace}/.mcp.json", [server.name for server in found.servers]
    yield from foreign(workspace, path, "Roo Code does not read .mcp.json: its servers are in .roo/mcp.json", known)
