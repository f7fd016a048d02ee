"""Findings in the text of loaded files: secrets, what nobody sees, references to nothing."""

import json
import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from promptscope_engine.nearest import nearest
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.repository import FileList

from .context import LIKE, Context, Passage, Repository
from .findings import Finding
from .references import Reference, Runner

# --- secrets ----------------------------------------------------------------------------------------------------------

_SECRETS: dict[str, str] = tomllib.loads(Path(__file__).with_name("secrets.toml").read_text("utf-8"))
_SECRET = re.compile("|".join(f"(?:(?<![A-Za-z0-9]){pattern})" for pattern in _SECRETS.values()))
_MARK = re.compile(r"[A-Za-z0-9+/_.=-]{15}|://|-----")
"""What a line has in which the patterns, which take long, are tried: as much as the shortest key has, or a mark."""
_OF_KEYS = bytes(re.fullmatch(r"[A-Za-z0-9+/_.=-]", chr(byte)) is not None for byte in range(256))
_PLACEHOLDER = re.compile(
    r"(?i)example|placeholder|your|xxx|\.\.\.|dummy|changeme|redacted|process\.env|environ|secrets\."
)


class Noticed(NamedTuple):
    """What a text holds: the rule that it breaks, the line, and what it is."""

    rule: str
    line: int
    message: str


def noticed(text: str, start: int = 1) -> Iterator[Noticed]:
    """What a text's words alone decide. `start`: the number of its first line."""
    yield from secrets(text, start)
    yield from invisible(text, start)


def secrets(text: str, start: int) -> Iterator[Noticed]:
    """Lines that hold what looks like a key. What it is is said, never the key."""
    for number, line in _lines_with(_MARK, text, start) if _may_have_mark(text) else ():
        for found in _SECRET.finditer(line):
            value = found["value"] or found["password"] or found[0]
            if not _PLACEHOLDER.search(value) and _is_random(value):
                kind = next(name for name, pattern in _SECRETS.items() if re.match(pattern, found[0]))
                yield Noticed("secret", number, f"this looks like {kind}, and every request sends it")


def _may_have_mark(text: str) -> bool:
    """Whether `_MARK` is in it. This takes a tenth of the pattern's time, and most texts have none."""
    letters = text.encode("utf-8", "surrogatepass").translate(_OF_KEYS)
    return "://" in text or "-----" in text or b"\1" * 15 in letters


def _lines_with(pattern: re.Pattern[str], text: str, number: int) -> Iterator[tuple[int, str]]:
    """The lines in which something is found, with their numbers; `number` is that of the first one."""
    at = 0
    while found := pattern.search(text, at):
        start = text.rfind("\n", 0, found.start()) + 1
        end = text.find("\n", found.end())
        end = len(text) if end < 0 else end
        number += text.count("\n", at, start)
        yield number, text[start:end]
        number, at = number + 1, end + 1
        if at > len(text):
            return


def _is_random(value: str) -> bool:
    """Whether it is more than a word or a path: keys mix letters with digits."""
    return value.startswith("-----") or (any(map(str.isdigit, value)) and any(map(str.isalpha, value)))


# --- invisible characters ---------------------------------------------------------------------------------------------

_BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_NO_WIDTH = "\u00ad\u180e\u200b-\u200d\u2060-\u2064\u206a-\u206f\u3164\uffa0\ufeff"
_TAGS = "\U000e0000-\U000e007f\U000e0100-\U000e01ef"
_UNSEEN = re.compile(f"[{_BIDI}{_NO_WIDTH}{_TAGS}]+")
_JOINERS = frozenset("\u200c\u200d")
"""They belong between the letters of some scripts and the parts of an emoji."""


def invisible(text: str, start: int) -> Iterator[Noticed]:
    """Lines with characters that nobody sees or that turn the order of others around."""
    for number, line in () if text.isascii() else _lines_with(_UNSEEN, text, start):
        names = [name for found in _UNSEEN.finditer(line) for name in _names(found, line)]
        if names:
            shown = ", ".join(dict.fromkeys(names))[:200]
            yield Noticed("invisible-characters", number, f"{len(names)} × {shown}")


def _names(found: re.Match[str], line: str) -> Iterator[str]:
    before, after = line[: found.start()][-1:], line[found.end() :][:1]
    if found[0] in _JOINERS and before > "\u02ff" and after > "\u02ff":
        return
    for character in found[0]:
        yield f"U+{ord(character):04X} {unicodedata.name(character, '').lower()}".strip()


# --- references to nothing --------------------------------------------------------------------------------------------

_MOST_RULES = 500
"""Files of one kind that are read; where there are more, nothing is said."""

