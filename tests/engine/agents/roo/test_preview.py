"""What a copied prompt says of the task that it was made for."""

from __future__ import annotations

from typing import Any

import pytest

from promptscope_engine.agents.roo.preview import hints_from_prompt

TOOLS = "\n# Tools\n{}\n# Tool Use Guidelines\n"


def with_tools(*names: str, more: str = "") -> dict[str, Any]:
    """What is told by a prompt that describes these tools."""
    text = "".join(f"\n## {name}\nDescription: x{more}\n" for name in names)
    return dict(hints_from_prompt(TOOLS.format(text)).values)


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
    assert hints_from_prompt("\n# Tools\n\n## write_to_file\n").values == {"diffEnabled": False}, "cut off behind it"


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
    found = hints_from_prompt(TOOLS.format("\n## read_file\n") + servers).values
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
    assert hints_from_prompt(text).values.get("language") == language


def test_the_machine() -> None:
    facts = (
        "Operating System: Linux 6.1\nDefault Shell: /bin/zsh\nHome Directory: /home/u\nCurrent Workspace Directory: /w"
    )
    found = hints_from_prompt(f"SYSTEM INFORMATION\n\n{facts}\n")
    assert (found.values, found.environment) == ({"terminalShell": "/bin/zsh"}, {"os_name": "Linux 6.1"})
    assert (found.home, found.workspace) == ("/home/u", "/w")
    none = hints_from_prompt("SYSTEM INFORMATION")
    assert (none.values, none.environment, none.home, none.workspace) == ({}, {}, None, None)


def test_the_servers_that_are_listed() -> None:
    schema = '{\n        "type": "object"\n    }'
    text = f"""
# Connected MCP Servers

## files (`npx serve --port 1`)

### Instructions
Ask first.

### Available Tools
- find: Finds.
    Input Schema:
\t\t{schema}

- odd: Looks like one.
    Input Schema:
\t\t{{ no json
    }}

### Resource Templates
- file://{{p}} (a file): Any file.

### Direct Resources
- file://x (x): The file x.

## bare

## one (`node x.js`)

## Creating an MCP Server

====
"""
    files, bare, one = hints_from_prompt(text).servers
    assert (files.name, files.config, files.instructions) == (
        "files",
        {"command": "npx", "args": ["serve", "--port", "1"]},
        "Ask first.",
    )
    assert files.tools[0] == {"name": "find", "description": "Finds.", "inputSchema": {"type": "object"}}
    assert files.tools[1]["name"] == "odd"
    assert str(files.tools[1]["description"]).startswith("Looks like one.\n    Input Schema:")
    assert files.resources == [{"uri": "file://x", "name": "x", "description": "The file x."}]
    assert files.resourceTemplates == [{"uriTemplate": "file://{p}", "name": "a file", "description": "Any file."}]
    assert (bare.name, bare.config, bare.instructions, bare.tools) == ("bare", {}, None, [])
    assert one.config == {"command": "node", "args": ["x.js"]}


@pytest.mark.parametrize(("count", "tried"), [(0, 0), (1, 1), (11, 11), (12, 12), (13, 12)])
def test_so_many_modes_are_tried(count: int, tried: int) -> None:
    lines = "".join(f'  * "Mode {number}" mode (m{number}) - does it\n' for number in range(count))
    found = hints_from_prompt(f"MODES\n{lines}").alternatives
    assert [each["mode"] for each in found] == [f"m{number}" for number in range(tried)]


def test_a_mode_that_has_rules_is_tried_first() -> None:
    text = '  * "A" mode (a) - x\n  * "B" mode (b) - x\n# Rules from rules-b directories:\n'
    assert [each["mode"] for each in hints_from_prompt(text).alternatives] == ["b", "a"]
