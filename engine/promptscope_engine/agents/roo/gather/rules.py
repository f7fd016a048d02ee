"""The rules of one kind, AGENTS.md, .rooignore, and the files that are named for other modes."""

from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import islice

from msgspec.structs import replace

from promptscope_engine.agents.kit.rows import absent, file_row, followed
from promptscope_engine.agents.roo.gather.found import Found, binary_diagnostic, file_diagnostic, has_text
from promptscope_engine.agents.roo.gather.rules_files import RulesDirectory, linked_file, rule_paths, rules_directory
from promptscope_engine.agents.roo.ignore import IGNORE_FILE
from promptscope_engine.agents.roo.materials import InstructionFile, RuleSet
from promptscope_engine.agents.roo.texts import USE_AGENT_RULES, USE_ROO_IGNORE
from promptscope_engine.inputs.errors import nearest
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import ALWAYS, AnyOf, Condition, Fact, Facts, Named
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.leaves import mode_is
from promptscope_engine.prompt.model import Diagnostic, Severity
from promptscope_engine.workspace import FileText, Workspace

AGENT_FILES = ("AGENTS.md", "AGENT.md")
LEGACY_NAMES = (".roorules", ".clinerules")
_NONE = (None, "missing", "directory")
"""Problems of a file that are nothing to tell about."""


def first_with_text(files: list[tuple[str, FileText]]) -> Iterator[InstructionFile]:
    """The named files, of which the first that is not blank counts."""
    when: Condition = ALWAYS
    for name, file in files:
        text = js_trim(file.text)
        yield InstructionFile(name, file.text, text, when & has_text(name, file, text))
        no, remedy = f"{name} comes first", f"remove {name}"
        counts = bool(text) or (file.problem in ("outside", "too-large") and file.size > 0)  # unread here, not by Roo
        when = when & Fact("file", name, not counts, f"{name} does not count", no, actual=name, remedy=remedy)


def find_agent_files(workspace: Workspace, cwd: str) -> Found[tuple[InstructionFile, ...]]:
    """`AGENTS.md`, then `AGENT.md`, of the root: the first with text. Links are resolved as those of rules."""

    def found() -> Found[tuple[InstructionFile, ...]]:
        paths = {name: f"{cwd}/{name}" for name in AGENT_FILES}
        texts = {name: workspace.read(linked_file(workspace, path) or path) for name, path in paths.items()}
        files = tuple(first_with_text([*texts.items()]))
        drafts = (
            file_row(text, "agents-md", "always", USE_AGENT_RULES & file.when, file.text, shown=file.name)
            for file, text in zip(files, texts.values(), strict=True)
        )
        return Found(files, tuple(drafts), tuple(_of_agent_files(texts.values())))

    return workspace.memo(("roo.agents_md", cwd), found, tracked=True)


def _of_agent_files(files: Iterable[FileText]) -> Iterator[Diagnostic]:
    for file in files:
        if file.problem not in _NONE:
            yield file_diagnostic(file.path, file)
        elif file.looks_binary:
            yield binary_diagnostic(file.path)
        if js_trim(file.text):
            return


def find_rooignore(workspace: Workspace, cwd: str) -> Found[InstructionFile]:
    """The text of `.rooignore` as it is, untrimmed: a byte order mark stays, a blank file counts."""
    file = workspace.read(f"{cwd}/{IGNORE_FILE}")
    when = USE_ROO_IGNORE & has_text(IGNORE_FILE, file, file.text)
    return Found(
        InstructionFile(IGNORE_FILE, file.text, file.text, when),
        (file_row(file, "rooignore", "always", when, file.text, shown=IGNORE_FILE),),
        () if file.problem in _NONE else (file_diagnostic(file.path, file),),
    )


# --- rules of all modes, or of one ------------------------------------------------------------------------------------


def rule_set(workspace: Workspace, cwd: str, home: str, slug: str | None) -> Found[RuleSet]:
    """The generic rules (`slug` is None), or those of a mode: of directories, else legacy files.

    Both roots are read and put one after the other, nothing overrides anything. Legacy files count only while no
    directory, at home or in the project, has a file.
    """
    key = ("roo.rule_set", cwd, home, slug)
    return workspace.memo(key, lambda: _rule_set(workspace, cwd, home, slug), tracked=True)