_TARGETS = re.compile(r"^(?![\t#.])([^:=#\n]{1,500}?)[ \t]{0,9}&?::?(?![:=])", re.MULTILINE)
_PHONY = re.compile(r"^\.PHONY[ \t]{0,9}:((?:[^\\\n]|\\\n){0,5000})", re.MULTILINE)
_INCLUDE = re.compile(r"^[ \t]{0,9}[-s]?include[ \t]{1,9}([^\n]{1,500})", re.MULTILINE)
_RECIPE = re.compile(r"^@?([A-Za-z_][\w-]{0,100})(?:[ \t][^:\n]{0,500})?:(?!=)", re.MULTILINE)
_ALIAS = re.compile(r"^(?:alias|mod\??)[ \t]{1,9}([A-Za-z_][\w-]{0,100})", re.MULTILINE)
_IMPORT = re.compile(r"^(?:import|!include)", re.MULTILINE)


def _npm(text: str) -> Iterator[str]:
    yield from _table(json.loads(text), "scripts")


def _make(text: str) -> Iterator[str]:
    """The targets. Raises ValueError where variables and other files make some."""
    named = [*_TARGETS.findall(text), *_PHONY.findall(text)]
    names = [name for each in named for name in each.replace("\\\n", " ").split()]
    included = [name for each in _INCLUDE.findall(text) for name in each.split() if not name.endswith((".env", ".mk"))]
    if any("$" in name or "%" in name for name in names) or included:
        raise ValueError("made by variables, patterns or files")
    yield from names


def _just(text: str) -> Iterator[str]:
    if _IMPORT.search(text):
        raise ValueError("made by other files")
    yield from (*_RECIPE.findall(text), *_ALIAS.findall(text))


def _uv(text: str) -> Iterator[str]:
    values = tomllib.loads(text)
    for keys in (("project", "scripts"), ("project", "gui-scripts"), ("tool", "poetry", "scripts")):
        yield from _table(values, *keys)


def _table(values: Any, *keys: str) -> Iterator[str]:
    for key in keys:
        values = values.get(key) if isinstance(values, dict) else None
    if isinstance(values, dict):
        yield from map(str, values)


_SOURCES: Mapping[Runner, tuple[re.Pattern[str], Callable[[str], Iterator[str]]]] = {
    "npm": (re.compile(r"(?:.*/)?package\.json\Z"), _npm),
    "make": (re.compile(r"(?:.*/)?(?:(?:GNU)?[Mm]akefile|[^/]*\.mk)\Z"), _make),
    "just": (re.compile(r"(?:.*/)?(?:\.?[Jj]ustfile|[^/]*\.just)\Z"), _just),
    "uv": (re.compile(r"(?:.*/)?pyproject\.toml\Z"), _uv),
}


def scripts(runner: Runner, files: FileList, workspace: Workspace) -> frozenset[str] | None:
    """The names that a runner knows anywhere in the repository; None where there are none or they cannot be told."""
    pattern, read = _SOURCES[runner]
    found = [path for path in files.absolute() if pattern.match(path)]
    if not found or len(found) > _MOST_RULES or not files.complete:
        return None
    try:
        names = frozenset(name for path in found for name in read(workspace.read(path).text or "{}"))
    except (ValueError, RecursionError):
        return None
    return names or None


_NONE = {
    "npm": "no package.json has a script `{}`",
    "make": "no Makefile has a target `{}`",
    "just": "no justfile has a recipe `{}`",
    "uv": "no pyproject.toml has a script `{}`",
}

_MOST = 50
"""Findings of one passage: a file that is about another repository is told about often enough."""


def stale_references(context: Context, refers: Callable[[Passage], Iterable[Reference]]) -> Iterator[Finding]:
    """What instructions, loaded now or later, name that is not there. `refers` tells what a passage refers to."""
    repository = Repository(context.names, context.workspace, context.relative(context.assembly.workspace) or "")
    known = _Scripts(repository)
    for passage in (*context.passages, *context.later) if context.names.listing.complete else ():
        named = [*refers(passage)]
        file = named and context.relative(context.workspace.real_path(context.absolute(passage.path)))
        told = 0
        for each in named if file else ():
            if each.kind == "path" or each.kind == "link":
                said = _place(each, str(file), repository)
            else:
                said = known.missing(each.kind, each.name)
            if said and (told := told + 1) <= _MOST:
                yield context.finding("stale-reference", said, passage.path, each.line)


def _place(reference: Reference, file: str, repository: Repository) -> str | None:
    place = repository.missing(reference.name, file, is_link=reference.kind == "link")
    return place and f"there is no {reference.name}{_meant(repository.names.nearest(place))}"


def _meant(close: str | None) -> str:
    return f": did you mean {close}?" if close else ""


class _Scripts:
    """What the runners know, read when it is first asked for."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._known: dict[Runner, frozenset[str] | None] = {}

    def missing(self, runner: Runner, name: str) -> str | None:
        """That no file has what a runner is to run; None where one has, or where that cannot be told."""
        repository = self._repository
        if runner not in self._known:
            self._known[runner] = scripts(runner, repository.names.listing, repository.workspace)
        known = self._known[runner]
        if known is None or name in known:
            return None
        close = next(iter(nearest(name, known, 1, cutoff=LIKE)), None)
        if (runner == "uv" and not close) or (runner == "make" and repository.is_there(name)):
            return None  # a program of any package, or a file
        return _NONE[runner].format(name) + _meant(close and f"`{close}`")
