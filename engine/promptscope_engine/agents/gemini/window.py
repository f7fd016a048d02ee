"""The context window (specs/gemini.md 13, read from source and not recorded)."""

from __future__ import annotations

from promptscope_engine.prompt.drafts import BY_SOURCE, Window

from .materials import Materials

WINDOW = 1_048_576
"""Tokens, for every model but those of `_SMALLER`."""
_SMALLER = (("gemma-4", 256_000),)


def window_of(model: str) -> int:
    """Tokens that a model takes in."""
    return next((size for start, size in _SMALLER if model.startswith(start)), WINDOW)


def budget(m: Materials) -> Window:
    """The window of a scenario. The conversation is compressed once a part of it is filled; nothing is held back."""
    size = window_of(m.model.name)
    return Window(size, 0, int(size * m.compression), compaction=BY_SOURCE)
