"""The rules of one kind, generic or of a mode: directories, else legacy files (specs/roo.md 4.1-4.3).

Both roots are read and put one after the other, nothing overrides anything. Legacy files count only while no
directory, at home or in the project, gave a file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import Any, Condition, Facts, Named, Observed
from promptscope_engine.prompt.drafts import FileDraft, SectionDraft, label, trimmed_file
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import FileText, Workspace

from .rules_files import RuleFile, RulesDirectory, binary_diagnostic, file_diagnostic, rules_directory, why_no_text

PARENT = "custom_instructions"
LEGACY_NAMES = (".roorules", ".clinerules")


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The sections and files of one kind of rules; `present` is whether any of them stands in the prompt."""

    present: Condition
    sections: tuple[SectionDraft, ...]
    files: tuple[FileDraft, ...]
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class _Legacy:
    """A legacy file and the condition under which it counts."""

    name: str
    file: FileText
    trimmed: str
    when: Condition


def rule_set(workspace: Workspace, cwd: str, home: str, slug: str | None) -> RuleSet:
    """The generic rules (`slug` is None), or those of a mode."""
    return workspace.memo(("roo.rule_set", cwd, home, slug), lambda: _rule_set(workspace, cwd, home, slug))


def _rule_set(workspace: Workspace, cwd: str, home: str, slug: str | None) -> RuleSet:
    suffix = "" if slug is None else f"-{slug}"
    kind = "rules" if slug is None else "mode-rules"
    directories = [rules_directory(workspace, f"{root}/.roo/rules{suffix}") for root in (home, cwd)]
    legacy = _legacy(workspace, cwd, home, suffix, directories)
    return RuleSet(
        present=_present(directories, legacy, slug),
        sections=(*_directory_sections(directories, slug), *map(_legacy_section, _existing(legacy))),
        files=(
            *chain.from_iterable(_directory_files(directory, kind) for directory in directories),
            *map(_legacy_draft, legacy),
        ),
        diagnostics=(*_directory_diagnostics(directories), *_legacy_diagnostics(legacy, directories, home)),
    )


def _present(directories: list[RulesDirectory], legacy: list[_Legacy], slug: str | None) -> Condition:
    found = sum(len(directory.files) for directory in directories)
    first = directories[-1].path.rpartition("/")[2]
    count = f"{_files(found)} found in {first} directories"
    in_directories = Observed("file", first, found > 0, count, f"no {first} directory holds a file")
    anywhere = Any((in_directories, *(file.when for file in legacy)))
    what = "generic rules" if slug is None else f"rules for the mode {slug}"
    return Named("file", first, anywhere, f"there are {what}", f"there are no {what}")


# --- directories ---------------------------------------------------------------------------------------------------


def _directory_sections(directories: list[RulesDirectory], slug: str | None) -> Iterator[SectionDraft]:
    rules = [(file, directory) for directory in directories for file in directory.files]
    if rules and slug is not None:
        # The agent means to leave this heading out for directories, but its test never holds (4.1 d 1).
        heading = f"# Rules from rules-{slug} directories:"
        yield SectionDraft(
            id=f"{PARENT}.mode_rules",
            title=f"rules-{slug} directories",
            heading=heading,
            pieces=(label(f"\n\n{heading}"),),
            when=Observed("file", f"rules-{slug}", True, f"{_files(len(rules))} found", ""),
            parent=PARENT,
        )
    for number, (rule, directory) in enumerate(rules, 1):
        # The generic text is trimmed as a whole: a blank last file ends at its heading (4.2).
        ends_at_heading = slug is None and number == len(rules) and not rule.trimmed
        yield _file_section(rule, directory, "" if ends_at_heading else "\n")


def _file_section(rule: RuleFile, directory: RulesDirectory, after_heading: str) -> SectionDraft:
    heading = f"# Rules from {rule.shown}:"
    return SectionDraft(
        id=f"{PARENT}.file:{rule.shown}",
        title=rule.shown,
        heading=heading,
        pieces=(
            label(f"\n\n{heading}{after_heading}"),
            trimmed_file(rule.shown, rule.file.text, rule.trimmed),
        ),
        when=_found(rule, directory),
        parent=PARENT,
    )


def _found(rule: RuleFile, directory: RulesDirectory) -> Condition:
    way = f"the link {rule.link} leads here" if rule.link else f"found in {directory.path}"
    return Observed(
        "file", rule.shown, True, f"{way}, and blank: only its heading stands" if not rule.trimmed else way, ""
    )


