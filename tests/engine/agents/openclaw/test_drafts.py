"""The tools as they are listed and sent: groups, texts, parameters (docs/agents/openclaw.md#tools)."""

from __future__ import annotations

import pytest

from promptscope_engine.agents.openclaw.texts import FOLDER
from promptscope_engine.prompt.model import Tool

from .conftest import Claw

GROUPS = {
    "fs": ["read", "edit", "write", "apply_patch", "grep", "find", "ls"],
    "runtime": ["exec", "process"],
    "channel": ["whatsapp_login"],
    "ui": ["browser", "canvas"],
    "nodes": ["nodes"],
    "automation": ["cron", "gateway"],
    "messaging": ["message"],
    "media": ["tts", "image"],
    "agents": ["agents_list"],
    "sessions": [
        "sessions_list", "sessions_history", "sessions_send", "sessions_spawn", "subagents", "session_status",
    ],
    "web": ["web_search", "web_fetch"],
    "memory": ["memory_search", "memory_get", "memory_recall", "memory_store", "memory_forget"],
}  # fmt: skip


@pytest.fixture
def stand_ins(claw: Claw) -> tuple[Tool, ...]:
    """Tools of the scenario."""
    schema = {"type": "object", "properties": {"a": {}, "b": {}}, "required": ["b"]}
    return claw(
        tools=[
            {"name": "Exec", "description": " Runs. ", "label": "no"},
            {"name": "mine", "label": " My own. "},
            {"name": "other", "description": " ", "pluginId": "plug", "parameters": schema},
        ]
    ).tools


def test_the_group_of_each_tool(claw: Claw) -> None:
    found: dict[str, list[str]] = {}
    for tool in claw().tools:
        source = FOLDER.tool_source(tool.name, "2026.2.24")
        if (source and "plugin" not in source.head) or tool.group == "memory":
            found.setdefault(tool.group, []).append(tool.name)
    assert found == GROUPS


def test_what_stands_in_for_tools(stand_ins: tuple[Tool, ...]) -> None:
    assert [(tool.name, tool.group, tool.description) for tool in stand_ins] == [
        ("Exec", "runtime", " Runs. "), ("mine", "tools", ""), ("other", "plug", " "),
    ]  # fmt: skip
    assert [tool.input_schema["properties"] for tool in stand_ins] == [{}, {}, {"a": {}, "b": {}}]
    assert [(each.name, each.required) for each in stand_ins[2].parameters] == [("a", False), ("b", True)]


def test_a_label_stands_where_there_is_no_description(claw: Claw) -> None:
    tools = [
        {"name": "one", "description": " First. ", "label": "no"},
        {"name": "two", "description": " ", "label": " Second. "},
        {"name": "three"},
        {"name": "One", "description": " "},
    ]
    section = claw(tools=tools).section("tooling")
    assert section is not None
    bullets = [line for line in section.text.split("\n") if line.startswith("- ")]
    assert bullets == ["- one: First.", "- three", "- two: Second."]
