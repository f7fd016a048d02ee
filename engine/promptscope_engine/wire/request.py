"""A request in the Anthropic shape, and how its tools are written."""

from __future__ import annotations

import json
from dataclasses import dataclass

from promptscope_engine.formats.document import Json


@dataclass(frozen=True, slots=True)
class Request:
    """What would go over the wire, Anthropic-shaped, as plain JSON values."""

    system: tuple[dict[str, Json], ...] = ()
    messages: tuple[dict[str, Json], ...] = ()
    tools: tuple[dict[str, Json], ...] = ()


def wire_tool(name: str, description: str, input_schema: Json) -> dict[str, Json]:
    """A tool as it goes over the wire."""
    return {"name": name, "description": description, "input_schema": input_schema}


def wire_json(value: Json) -> str:
    """JSON as the agents' clients send it: compact, and not escaped beyond need."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
