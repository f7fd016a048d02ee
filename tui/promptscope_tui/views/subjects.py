"""What Why can explain, and the blocks of a request by name."""

from typing import Literal, TypeAlias

from msgspec import Struct

from promptscope_engine.wire.request import AnyRequest, Field, WireBlock


class Cursor(Struct, frozen=True):
    """What is under the cursor in the prompt.

    `path` and `line` tell where in a file a row, or the first text below a header, comes from. `tool` is the tool
    that the section describes. `fragment` is the index of a body row's fragment in `Section.fragments`; for kind
    `absent` the index in `Section.absent`, or None if the whole section is absent. Two rows are no sections: kind
    `tools` is that of the tools that are sent beside the prompt, `absent` that of the parts that are absent.
    """

    section_id: str | None = None
    kind: Literal["header", "body", "absent", "tools"] = "header"
    path: str | None = None
    line: int | None = None
    tool: str | None = None
    fragment: int | None = None


class ToolSubject(Struct, frozen=True):
    """A tool, by its name."""

    name: str


class ServerSubject(Struct, frozen=True):
    """An MCP server, by its name."""

    name: str


class FileSubject(Struct, frozen=True):
    """A file, by the path that the agent shows."""

    path: str


class FolderSubject(Struct, frozen=True):
    """A folder in a tree of files, by its path as a person reads it; "" for the usual places with nothing there."""

    path: str


class SwitchSubject(Struct, frozen=True):
    """A value that a param could have; `value` is JSON. None: the param itself."""

    param: str
    value: str | None = None


class ChangeSubject(Struct, frozen=True):
    """An entry of Changes, by its index; 0 is the latest."""

    index: int


class DiagnosticSubject(Struct, frozen=True):
    """A problem that was found, by its index in the assembly."""

    index: int


class ProgramSubject(Struct, frozen=True):
    """A hook or a mod, by its index in the assembly."""

    index: int


class BlockSubject(Struct, frozen=True):
    """A block of the request, by its place in it; `part` is the place in a message's content."""

    field: Field
    number: int
    part: int = 0


class WindowSubject(Struct, frozen=True):
    """The budget as a whole."""


Subject: TypeAlias = (
    Cursor
    | ToolSubject
    | ServerSubject
    | FileSubject
    | FolderSubject
    | SwitchSubject
    | ChangeSubject
    | DiagnosticSubject
    | ProgramSubject
    | BlockSubject
    | WindowSubject
)


def blocks(request: AnyRequest) -> dict[BlockSubject, WireBlock]:
    """Every block of a request, in the order in which they are sent."""
    return {BlockSubject(block.field, *block.at): block for block in request.blocks()}
