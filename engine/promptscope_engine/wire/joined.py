"""Texts that a layout joins of parts.

Of thousands of files a text of many megabytes is joined, which takes as long as all else that a save makes again. Who
counts a request needs the parts alone; the text is joined when somebody asks for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

_IN_PARTS: ContextVar[bool] = ContextVar("in_parts", default=False)


class Parts(str):
    """The text that is joined of `parts`, in a request that is laid out `in_parts`.

    As a text it is empty: a layout puts a text in its place and does not look at it.
    """

    __slots__ = ("parts",)

    def __new__(cls, parts: Sequence[str]) -> Parts:
        """The empty text that stands for the parts."""
        made = super().__new__(cls)
        made.parts = parts
        return made

    parts: Sequence[str]


def joined(parts: Sequence[str]) -> str:
    """The parts as one text."""
    return Parts(parts) if _IN_PARTS.get() else "".join(parts)


@contextmanager
def in_parts() -> Iterator[None]:
    """Meanwhile `joined` joins nothing."""
    token = _IN_PARTS.set(True)
    try:
        yield
    finally:
        _IN_PARTS.reset(token)
