"""Roo's prompt, part by part, in its order (specs/roo.md 1.1)."""

from __future__ import annotations

from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.prompt.drafts import SectionDraft, ToolDraft

from .capabilities import capabilities
from .guidelines import tool_use_guidelines
from .markdown_rules import markdown_rules
from .mcp_servers import mcp_servers
from .modes import modes
from .objective import objective
from .override import override
from .role import role
from .rules import rules
from .system_information import system_information
from .tool_use import tool_use
from .tools import tools_section

__all__ = ["generated_sections", "override_sections"]


def generated_sections(materials: Materials, tools: tuple[ToolDraft, ...]) -> tuple[SectionDraft, ...]:
    """Parts 1 to 11; the role is also kept when a file overrides the rest (1.2)."""
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
    )


def override_sections(materials: Materials) -> tuple[SectionDraft, ...]:
    """What stands between the role and the custom instructions while an override file is in force (1.2)."""
    return (override(materials),)
