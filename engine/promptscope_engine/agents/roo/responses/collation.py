"""`localeCompare` with `numeric: true` and `sensitivity: "base"`: the order of names in a files list.

Letters count without case and accents, runs of digits by their value. The order is that of ICU's root
collation.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

Key = tuple[tuple[int, int], ...]

_ORDER = "\t\n\x0b\x0c\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0abcdefghijklmnopqrstuvwxyz"
"""ASCII in ICU's root order, `0` for all digits; the control characters that are missing here are ignored."""

_WEIGHTS = {character: weight for weight, character in enumerate(_ORDER)}
_DIGITS = re.compile(r"(\d+)")


def compare(one: str, other: str) -> int:
    """Negative, zero or positive as `one` comes before, with or after `other`."""
    # Both orders agree on ASCII, so that the cheap one may stand in wherever it suffices.
    weights = _ascii_weights if one.isascii() and other.isascii() else _unicode_weights
    left, right = _key(one, weights), _key(other, weights)
    return (left > right) - (left < right)


def _key(text: str, weights: Callable[[str], Key]) -> Key:
    """Pairs of a character's primary weight and, for a run of digits, its value."""
    key: list[tuple[int, int]] = []
    for index, part in enumerate(_DIGITS.split(text)):
        key += [(weights("0")[0][0], _value(part))] if index % 2 else weights(part)
    return tuple(key)


def _value(digits: str) -> int:
    # Python reads no number of more than 4,300 digits. No file name is as long, but any text may come in.
    return int(digits[-4000:])


def _ascii_weights(text: str) -> Key:
    return tuple((_WEIGHTS[character], 0) for character in text.lower() if character in _WEIGHTS)


def _unicode_weights(text: str) -> Key:
    elements = _unicode_elements()
    return tuple((element[0], 0) for element in elements(text) if element[0])


@cache
def _unicode_elements() -> Callable[[str], list[list[int]]]:
    """The collation elements of a text from the Unicode tables."""
    import unicodedata

    from pyuca import Collator  # 115 ms for its tables, and few names need them

    collator = Collator()

    def elements(text: str) -> list[list[int]]:
        found: list[list[int]] = collator.collation_elements(unicodedata.normalize("NFD", text))
        return found

    return elements
