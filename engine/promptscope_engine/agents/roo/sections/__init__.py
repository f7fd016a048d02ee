"""Roo's prompt, part by part (agent.toml has the order), then the first message."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.kit.earlier import sections
from promptscope_engine.agents.roo.gates import HISTORY
from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.agents.roo.texts import FOLDER, scope_of
from promptscope_engine.prompt.conditions import ALWAYS
from promptscope_engine.prompt.drafts import SectionDraft, ToolDraft, label

from .custom_instructions import custom_instructions
from .environment_details import environment_details
from .mcp_servers import shown_servers
from .task import task


def all_sections(materials: Materials, tools: tuple[ToolDraft, ...]) -> tuple[SectionDraft, ...]:
    """The role and the custom instructions stay where a file overrides what stands between them (1.2)."""
    scope = scope_of(materials, servers=lambda: shown_servers(materials.servers))
    made = {
        "tools": lambda: _tools(tools),
        "custom_instructions": lambda: custom_instructions(materials),
        "history": lambda: sections(materials.history, materials.params.taskFile or "", HISTORY),
        "task": lambda: task(materials),
        "environment_details": lambda: environment_details(materials),
    }
    return tuple(FOLDER.sections(scope, made))


def _tools(tools: tuple[ToolDraft, ...]) -> Iterator[SectionDraft]:
    """The block of every tool, behind the heading."""
    for tool in tools:
        name, pieces = f"tools.{tool.name}", (*tool.description, label("\n\n"))
        fixed = all(piece.when is ALWAYS and piece.origin.kind in ("builtin", "label") for piece in pieces)
        yield SectionDraft(
            name,
            tool.name,
            pieces,
            f"## {tool.name}",
            tool.when,
            stability="static" if fixed else "session",
            parent="tools",
            reference=name,
        )
