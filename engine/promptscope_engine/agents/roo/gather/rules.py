"""The rules of one kind, AGENTS.md, .rooignore, and the files that are named for other modes."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from promptscope_engine.agents.kit.rows import file_row, followed
from promptscope_engine.agents.roo.gather.found import Found, absent_file, binary_diagnostic, file_diagnostic, has_text
from promptscope_engine.agents.roo.gather.rules_files import RulesDirectory, linked_file, rule_paths, rules_directory
from promptscope_engine.agents.roo.ignore import IGNORE_FILE
from promptscope_engine.agents.roo.materials import InstructionFile, RuleSet
from promptscope_engine.agents.roo.texts import USE_AGENT_RULES, USE_ROO_IGNORE
from promptscope_engine.frozen import frozen
from promptscope_engine.inputs.errors import nearest
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import ALWAYS, Any, Condition, Facts, Named, Observed
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.leaves import mode_is
from promptscope_engine.prompt.model import Diagnostic, Severity
from promptscope_engine.workspace import FileText, Workspace

AGENT_FILES = ("AGENTS.md", "AGENT.md")


def find_agent_files(workspace: Workspace, cwd: str) -> Found[tuple[InstructionFile, ...]]:
    """`AGENTS.md`, then `AGENT.md`, of the workspace's root alone; the first that is not blank counts."""
    return workspace.memo(("roo.agents_md", cwd), lambda: _find_agent_files(workspace, cwd), tracked=True)


def _find_agent_files(workspace: Workspace, cwd: str) -> Found[tuple[InstructionFile, ...]]:
    texts = [(name, _agent_file(workspace, f"{cwd}/{name}")) for name in AGENT_FILES]
    files = tuple(first_with_text(texts))
    drafts = (
        file_row(text, "agents-md", "always", USE_AGENT_RULES & file.when, file.text, shown=file.name)
        for file, (_, text) in zip(files, texts, strict=True)
    )
    return Found(files, tuple(drafts), tuple(_of_agent_files([text for _, text in texts])))


def _agent_file(workspace: Workspace, path: str) -> FileText:
    """A link is resolved as those of the rules; one to a directory stands for the first file in there (4.7)."""
    return workspace.read(linked_file(workspace, path) or path)


def first_with_text(files: list[tuple[str, FileText]]) -> Iterator[InstructionFile]:
    """The named files, of which the first that is not blank counts."""
    when: Condition = ALWAYS
    for name, file in files:
        text = js_trim(file.text)
        yield InstructionFile(name, file.text, text, when & has_text(name, file, text))
        no, remedy = f"{name} comes first", f"remove {name}"
        counts = bool(text) or (file.problem in ("outside", "too-large") and file.size > 0)  # unread here, not by Roo
        when = when & Observed("file", name, not counts, f"{name} does not count", no, actual=name, remedy=remedy)


def _of_agent_files(files: list[FileText]) -> Iterator[Diagnostic]:
    for file in files:
        if file.problem not in (None, "missing", "directory"):
            yield file_diagnostic(file.path, file)
        elif file.looks_binary:
            yield binary_diagnostic(file.path)
        if js_trim(file.text):
            return


def find_rooignore(workspace: Workspace, cwd: str) -> Found[InstructionFile]:
    """The text of `.rooignore` as it stands, untrimmed: a byte order mark stays, a blank file counts (4.6, 4.8)."""
    file = workspace.read(f"{cwd}/{IGNORE_FILE}")
    when = USE_ROO_IGNORE & has_text(IGNORE_FILE, file, file.text)
    silent = file.problem in (None, "missing", "directory")
    return Found(
        InstructionFile(IGNORE_FILE, file.text, file.text, when),
        (file_row(file, "rooignore", "always", when, file.text, shown=IGNORE_FILE),),
        () if silent else (file_diagnostic(file.path, file),),
    )


LEGACY_NAMES = (".roorules", ".clinerules")


def rule_set(workspace: Workspace, cwd: str, home: str, slug: str | None) -> Found[RuleSet]:
    """The generic rules (`slug` is None), or those of a mode."""
    return workspace.memo(
        ("roo.rule_set", cwd, home, slug), lambda: _rule_set(workspace, cwd, home, slug), tracked=True
    )


