"""What is read beside any settings that count: rules of commands, and roles of sub-agents [source]."""

import ast
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from promptscope_engine.agents.codex.texts import FOLDER
from promptscope_engine.agents.kit.disk.layered import Layer
from promptscope_engine.agents.kit.disk.rows import locked, near_entries, never
from promptscope_engine.agents.kit.disk.settings import mapping
from promptscope_engine.agents.kit.disk.settings_schema import UNKNOWN
from promptscope_engine.agents.kit.disk.walking import Reach, linked_below
from promptscope_engine.formats.document import Json
from promptscope_engine.formats.toml import TomlError
from promptscope_engine.prompt.conditions import Condition, Fact
from promptscope_engine.prompt.model import SettingSource
from promptscope_engine.workspace import FileText, Workspace

from .settings import CodexSettings, Session, is_utf8, schema, trimmed, unreachable, values_of

MAX_CHARS = 64 * 1024
"""Of one file; rules are collected one confirmation at a time."""
MAX_RULES = 100
_PARAMETERS = ("pattern", "decision", "match", "not_match", "justification")
_OTHERS = ("host_executable", "network_rule")
"""The functions of files of rules that allow no prefix."""
_STARLARK = (
    "True", "False", "None", "abs", "all", "any", "bool", "dict", "dir", "enumerate", "fail", "float", "getattr",
    "hasattr", "hash", "int", "len", "list", "max", "min", "print", "range", "repr", "reversed", "sorted", "str",
    "tuple", "type", "zip",
)  # fmt: skip
"""What Starlark has in every file."""
"""Functions that allow no prefix, and what is there in every file."""

Prefix = tuple[str, ...]


class BadRulesError(Exception):
    """What stops the start, with its line."""

    def __init__(self, text: str, line: int | None = None) -> None:
        super().__init__(text)
        self.line = line


class UnreadRulesError(BadRulesError):
    """What is not understood here; Codex may run it."""


def approved_prefixes(session: Session, folders: Sequence[str]) -> tuple[Prefix, ...]:
    """The allowed prefixes, shorter ones first. `folders`: those of the settings."""
    found: dict[Prefix, None] = {}
    for place in (f"{folder}/rules" for folder in folders):
        if session.workspace.kind(place) == "file":
            session.refuse(f"{place} is not a folder of rules", place)
    for path in _rule_files(session, folders):
        file = session.workspace.read(path)
        if not file.found:
            continue
        rules: dict[Prefix, None] = {}
        try:
            rules = dict.fromkeys(_rules(file))
        except UnreadRulesError as error:
            session.say("info", "unread-rules", str(error), path, error.line)
        except BadRulesError as error:
            session.refuse(f"its rules fail: {error}"[:278], path, error.line)
        found |= rules
        session.row(file, "rules", "conditional", FOLDER.reason("allows", bool(rules), path=path))
    return tuple(sorted(found, key=lambda prefix: (len(prefix), sum(map(len, prefix)), prefix)))


def _rule_files(session: Session, folders: Sequence[str]) -> Iterator[str]:
    """Files, not links to them [0.169.0]."""
    for folder in folders:
        session.files += locked(session.workspace, f"{folder}/rules", "rules")
        entries = session.workspace.list(f"{folder}/rules").entries
        for entry in [each for each in entries if each.name.endswith(".rules")][:MAX_RULES]:
            path = f"{folder}/rules/{entry.name}"
            if entry.kind == "file":
                yield path
            elif entry.kind == "link":
                why, remedy = "Codex reads no linked rules file", f"put the file itself in the place of {path}"
                session.row(session.workspace.read(path), "rules", "conditional", never(path, why, remedy))


def _rules(file: FileText) -> Iterator[Prefix]:
    """The prefixes that the calls allow."""
    text = file.text
    if len(text) > MAX_CHARS:
        raise UnreadRulesError(f"{len(text):,} characters of rules are not read here")
    if not is_utf8(file.data):
        raise BadRulesError("it is not UTF-8")
    if text.startswith("\ufeff"):
        raise BadRulesError("it begins with a byte order mark", 1)
    if "\0" in text:  # which Python 3.11.0 to 3.11.3 tell as another error
        raise BadRulesError("it holds a null character", text.count("\n", 0, text.index("\0")) + 1)
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
            raise BadRulesError("this is not valid Starlark", node.lineno)


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
    # a word of several alternatives is as one
    rest = (f"[{'|'.join(word)}]" if isinstance(word, list) else word for word in pattern[1:])
    words = tuple(rest)
    return [(first, *words) for first in alternatives[0]]


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


