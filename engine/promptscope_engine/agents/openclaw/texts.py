"""OpenClaw's sections and tools as text and JSON (agent.toml, sections/, tools/)."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct

from promptscope_engine.agents.kit.text.expressions import Vocabulary
from promptscope_engine.agents.kit.text.folder import Folder
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

RUNTIME: Mapping[str, Mapping[str, str]] = {
    "name": {
        "of": "name",
        "is": "it is the agent's own name",
        "remedy": "set `identity.name` in the agent's entry of `agents.list`",
        "since": "2026.9.6",
    },
    "agent": {
        "of": "agentId",
        "is": "the session names the agent, or it is the default one",
        "remedy": "name an agent in `agents.list`",
    },
    "session": {
        "of": "sessionKey",
        "is": "it is the session's key",
        "remedy": "`--set sessionKey=agent:main:main`",
        "since": "2026.9.6",
    },
    "sessionId": {
        "of": "sessionId",
        "is": "it is the session's id",
        "remedy": "`--set sessionId=1`",
        "since": "2026.9.6",
    },
    "host": {"of": "host", "is": "it is the machine's name", "remedy": "`--set environment.hostname=HOST`"},
    "repo": {
        "of": "repoRoot",
        "is": "it is the root of the repository around the workspace",
        "remedy": "run `git init`, or name another root: `--set configOverlay.agents.defaults.repoRoot=/PATH`",
    },
    "os": {"of": "os", "is": "it is the machine's system", "remedy": "`--set environment.os_type=Linux`"},
    "arch": {"of": "arch", "is": "it is the machine's architecture", "remedy": "`--set environment.arch=x64`"},
    "node": {
        "of": "node",
        "is": "it is the version of Node.js that runs it",
        "remedy": "`--set environment.node=v22.1.0`",
    },
    "active_node": {
        "of": "activeNode",
        "is": "it is the paired device in use",
        "remedy": "`--set promptParams.runtimeInfo.activeNode=TEXT`",
        "since": "2026.9.6",
    },
    "model": {"of": "model", "is": "it is the model of the run", "remedy": "`--model anthropic/claude-opus-4-6`"},
    "default_model": {
        "of": "defaultModel",
        "is": "it is the model that the configuration gives the agent",
        "remedy": "`--set configOverlay.agents.defaults.model=anthropic/claude-opus-4-6`",
    },
    "shell": {"of": "shell", "is": "it is the machine's shell", "remedy": "`--set environment.shell=/bin/bash`"},
    "channel": {"of": "channel", "is": "the message came by this channel"},
    "capabilities": {"of": "capabilities", "is": "the channel has these capabilities"},
}
"""The parts of the runtime line in their order: the parameter of each, what it is made of, and what gives it a value.

Channel and capabilities follow, while the message came by a channel.
"""
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


_LISTED = (
    "read", "write", "edit", "apply_patch", "grep", "find", "ls", "exec", "process", "web_search", "web_fetch",
    "browser", "screen", "theme", "terminal", "canvas", "nodes", "automations", "message", "conversations_list",
    "conversations_send", "conversations_turn", "openclaw", "gateway", "agents_list", "sessions_list",
    "sessions_history", "sessions_search", "sessions_send", "sessions_spawn", "sessions_yield", "subagents",
    "session_status", "skill_workshop", "view_image", "image_generate",
)  # fmt: skip
"""The order of Tooling; what is not in it follows, sorted by its lower-cased name in UTF-16 units."""
_OLDER_LISTED = (
    "read", "write", "edit", "apply_patch", "grep", "find", "ls", "exec", "process", "web_search", "web_fetch",
    "browser", "canvas", "nodes", "cron", "message", "gateway", "agents_list", "sessions_list", "sessions_history",
    "sessions_send", "subagents", "session_status", "image",
)  # fmt: skip


def listed(names: list[str], version: str) -> list[tuple[str, str]]:
    """(key, spelling) of the tools as Tooling lists them: the first spelling of a name wins, whatever its case."""
    spelled: dict[str, str] = {}
    for name in map(js_trim, names):
        if name:
            spelled.setdefault(name.lower(), name)
    order = _LISTED if version >= NEWER else _OLDER_LISTED
    rest = sorted((key for key in spelled if key not in order), key=utf16_key)
    return [(key, spelled[key]) for key in (*order, *rest) if key in spelled]


def spelling(name: str, names: list[str]) -> str:
    """How the caller spells a tool; the name itself where it has none, for these lines stand all the same."""
    return next((spelled for spelled in map(js_trim, names) if spelled.lower() == name), name)
