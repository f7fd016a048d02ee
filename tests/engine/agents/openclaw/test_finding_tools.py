"""How the tools that are not sent are found [2026.9.6]."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Claw

FILES = ["apply_patch", "edit", "exec", "ls", "openclaw", "process", "read", "sessions_yield"]
BY_SEARCH = ["tool_call", "tool_describe", "tool_search"]


@pytest.mark.parametrize(
    ("tools", "sent"),
    [
        ({}, [*FILES, *BY_SEARCH, "write"]),
        ({"toolSearch": {"mode": "directory"}}, [*FILES, *BY_SEARCH, "write"]),
        ({"toolSearch": True}, [*FILES, "tool_search_code", "write"]),
        ({"codeMode": True}, ["exec", "openclaw", "sessions_yield", "wait"]),
        ({"profile": "minimal"}, BY_SEARCH),
    ],
)
def test_what_is_sent_goes_by_how_the_others_are_found(claw: Claw, tools: dict[str, Any], sent: list[str]) -> None:
    assembly = claw(version="2026.9.6", config={"tools": tools})
    assert [tool["name"] for tool in assembly.request.tools] == sent
    waiting = [tool for tool in assembly.tools if tool.present and tool.variant == "deferred"]
    assert not {tool.name for tool in waiting} & set(sent)
    assert waiting