MAX_ROLES = 100
MAX_FOLDERS = 100
"""Of one folder of settings, and one in the other."""
_NICKNAMES = "nickname_candidates"
_OWN = ("name", "description", _NICKNAMES)
"""What a file of a role holds beside settings."""
_FIXED = ("model", "model_reasoning_effort")
_SAYS_FIXED = {
    "model": "- It always has the model `{model}`, whatever you name.",
    "model_reasoning_effort": "- It always has the effort `{model_reasoning_effort}`, whatever you name.",
    "model+model_reasoning_effort": (
        "- It always has the model `{model}` with the effort `{model_reasoning_effort}`, whatever you name."
    ),
}
_NICKNAME = re.compile(r"[A-Za-z0-9 _-]+")

Said = dict[str, str]
"""Descriptions by the names of roles; blank where only a weaker layer may have one."""


def roles(session: Session, folders: Sequence[str]) -> Said:
    """The user's own roles by name. `folders`: those of the settings, the strongest last.

    In each layer a table wins over files, and of two files of one name the first counts; a role without a description
    has that of a weaker layer.
    """
    gatherer = _Roles(session)
    found: Said = {}
    for layer, folder in _layers(session.settings, folders):
        own = gatherer.declared(layer) if layer else {}
        if folder:
            session.files += near_entries(session.workspace, f"{folder}/agents", "agent", ".toml")
            gatherer.discovered(f"{folder}/agents", own)
        for name, description in own.items():
            if description or name in found:
                found[name] = description or found[name]
            elif layer and name in layer.table("agents"):
                gatherer.drop(f"the role {name} has no description", layer.source(("agents", name)))
    return {name: f"{found[name]}{gatherer.fixed.get(name, '')}" for name in sorted(found, key=str.encode)}


def _layers(settings: CodexSettings, folders: Sequence[str]) -> Iterator[tuple[Layer | None, str]]:
    """Each layer with the folder that its files of roles are in; a folder may have no settings of its own."""
    by_folder = {layer.folder: layer for layer in settings.layers if layer.path.endswith("/config.toml")}
    for folder in folders:
        yield by_folder.pop(folder, None), folder
    rest = list(by_folder.values())
    for layer in settings.layers:
        if not layer.path.endswith("/config.toml") or layer in rest:
            yield layer, ""


@dataclass(eq=False, repr=False)
class _Roles:
    """Reads tables and files; what does not fit is dropped, and said."""

    session: Session
    named: set[str] = field(default_factory=set)
    """The files that tables name."""
    fixed: dict[str, str] = field(default_factory=dict)
    """What is said of a role whose file names a model or an effort, by the role's name."""

    def drop(self, why: str, place: SettingSource) -> None:
        """Say that a role does not count."""
        self.session.warn_at(place, "role-dropped", f"{why}: Codex does not offer it")

    def declared(self, layer: Layer) -> Said:
        """The roles that the tables of a layer describe, by themselves or by the file they name."""
        found: Said = {}
        for key, table in layer.table("agents").items():
            if not isinstance(table, dict):
                continue
            place = layer.source(("agents", key))
            given = table.get("description")
            problem = _unfit(table)
            name, description = key, trimmed(given) if isinstance(given, str) else ""
            if not problem and isinstance(table.get("config_file"), str):
                path = self.session.path_of(table["config_file"], layer)
                self.named.add(path)
                own, inner, problem = self._file(path, declared=True)
                name, description = own or key, inner or description
                self._fix(name, path)
            if problem:
                self.drop(f"the role {key}: {problem}", place)
            elif name in found:
                self.drop(f"another table has the name {name} too", place)
            else:
                found[name] = description
        return found

    def discovered(self, folder: str, found: Said) -> None:
        """Adds the roles of the files below a folder."""
        for path in _role_files(folder, self.session.workspace):
            if path in self.named:
                continue
            name, description, problem = self._file(path, declared=False, taken=found)
            if not problem:
                found[name] = description
                self._fix(name, path)

    def _fix(self, name: str, path: str) -> None:
        """Keeps what the file of a role says of the model, which nobody can change then."""
        try:
            values = values_of(self.session.workspace.read(path))
        except TomlError:
            return
        named = {key: values[key] for key in _FIXED if isinstance(values.get(key), str)}
        if said := _SAYS_FIXED.get("+".join(named)):
            self.fixed[name] = f"\n{said.format(**named)}"

    def _file(self, path: str, *, declared: bool, taken: Mapping[str, str] | None = None) -> tuple[str, str, str]:
        """A role file's name and description, and what is wrong with it. A `declared` role may leave them out."""
        file = self.session.workspace.read(path)
        name, description, said, line = _described(file, taken, declared=declared)
        if all(draft.path != path for draft in self.session.files):
            self.session.row(file, "agent", "conditional", _describes(path, said))
        if said and not declared:
            self.session.warn("role-dropped", f"{said}: it describes no role", path, line)
        return name, description, said


