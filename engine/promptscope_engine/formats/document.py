"""What every format is read into: a value, and the lines on which its parts stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Json = Any
"""A JSON-shaped value: None, bool, number, string, list or mapping of such values."""

Path = tuple[str | int, ...]
"""The way to a part: keys of objects and places in lists."""


class FormatError(ValueError):
    """Text that is not what it should be; `line` is 1-based, None where the parser names none."""

    def __init__(self, message: str, line: int | None = None) -> None:
        self.message, self.line = message, line
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Parsed:
    """A document's value, and the 1-based lines on which its parts begin: for a member of an object, its key's."""

    value: Json
    lines: Mapping[Path, int]
    value_lines: Mapping[Path, int] = field(default_factory=dict)
    """The lines of values that may begin below their key."""

    def line(self, path: Path) -> int | None:
        """Where the part stands, or the nearest part around it that is written down."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path)

    def value_line(self, path: Path) -> int | None:
        """Where the value itself begins; the part's line if nothing better is known."""
        return self.value_lines.get(path) or self.line(path)
