"""Texts that a layout joins of parts, and of which parts, so that whoever counts them need not find that out again:
of thousands of files that takes as long as joining them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

Joins = dict[int, tuple[str, Sequence[str]]]
"""By the identity of a text: the text, and its parts."""

_UNDER_WAY: ContextVar[Joins | None] = ContextVar("joins", default=None)


def joined(parts: Sequence[str]) -> str:
    """The parts as one text."""
    text = "".join(parts)
    if (joins := _UNDER_WAY.get()) is not None:
        joins[id(text)] = text, parts
    return text


@contextmanager
def noting_joins() -> Iterator[Joins]:
    """The texts that `joined` makes meanwhile, to be dropped with the parts."""
    joins: Joins = {}
    token = _UNDER_WAY.set(joins)
    try:
        yield joins
    finally:
        _UNDER_WAY.reset(token)
