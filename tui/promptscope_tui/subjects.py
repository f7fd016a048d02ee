"""What can be explained: Why shows one of these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from .widgets.prompt_view import Cursor


@dataclass(frozen=True, slots=True)
class ToolSubject:
    """A tool, by its name."""

    name: str


@dataclass(frozen=True, slots=True)
class FileSubject:
    """A consulted file, by the path that the agent shows."""

    path: str


@dataclass(frozen=True, slots=True)
class SwitchSubject:
    """A value that a param could have; `value` is JSON. None: the param itself."""

    param: str
    value: str | None = None


@dataclass(frozen=True, slots=True)
class ChangeSubject:
    """An entry of Changes, by its index; 0 is the latest."""

    index: int


@dataclass(frozen=True, slots=True)
class WindowSubject:
    """The budget as a whole."""


Subject: TypeAlias = "Cursor | ToolSubject | FileSubject | SwitchSubject | ChangeSubject | WindowSubject"