def _directory_files(directory: RulesDirectory, kind: str) -> Iterator[FileDraft]:
    if not directory.exists:
        yield absent_file(directory.path, kind, f"there is no directory {directory.path}")
    elif not directory.files and not directory.dropped:
        yield absent_file(directory.path, kind, f"{directory.path} holds no file")
    for rule in directory.files:
        yield FileDraft(
            path=rule.shown,
            real_path=rule.file.real_path,
            kind=kind,
            load="always" if kind == "rules" else "conditional",
            when=_found(rule, directory),
            bytes=len(rule.file.data),
            raw_chars=len(rule.file.text),
            injected=rule.trimmed,
        )
    for dropped in directory.dropped:
        yield absent_file(dropped.path, kind, dropped.why)


def absent_file(path: str, kind: str, why: str) -> FileDraft:
    """A file that would count and does not; `why` is a clause."""
    return FileDraft(path, path, kind, "conditional", Observed("file", path, False, "", why))


def _directory_diagnostics(directories: list[RulesDirectory]) -> Iterator[Diagnostic]:
    for directory in directories:
        yield from directory.diagnostics
        for dropped in directory.dropped:
            if dropped.link:
                message = f"the rule behind {dropped.path} is not used: {dropped.why}"
                yield Diagnostic("warning", "link-dropped", message, dropped.path)


# --- legacy files --------------------------------------------------------------------------------------------------


def _legacy(workspace: Workspace, cwd: str, home: str, suffix: str, directories: list[RulesDirectory]) -> list[_Legacy]:
    """`.roorules`, then `.clinerules`: the first that is not blank."""
    when = _not_silenced(directories, home)
    legacy: list[_Legacy] = []
    for name in (name + suffix for name in LEGACY_NAMES):
        file = workspace.read(f"{cwd}/{name}")
        trimmed = js_trim(file.text)
        own = Observed("file", name, bool(trimmed), f"{name} was found", why_no_text(name, file))
        legacy.append(_Legacy(name, file, trimmed, when & own))
        when = when & Observed("file", name, not trimmed, f"{name} does not count", f"{name} comes first")
    return legacy


def _not_silenced(directories: list[RulesDirectory], home: str) -> Condition:
    yes = "no rule directory holds a file"
    for directory in directories:
        if directory.files:
            first = tilde(directory.files[0].link or directory.files[0].shown, home)
            no = f"silenced by {first} ({_files(len(directory.files))} found there)"
            return Observed("file", directory.path, False, yes, no)
    return Observed("file", directories[-1].path, True, yes, "")


def _existing(legacy: list[_Legacy]) -> list[_Legacy]:
    return [file for file in legacy if file.file.found]


def _legacy_section(legacy: _Legacy) -> SectionDraft:
    heading = f"# Rules from {legacy.name}:"
    return SectionDraft(
        id=f"{PARENT}.file:{legacy.name}",
        title=legacy.name,
        heading=heading,
        pieces=(label(f"\n\n{heading}\n"), trimmed_file(legacy.name, legacy.file.text, legacy.trimmed)),
        when=legacy.when,
        parent=PARENT,
    )


def _legacy_draft(legacy: _Legacy) -> FileDraft:
    return FileDraft(
        path=legacy.name,
        real_path=legacy.file.real_path,
        kind="legacy-rules",
        load="conditional",
        when=legacy.when,
        bytes=len(legacy.file.data),
        raw_chars=len(legacy.file.text),
        injected=legacy.trimmed,
    )


def _legacy_diagnostics(legacy: list[_Legacy], directories: list[RulesDirectory], home: str) -> Iterator[Diagnostic]:
    silenced = any(directory.files for directory in directories)
    for number, one in enumerate(legacy):
        if silenced and one.trimmed:
            why = _not_silenced(directories, home).evaluate(Facts()).text
            yield Diagnostic("warning", "legacy-silenced", f"{one.name} is not used: {why}", one.file.path)
        asked_for = not silenced and not any(earlier.trimmed for earlier in legacy[:number])
        if not asked_for or one.file.problem in ("missing", "directory"):
            continue
        if one.file.problem in ("too-large", "outside"):
            yield file_diagnostic(one.file.path, one.file)
        elif one.file.problem is not None:
            # Directories and agent files swallow a read error; a legacy file's breaks the whole prompt (4.3).
            detail = one.file.detail or one.file.problem
            message = f"Roo cannot build its prompt: {one.name} cannot be read ({detail})"
            yield Diagnostic("error", "legacy-unreadable", message, one.file.path)
        elif one.file.looks_binary:
            yield binary_diagnostic(one.file.path)


# --- words ---------------------------------------------------------------------------------------------------------


def tilde(path: str, home: str) -> str:
    """A path as a person writes it, below `~` where it is."""
    return "~" + path[len(home) :] if path.startswith(home.rstrip("/") + "/") else path


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count:,} files"
