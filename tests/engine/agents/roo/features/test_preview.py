"""What a copied prompt says of the task that it was made for."""

from __future__ import annotations

from typing import Any

import pytest

from promptscope_engine.agents.roo.features.preview import told_by_preview

TOOLS = "\n# Tools\n{}\n# Tool Use Guidelines\n"


def with_tools(*names: str, more: str = "") -> dict[str, Any]:
    """What is told by a prompt that describes these tools."""
    text = "".join(f"\n## {name}\nDescription: x{more}\n" for name in names)
    return dict(told_by_preview(TOOLS.format(text)).values)


READY = {"enabled": True, "configured": True, "initialized": True}
ALWAYS = {"settings.todoListEnabled": False, "partialReadsEnabled": False}


@pytest.mark.parametrize(
    ("tools", "told"),
    [
        (["read_file"], ALWAYS),
        (["update_todo_list"], {**ALWAYS, "settings.todoListEnabled": True}),
        (["write_to_file"], {**ALWAYS, "diffEnabled": False}),
        (["write_to_file", "apply_diff"], {**ALWAYS, "diffEnabled": True}),
        (["search_files"], {**ALWAYS, "codeIndex": None}),
        (["search_files", "codebase_search"], {**ALWAYS, "codeIndex": READY}),
        (["browser_action"], {**ALWAYS, "supportsComputerUse": True}),
        (["generate_image"], {**ALWAYS, "experiments.imageGeneration": True}),
        (["run_slash_command"], {**ALWAYS, "experiments.runSlashCommand": True}),
    ],
)
def test_tools_tell_of_switches(tools: list[str], told: dict[str, Any]) -> None:
    assert with_tools(*tools) == told


def test_ranges_of_lines_are_told_by_their_tag() -> None:
    assert with_tools("read_file", more=" <line_range>1-2</line_range>")["partialReadsEnabled"] is True


def test_without_tools_nothing_is_told_of_switches() -> None:
    assert with_tools() == {}
    assert told_by_preview("\n# Tools\n\n## write_to_file\n").values == {"diffEnabled": False}, "cut off behind it"


@pytest.mark.parametrize(
    ("servers", "told"),
    [
        ("", None),
        ("\nMCP SERVERS\nNone.", False),
        ("\nMCP SERVERS\n\n## Creating an MCP Server\n", True),
        ("\n## Creating an MCP Server\n", None),
    ],
)
def test_whether_servers_may_be_created(servers: str, told: bool | None) -> None:
    found = told_by_preview(TOOLS.format("\n## read_file\n") + servers).values
    assert found.get("enableMcpServerCreation") is told


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("", None),
        ("\nOBJECTIVE\n", ""),
        ("\nUSER'S CUSTOM INSTRUCTIONS\n", ""),
        ('\nOBJECTIVE\nLanguage Preference:\nSpeak "Deutsch" (de) now', "de"),
        ('Language Preference:\nSpeak "简体中文" (zh-CN) now', "zh-CN"),
    ],
)
def test_the_language(text: str, language: str | None) -> None:
    assert told_by_preview(text).values.get("language") == language


def test_the_machine() -> None:
    facts = (
        "Operating System: Linux 6.1\nDefault Shell: /bin/zsh\nHome Directory: /home/u\nCurrent Workspace Directory: /w"
    )
    found = told_by_preview(f"SYSTEM INFORMATION\n\n{facts}\n")
    assert (found.values, found.environment) == ({"terminalShell": "/bin/zsh"}, {"os_name": "Linux 6.1"})
    assert (found.home, found.workspace) == ("/home/u", "/w")
    none = told_by_preview("SYSTEM INFORMATION")
    assert (none.values, none.environment, none.home, none.workspace) == ({}, {}, None, None)
