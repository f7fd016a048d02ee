"""Command prefixes that the user has allowed: `$CODEX_HOME/rules/*.rules` (specs/codex.md 6.3).

Rules lie beside any settings that count: the user's, and those of a repository that is trusted [source]. They are
Starlark: a file that fails stops the start [0.169.0]. Here only calls with literal arguments are understood; a file
with anything else is taken to run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from promptscope_engine.agents.codex.texts import FOLDER
from promptscope_engine.agents.kit.near_misses import never
from promptscope_engine.agents.kit.rows import file_row
from promptscope_engine.prompt.conditions import Observed
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import FileText, Workspace

from .lossy import is_utf8, trimmed
from .settings import refusal

MAX_CHARS = 64 * 1024
"""Of one file; rules are collected one confirmation at a time."""
MAX_FILES = 100
_PARAMETERS = ("pattern", "decision", "match", "not_match", "justification")
_OTHERS, _STARLARK = FOLDER.agent["rules"]["others"], FOLDER.agent["rules"]["starlark"]
"""Functions that allow no prefix, and what is there in every file."""

Prefix = tuple[str, ...]


class BadRulesError(Exception):
    """What stops the start, with its line."""

    def __init__(self, text: str, line: int | None = None) -> None:
        super().__init__(text)
        self.line = line


class UnreadRulesError(BadRulesError):
    """What is not understood here; Codex may run it."""


def approved_prefixes(
    folders: Sequence[str],
    workspace: Workspace,
    files: list[FileDraft],
    diagnostics: list[Diagnostic],
    refusals: list[Diagnostic],
) -> tuple[Prefix, ...]:
    """The allowed prefixes, shorter ones first. `folders`: those of the settings."""
    found: dict[Prefix, None] = {}
    places = [f"{folder}/rules" for folder in folders]
    refusals += [refusal(f"{p} is no folder of rules", p) for p in places if workspace.kind(p) == "file"]
    for path in _files(folders, workspace, files):
        file = workspace.read(path)
        if not file.found:
            continue
        rules: dict[Prefix, None] = {}
        try:
            rules = dict.fromkeys(_rules(file))
        except UnreadRulesError as error:
            diagnostics.append(Diagnostic("info", "unread-rules", str(error), path, error.line))
        except BadRulesError as error:
            refusals.append(refusal(f"its rules fail: {error}"[:278], path, error.line))
        found |= rules
        there = Observed(
            "file", path, bool(rules), "it allows commands", "it allows no command", remedy=f"allow a command in {path}"
        )
        files.append(file_row(file, "rules", "conditional", there))
    return tuple(sorted(found, key=lambda prefix: (len(prefix), sum(map(len, prefix)), prefix)))


def _files(folders: Sequence[str], workspace: Workspace, files: list[FileDraft]) -> Iterator[str]:
    """Files, not links to them [0.169.0]."""
    for folder in folders:
        entries = [each for each in workspace.list(f"{folder}/rules").entries if each.name.endswith(".rules")]
        for entry in entries[:MAX_FILES]:
            path = f"{folder}/rules/{entry.name}"
            if entry.kind == "file":
                yield path
            elif entry.kind == "link":
                why, remedy = "Codex reads no linked rules file", f"put the file itself in the place of {path}"
                file = workspace.read(path)
                when = never(path, why, remedy)
                files.append(file_row(file, "rules", "conditional", when))


def _rules(file: FileText) -> Iterator[Prefix]:
    """The prefixes that the calls allow."""
    text = file.text
    if len(text) > MAX_CHARS:
        raise UnreadRulesError(f"{len(text):,} characters of rules are not read here")
    if not is_utf8(file.data):
        raise BadRulesError("it is not UTF-8")
    if text.startswith("\ufeff"):
        raise BadRulesError("it begins with a byte order mark", 1)
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        raise BadRulesError(str(error.msg), error.lineno) from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise UnreadRulesError(f"its rules cannot be read here: {error}") from error
    _check_names(tree)
    for statement in tree.body:
        call = statement.value if isinstance(statement, ast.Expr) else None
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in ("prefix_rule", *_OTHERS):
            yield from _call(call) if call.func.id == "prefix_rule" else ()
        elif not isinstance(call, ast.Constant):
            raise UnreadRulesError("only plain calls of `prefix_rule` are understood here", statement.lineno)


def _check_names(tree: ast.Module) -> None:
    """Names that nothing defines stop a file before it runs, as `load` and `import` do."""
    nodes = list(ast.walk(tree))
    known = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    known |= {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    known |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    known |= {"prefix_rule", *_OTHERS, *_STARLARK}
    for node in nodes:
        if isinstance(node, ast.Name) and node.id not in known:
            raise BadRulesError(f"there is no `{node.id}`", node.lineno)
        if isinstance(node, ast.Import | ast.ImportFrom | ast.ClassDef | ast.While | ast.Try | ast.With):
            raise BadRulesError("this is no Starlark", node.lineno)


def _call(call: ast.Call) -> Iterator[Prefix]:
    given: dict[str, object] = {}
    try:
        for key, value in zip(_PARAMETERS, call.args, strict=False):
            given[key] = ast.literal_eval(value)
        given |= {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}
    except (ValueError, TypeError, RecursionError, MemoryError) as error:
        raise UnreadRulesError("only plain values of `prefix_rule` are understood here", call.lineno) from error
    try:
        yield from _prefixes(given)
    except ValueError as error:
        raise BadRulesError(str(error), call.lineno) from error


def _prefixes(given: dict[str, object]) -> list[Prefix]:
    """What one call allows. Raises ValueError for what Codex does not take [0.169.0]."""
    pattern = given.get("pattern")
    if unknown := [key for key in given if key not in _PARAMETERS]:
        raise ValueError(f"`prefix_rule` has no `{unknown[0]}`")
    if not isinstance(pattern, list) or not pattern:
        raise ValueError("`pattern` must be a list of words")
    alternatives = [word if isinstance(word, list) else [word] for word in pattern]
    if not all(words and all(isinstance(word, str) for word in words) for words in alternatives):
        raise ValueError("`pattern` must hold words, or lists of words")
    decision = given.get("decision") or "allow"
    if decision not in ("allow", "prompt", "forbidden"):
        raise ValueError(f"`decision` must be allow, prompt or forbidden, not {decision}")
    reason = given.get("justification")
    if reason is not None and not (isinstance(reason, str) and trimmed(reason)):
        raise ValueError("`justification` must say something")
    _check_examples(given, alternatives)
    if decision != "allow":
        return []
    rest = tuple(_word(word) for word in pattern[1:])
    return [(first, *rest) for first in alternatives[0]]


def _check_examples(given: dict[str, object], alternatives: list[list[str]]) -> None:
    """Commands that a rule names as examples have to match it, or not to."""
    for key, wanted in (("match", True), ("not_match", False)):
        examples = given.get(key)
        for example in examples if isinstance(examples, list) else ():
            words = example.split() if isinstance(example, str) else example
            if not isinstance(words, list):
                raise ValueError(f"`{key}` must hold commands")
            fits = len(words) >= len(alternatives) and all(
                word in allowed for word, allowed in zip(words, alternatives, strict=False)
            )
            if fits is not wanted:
                raise ValueError(f"the example {' '.join(map(str, words))} does {'not ' if wanted else ''}match")


def _word(word: object) -> str:
    """A word of a pattern; several alternatives as one."""
    return f"[{'|'.join(map(str, word))}]" if isinstance(word, list) else str(word)
