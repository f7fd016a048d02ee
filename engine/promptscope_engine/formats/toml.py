"""TOML under limits."""

import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from .document import FormatError, Json, UnsureError, too_deep


class TomlError(FormatError):
    """Text that is not valid TOML."""


def read_toml(text: str, most: int) -> dict[str, Json]:
    """The values of a text of at most so many characters, a byte order mark before it; dates are Python's.

    Raises TomlError.
    """
    if len(text) > most:
        raise TomlError(f"{len(text):,} characters are too many to be parsed here (at most {most:,})", 1)
    try:
        values: dict[str, Json] = tomllib.loads(text.removeprefix("\ufeff"))
    except (RecursionError, ValueError) as error:
        # tomllib names the line at the end of what it says; in front of it a key of the file may be.
        found = re.search(r"\(at line (\d+), column \d+\)$", str(error))
        raise TomlError(f"this is not valid TOML: {error}"[:200], int(found[1]) if found else None) from None
    if problem := too_deep(values):
        raise TomlError(problem, 1)
    return values


# --- where keys and values are: tomllib gives no places, so the text is looked through --------------------------------


_SPACE = re.compile(r"(?:\s|#[^\n]*)*")
_STRING = re.compile(
    r'"""(?:\\.|[^\\])*?"""(?:"{0,2})' r"|'''.*?'''(?:'{0,2})" r'|"(?:[^"\\\n]|\\.)*"' r"|'[^'\n]*'", re.DOTALL
)
_NAME = re.compile(r"[A-Za-z0-9_-]+")
_SCALAR = re.compile(r"[^,\]}#\n]+")


class Place(Struct, frozen=True):
    """Offsets: of a key or an item, and of its value as it is written, quotes included; -1 for a table's header."""

    key: int
    value: int = -1
    end: int = -1


class TomlPlaces(Struct, frozen=True):
    """The places of a text by path, the numbers of items as text. Tables come before what is in them."""

    text: str
    by_path: dict[tuple[str, ...], Place]
    starts: list[int]

    def place(self, path: Sequence[str]) -> Place | None:
        """Where the path is written, else where it is first implied by something within it."""
        wanted = tuple(path)
        found = self.by_path.get(wanted)
        if found is None:
            found = next((p for inner, p in self.by_path.items() if inner[: len(wanted)] == wanted), None)
        return found

    def position(self, offset: int) -> tuple[int, int]:
        """The 1-based line and column of an offset."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1


def toml_places(text: str) -> TomlPlaces:
    """The places of a text that tomllib takes; none where they are not sure."""
    try:
        found = _Toml(text).places()
    except (UnsureError, RecursionError, ValueError):
        found = {}
    return TomlPlaces(text, found, [0, *(line.end() for line in re.finditer("\n", text))])


def toml_line(text: str, path: Sequence[str]) -> int | None:
    """The 1-based line of a setting; None if it is not there, the text is not TOML, or the places are not sure."""
    try:
        places = _places(text)
    except (ValueError, RecursionError):
        return None
    place = places.place(path)
    return None if place is None else places.position(place.key)[0]


@lru_cache(maxsize=8)  # of a file with many settings each one is looked for
def _places(text: str) -> TomlPlaces:
    tomllib.loads(text)
    return toml_places(text)


class _Toml:
    """Goes through a text that is known to be TOML."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.found: dict[tuple[str, ...], Place] = {}
        self.tables: dict[tuple[str, ...], int] = {}
        """The number of the last table of each list of tables."""

    def places(self) -> dict[tuple[str, ...], Place]:
        table: tuple[str, ...] = ()
        while self.next():
            if self.take("["):
                table = self.header()
            else:
                self.member(table)
        return self.found

    def next(self) -> str:
        """The next character that counts; empty at the end."""
        self.at = self.match(_SPACE)[1]
        return self.text[self.at : self.at + 1]

    def match(self, pattern: re.Pattern[str]) -> tuple[str, int]:
        found = pattern.match(self.text, self.at)
        if found is None:
            raise UnsureError
        return found[0], found.end()

    def take(self, sign: str) -> bool:
        found = self.next() == sign
        self.at += found
        return found

    def must(self, sign: str) -> None:
        if not self.take(sign):
            raise UnsureError

    def header(self) -> tuple[str, ...]:
        begin, is_list = self.at - 1, self.take("[")  # at the bracket
        table: tuple[str, ...] = ()
        for name in self.names():
            if table in self.tables:
                table = (*table, str(self.tables[table]))
            table = (*table, name)
        self.must("]")
        if is_list:
            self.must("]")
            self.found.setdefault(table, Place(begin))
            self.tables[table] = self.tables.get(table, -1) + 1
            table = (*table, str(self.tables[table]))
        self.found.setdefault(table, Place(begin))
        return table

    def names(self) -> Iterator[str]:
        """The parts of a dotted key."""
        while True:
            if self.next() in ('"', "'"):
                quoted, self.at = self.match(_STRING)
                yield str(tomllib.loads(f"key = {quoted}")["key"])
            else:
                name, self.at = self.match(_NAME)
                yield name
            if not self.take("."):
                return

    def member(self, table: tuple[str, ...]) -> None:
        self.next()
        begin = self.at
        path = (*table, *self.names())
        self.must("=")
        self.value(path, begin)

    def value(self, path: tuple[str, ...], key: int) -> None:
        self.next()
        begin = self.at
        self.found[path] = Place(key, begin)  # before what is in it
        if self.take("{"):
            while not self.take("}"):
                self.member(path)
                self.take(",")
        elif self.take("["):
            count = 0
            while not self.take("]"):
                self.value((*path, str(count)), self.at)
                count += 1
                self.take(",")
        else:
            is_text = self.next() in ('"', "'")
            self.at = self.match(_STRING if is_text else _SCALAR)[1]
        self.found[path] = Place(key, begin, self.at)
