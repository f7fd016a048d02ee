"""What every format is read into: a value, and the lines on which its parts stand."""

from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, Literal

from msgspec import Struct

Json = Any
"""A JSON-shaped value: None, bool, number, string, list or mapping of such values."""

Path = tuple[str | int, ...]
"""The way to a part: keys of objects and places in lists."""


class FormatError(ValueError):
    """Text that is not what it should be; `line` is 1-based, None where the parser names none."""

    def __init__(self, message: str, line: int | None = None) -> None:
        self.message, self.line = message, line
        super().__init__(message)


class UnsureError(Exception):
    """A text in which places are looked for is not what was expected."""


def whole(text: str) -> str:
    """With surrogates put together, which json5 leaves apart."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def toml(text: str) -> dict[str, Json]:
    """The values of TOML. Raises ValueError."""
    import tomllib  # 3 ms, which most prompts do without

    return tomllib.loads(text)


Notation = Literal["json", "yaml", "toml"]
"""How a file is written; `json` stands for JSON5 and JSON with comments, too."""

MAX_DEPTH = 100
"""Levels of a value that are read; no settings file has ten."""

_TOO_DEEP = f"it is nested more than {MAX_DEPTH} levels deep"
_LARGEST = 2**1023


def too_deep(value: Json) -> str | None:
    """Why a parsed value is not worked with, if it is nested too deeply."""
    level = [value]
    for _ in range(MAX_DEPTH):
        inner: list[Json] = []
        for item in level:
            if isinstance(item, Mapping):
                inner += item.values()
            elif isinstance(item, (list, tuple)):
                inner += item
        if not inner:
            return None
        level = inner
    return _TOO_DEEP


def unfit(value: Json) -> tuple[Path, str] | None:
    """Where and why a value cannot be worked with: too deep, no JSON at all, or a number that no double can hold."""
    pending: list[tuple[Path, Json]] = [((), value)]
    while pending:
        path, item = pending.pop()
        if len(path) > MAX_DEPTH:
            return path[:1], _TOO_DEEP
        if isinstance(item, Mapping):
            pending += (((*path, str(key)), inner) for key, inner in item.items())
        elif isinstance(item, (list, tuple)):
            pending += (((*path, number), inner) for number, inner in enumerate(item))
        elif isinstance(item, int):
            if abs(item) > _LARGEST:
                return path, "the number is too large"
        elif isinstance(item, float):
            if not isfinite(item):
                return path, f"the number is not finite ({item})"
        elif item is not None and not isinstance(item, str):
            return path, f"{item} is not a JSON value; text needs quotes"
    return None


class Parsed(Struct, frozen=True):
    """A document's value, and the 1-based lines on which its parts begin: for a member of an object, its key's."""

    value: Json
    lines: Mapping[Path, int]
    value_lines: Mapping[Path, int] = {}
    """The lines of values that may begin below their key."""

    def line(self, path: Path) -> int | None:
        """Where the part stands, or the nearest part around it that is written down."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path)

    def value_line(self, path: Path) -> int | None:
        """Where the value itself begins; the part's line if nothing better is known."""
        return self.value_lines.get(path) or self.line(path)


def with_texts(value: Json, made: Callable[[str], Json], *, keys: bool = False) -> Json:
    """The value with each text in it made again, those of its objects' keys too if `keys` says so."""
    if isinstance(value, str):
        return made(value)
    if isinstance(value, list):
        return [with_texts(item, made, keys=keys) for item in value]
    if isinstance(value, Mapping):
        return {made(key) if keys else key: with_texts(item, made, keys=keys) for key, item in value.items()}
    return value
