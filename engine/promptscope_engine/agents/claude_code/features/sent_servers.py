"""The MCP servers that a request of Claude Code tells of (specs/claude-code.md 2, 6)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from promptscope_engine.agents.claude_code.gather.mcp import wire_name
from promptscope_engine.agents.kit.servers import sent_servers
from promptscope_engine.captures.content import Content
from promptscope_engine.inputs.scenario import McpServer

_LISTED = re.compile(r"^mcp__[\w-]+$", re.MULTILINE | re.ASCII)
_HEADING = "# MCP Server Instructions\n\n"
_SERVER = re.compile(r"(?:\A|\n\n)## ([^\n]{1,200})\n")
_NEXT = re.compile(r"\n\n[^\n]+:\n\n- |\n\nToday's date is ")
"""Where the instructions end: at the listing of skills, or at the date. They stand in one block with these."""


def servers_in(content: Content) -> tuple[McpServer, ...]:
    """Deferred tools are known by their names alone."""
    said = [block.text for message in content.messages for block in message.blocks if block.kind == "text"]
    listed = [name for text in said for name in _LISTED.findall(text)]
    instructions = {name: text for each in said for name, text in _instructions(each)}
    tools = {wire_name(name, ""): name for name in instructions}
    found = sent_servers(content.tools, listed, {}, prefix="mcp__", separator="__")
    called = [
        server.model_copy(update={"name": tools.get(wire_name(server.name, ""), server.name)}) for server in found
    ]
    names = {server.name for server in called}
    silent = [McpServer(name=name) for name in instructions if name not in names]
    return tuple(
        server.model_copy(update={"instructions": instructions.get(server.name)}) for server in (*called, *silent)
    )


def _instructions(text: str) -> Iterator[tuple[str, str]]:
    before, found, rest = text.partition(_HEADING)
    if not found or (before and not before.endswith("\n")):
        return
    behind = _NEXT.search(rest)
    rest = rest[: behind.start()] if behind else rest
    places = [*_SERVER.finditer(rest)]
    ends = [*(following.start() for following in places[1:]), len(rest)]
    for place, end in zip(places, ends, strict=False):  # without any server there is an end all the same
        yield place[1], rest[place.end() : end]
