"""What a row or a widget can ask of the app, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from promptscope_engine.prompt.model import Lever


@dataclass(frozen=True, slots=True)
class ApplyLevers:
    """Make the changes that would flip a reason."""

    levers: tuple[Lever, ...]


@dataclass(frozen=True, slots=True)
class OpenSource:
    """Open a file in the editor at a line, counted from 1."""

    path: str
    line: int = 1


Intent: TypeAlias = ApplyLevers | OpenSource
