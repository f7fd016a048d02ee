"""Findings about files: what the agent drops, cuts, never loads or takes from elsewhere."""

import re
from collections.abc import Iterable, Iterator

from promptscope_engine.agents.kit.disk.rows import ELSEWHERE, WANTED
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.formats.yaml import YAML_1_1, FrontMatter, YamlError
from promptscope_engine.prompt.model import Diagnostic, SourceFile, Verdict

from .context import Context, Repository
from .findings import Finding, rule_of

_IMPORT = re.compile(r"@(\S{1,4096})")
_SUFFIX = re.compile(r"\.\w")
_TRAILING = ".,;:!?)]}>'\"`"
_FRONT_MATTER = re.compile(r"---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_STARS = re.compile(r"[*?]+")
_PATTERN_KEYS = ("paths", "globs", "applyTo")
_FAILED = "import-failed"
_OF_HOME = frozenset({"plugin-missing"})
"""Codes of what only a home folder can tell: what is installed there."""
_SKILL = "SKILL.md"
_KEPT = re.compile("disable-model-invocation|allow_implicit_invocation")
"""The keys by which its author keeps a skill for people."""
_MACHINE = ("env.", "environment.")
"""How facts of the machine are named, in reasons as in scenarios."""


def file_findings(context: Context) -> Iterator[Finding]:
    """What the agent's own diagnostics and the list of its files tell."""
    told = list(_diagnosed(context))
    yield from told
    places = {(finding.rule, finding.path) for finding in told}
    for finding in _of_files(context, has_budget=any(finding.rule == "long-description" for finding in told)):
        if (finding.rule, finding.path) not in places or finding.rule == "unresolved-import":
            yield finding
    yield from _never_loaded(context)


# --- diagnostics ------------------------------------------------------------------------------------------------------


def _diagnosed(context: Context) -> Iterator[Finding]:
    refused = {context.absolute(file.path) for file in context.assembly.files if _is_refused_link(file)}
    for each in context.assembly.diagnostics:
        path, line = _importer(each, context) or (each.path, each.line)
        rule = rule_of(each.code) or ("agent-warning" if path and each.severity != "info" else None)
        if rule is None or (each.code in _OF_HOME and not context.knows_home):
            continue
        elsewhere = path is not None and context.relative(path) is None and context.in_home(path) is None
        if elsewhere and rule != "agent-refuses":
            continue  # nothing that the repository or the person could mend
        if rule == "agent-warning" and path is not None and context.absolute(path) in refused:
            continue  # of a link that is not followed here its row tells
        yield context.finding(rule, each.message, path, line, tokens=each.tokens)


def _importer(diagnostic: Diagnostic, context: Context) -> tuple[str, int | None] | None:
    """Where the import of a file stands that a diagnostic is about."""
    target = diagnostic.path
    for file in context.assembly.files:
        if file.imported_by and file.path == target and diagnostic.code != _FAILED:
            return file.imported_by, _import_of(file.imported_by, file.path, context)[0]
    return None


# --- rows -------------------------------------------------------------------------------------------------------------


def _of_files(context: Context, *, has_budget: bool) -> Iterator[Finding]:
    for file in context.assembly.files:
        yield from _of_file(file, context)
    yield from _skills(context, has_budget=has_budget)


def _of_file(file: SourceFile, context: Context) -> Iterator[Finding]:
    reader = load_agent(context.assembly.agent).name
    if file.truncated and file.kind != "skill":  # the agent's own diagnostic tells about a description
        over = (limit for limit in file.limits if limit.wanted > limit.allowed)
        limits = "; ".join(f"{limit.name} allows {limit.allowed:,} of {limit.wanted:,}" for limit in over)
        words = f"{reader} cuts it{f' ({limits})' if limits else ''}"
        yield from _here("truncated", words, file, context, _cut_from(file, context))
    if file.present:
        return
    if _is_refused_link(file):
        text = f"it leads out of the repository, where check does not look; {reader} would read it"
        yield from _here("outside-link", text, file, context)
    elif file.why.condition is not None and file.why.condition.wanted == WANTED:
        yield from _here("near-miss", file.why.because, file, context)
    elif file.imported_by:
        yield from _unresolved(file, context)
    elif (by := _suppressed_by(file.why.condition)) and context.exists(file) and not _is_loaded(file, by, context):
        yield from _here("suppressed", f"not loaded: {context.relative(by) or by} takes its place", file, context)


def _here(rule: str, message: str, file: SourceFile, context: Context, line: int | None = None) -> Iterator[Finding]:
    if context.relative(file.path) is not None:
        yield context.finding(rule, message, file.path, line)


def _cut_from(file: SourceFile, context: Context) -> int | None:
    """The first line of a file that was cut out of it; None where the prompt's sections don't tell."""
    absent = (fragment.origin for section in context.assembly.sections for fragment in section.absent)
    return next((each.start_line for each in absent if each.kind == "file" and each.path == file.path), None)


def _is_refused_link(file: SourceFile) -> bool:
    """Whether all that keeps a file out is that links which lead out are not followed here."""
    verdict = file.why.condition
    return verdict is not None and not verdict.ok and verdict.name == "outside_links"


def _is_of_machine(verdict: Verdict | None) -> bool:
    """Whether a check cannot tell: what fails are facts of the machine that it runs on, which is pinned."""
    if verdict is None or verdict.ok:
        return False
    if verdict.name.startswith(_MACHINE):
        return True
    failing = [child for child in verdict.children if not child.ok]
    return bool(failing) and all(map(_is_of_machine, failing))


def _suppressed_by(verdict: Verdict | None) -> str | None:
    """The file that takes another one's place: the fact of a `file` leaf that names one (see `Verdict`)."""
    if verdict is None or verdict.ok:
        return None
    if not verdict.children:
        return verdict.actual if verdict.op == "file" and isinstance(verdict.actual, str) else None
    if verdict.op == "not":
        return None
    return next(filter(None, map(_suppressed_by, verdict.children)), None)


def _is_loaded(file: SourceFile, by: str, context: Context) -> bool:
    """Whether its text is in the prompt all the same: it is imported, a link, or a copy of what takes its place."""
    is_read = any(other.present and other.real_path == file.real_path for other in context.assembly.files)
    text = context.text(file.path)
    return is_read or (text != "" and text == context.text(by))


# --- skills -----------------------------------------------------------------------------------------------------------


def _skills(context: Context, *, has_budget: bool) -> Iterator[Finding]:
    """Skills that are here and not listed. Those that a budget takes are one finding, the agent's own if it has one."""
    cut: list[SourceFile] = []
    for file in context.assembly.files:
        if not _is_dropped(file, context):
            continue
        if any(limit.wanted > limit.allowed for limit in file.limits):
            cut.append(file)
        else:
            yield from _here("skill-dropped", file.why.because, file, context)
    if cut and not has_budget:
        many = f"{len(cut):,} skills are not listed, this one first: " if len(cut) > 1 else ""
        yield from _here("skill-dropped", many + cut[0].why.because, cut[0], context)


def _is_dropped(file: SourceFile, context: Context) -> bool:
    """Whether a skill was to be listed, and is not: not for its author's sake, nor for what only the machine knows."""
    verdict = file.why.condition
    if file.present or file.kind != "skill" or not file.bytes or (verdict and verdict.wanted in (WANTED, ELSEWHERE)):
        return False
    if _is_refused_link(file) or _is_of_machine(verdict) or _suppressed_by(verdict) or _KEPT.search(file.why.text):
        return False
    folder, _, name = context.absolute(file.path).rpartition("/")
    if name != _SKILL and context.workspace.kind(f"{folder}/{_SKILL}") is not None:
        return False  # belongs to the skill beside it
    return not any(other.present and other.real_path == file.real_path for other in context.assembly.files)


# --- imports ----------------------------------------------------------------------------------------------------------


def _unresolved(file: SourceFile, context: Context) -> Iterator[Finding]:
    """An import of a file that is not there. some agents take `@alice` for one, which is not a mistake in a file."""
    importer = file.imported_by
    if importer is None or context.exists(file) or context.relative(importer) is None:
        return
    name = file.path.rpartition("/")[2]
    line, token = _import_of(importer, file.path, context)
    if context.relative(file.path) is None:
        text = f"{file.path} is outside the repository: anyone who clones it does not have the file"
        yield context.finding("import-outside", text, importer, line)
    elif _SUFFIX.search(name) or _is_path(token, file, context):
        shown = context.relative(file.path)
        yield context.finding("unresolved-import", f"{shown} is imported, and is not there", importer, line)


def _is_path(token: str, file: SourceFile, context: Context) -> bool:
    """Whether an import without a suffix is a path: `@scope/package` and `@org/team` begin with no folder."""
    folder = context.absolute(file.path).rpartition("/")[0]
    return "/" in token and (token.startswith(("./", "../", "~/", "/")) or context.workspace.is_dir(folder))


def _tokens(line: str) -> Iterator[str]:
    for found in _IMPORT.finditer(line):
        token = found[1].split("#")[0]
        yield token
        yield token.rstrip(_TRAILING)


def _import_of(importer: str, target: str, context: Context) -> tuple[int | None, str]:
    """The line on which a file imports another, and how it writes it.

    None and "" if that is not found (an escaped name, say).
    """
    wanted = context.absolute(target)
    for number, line in enumerate(context.text(importer).split("\n"), 1):
        for token in _tokens(line):
            if _leads(token, importer, context) == wanted:
                return number, token
    return None, ""


def _leads(token: str, importer: str, context: Context) -> str:
    if token.startswith(("/", "~")):
        return context.absolute(token)
    folder = context.absolute(importer).rpartition("/")[0]
    return context.absolute(f"{folder}/{token}")


# --- rules that load with other files ---------------------------------------------------------------------------------


def _never_loaded(context: Context) -> Iterator[Finding]:
    lazy = context.lazy
    if lazy is None or not lazy.listing.complete:
        return
    for rule in lazy.rules:
        is_here = context.relative(rule.file.path) is not None
        if rule.unmatched and is_here and (rule.file.never or not _are_ignored(rule.file.patterns, context)):
            line = _pattern_line(rule.file.path, context)
            yield context.finding("unmatched-rule", lazy.why(rule), rule.file.path, line)


def _are_ignored(patterns: Iterable[str], context: Context) -> bool:
    """Whether git ignores what a pattern is for: such files are on some machines, and in no list."""
    repository = Repository(context.names, context.workspace)
    return any(repository.ignores("", _STARS.sub("x", pattern.strip("/"))) for pattern in patterns)


def _pattern_line(path: str, context: Context) -> int | None:
    """The line of a rule's patterns in its front matter."""
    found = _FRONT_MATTER.match(context.text(path))
    try:
        lines = FrontMatter(found[1]).parse(YAML_1_1).lines if found else {}
    except YamlError:
        return None
    return next((lines[(key,)] for key in _PATTERN_KEYS if (key,) in lines), None)
