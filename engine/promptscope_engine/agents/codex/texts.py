"""Codex's tools as text and JSON (agent.toml, tools/)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from promptscope_engine.agents.kit.expressions import Vocabulary
from promptscope_engine.agents.kit.folder import Folder
from promptscope_engine.agents.kit.texts import Scope
from promptscope_engine.formats.document import Json
from promptscope_engine.frozen import frozen
from promptscope_engine.wire.request import FixedSchema

FOLDER = Folder(Path(__file__).parent, Vocabulary(own=frozenset({"base"})))


@frozen(slots=False)
class ToolText:
    """A tool's description and schema; one with a grammar is freeform and takes a text.

    `returns` is the TypeScript type of what a script is given by it.
    """

    group: str
    description: str
    schema: Json = None
    grammar: str = ""
    returns: str = "unknown"


@cache
def tool_text(name: str) -> ToolText:
    """The tool of a file: `spawn_agent`, `spawn_agent@first`."""
    source, schema = FOLDER.sources.tools[name], FOLDER.sources.schemas.get(name)
    text = "".join(node[4] for node in source.nodes)
    head: dict[str, str] = dict(source.head)
    if schema is not None and schema["type"] == "grammar":
        return ToolText(head["group"], text, grammar=schema["definition"], returns=head.get("returns", "unknown"))
    fixed = FixedSchema(schema) if schema is not None else None
    return ToolText(head["group"], text, fixed, returns=head.get("returns", "unknown"))


def base_parts(base: str) -> Iterator[tuple[str, str]]:
    """(id, text) of the base instructions of a kind of model, by the names of the catalogue.

    Models of a family share most of their texts; a text asks for the kind as `base.gpt_6_luna`.
    """
    said = FOLDER.sources.agent["base"]
    scope = Scope({"base": {re.sub(r"[^a-z0-9]", "_", name): name == base for name in said}})
    for part in said[base]["parts"]:
        yield part, "".join(piece.text for piece in FOLDER.pieces(f"base.{said[base]['texts']}.{part}", scope))
