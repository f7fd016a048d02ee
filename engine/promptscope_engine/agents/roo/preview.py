"""What a prompt copied from Roo's "Preview" says of the task that it was made for (docs/agents/roo.md#prompt)."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from promptscope_engine.agents.features import PromptHints
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.scenario import McpServer

_FACTS = re.compile(
    r"^Operating System: (.*)\nDefault Shell: (.*)\nHome Directory: (.*)\nCurrent Workspace Directory: (.*)$", re.M
)
_MODE = re.compile(r'^  \* ".*" mode \(([^()\s]+)\) - ', re.M)
_RULES_OF = re.compile(r"^# Rules from (?:rules-(\S+) directories|\.roorules-(\S+)|\.clinerules-(\S+)):$", re.M)
_LANGUAGE = re.compile(r'^Language Preference:\n.*" \(([\w-]+)\)', re.M)
_TOOL = re.compile(r"^## (\w+)$", re.M)
_SERVER = re.compile(r"^## (.+?)(?: \(`(.*)`\))?$", re.M)
_SERVER_TOOL = re.compile(r"^- ([^\n:]+): (.*?)(?:\n    Input Schema:\n\t\t(\{.*?\n    \}|\{\}))?$", re.M | re.S)
_MOST_MODES = 12
"""Modes that are tried where nothing in the text tells which one it is."""


def hints_from_prompt(text: str) -> PromptHints:
    """Tools tell about switches, SYSTEM INFORMATION of the machine, MODES of the modes that are possible."""
    tools = set(_TOOL.findall(_between(text, "\n# Tools\n", "\n# Tool Use Guidelines\n")))
    facts = _FACTS.search(text)
    os_name, shell, home, workspace = facts.groups() if facts else (None, None, None, None)
    language = _LANGUAGE.search(text)
    values: dict[str, Json] = dict(_switches(tools, text)) if tools else {}
    if language:
        values["language"] = language[1]
    elif "\nUSER'S CUSTOM INSTRUCTIONS\n" in text or "\nOBJECTIVE\n" in text:  # else it may be cut off in front of it
        values["language"] = ""
    if shell:
        values["terminalShell"] = shell
    return PromptHints(
        values=values,
        environment={"os_name": os_name} if os_name else {},
        servers=tuple(_servers(text)),
        workspace=workspace,
        home=home,
        alternatives=tuple({"mode": slug} for slug in _modes(text)),
    )


def _between(text: str, start: str, end: str) -> str:
    return text.partition(start)[2].partition(end)[0]


def _switches(tools: set[str], text: str) -> Iterator[tuple[str, Json]]:
    """The inputs that a tool, or a part that must be there with it, tells about."""
    if "write_to_file" in tools:
        yield "diffEnabled", "apply_diff" in tools
    if "search_files" in tools:
        ready = "codebase_search" in tools
        yield "codeIndex", {"enabled": True, "configured": True, "initialized": True} if ready else None
    for name, tool in (
        ("supportsComputerUse", "browser_action"),
        ("experiments.imageGeneration", "generate_image"),
        ("experiments.runSlashCommand", "run_slash_command"),
    ):
        if tool in tools:
            yield name, True
    if "# Tool Use Guidelines\n" in text:  # the tools are there to their end
        yield "settings.todoListEnabled", "update_todo_list" in tools
        yield "partialReadsEnabled", "<line_range>" in text
    if "\nMCP SERVERS\n" in text:
        yield "enableMcpServerCreation", "\n## Creating an MCP Server\n" in text


def _modes(text: str) -> list[str]:
    """The modes that it may be, the likeliest first: that of the rules, then as they are listed."""
    of_rules = [next(filter(None, found.groups())) for found in _RULES_OF.finditer(text)]
    return list(dict.fromkeys([*of_rules, *_MODE.findall(text)]))[:_MOST_MODES]


def _servers(text: str) -> Iterator[McpServer]:
    """The connected servers as they are listed; the text does not say where they are configured."""
    listed = _between(text, "\n# Connected MCP Servers\n", "\n====\n").partition("\n## Creating an MCP Server\n")[0]
    heads = list(_SERVER.finditer(listed))
    for head, following in zip(heads, [*heads[1:], None], strict=False):
        own = listed[head.end() : following.start() if following else len(listed)]
        words = (head[2] or "").split(" ")
        config: dict[str, Any] = {"command": words[0]} if words[0] else {}
        if words[1:]:
            config["args"] = words[1:]
        yield McpServer(
            name=head[1],
            config=config,
            instructions=_part(own, "Instructions") or None,
            tools=[_tool(found) for found in _SERVER_TOOL.finditer(_part(own, "Available Tools"))],
            resources=[*_resources(_part(own, "Direct Resources"), "uri")],
            resourceTemplates=[*_resources(_part(own, "Resource Templates"), "uriTemplate")],
        )


def _part(text: str, heading: str) -> str:
    return text.partition(f"\n### {heading}\n")[2].partition("\n### ")[0].strip("\n")


def _tool(found: re.Match[str]) -> Mapping[str, Any]:
    tool: dict[str, Any] = {"name": found[1], "description": found[2]}
    if found[3]:
        try:
            tool["inputSchema"] = json.loads(found[3])
        except ValueError:  # a description that looks like one
            tool["description"] = found[0].partition(": ")[2]
    return tool


def _resources(text: str, address: str) -> Iterator[Mapping[str, Any]]:
    for found in re.finditer(r"^- (\S+) \((.*?)\): (.*)$", text, re.M):
        yield {address: found[1], "name": found[2], "description": found[3]}
