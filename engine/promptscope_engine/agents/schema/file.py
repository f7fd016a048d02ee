"""A file of tables as it is written: what is wrong in it is named with line and column."""

import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from msgspec import Struct

from promptscope_engine.formats.document import MAX_DEPTH
from promptscope_engine.formats.toml import TomlPlaces, toml_places
from promptscope_engine.inputs.errors import ScenarioError, nearest
from promptscope_engine.inputs.models import problems_of
from promptscope_engine.inputs.structs import closed

from .former import Path, former_keys, without
from .shared import TABLE, TEXT
from .table import keys_of, table_at

_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)")

_PART = r"""(?:(?<![\w-])[\w-]++|"[^"\n]*"|'[^'\n]*')[ \t]*"""
_LONG_KEY = re.compile(rf"{_PART}(?:\.[ \t]*{_PART}){{{MAX_DEPTH}}}")
"""A dotted key that nobody means: tomllib takes seconds for some thousand parts."""


class File(Struct, frozen=True):
    """A file as it is written, with line feeds only, and the places of its keys."""

    path: str
    text: str
    places: TomlPlaces

    def position(self, path: Path, at: int | None = None) -> tuple[int, int]:
        """The line and column of a key, of a character `at` of its one-line value, or of the table around it."""
        for length in range(len(path), 0, -1):
            if place := self.places.place(tuple(map(str, path[:length]))):
                offset = place.key
                if at is not None and length == len(path):
                    raw = self.text[place.value : place.end]
                    plain = not raw.startswith(("'''", '"""')) and "\\" not in raw
                    offset = place.value + (1 + at if plain else 0)
                return self.places.position(offset)
        return 1, 1

    def line(self, *path: str | int) -> int | None:
        """The line of a key, or of the nearest table around it."""
        return self.position(path)[0]

    def error(self, message: str, *path: str | int, at: int | None = None, near: tuple[str, ...] = ()) -> ScenarioError:
        """An error at a key, or at a character of its value."""
        return self._error(message, *self.position(path, at), near)

    def error_in_text(self, message: str, offset: int, near: tuple[str, ...] = ()) -> ScenarioError:
        """An error at a character of the file."""
        return self._error(message, *self.places.position(offset), near)

    def _error(self, message: str, line: int, column: int, near: tuple[str, ...] = ()) -> ScenarioError:
        return ScenarioError(message, where=f"{self.path}:{line}:{column}", nearest=near)

    @contextmanager
    def at(self, *path: str | int) -> Iterator[None]:
        """Say at a key what a ValueError says."""
        try:
            yield
        except ValueError as error:
            raise self.error(str(error), *path) from None

    def written(self, *path: str | int) -> tuple[str, int]:
        """A value as it is written, quotes included, and its offset in the text; empty for one that is not found."""
        place = self.places.by_path.get(tuple(map(str, path)))
        return (self.text[place.value : place.end], place.value) if place else ("", 0)


def toml_values(path: str, text: str) -> dict[str, Any]:
    """What a text holds. Raises ScenarioError."""
    if long := _LONG_KEY.search(text):
        line = 1 + text.count("\n", 0, long.start())
        column = long.start() - text.rfind("\n", 0, long.start())
        raise ScenarioError(f"a key has at most {MAX_DEPTH} parts", where=f"{path}:{line}:{column}")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        found = _AT.search(message)
        lines = text.split("\n")
        line, column = map(int, found.groups()) if found and all(found.groups()) else (len(lines), len(lines[-1]) + 1)
        said = _AT.sub("", message)
        raise ScenarioError(f"{said[:1].lower()}{said[1:]}", where=f"{path}:{line}:{column}") from None
    except RecursionError:
        raise ScenarioError("it is nested too deeply", where=path) from None
    except ValueError as error:  # a number of thousands of digits
        raise ScenarioError(str(error), where=path) from None


class FormerKeyError(ScenarioError):
    """A word of earlier versions, which has no effect."""


def mistakes_in(path: str, text: str, top: type, *, whole: bool = True) -> Iterator[ScenarioError]:
    """What is wrong in a file, which has a table of that class.

    One that is not `whole` is laid over another: it need not have what is needed, and may have words of earlier
    versions, each of which is a FormerKeyError.
    """
    try:
        values = toml_values(path, text)
    except ScenarioError as error:
        yield error
        return
    file = File(path, text, toml_places(text))
    former, older = [] if whole else [*former_keys(values)], [*_older(values, top)]
    for each in former:
        yield FormerKeyError(each.says, where=file.error("", *each.path).where)
    versions = values.get("versions", ())
    for place in older if whole else ():
        _, _, version = str(place[-1]).partition("@")
        if version not in versions:
            yield file.error(f"there is no version {version}", *place, near=nearest(version, map(str, versions)))
    plain = without(values, {*older, *(each.path for each in former)})
    try:
        closed(top).validate_python(plain)
    except ValueError as error:
        yield from mistakes_of(error, top, file, whole=whole)


def _older(value: Any, top: type, place: Path = ()) -> Iterator[Path]:
    """Where the `order@VERSION` of the older versions are."""
    for key, each in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        if str(key).startswith("order@") and "order" in keys_of(table_at(top, place)).values():
            yield (*place, key)
        yield from _older(each, top, (*place, key))


def mistakes_of(error: ValueError, top: type, file: File, *, whole: bool = True) -> Iterator[ScenarioError]:
    """What pydantic found, each with its place and the nearest valid choice."""
    for problem in problems_of(error):
        loc: Path = tuple(part for part in problem["loc"] if part not in (TABLE, TEXT))
        near: tuple[str, ...] = ()
        match problem["type"]:
            case "missing":
                message = f"the key `{loc[-1]}` is missing"
            case "extra_forbidden" | "unexpected_keyword_argument":
                known = [*keys_of(table_at(top, loc[:-1])).values()]
                near = nearest(str(loc[-1]), known)
                message = f"unknown key {loc[-1]!r}" + ("" if near else f"; known: {', '.join(known)}")
            case kind:
                said = str(problem["ctx"]["error"]) if kind == "value_error" else problem["msg"]
                said = f"{said[:1].lower()}{said[1:]}, not {problem['input']!r}"[:400]
                message = f"`{'.'.join(map(str, loc))}`: {said}"
        if whole or problem["type"] != "missing":
            yield file.error(message, *loc, near=near)
