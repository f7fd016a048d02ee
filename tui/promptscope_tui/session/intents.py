"""What a row or a widget can ask of the app, as plain values."""

from __future__ import annotations

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


Intent: TypeAlias = ApplyLevers | OpenSource
