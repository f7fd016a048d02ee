"""The order of `localeCompare`: ICU's root collation, which no code-point order gives."""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def _collator() -> Any:
    from pyuca import Collator  # 115 ms, for its table of 30,000 elements: only for names beyond ASCII

    return Collator()


def _ascii_key(text: str) -> tuple[object, ...]:
    # Punctuation sorts before digits and these before letters; only then lower case before upper.
    order = "_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$"
    ranks = [
        (0, order.index(c)) if c in order else (1 if c.isdigit() else 2 if c.isalpha() else -1, ord(c.lower()))
        for c in text
    ]
    return tuple(ranks), tuple(c.isupper() for c in text)


def locale_order(texts: list[str]) -> list[int]:
    """The indices of `texts` in the order of a stable sort by `localeCompare`: ant < Opal < zed < Zed."""
    key: Any = _ascii_key if all(map(str.isascii, texts)) else _full_key
    return sorted(range(len(texts)), key=lambda at: key(texts[at]))


def _full_key(text: str) -> tuple[object, ...]:
    return tuple(_collator().sort_key(text))
