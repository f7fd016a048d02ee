"""Which entries are servers to the client: it drops all others without a word [asked of 2.1.332]."""

from collections.abc import Mapping

from promptscope_engine.agents.claude_code.texts import FOLDER
from promptscope_engine.agents.kit.disk.settings import mapping
from promptscope_engine.agents.kit.disk.settings_schema import Schema
from promptscope_engine.formats.document import Json

_RESERVED = ("workspace", "claude-in-chrome", "computer-use", "__proto__")
"""Names that no server may have [asked of 2.1.332]."""
ONLY: Mapping[str, tuple[str, ...]] = {"ide": ("executeCode", "getDiagnostics")}
"""The tools that a server of this name may bring, where others are left out."""
_COMMAND, _URL = (Schema(FOLDER.agent["shapes"][kind]) for kind in ("server_command", "server_url"))
_URLS = ("http", "sse", "ws", "streamable-http")


def flaw_of(name: str, config: Json) -> str:
    """Why an entry is no server, "" for one that is."""
    if name in _RESERVED:
        return "the name is reserved"
    if not isinstance(config, dict):
        return "it is not an object"
    kind = mapping(config).get("type", "stdio")
    shape = _COMMAND if kind == "stdio" else _URL if kind in _URLS else None
    if shape is None:
        return f"its `type` is none of stdio, {', '.join(_URLS)}"
    wrong = next(iter(shape.findings(config)), None)
    return f"its `{wrong.key}` {wrong.reason}" if wrong else ""
