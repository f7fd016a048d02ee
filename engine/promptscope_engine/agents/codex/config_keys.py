"""What Codex takes in its settings beside the types of `settings.json` (specs/codex.md 4.2).

A value that does not fit stops the start; an unknown key does with --strict-config, if Codex notices it [0.169.0].
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from promptscope_engine.agents.kit.settings_schema import Schema, load_schema
from promptscope_engine.formats.document import Json

NOT_OF_PROJECTS = frozenset(
    {
        "apps_mcp_product_sku", "chatgpt_base_url", "experimental_realtime_ws_base_url", "model_provider",
        "model_providers", "notify", "openai_base_url", "otel", "profile", "profiles", "project_root_markers",
    }
)  # fmt: skip
"""Keys that the settings of a repository cannot set; they are left out with a warning (2.4) [source]."""

_OF_ADDRESSES = (
    "bearer_token", "bearer_token_env_var", "http_headers", "http_headers_helper", "env_http_headers", "oauth",
    "oauth_resource",
)  # fmt: skip
_OF_COMMANDS = ("args", "bearer_token", "env", "env_vars", "cwd")
"""What only a server with a `url` takes, and what only one with a `command` does;
`bearer_token` goes with neither [0.169.0]."""


@cache
def schema() -> Schema:
    """What 0.169.0 takes in config.toml; each key and type was held against the program."""
    return load_schema(Path(__file__).with_name("settings.json"), "toml")


def unreachable(servers: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    """The MCP servers that stop the start: Codex cannot tell whether to run them or to call an address [0.169.0]."""
    for name, table in servers.items():
        if not isinstance(table, dict):
            continue
        if "command" not in table and "url" not in table:
            yield name, "it has neither a command nor an address"
        elif "command" in table and "url" in table:
            yield name, "it has both a command and an address"
        else:
            key = "command" if "command" in table else "url"
            others = _OF_ADDRESSES if key == "command" else _OF_COMMANDS
            for other in (other for other in others if other in table):
                yield name, f"`{other}` cannot go with `{key}`"
