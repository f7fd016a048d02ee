"""The order in which Roo sorts rule files: `localeCompare` with default locale and options (specs/roo.md 4.4).

That is the ICU root order at three levels: not numeric (10-x before 2-x), case aside (the names are lower-cased
first), accents a secondary difference. Names in ASCII, which is nearly all of them, need only a table; the whole
collation table is loaded when a name is not ASCII.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Protocol

ASCII_ORDER = "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz"
"""Other control characters are ignored, as they are by ICU."""

_WEIGHTS = {ord(char): weight for weight, char in enumerate(ASCII_ORDER, 1)}

Key = tuple[int, ...]


class _Collator(Protocol):
    def sort_key(self, text: str) -> Key: ...


def sort_keys(names: Iterable[str]) -> list[Key]:
    """A key for each name, comparable with each other; equal keys are a tie, which keeps the order of discovery."""
    lowered = [name.lower() for name in names]
    # Keys of the two tables do not compare with each other, so one name decides for all; within ASCII they agree.
    key = _ascii_key if all(name.isascii() for name in lowered) else _unicode_key
    return [key(name) for name in lowered]


def _ascii_key(name: str) -> Key:
    return tuple(weight for char in name if (weight := _WEIGHTS.get(ord(char))))


@lru_cache(maxsize=20_000)
def _unicode_key(name: str) -> Key:
    return tuple(_collator().sort_key(name))


@cache
def _collator() -> _Collator:
    import pyuca  # 115 ms for its table: only when a name is not ASCII

    collator: _Collator = pyuca.Collator()
    return collator
