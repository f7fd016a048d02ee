"""The account of the context window by what a person can change (specs/codex.md 1.4). Codex prints only a sum."""

from __future__ import annotations

from collections.abc import Iterable

from promptscope_engine.agents.features import Category, CategoryKind, ContextReport
from promptscope_engine.prompt.model import Assembly, Section, Tool

_KINDS: dict[str, tuple[str, CategoryKind]] = {
    "developer_instructions": ("Developer instructions", "settings"),
    "memory": ("Memory", "files"),
    "skills": ("Skills", "skills"),
    "skills.moved": ("Skills", "skills"),
    "tools": ("Deferred tools", "deferred"),
    "multi_agent_role": ("Sub-agents", "agents"),
    "multi_agent_mode": ("Sub-agents", "agents"),
    "agents_md": ("AGENTS.md", "files"),
    "environment": ("Environment", "machine"),
}
"""Parts that are accounted for by themselves; sections below one belong to it."""
_NAMES: tuple[tuple[str, CategoryKind], ...] = (
    ("Base instructions", "prompt"), ("Tools", "tools"), ("MCP tools", "tools"), ("Deferred tools", "deferred"),
    ("Developer instructions", "settings"), ("Client's own parts", "prompt"), ("Memory", "files"),
    ("Skills", "skills"), ("Sub-agents", "agents"), ("AGENTS.md", "files"), ("Environment", "machine"),
    ("Messages", "messages"),
)  # fmt: skip


def report(assembly: Assembly) -> ContextReport:
    """Where the tokens of the first request go, and where the session compacts."""
    tokens = dict.fromkeys((name for name, _ in _NAMES), 0)
    for section in assembly.sections:
        if section.present:
            tokens[_category(section)] += section.expected_tokens or 0
    sent = [tool for tool in assembly.tools if tool.present and tool.section is None]
    tokens["MCP tools"] = _sum(tool for tool in sent if _of_server(tool))
    tokens["Tools"] = _sum(tool for tool in sent if not _of_server(tool))
    rows = [Category(name, tokens[name], kind=kind) for name, kind in _NAMES]
    window = assembly.tokens
    used = sum(row.tokens for row in rows)
    rows.append(Category("Free space", max(window.window - window.reserve - used, 0), used=False, kind="free"))
    shown = tuple(row for row in rows if row.tokens)
    return ContextReport(shown, window.window, window.reserve, window.compact_at, compaction=window.compaction)


def _category(section: Section) -> str:
    found = _KINDS.get(section.id) or _KINDS.get(section.parent or "")
    if found is not None:
        return found[0]
    if section.id == "base" or section.id.startswith("base."):
        return "Base instructions"
    return "Client's own parts" if section.channel == "system" and not section.id.startswith("hooks.") else "Messages"


def _of_server(tool: Tool) -> bool:
    """Whether a server offers the tool: those have its namespace in front, the client's own tools of the group not."""
    return tool.group == "MCP" and "." in tool.name


def _sum(tools: Iterable[Tool]) -> int:
    return sum(tool.expected_tokens or 0 for tool in tools)
