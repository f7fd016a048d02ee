"""The scripts and targets that a repository's own files offer by name: npm, make, just, uv."""

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.repository import FileList

from .references import Runner

_MOST = 500
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
    if not found or len(found) > _MOST or not files.complete:
        return None
    try:
        names = frozenset(name for path in found for name in read(workspace.read(path).text or "{}"))
    except (ValueError, RecursionError):
        return None
    return names or None
