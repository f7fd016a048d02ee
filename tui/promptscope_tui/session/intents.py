"""What a row or a widget can ask of the app, as plain values."""

from collections.abc import Hashable
from typing import TypeAlias

from msgspec import Struct

from promptscope_engine.prompt.model import Lever


class ApplyLevers(Struct, frozen=True):
    """Make the changes that would flip a reason."""

    levers: tuple[Lever, ...]


class OpenSource(Struct, frozen=True):
    """Open a file in the editor at a line, counted from 1."""

    path: str
    line: int = 1


class GoTo(Struct, frozen=True):
    """Show a place in a tab.

    `key` is a section's id in the prompt, with a line of its text (from 1; 0 is its header), and the key of a row
    elsewhere; None is the tab itself.
    """

    tab: str
    key: Hashable = None
    line: int = 0


Intent: TypeAlias = ApplyLevers | GoTo | OpenSource
