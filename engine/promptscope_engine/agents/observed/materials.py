"""What was sent, with the files that its text stands in."""

from __future__ import annotations

from collections.abc import Mapping

from promptscope_engine.captures.content import SentTool
from promptscope_engine.formats.document import Json
from promptscope_engine.frozen import frozen


@frozen
class Traced:
    """A stretch of sent text; `path` and 1-based inclusive lines where it stands in a file."""

    text: str
    path: str | None = None
    start_line: int | None = None
    end_line: int | None = None


@frozen
class FromFile:
    """Where the text of a file begins and ends in a block, with what stands between its parts."""

    start: int
    end: int
    path: str


@frozen
class SentBlock:
    """A block of the system prompt (`message` None) or of a message. `name` is `system.0`, `messages.2.1`.

    `kind` is `text` or what else the protocol calls it; `cache` the breakpoint that it carries.
    """

    name: str
    message: int | None
    role: str
    kind: str
    cache: Mapping[str, Json] | None
    parts: tuple[Traced, ...]
    files: tuple[FromFile, ...]

    @property
    def text(self) -> str:
        return "".join([part.text for part in self.parts])


@frozen
class DescribedTool:
    """A tool with its description's origins."""

    tool: SentTool
    description: tuple[Traced, ...]


@frozen
class Materials:
    """A captured request. `reported`: what the service said that it took, in tokens."""

    blocks: tuple[SentBlock, ...]
    tools: tuple[DescribedTool, ...]
    model: str | None
    reported: int | None = None
