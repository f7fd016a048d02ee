"""What was sent, with the files that its text is in, and why a part of it is there: it was sent."""

from collections.abc import Mapping

from msgspec import Struct

from promptscope_engine.captures.model import SentTool
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.params import Params, param
from promptscope_engine.prompt.conditions import Fact
from promptscope_engine.prompt.spans import Spans

SENT = Fact("flag", "capture", True, "it was sent", "it was not sent", remedy="capture another run")


class ObservedParams(Params):
    """Which request of the capture is shown."""

    request: int = param(0, "Capture", "the number of the request that is shown; 0: the main one", ge=0)


class FromFile(Struct, frozen=True):
    """Where the text of a file begins and ends in a block, with what is between its parts."""

    start: int
    end: int
    path: str


class SentBlock(Struct, frozen=True):
    """A block of the system prompt (`message` None) or a message, as `system.0`; `cache` is its breakpoint."""

    name: str
    message: int | None
    role: str
    kind: str
    cache: Mapping[str, Json] | None
    spans: Spans
    files: tuple[FromFile, ...]


class Materials(Struct, frozen=True):
    """A captured request with its tools. `reported`: tokens that the service reported."""

    blocks: tuple[SentBlock, ...]
    tools: tuple[tuple[SentTool, Spans], ...]
    model: str | None
    reported: int | None = None
