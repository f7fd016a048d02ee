"""The shape of a tool's text."""

from __future__ import annotations

from promptscope_engine.formats.document import Json
from promptscope_engine.frozen import frozen


@frozen(slots=False)
class ToolText:
    """A tool's description and schema; one without a schema is freeform and takes a text of a grammar.

    `returns` is the TypeScript type of what a script is given by it.
    """

    group: str
    description: str
    schema: Json = None
    grammar: str = ""
    returns: str = "unknown"
