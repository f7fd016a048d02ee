"""The order of `localeCompare`: ICU's root collation, which no code-point order gives.

    locale_order(names)        by default: numbers are text, accents count after letters, case after accents
    compare_base(one, other)   with `numeric: true` and `sensitivity: "base"`: runs of digits count by their value,
                               case and accents not at all

Names in ASCII, which is nearly all of them, need only a table; the whole collation table is loaded for others.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from functools import cache, lru_cache
from typing import Protocol, TypeVar

ASCII_ORDER = "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz"
"""ASCII in ICU's root order; the control characters that are missing here are ignored, as they are by ICU."""

_WEIGHTS = {char: weight for weight, char in enumerate(ASCII_ORDER)}
_OF_BOTH_CASES = {char.upper(): weight for char, weight in _WEIGHTS.items()} | _WEIGHTS
_IGNORED = dict.fromkeys(char for char in map(chr, range(128)) if char not in _OF_BOTH_CASES)
_LETTERS = str.maketrans(_IGNORED | {char: chr(weight) for char, weight in _OF_BOTH_CASES.items()})
_CASES = str.maketrans(_IGNORED | {char: "1" if char.isupper() else "0" for char in _OF_BOTH_CASES})
_DIGITS = re.compile(r"(\d+)")

T = TypeVar("T")
Key = tuple[object, ...]
BaseKey = list[tuple[int, object]]


class _Collator(Protocol):
    def sort_key(self, text: str) -> tuple[int, ...]: ...
    def collation_elements(self, text: str) -> list[list[int]]: ...


def locale_order(texts: Sequence[str]) -> list[int]:
    """The indices of `texts` in the order of a stable sort by `localeCompare`: ant, Opal, zed, Zed."""
    # Keys of the two tables do not compare with each other, so one name decides for all; within ASCII they agree.
    key: Callable[[str], Key] = _ascii_key if all(map(str.isascii, texts)) else _full_key
    keys: list[Key] = [key(text) for text in texts]
    return sorted(range(len(texts)), key=keys.__getitem__)


def in_locale_order(items: Iterable[T], name: Callable[[T], str]) -> list[T]:
    """The items in that order of their names."""
    found = [*items]
    return [found[at] for at in locale_order([name(item) for item in found])]


def _ascii_key(text: str) -> Key:
    # Lower case comes before upper, after everything else was compared.
    return text.translate(_LETTERS), text.translate(_CASES)


@lru_cache(maxsize=20_000)
def _full_key(text: str) -> Key:
    return tuple(_collator().sort_key(text))


def compare_base(one: str, other: str) -> int:
    """Negative, zero or positive as `one` comes before, with or after `other`."""
    weights = _ascii_weights if one.isascii() and other.isascii() else _full_weights
    left, right = _base_key(one, weights), _base_key(other, weights)
    return (left > right) - (left < right)


def _base_key(text: str, weights: Callable[[str], list[int]]) -> BaseKey:
    """Pairs of a character's primary weight and, for a run of digits, its value."""
    key: BaseKey = []
    for index, part in enumerate(_DIGITS.split(text)):
        key += [(weights("0")[0], Decimal(part))] if index % 2 else [(weight, 0) for weight in weights(part)]
    return key


def _ascii_weights(text: str) -> list[int]:
    return [_WEIGHTS[char] for char in text.lower() if char in _WEIGHTS]


def _full_weights(text: str) -> list[int]:
    elements = _collator().collation_elements(unicodedata.normalize("NFD", text))
    return [element[0] for element in elements if element[0]]


@cache
def _collator() -> _Collator:
    import pyuca  # 115 ms for its table of 30,000 elements

    collator: _Collator = pyuca.Collator()
    return collator