def _described(file: FileText, taken: Container[str] | None, *, declared: bool) -> tuple[str, str, str, int | None]:
    """A role file's name and description, and what is wrong with it, in which line."""
    values, said, line = {}, "", None
    try:
        values = values_of(file)
    except TomlError as error:
        said, line = error.message, error.line
    name, description = (trimmed(v) if isinstance(v := values.get(key), str) else "" for key in _OWN[:2])
    if not file.found:
        said = f"it cannot be read: {file.detail}"
    said = said or _unfit(values, file=True)
    if not said and not declared and not (name and "developer_instructions" in values):
        said = "it has no `developer_instructions`" if name else "it has no `name`"
    if not said and taken is not None and name in taken:
        said = f"another role of this folder has the name {name} too"
    return name, description, said, line


def _describes(path: str, problem: str) -> Condition:
    """Nothing is wrong with the file of a role."""
    return Fact("file", path, not problem, "it describes a role", problem, remedy=f"correct {path}")


def _unfit(values: Mapping[str, Json], *, file: bool = False) -> str:
    """What Codex does not take in a role: `file`, in one with its settings."""
    description = values.get("description")
    if isinstance(description, str) and not trimmed(description):
        return "its `description` is blank"
    if (nicknames := values.get(_NICKNAMES)) is not None:
        names = [trimmed(name) for name in nicknames if isinstance(name, str)] if isinstance(nicknames, list) else []
        fit = all(_NICKNAME.fullmatch(name) for name in names) and len(set(names)) == len(names)
        if not (names and fit and len(names) == len(nicknames)):
            return f"`{_NICKNAMES}` must be different names of ASCII letters, digits, blanks, `-` and `_`"
    return _unfit_settings(values) if file else ""


def _unfit_settings(values: Mapping[str, Json]) -> str:
    """What of the settings in a role's file drops it: unknown keys do at the top level only."""
    for key in _OWN[:2]:
        if key in values and not isinstance(values[key], str):
            return f"`{key}` must be a string"
    instructions = values.get("developer_instructions")
    if isinstance(instructions, str) and not trimmed(instructions):
        return "its `developer_instructions` are blank"
    for finding in schema().findings({key: value for key, value in values.items() if key not in _OWN}):
        if finding.kind not in UNKNOWN or len(finding.path) == 1:
            return f"`{finding.key}`: {finding.said('[{}]')}"
    name, problem = next(unreachable(mapping(values.get("mcp_servers"))), ("", ""))
    return f"the MCP server {name}: {problem}" if problem else ""


def untrusted_roles(session: Session, folder: str, trusted: Condition) -> None:
    """The rows of roles that are beside settings which do not count; nothing of them is watched."""
    copy = session.workspace.snapshot()
    taken: set[str] = set()
    for path in _role_files(f"{folder}/agents", copy):
        file = copy.read(path)
        name, _, problem, _ = _described(file, taken, declared=False)
        taken |= set() if problem else {name}
        session.row(file, "agent", "conditional", trusted & _describes(path, problem))


def _role_files(folder: str, workspace: Workspace) -> list[str]:
    """Files of roles, those of folders below and of linked ones too: not more than a person would write."""
    found = islice(linked_below(workspace, folder, ".toml", Reach(MAX_FOLDERS, MAX_FOLDERS)), MAX_ROLES)
    return sorted(found, key=str.encode)
