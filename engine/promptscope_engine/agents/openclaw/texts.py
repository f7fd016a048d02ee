"""OpenClaw's sections and tools as text and JSON (agent.toml, sections/, tools/)."""

from functools import cache
from pathlib import Path

from msgspec import Struct

from promptscope_engine.agents.kit.expressions import Vocabulary
from promptscope_engine.agents.kit.folder import Folder
from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.text import js_trim, utf16_key
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.leaves import mode_is
from promptscope_engine.wire.request import FixedSchema

FULL: Condition = mode_is("full")
ANY_MODE: Condition = mode_is("full", "minimal")
"""Everything but `none`, which is the identity line alone."""

FOLDER = Folder(
    Path(__file__).parent, Vocabulary({"full": FULL, "any_mode": ANY_MODE}, words=frozenset(("tool", "passed")))
)

NO_PARAMETERS: Json = {"type": "object", "properties": {}}


class ToolText(Struct, frozen=True):
    """A tool of OpenClaw's own: what the request says of it, and the line in Tooling, "" where it has none."""

    group: str = "fs"
    description: str = ""
    summary: str = ""
    schema: Json = None


@cache
def tool_text(name: str) -> ToolText:
    """The tool of a name, by which nothing may be known."""
    if name not in FOLDER.sources.tools:
        return ToolText(schema=NO_PARAMETERS)
    schema = FixedSchema(FOLDER.sources.schemas.get(name, NO_PARAMETERS))
    summary = FOLDER.sources.tools[name].head.get("summary", "")
    return ToolText(FOLDER.group_of(name), FOLDER.words(name), summary, schema)


def listed(names: list[str]) -> list[tuple[str, str]]:
    """(key, spelling) of the tools as Tooling lists them: the first spelling of a name wins, whatever its case."""
    spelled: dict[str, str] = {}
    for name in map(js_trim, names):
        if name:
            spelled.setdefault(name.lower(), name)
    order = FOLDER.agent["tools"]["listed"]
    rest = sorted((key for key in spelled if key not in order), key=utf16_key)
    return [(key, spelled[key]) for key in (*order, *rest) if key in spelled]


def spelling(name: str, names: list[str]) -> str:
    """How the caller spells a tool; the name itself where it has none, for these lines stand all the same."""
    return dict(listed(names)).get(name, name)
