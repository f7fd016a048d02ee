"""Codex's tools as text and JSON (agent.toml, tools/)."""

from __future__ import annotations

import re
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
    head, schema = FOLDER.sources.tools[name].head, FOLDER.sources.schemas.get(name)
    text = FOLDER.words(name)
    if schema is not None and schema["type"] == "grammar":
        return ToolText(head["group"], text, grammar=schema["definition"], returns=head.get("returns", "unknown"))
    fixed = FixedSchema(schema) if schema is not None else None
    return ToolText(head["group"], text, fixed, returns=head.get("returns", "unknown"))


@cache
def base_parts(base: str) -> tuple[tuple[str, str], ...]:
    """(id, text) of the base instructions of a kind of model, by the names of the catalogue.

    Models of a family share most of their texts; a text asks for the kind as `base.gpt_6_luna`.
    """
    kinds = FOLDER.agent["base"]
    scope = Scope({"base": {re.sub(r"[^a-z0-9]", "_", name): name == base for name in kinds}})
    texts, parts = kinds[base]["texts"], kinds[base]["parts"]
    return tuple((part, "".join(p.text for p in FOLDER.pieces(f"base.{texts}.{part}", scope))) for part in parts)
