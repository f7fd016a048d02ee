"""Roo's prompt, part by part, in its order (specs/roo.md 1.1), then the first message."""

from __future__ import annotations

from promptscope_engine.agents.kit.earlier import sections
from promptscope_engine.agents.roo.gates import HISTORY
from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.prompt.drafts import SectionDraft, ToolDraft

from .capabilities import capabilities
from .custom_instructions import custom_instructions
from .environment_details import environment_details
from .markdown_rules import markdown_rules
from .mcp_servers import mcp_servers
from .modes import modes
from .objective import objective
from .role import override, role
from .rules import rules
from .system_information import system_information
from .task import task
from .tool_use import tool_use, tool_use_guidelines, tools_section

__all__ = ["all_sections"]


def all_sections(materials: Materials, tools: tuple[ToolDraft, ...]) -> tuple[SectionDraft, ...]:
    """The role and the custom instructions stay where a file overrides what stands between them (1.2)."""
    return (
        role(materials),
        markdown_rules(materials),
        tool_use(materials),
        *tools_section(materials, tools),
        tool_use_guidelines(materials),
        mcp_servers(materials),
        capabilities(materials),
        modes(materials),
        rules(materials),
        system_information(materials),
        objective(materials),
        override(materials),
        *custom_instructions(materials),
        *sections(materials.history, materials.params.taskFile or "", HISTORY),
        *task(materials),
        *environment_details(materials),
    )
