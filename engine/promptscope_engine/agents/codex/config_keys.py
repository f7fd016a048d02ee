"""What Codex takes in its settings beside the types of `settings.json` (specs/codex.md 4.2).

A value that does not fit stops the start; an unknown key does with --strict-config, if Codex notices it [0.169.0].
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from promptscope_engine.agents.kit.settings_schema import Schema, load_schema
from promptscope_engine.agents.kit.sources import sources_of
from promptscope_engine.formats.document import Json


@cache
def schema() -> Schema:
    """What 0.169.0 takes in config.toml; each key and type was held against the program."""
    return load_schema(Path(__file__).with_name("settings.json"), "toml")


def config(name: str) -> Any:
    """What `[config]` of agent.toml says beside the types."""
    return sources_of(Path(__file__).parent).agent["config"][name]


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
            for other in (other for other in config("not_with")[key] if other in table):
                yield name, f"`{other}` cannot go with `{key}`"
