"""Bootstrap files: which ones are loaded for a session, and from where."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from promptscope_engine.agents.kit.rows import followed
from promptscope_engine.agents.kit.settings import at, mapping, texts
from promptscope_engine.agents.openclaw.gather.agents import Run
from promptscope_engine.agents.openclaw.materials import Entry, Session
from promptscope_engine.agents.openclaw.params import BootstrapStandIn
from promptscope_engine.formats.document import Json
from promptscope_engine.frozen import frozen
from promptscope_engine.javascript.glob import expand_braces, is_pattern
from promptscope_engine.javascript.path import resolve
from promptscope_engine.javascript.picomatch import names
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import Condition, Named, Observed
from promptscope_engine.prompt.leaves import param_decides
from promptscope_engine.prompt.model import Diagnostic, Lever
from promptscope_engine.workspace import FileText, Workspace

MAX_FOLDERS = 2_000
"""Folders looked into for one pattern: `**` in a home directory must not walk all of it."""
MAX_CHOICES = 64
_NO_NEGATION = re.compile(r"\A!(?!\()")
"""Node's patterns have no negation as a whole, and write that of a set in two ways."""


def glob(workspace: Workspace, root: str, pattern: str) -> Iterator[str]:
    """Paths relative to `root` that match, in the order of the folders; hidden names only where they are written."""
    seen: set[str] = set()
    budget = [MAX_FOLDERS]
    for choice in expand_braces(pattern, MAX_CHOICES) if not pattern.endswith("/") else ():
        segments = [s for s in choice.split("/") if s not in ("", ".")]
        if ".." in segments:
            continue
        for path in _walk(workspace, root, "", segments, budget):
            if path not in seen:
                seen.add(path)
                yield path


def _walk(workspace: Workspace, root: str, base: str, segments: list[str], budget: list[int]) -> Iterator[str]:
    if not segments:
        yield base
        return
    first, rest = segments[0], segments[1:]
    prefix = f"{base}/" if base else ""
    if not is_pattern(first) and "(" not in first:
        if workspace.kind(f"{root}/{prefix}{first}") is not None:
            yield from _walk(workspace, root, prefix + first, rest, budget)
        return
    if budget[0] <= 0:
        return
    budget[0] -= 1
    if first == "**":
        yield from _walk(workspace, root, base, rest, budget)
    wanted = _NO_NEGATION.sub(r"\\!", first.replace("[!", "[^"))
    for entry in workspace.list(f"{root}/{base}" if base else root).entries:
        if entry.name.startswith(".") and not first.startswith("."):
            continue
        if first == "**" and entry.kind == "directory":
            yield from _walk(workspace, root, prefix + entry.name, segments, budget)
        elif (first == "**" and not rest) or (first != "**" and names(wanted, entry.name)):
            yield from _walk(workspace, root, prefix + entry.name, rest, budget)


ALWAYS_LISTED = ("AGENTS.md", "SOUL.md", "TOOLS.md", "IDENTITY.md", "USER.md", "HEARTBEAT.md", "BOOTSTRAP.md")
"""Each has an entry, as missing if it is not there."""
MEMORY = ("MEMORY.md", "memory.md")
"""Only those that exist; both where they are two files."""
REDUCED = ("AGENTS.md", "TOOLS.md", "SOUL.md", "IDENTITY.md", "USER.md")
"""What sub-agents and cron jobs are given."""
HOOK = "bootstrap-extra-files"
NO_FILE = "no such file"
_OURS = ("outside", "too-large")
"""Problems that OpenClaw does not have with a file."""


@frozen
class Loaded:
    """The entries in the loader's order, those that the session is not given too (their condition is false)."""

    entries: tuple[Entry, ...]
    diagnostics: tuple[Diagnostic, ...] = ()


def loaded(run: Run, workspace: Workspace) -> Loaded:
    """The files of the run's folder, which in a sandbox is a copy of the workspace and may not be there yet, or those
    that stand in for them."""
    if run.params.bootstrapFiles is not None:
        return stand_ins(run.params.bootstrapFiles, run.session)
    folder, seed, session = run.box.folder, run.folder, run.session
    problems: list[Diagnostic] = []
    entries = [_read(workspace, folder, seed, name, session, problems) for name in ALWAYS_LISTED]
    seen: set[str] = set()
    for name in MEMORY:
        entry = _read(workspace, folder, None, name, session, problems)
        if not entry.missing and entry.real_path not in seen:
            seen.add(entry.real_path)
            entries.append(entry)
    entries += _extra(run, workspace, problems)
    return Loaded(tuple(entries), tuple(problems))


