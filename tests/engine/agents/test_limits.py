"""The limits that the schemas of tools and of params name: how many, how long, how large, and by default.

Those of tools are what the agents themselves send. PROMPTSCOPE_UPDATE_GENERATED=1 writes the table again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.frozen import frozen_scenario

from promptscope_engine import Workspace, assemble
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.formats.document import Json

TABLE = Path(__file__).with_name("limits.json")
LIMITS = {
    *("minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties", "default"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
}
AGENTS = [
    *(("claude-code", "2.1.100"), ("claude-code", "2.1.329"), ("openclaw", "2026.2.24"), ("openclaw", "2026.9.6")),
    *((agent, None) for agent in ("codex", "gemini", "opencode", "roo")),
]


def limits(schema: Json, path: str) -> Iterator[tuple[str, float]]:
    """Every number that limits a value, with where it is."""
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key in LIMITS and isinstance(value, (int, float)) and not isinstance(value, bool):
                yield f"{path}.{key}", value
            else:
                yield from limits(value, path if key == "properties" else f"{path}.{key}")
    elif isinstance(schema, (list, tuple)):
        for number, value in enumerate(schema):
            yield from limits(value, f"{path}.{number}")


@pytest.mark.parametrize(("agent", "version"), AGENTS)
def test_the_limits_of_tools(tmp_path: Path, agent: str, version: str | None) -> None:
    for folder in ("workspace", "home", "managed"):
        (tmp_path / folder).mkdir()
    scenario = frozen_scenario(agent, tmp_path, agent_version=version, mcp_servers=[])
    tools = assemble(scenario, Workspace(), cached_only=True).tools
    found = {place: number for tool in tools for place, number in limits(tool.input_schema, tool.name)}
    compared(f"tools of {agent}{f' {version}' if version else ''}", found)


@pytest.mark.parametrize("agent", dict(AGENTS))
def test_the_limits_of_params(agent: str) -> None:
    schema = load_agent(agent).params.model_json_schema()
    compared(f"params of {agent}", dict(limits(schema, "")))


def compared(name: str, found: dict[str, float]) -> None:
    """What was found is what the table has, or goes into it."""
    table = json.loads(TABLE.read_text(encoding="utf-8")) if TABLE.exists() else {}
    if os.environ.get("PROMPTSCOPE_UPDATE_GENERATED"):
        TABLE.write_text(json.dumps({**table, name: found}, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    else:
        assert found == table[name]