def _rule_set(workspace: Workspace, cwd: str, home: str, slug: str | None) -> Found[RuleSet]:
    suffix, kind = ("", "rules") if slug is None else (f"-{slug}", "mode-rules")
    directories = [rules_directory(workspace, f"{root}/.roo/rules{suffix}") for root in (home, cwd)]
    texts = [(name + suffix, workspace.read(f"{cwd}/{name}{suffix}")) for name in LEGACY_NAMES]
    unsuppressed = _unsuppressed(directories, home)
    files = (replace(file, when=unsuppressed & file.when) for file in first_with_text(texts))
    legacy = [(file, text) for file, (_, text) in zip(files, texts, strict=True)]
    return Found(
        RuleSet(
            slug,
            _present(directories, [file for file, _ in legacy], f"rules{suffix}", slug),
            tuple(rule.among_rules for directory in directories for rule in directory.files),
            tuple(file for file, text in legacy if text.found),
        ),
        (
            *(draft for directory in directories for draft in _drafts(workspace, directory, kind)),
            *(file_row(t, "legacy-rules", "conditional", f.when, f.text, shown=f.name) for f, t in legacy),
        ),
        (*_diagnostics(directories), *_legacy_diagnostics(legacy, unsuppressed)),
    )


def _present(
    directories: list[RulesDirectory], legacy: list[InstructionFile], name: str, slug: str | None
) -> Condition:
    count = sum(len(directory.files) for directory in directories)
    yes, no = f"{_files(count)} found in {name} directories", f"no {name} directory holds a file"
    in_directories = Fact("file", name, count > 0, yes, no, remedy=f"create .roo/{name}/<name>.md")
    what = "generic rules" if slug is None else f"rules for the mode {slug}"
    anywhere = AnyOf((in_directories, *(file.when for file in legacy)))
    return Named("file", name, anywhere, f"there are {what}", f"there are no {what}")


def _drafts(workspace: Workspace, directory: RulesDirectory, kind: str) -> Iterator[FileDraft]:
    def row(path: str, why: str, remedy: str) -> FileDraft:
        return FileDraft(path, path, kind, "conditional", absent(path, why, remedy))

    path = directory.path
    if not directory.exists:
        yield row(path, f"there is no directory {path}", f"create {path} with a file of rules")
    elif not directory.files and not directory.dropped:
        yield row(path, f"{path} holds no file", f"put a file of rules into {path}")
    yield from (rule.listed for rule in directory.files)
    for link in directory.led_out:
        yield FileDraft(link, workspace.real_path(link), kind, "conditional", followed(workspace, link, follow=True))
    for dropped in directory.dropped:
        left_out = row(dropped.path, dropped.why, dropped.remedy)
        outside = dropped.outside
        yield replace(left_out, when=followed(workspace, dropped.path, follow=False)) if outside else left_out


def _diagnostics(directories: list[RulesDirectory]) -> Iterator[Diagnostic]:
    for directory in directories:
        yield from directory.diagnostics
        for dropped in directory.dropped:
            if dropped.times:
                times = {1: "once", 2: "twice"}.get(dropped.times, f"{dropped.times} times")
                message = f"files behind {dropped.path} are read {times}: {dropped.why}"
                yield Diagnostic("warning", "link-repeated", message, dropped.path)
            elif dropped.link and not dropped.outside:
                message = f"the rule behind {dropped.path} is not used: {dropped.why}"
                yield Diagnostic("warning", "link-dropped", message, dropped.path)


def _unsuppressed(directories: list[RulesDirectory], home: str) -> Condition:
    """Legacy files count only while the directories are empty: the first that is not is named."""
    full = next((directory for directory in directories if directory.counted), directories[-1])
    first = tilde(full.counted[0], home) if full.counted else ""
    return Fact(
        "file",
        full.path,
        not full.counted,
        "no rule directory holds a file",
        f"suppressed by {first} ({_files(len(full.counted))} found there)",
        actual=first or None,
        remedy=f"remove the files from {' and '.join(tilde(d.path, home) for d in directories if d.counted)}",
    )


