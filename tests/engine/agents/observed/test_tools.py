"""The tools of a captured request."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.engine.agents.observed.conftest import observed
from tests.engine.captures.bodies import ANTHROPIC


@pytest.mark.parametrize(
    ("name", "kind", "group"),
    [
        ("read", "custom", "agent"),
        ("read", "function", "agent"),
        ("web_search", "web_search_20250305", "service"),
        ("mcp__files__find", "custom", "mcp files"),
        ("mcp__files__find__all", "custom", "mcp files"),
        ("mcp_files_find", "custom", "agent"),
    ],
)
def test_what_runs_a_tool(place: Path, name: str, kind: str, group: str) -> None:
    tool = {"name": name, "type": kind, "description": "Does it."}
    (found,) = observed(place, {**ANTHROPIC, "tools": [tool]}).tools
    assert (found.group, found.parameters) == (group, ())


@pytest.mark.parametrize(
    ("schema", "parameters"),
    [
        ({"type": "object", "properties": {"a": {}, "b": {}}, "required": ["b"]}, [("a", False), ("b", True)]),
        ({"type": "object", "properties": {"a": {}}, "required": "a"}, [("a", False)]),
        ({"type": "object", "properties": ["a"]}, []),
        ({"type": "object"}, []),
        ("no schema", []),
    ],
)
def test_the_parameters_of_a_tool(place: Path, schema: Any, parameters: list[tuple[str, bool]]) -> None:
    tool = {"name": "t", "description": "d", "input_schema": schema}
    (found,) = observed(place, {**ANTHROPIC, "tools": [tool]}).tools
    assert [(each.name, each.required) for each in found.parameters] == parameters