def _rule_set(workspace: Workspace, cwd: str, home: str, slug: str | None) -> Found[RuleSet]:
    suffix = "" if slug is None else f"-{slug}"
    kind = "rules" if slug is None else "mode-rules"
    directories = [rules_directory(workspace, f"{root}/.roo/rules{suffix}") for root in (home, cwd)]
    texts = [(name + suffix, workspace.read(f"{cwd}/{name}{suffix}")) for name in LEGACY_NAMES]
    unsuppressed = _unsuppressed(directories, home)
    legacy = [replace(file, when=unsuppressed & file.when) for file in first_with_text(texts)]
    files = [rule.among_rules for directory in directories for rule in directory.files]
    legacy_drafts = (
        file_row(text, "legacy-rules", "conditional", file.when, file.text, shown=file.name)
        for file, (_, text) in zip(legacy, texts, strict=True)
    )
    return Found(
        RuleSet(
            slug,
            _present(directories, legacy, f"rules{suffix}", slug),
            tuple(files),
            tuple(file for file, (_, text) in zip(legacy, texts, strict=True) if text.found),
        ),
        (*(draft for directory in directories for draft in _drafts(workspace, directory, kind)), *legacy_drafts),
        (*_diagnostics(directories), *_legacy_diagnostics(texts, legacy, unsuppressed)),
    )


def _present(
    directories: list[RulesDirectory], legacy: list[InstructionFile], name: str, slug: str | None
) -> Condition:
    count = sum(len(directory.files) for directory in directories)
    in_directories = Observed(
        "file",
        name,
        count > 0,
        f"{_files(count)} found in {name} directories",
        f"no {name} directory holds a file",
        remedy=f"create .roo/{name}/<name>.md",
    )
    what = "generic rules" if slug is None else f"rules for the mode {slug}"
    anywhere = Any((in_directories, *(file.when for file in legacy)))
    return Named("file", name, anywhere, f"there are {what}", f"there are no {what}")


# --- directories ---------------------------------------------------------------------------------------------------


def _drafts(workspace: Workspace, directory: RulesDirectory, kind: str) -> Iterator[FileDraft]:
    path = directory.path
    if not directory.exists:
        yield absent_file(path, kind, f"there is no directory {path}", f"create {path} with a file of rules")
    elif not directory.files and not directory.dropped:
        yield absent_file(path, kind, f"{path} holds no file", f"put a file of rules into {path}")
    yield from (rule.listed for rule in directory.files)
    for link in directory.led_out:
        yield FileDraft(link, workspace.real_path(link), kind, "conditional", followed(workspace, link, follow=True))
    for dropped in directory.dropped:
        row = absent_file(dropped.path, kind, dropped.why, dropped.remedy)
        yield replace(row, when=followed(workspace, dropped.path, follow=False)) if dropped.outside else row


def _diagnostics(directories: list[RulesDirectory]) -> Iterator[Diagnostic]:
    for directory in directories:
        yield from directory.diagnostics
        for dropped in directory.dropped:
            if dropped.times:
                message = f"files behind {dropped.path} are read {_times(dropped.times)}: {dropped.why}"
                yield Diagnostic("warning", "link-repeated", message, dropped.path)
            elif dropped.link and not dropped.outside:
                message = f"the rule behind {dropped.path} is not used: {dropped.why}"
                yield Diagnostic("warning", "link-dropped", message, dropped.path)


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


# --- legacy files --------------------------------------------------------------------------------------------------


def _unsuppressed(directories: list[RulesDirectory], home: str) -> Condition:
    """Legacy files count only while the directories are empty: the first that is not is named."""
    full = next((directory for directory in directories if directory.counted), directories[-1])
    first = tilde(full.counted[0], home) if full.counted else ""
    return Observed(
        "file",
        full.path,
        not full.counted,
        "no rule directory holds a file",
        f"suppressed by {first} ({_files(len(full.counted))} found there)",
        actual=first or None,
        remedy=f"remove the files from {' and '.join(tilde(d.path, home) for d in directories if d.counted)}",
    )


def _legacy_diagnostics(
    texts: list[tuple[str, FileText]], legacy: list[InstructionFile], unsuppressed: Condition
) -> Iterator[Diagnostic]:
    verdict = unsuppressed.evaluate(Facts())
    earlier = False
    for (name, file), one in zip(texts, legacy, strict=True):
        if not verdict.ok and one.text:
            yield Diagnostic("warning", "legacy-silenced", f"{name} is not used: {verdict.text}", file.path)
        elif verdict.ok and not earlier:
            yield from _legacy_problem(name, file)
        earlier = earlier or bool(one.text)


