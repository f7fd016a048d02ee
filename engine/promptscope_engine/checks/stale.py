"""References in instruction files to what is not there: paths, links, scripts and targets."""

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from promptscope_engine.nearest import nearest
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.repository import FileList

from .context import LIKE, Context, Passage, Repository
from .findings import Finding
from .references import Reference, Runner, references

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


def referred(passage: Passage) -> tuple[Reference, ...]:
    """What a passage refers to."""
    return tuple(references(passage.text, passage.start))


def stale_references(
    context: Context, refers: Callable[[Passage], Iterable[Reference]] = referred
) -> Iterator[Finding]:
    """What instructions, loaded now or later, name that is not there. `refers` may know what a passage refers to."""
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
