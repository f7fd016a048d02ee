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
    Path(__file__).parent,
    Vocabulary({"full": FULL, "any_mode": ANY_MODE}, words=frozenset(("tool", "passed", "visible"))),
)

BOUNDARY = "<!-- OPENCLAW_CACHE_BOUNDARY -->"
"""The line at which the text is split into its two parts, wherever it first stands."""

ANTHROPIC = "anthropic-messages"
"""The protocol that caches by blocks."""

NEWER = "2026.9"
"""From here on a prompt has two parts, and most tools wait in a directory. Versions compare as texts until 2026.10."""

NO_PARAMETERS: Json = {"type": "object", "properties": {}}


class ToolText(Struct, frozen=True):
    """A tool of OpenClaw's own: what the request says of it, and the line in Tooling, "" where it has none."""

    group: str = "tools"
    description: str = ""
    summary: str = ""
    schema: Json = None


@cache
def tool_text(name: str, version: str, form: str = "") -> ToolText:
    """The tool of a name, by which nothing may be known."""
    source = FOLDER.tool_source(name, version, form)
    if source is None:
        return ToolText(schema=NO_PARAMETERS)
    schema = FixedSchema(FOLDER.tool_schema(name, version, form) or NO_PARAMETERS)
    return ToolText(source.head["group"], FOLDER.plain(source), source.head.get("summary", ""), schema)


def listed(names: list[str], version: str) -> list[tuple[str, str]]:
    """(key, spelling) of the tools as Tooling lists them: the first spelling of a name wins, whatever its case."""
    spelled: dict[str, str] = {}
    for name in map(js_trim, names):
        if name:
            spelled.setdefault(name.lower(), name)
    order = FOLDER.tools_in("listed", version)
    rest = sorted((key for key in spelled if key not in order), key=utf16_key)
    return [(key, spelled[key]) for key in (*order, *rest) if key in spelled]


def spelling(name: str, names: list[str]) -> str:
    """How the caller spells a tool; the name itself where it has none, for these lines stand all the same."""
    return next((spelled for spelled in map(js_trim, names) if spelled.lower() == name), name)
