"""The heading `# Tools` and, as its children, one block per tool (specs/roo.md 2.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.prompt.drafts import SectionDraft, ToolDraft, label

from .part import part


def tools_section(materials: Materials, tools: tuple[ToolDraft, ...]) -> Iterator[SectionDraft]:
    """The heading, then every tool's block; some tools are always available, so the heading is too."""
    yield part(materials, "tools", "# Tools", [label("# Tools")])
    for tool in tools:
        block = part(materials, f"tools.{tool.name}", f"## {tool.name}", tool.description)
        yield replace(block, when=tool.when, parent="tools")
