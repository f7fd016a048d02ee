"""What a row or a widget can ask of the app, as plain values."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeAlias

from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.model import Lever


@frozen
class ApplyLevers:
    """Make the changes that would flip a reason."""

    levers: tuple[Lever, ...]


@frozen
class OpenSource:
    """Open a file in the editor at a line, counted from 1."""

    path: str
    line: int = 1


@frozen
class GoTo:
    """Show a place in a tab. `key` is a section's id in the prompt, with a line of its text (from 1; 0 is its header),
    and the key of a row elsewhere; None is the tab itself."""

    tab: str
    key: Hashable = None
    line: int = 0


Intent: TypeAlias = ApplyLevers | GoTo | OpenSource
