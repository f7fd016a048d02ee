"""The rules of one kind, generic or of a mode: directories, else legacy files (specs/roo.md 4.1-4.3).

Both roots are read and put one after the other, nothing overrides anything. Legacy files count only while no
directory, at home or in the project, has a file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from promptscope_engine.agents.kit.rows import file_row, followed
from promptscope_engine.agents.roo.materials import InstructionFile, RuleSet
from promptscope_engine.prompt.conditions import Any, Condition, Facts, Named, Observed
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import FileText, Workspace

from .agents_md import first_with_text
from .found import Found, absent_file, binary_diagnostic, file_diagnostic
from .rules_files import RulesDirectory, rules_directory

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
