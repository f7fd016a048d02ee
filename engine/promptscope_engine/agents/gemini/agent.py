"""Gemini CLI 0.61.0: how the package is put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.kit.built_in import BuiltIn
from promptscope_engine.agents.kit.features import Accounted
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.drafts import BY_SOURCE, Layout, SectionDraft, ToolDraft, Window

from .features.lazy_rules import lazy_files
from .features.started_by import alternatives, package_in, started_by
from .gather import gather, roots
from .layout import request_layout
from .materials import Materials
from .models import ALIASES, ROUTERS
from .params import GeminiParams
from .sections import section_drafts
from .texts import FOLDER
from .tools import tool_drafts

if TYPE_CHECKING:  # imported only for a capture
    from promptscope_engine.captures.content import Content
    from promptscope_engine.inputs.scenario import McpServer


class Gemini(BuiltIn[Materials], Accounted):
    """The agent as the registry knows it."""

    folder = FOLDER
    params = GeminiParams
    trusted: Mapping[str, Json] = {"trusted": True}
    roots = staticmethod(roots)
    gather = staticmethod(gather)
    tools = staticmethod(tool_drafts)
    lazy_files = staticmethod(lazy_files)
    started_by = staticmethod(started_by)
    told_by = staticmethod(package_in)
    alternatives = staticmethod(alternatives)

    def models(self, _version: str) -> Mapping[str, str]:
        return {**{name: answers["flash"] for name, answers in ROUTERS.items()}, **ALIASES}

    def sections(self, materials: Materials, _tools: tuple[ToolDraft, ...]) -> tuple[SectionDraft, ...]:
        return tuple(section_drafts(materials))

    def layout(self, _gathered: Gathered[Materials]) -> Layout:
        return request_layout

    def window(self, gathered: Gathered[Materials]) -> Window:
        m = gathered.materials
        size = next(size for start, size in FOLDER.agent["windows"].items() if m.model.name.startswith(start))
        return Window(size, 0, int(size * m.compression), compaction=BY_SOURCE)

    # --- features (features.py) -----------------------------------------------------------------------

    def servers(self, content: Content) -> Sequence[McpServer]:
        from promptscope_engine.agents.kit.captured import sent_servers  # only for a capture

        return sent_servers(content.tools, (), {}, prefix="mcp_", separator="_")


GEMINI = Gemini()