def _legacy_problem(name: str, file: FileText) -> Iterator[Diagnostic]:
    if file.problem in ("missing", "directory"):
        return
    if file.problem in ("too-large", "outside"):
        yield file_diagnostic(file.path, file)
    elif file.problem is not None:
        # Directories and agent files swallow a read error; a legacy file's breaks the whole prompt (4.3).
        message = f"Roo cannot build its prompt: {name} cannot be read ({file.detail})"
        yield Diagnostic("error", "legacy-unreadable", message, file.path)
    elif file.looks_binary:
        yield binary_diagnostic(file.path)


# --- words ---------------------------------------------------------------------------------------------------------


def tilde(path: str, home: str) -> str:
    """A path as a person writes it, below `~` where it is."""
    folder = home.rstrip("/")
    return "~" + path[len(folder) :] if path.startswith(folder + "/") else path


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count:,} files"


_MOST = 500
"""Names of one folder that are looked at: there are five built-in modes, and few add more than as many."""


@frozen
class _Named:
    """A file or folder with a mode's slug in its name."""

    slug: str
    kind: str
    path: str
    is_folder: bool = False


def other_modes(
    workspace: Workspace, cwd: str, home: str, known: Sequence[str], counted: Container[str]
) -> Found[None]:
    """Rows for these files. `known` are the slugs of all modes, `counted` those whose files have rows already."""
    places = [place for place in _named_for_modes(workspace, cwd, home) if place.slug not in counted]
    files: list[FileDraft] = []
    diagnostics: list[Diagnostic] = []
    for place in places:
        paths = rule_paths(workspace, place.path) if place.is_folder else (place.path,)
        shown = tilde(place.path.removeprefix(f"{cwd}/"), home)
        when = _for_mode(place.slug, known, shown)
        files += (FileDraft(path, workspace.real_path(path), place.kind, "conditional", when) for path in paths)
        if place.slug not in known and paths:
            # Modes of another project may lie behind a folder at home.
            severity: Severity = "warning" if place.path.startswith(f"{cwd}/") else "info"
            what = f"{shown} is never read: {_no_mode(place.slug, known)}"
            diagnostics.append(Diagnostic(severity, "unknown-mode-rules", what, paths[0]))
    return Found(None, tuple(files), tuple(diagnostics))


def _named_for_modes(workspace: Workspace, cwd: str, home: str) -> Iterator[_Named]:
    for root in dict.fromkeys((home, cwd)):
        folder = f"{root}/.roo"
        for name in islice(_names(workspace, folder, "rules-"), _MOST):
            if workspace.is_dir(path := f"{folder}/{name}"):
                yield _Named(name.removeprefix("rules-"), "mode-rules", path, is_folder=True)
    yield from _named_files(workspace, f"{cwd}/.roo", "system-prompt-", "system-prompt-override")
    for legacy in LEGACY_NAMES:
        yield from _named_files(workspace, cwd, f"{legacy}-", "legacy-rules")


def _named_files(workspace: Workspace, folder: str, prefix: str, kind: str) -> Iterator[_Named]:
    for name in islice(_names(workspace, folder, prefix), _MOST):
        if workspace.kind(path := f"{folder}/{name}") == "file":
            yield _Named(name.removeprefix(prefix), kind, path)


def _names(workspace: Workspace, folder: str, prefix: str) -> Iterator[str]:
    entries = workspace.list(folder).entries
    return (entry.name for entry in entries if entry.name.startswith(prefix) and entry.name != prefix)


def _for_mode(slug: str, known: Sequence[str], shown: str) -> Condition:
    if slug not in known:
        close = nearest(slug, known, 1)
        rename = f"rename {shown} to {shown.removesuffix(slug)}{close[0]}" if close else f"rename {shown}"
        remedy = f"{rename}, or add a mode with the slug {slug} to .roomodes"
        return Observed("mode", slug, False, "", _no_mode(slug, known), remedy=remedy)
    return Named("mode", slug, mode_is(slug), f"the mode is {slug}", f"only for the mode {slug}: {{inner}}")


def _no_mode(slug: str, known: Sequence[str]) -> str:
    return f"no mode has the slug {slug} (known: {', '.join(known)})"