def _legacy_diagnostics(
    legacy: list[tuple[InstructionFile, FileText]], unsuppressed: Condition
) -> Iterator[Diagnostic]:
    verdict = unsuppressed.evaluate(Facts())
    earlier = False
    for one, file in legacy:
        if not verdict.ok and one.text:
            yield Diagnostic("warning", "legacy-silenced", f"{one.name} is not used: {verdict.text}", file.path)
        elif verdict.ok and not earlier and file.problem in ("too-large", "outside"):
            yield file_diagnostic(file.path, file)
        elif verdict.ok and not earlier and file.problem not in _NONE:
            # Directories and agent files swallow a read error; a legacy file's breaks the whole prompt.
            message = f"Roo cannot build its prompt: {one.name} cannot be read ({file.detail})"
            yield Diagnostic("error", "legacy-unreadable", message, file.path)
        elif verdict.ok and not earlier and file.looks_binary:
            yield binary_diagnostic(file.path)
        earlier = earlier or bool(one.text)


def tilde(path: str, home: str) -> str:
    """A path as a person writes it, below `~` where it is."""
    folder = home.rstrip("/")
    return "~" + path[len(folder) :] if path.startswith(folder + "/") else path


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count:,} files"


# --- named for a mode other than the one in force: one that can be chosen, or none at all -----------------------------

_MOST = 500
"""Names of one folder that are looked at: there are five built-in modes, and few add more than as many."""


def other_modes(
    workspace: Workspace, cwd: str, home: str, known: Sequence[str], counted: Container[str]
) -> Found[None]:
    """Rows for files of other modes. `known`: slugs of all modes, letter by letter; `counted`: those with rows."""
    files: list[FileDraft] = []
    diagnostics: list[Diagnostic] = []
    for slug, kind, place in _named_for_modes(workspace, cwd, home):
        if slug in counted:
            continue
        paths = rule_paths(workspace, place) if kind == "mode-rules" else (place,)
        shown = tilde(place.removeprefix(f"{cwd}/"), home)
        no_mode = f"no mode has the slug {slug} (known: {', '.join(known)})"
        when: Condition = Named(
            "mode", slug, mode_is(slug), f"the mode is {slug}", f"only for the mode {slug}: {{inner}}"
        )
        if slug not in known:
            close = nearest(slug, known, 1)
            rename = f"rename {shown} to {shown.removesuffix(slug)}{close[0]}" if close else f"rename {shown}"
            remedy = f"{rename}, or add a mode with the slug {slug} to .roomodes"
            when = Fact("mode", slug, False, "", no_mode, remedy=remedy)
        files += (FileDraft(path, workspace.real_path(path), kind, "conditional", when) for path in paths)
        if slug not in known and paths:
            # Modes of another project may be behind a folder at home.
            severity: Severity = "warning" if place.startswith(f"{cwd}/") else "info"
            what = f"{shown} is never read: {no_mode}"
            diagnostics.append(Diagnostic(severity, "unknown-mode-rules", what, paths[0]))
    return Found(None, tuple(files), tuple(diagnostics))


def _named_for_modes(workspace: Workspace, cwd: str, home: str) -> Iterator[tuple[str, str, str]]:
    """(slug, kind, path) of each file or folder with a mode's slug in its name."""
    places = [(f"{root}/.roo", "rules-", "mode-rules") for root in dict.fromkeys((home, cwd))]
    places.append((f"{cwd}/.roo", "system-prompt-", "system-prompt-override"))
    places += ((cwd, f"{legacy}-", "legacy-rules") for legacy in LEGACY_NAMES)
    for folder, prefix, kind in places:
        names = (entry.name for entry in workspace.list(folder).entries)
        for name in islice((name for name in names if name.startswith(prefix) and name != prefix), _MOST):
            path, wanted = f"{folder}/{name}", "directory" if kind == "mode-rules" else "file"
            if workspace.kind(path) == wanted:
                yield name.removeprefix(prefix), kind, path
