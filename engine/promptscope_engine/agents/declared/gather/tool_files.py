"""Tools as JSON files describe them, in the shapes that the services and MCP have."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from promptscope_engine.formats.document import Json, unfit

MAX_BYTES = 1 << 20
"""A file of tools that is larger is some other file."""

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:/-]{0,127}")
_SCHEMAS = ("input_schema", "inputSchema", "parameters")


Described = tuple[str, str, dict[str, Any]]
"""A tool's name, description and schema."""


class ToolError(ValueError):
    """A file that describes no tools; `line` is 1-based, None where none is known."""

    def __init__(self, message: str, line: int | None = None) -> None:
        self.line = line
        super().__init__(message)


def tool_name(name: str) -> str:
    """A name that services take. Raises ToolError."""
    if not _NAME.fullmatch(name):
        raise ToolError(f"{name[:60]!r} is no tool's name: letters, digits and _ . : / -, at most 128")
    return name


def described_tools(text: str) -> tuple[Described, ...]:
    """The tools of a file's text: one, a list, or `{"tools": [...]}`. Raises ToolError."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise ToolError(f"{error.msg[:1].lower()}{error.msg[1:]}", error.lineno) from None
    except (RecursionError, ValueError) as error:
        raise ToolError("it is nested too deeply" if isinstance(error, RecursionError) else str(error)) from None
    if problem := unfit({"": value}):
        raise ToolError(problem[1])
    return tuple(_tools(value))


def _tools(value: Json) -> Iterator[Described]:
    if isinstance(value, dict) and isinstance(value.get("tools"), list) and "name" not in value:
        value = value["tools"]
    for each in value if isinstance(value, list) else [value]:
        if not isinstance(each, dict):
            raise ToolError("a tool is an object with `name`, `description` and `input_schema`")
        inner = each.get("function")
        yield _tool(inner if isinstance(inner, dict) else each)


def _tool(tool: Mapping[str, Any]) -> Described:
    name, description = tool.get("name"), tool.get("description", "")
    if not isinstance(name, str):
        raise ToolError("a tool has a `name`, which is a text")
    if not isinstance(description, str):
        raise ToolError(f"the `description` of {name[:60]} is no text")
    schema = next((tool[key] for key in _SCHEMAS if tool.get(key) is not None), {"type": "object", "properties": {}})
    if not isinstance(schema, dict):
        raise ToolError(f"the schema of {name[:60]} is no object")
    return tool_name(name), description, schema