def stand_ins(files: Iterable[BootstrapStandIn], session: Session) -> Loaded:
    """The scenario's own files; one without a path is skipped, as the agent does."""
    entries: list[Entry] = []
    problems: list[Diagnostic] = []
    for file in files:
        path = js_trim(file.path or "")
        if not path:
            problems.append(Diagnostic("warning", "bootstrap", f"the entry {file.name} has no path and is skipped"))
            continue
        content = None if file.missing else (file.content or "")
        entries.append(Entry(file.name, path, content, _given_to(file.name, session)))
    return Loaded(tuple(entries), tuple(problems))


def _read(
    workspace: Workspace, folder: str, seed: str | None, name: str, session: Session, problems: list[Diagnostic]
) -> Entry:
    path = f"{folder}/{name}"
    file = workspace.read(path)
    if not file.found and seed:
        file = workspace.read(f"{seed}/{name}")
    when = _given_to(name, session)
    if what := _problem(file):
        problems.append(Diagnostic("warning", "bootstrap", what, file.path))
    if file.problem in _OURS:
        return Entry(name, path, None, when & _withheld(workspace, file), file.path, file.real_path, withheld=True)
    if file.found:
        return Entry(name, path, file.text, when, file.path, file.real_path, file.size)
    absence = f"it cannot be read: {file.detail}"
    if file.problem == "missing":
        target = workspace.readlink(file.path)
        absence = f"the link leads nowhere: there is no {target}" if target else NO_FILE
    return Entry(name, path, None, when, file.path, file.real_path, absence=absence)


def _withheld(workspace: Workspace, file: FileText) -> Condition:
    """False: OpenClaw would read the file, and here it is not read."""
    if file.problem == "outside":
        return followed(workspace, file.path, follow=False, reader="OpenClaw")
    no = f"left out here: it is too large ({file.detail}); OpenClaw would read it"
    return Observed("file", file.path, False, "", no, remedy="make it smaller")


def _problem(file: FileText) -> str | None:
    """What cannot be shown; OpenClaw itself treats any unreadable file as missing."""
    if file.problem in _OURS:
        what = f"it {file.detail}" if file.problem == "outside" else f"it is too large ({file.detail})"
        return f"left out here: {what}; OpenClaw would read it"
    if file.problem not in (None, "missing"):
        return f"cannot be read and counts as missing: {file.detail}"
    return "looks like a binary file; it is injected all the same" if file.found and file.looks_binary else None


def _given_to(name: str, session: Session) -> Condition:
    yes, no = f"a {session.kind} session is given {name}", f"a {session.kind} session is not given {name}"
    given = not session.reduced or name in REDUCED
    remedy = "take a main session (`sessionKey`)"
    return Observed("file", name, given, yes, no, on=(Lever("sessionKey", None),), remedy=remedy)


def _extra(run: Run, workspace: Workspace, problems: list[Diagnostic]) -> Iterator[Entry]:
    """Files that the bundled hook `bootstrap-extra-files` appends; listed as absent while hooks do not run.

    A recording made without a gateway shows that the hook does nothing there, whatever the configuration says; the
    param `internalHooks` simulates the gateway.
    """
    hook, folder = mapping(run.settings.get(("hooks", "internal", "entries", HOOK))), run.box.folder
    if run.settings.get("hooks.internal.enabled") is not True or not hook or hook.get("enabled") is False:
        return
    yes, no = "the gateway's hooks run", "`internalHooks` is off: no gateway runs the hook"
    runs = param_decides("internalHooks", run.params.internalHooks, yes, no, on=True, off=False)
    for relative in _named(workspace, folder, hook):
        name = relative.rpartition("/")[2]
        if name not in (*ALWAYS_LISTED, *MEMORY):
            message = f"{HOOK} appends known file names only, not {name}"
            problems.append(Diagnostic("info", "bootstrap", message, f"{folder}/{relative}"))
            continue
        file = workspace.read(f"{folder}/{relative}")
        if file.found:
            when = Named("file", name, runs & _given_to(name, run.session), f"the hook {HOOK} appends it")
            yield Entry(name, file.path, file.text, when, file.path, file.real_path, file.size)


def _named(workspace: Workspace, folder: str, hook: Json) -> Iterator[str]:
    """Paths below the workspace, from the first of `paths`, `patterns`, `files` that names any."""
    lists = (texts(at(hook, key)) or [] for key in ("paths", "patterns", "files"))
    patterns = next((found for names in lists if (found := [n for n in map(js_trim, names) if n])), [])
    seen: set[str] = set()
    for pattern in patterns:
        # a set in brackets alone makes no pattern, as the public source has it
        is_glob = any(sign in pattern for sign in "*?{")
        for each in glob(workspace, folder, pattern) if is_glob else (pattern,):
            whole = resolve(folder, each)
            path = whole.removeprefix(f"{folder}/")
            # A link out of the workspace is refused by the hook.
            stays = whole != path and workspace.real_path(whole).startswith(f"{workspace.real_path(folder)}/")
            if stays and path not in seen:
                seen.add(path)
                yield path
