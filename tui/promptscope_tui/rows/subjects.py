"""What Why can explain."""

from __future__ import annotations

from typing import Literal, TypeAlias

from promptscope_engine.frozen import frozen
from promptscope_engine.wire.request import Field


@frozen
class Cursor:
    """What is under the cursor in the prompt.

    `path` and `line` tell where in a file a row, or the first text below a header, comes from. `tool` is the tool
    that the section describes. `fragment` is the index of a body row's fragment in `Section.fragments`; for kind
    `absent` the index in `Section.absent`, or None if the whole section is absent.
    """

    section_id: str | None = None
    kind: Literal["header", "body", "absent"] = "header"
    path: str | None = None
    line: int | None = None
    tool: str | None = None
    fragment: int | None = None


@frozen
class ToolSubject:
    """A tool, by its name."""

    name: str


@frozen
class FileSubject:
    """A file, by the path that the agent shows."""

    path: str


@frozen
class SwitchSubject:
    """A value that a param could have; `value` is JSON. None: the param itself."""

    param: str
    value: str | None = None


@frozen
class ChangeSubject:
    """An entry of Changes, by its index; 0 is the latest."""

    index: int


@frozen
class DiagnosticSubject:
    """A problem that was found, by its index in the assembly."""

    index: int


@frozen
class BlockSubject:
    """A block of the request, by its place in it; `part` is the place in a message's content."""

    field: Field
    number: int
    part: int = 0


@frozen
class WindowSubject:
    """The budget as a whole."""


Subject: TypeAlias = (
    Cursor
    | ToolSubject
    | FileSubject
    | SwitchSubject
    | ChangeSubject
    | DiagnosticSubject
    | BlockSubject
    | WindowSubject
)
