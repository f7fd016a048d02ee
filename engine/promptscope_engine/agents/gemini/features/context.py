"""The account of the context window (specs/gemini.md 13). The client itself prints none: the rows are its parts."""

from __future__ import annotations

from collections.abc import Iterable

from promptscope_engine.agents.features import Category, ContextReport
from promptscope_engine.prompt.model import Assembly, Section, Tool

REMARK = "the window is read from the client's source, not observed"


def report(assembly: Assembly) -> ContextReport:
    """Where the tokens of the first request go, and where the conversation is compressed."""
    sections = [section for section in assembly.sections if section.present]
    listings = {"skills", "sub_agents"}
    memory = [s for s in sections if s.id == "memory" or s.id.startswith(("memory.extension:", "memory.project:"))]
    of_servers = [s for s in sections if s.id.startswith("mcp_instructions:")]
    system = [s for s in sections if s.channel == "system" and s not in memory and s.id not in listings]
    context = [s for s in sections if s.parent == "session" or s.id == "session"]
    context = [s for s in context if s not in memory and s not in of_servers]
    known = {s.id for s in (*memory, *of_servers, *system, *context)} | listings
    built_in = [tool for tool in assembly.tools if tool.present and not tool.name.startswith("mcp_")]
    foreign = [tool for tool in assembly.tools if tool.present and tool.name.startswith("mcp_")]
    rows = [
        Category("System prompt", _sum(system)),
        Category("Tools", _sum(built_in), kind="tools"),
        Category("MCP tools", _sum(foreign), kind="tools"),
        Category("MCP server instructions", _sum(of_servers), kind="tools"),
        Category("Sub-agents", _sum(s for s in sections if s.id == "sub_agents"), kind="agents"),
        Category("Skills", _sum(s for s in sections if s.id == "skills"), kind="skills"),
        Category("Context files", _sum(memory), kind="files"),
        Category("Session context", _sum(context), kind="machine"),
        Category("Messages", _sum(s for s in sections if s.id not in known), kind="messages"),
    ]
    tokens = assembly.tokens
    used = sum(row.tokens for row in rows)
    rows.append(Category("Free space", max(tokens.window - tokens.reserve - used, 0), used=False, kind="free"))
    shown = tuple(row for row in rows if row.tokens)
    return ContextReport(
        shown, tokens.window, tokens.reserve, tokens.compact_at, remark=REMARK, compaction=tokens.compaction
    )


def _sum(parts: Iterable[Section | Tool]) -> int:
    return sum(part.expected_tokens or 0 for part in parts)
