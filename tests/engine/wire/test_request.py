"""Tools as they go over the wire."""

from __future__ import annotations

import json

import pytest

from promptscope_engine.wire.request import FixedSchema, tool_json, wire_json, wire_tool

_SCHEMA = {"type": "object", "properties": {"path": {"type": "string", "description": 'é "quoted"\n'}}}


@pytest.mark.parametrize("description", ["", "Reads a file.", 'With "quotes",\nlines and é.', "long " * 20_000])
@pytest.mark.parametrize("schema", [_SCHEMA, FixedSchema(_SCHEMA), None], ids=["own", "fixed", "none"])
def test_a_tool_is_written_as_any_json_is(description: str, schema: dict[str, object] | None) -> None:
    tool = wire_tool("read_file", description, schema) | {"strict": True}
    for _ in range(2):  # the second time, its texts are known
        written = tool_json(tool)
        assert written == wire_json(tool)
        assert json.loads(written) == tool
