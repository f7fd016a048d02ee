"""Codex CLI 0.169.0: how the package is put together."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.codex.gather.gathering import codex_home, gather
from promptscope_engine.agents.kit.built_in import Accounted, BuiltIn
from promptscope_engine.agents.kit.servers import said_by
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.drafts import BY_SOURCE, SectionDraft, ToolDraft, Window

from .gates import COMPACT_PERCENT, USABLE_PERCENT, models
from .layout import wire
from .materials import Materials
from .params import CodexParams
from .sections import all_sections
from .texts import FOLDER
from .tools import tool_drafts

if TYPE_CHECKING:  # imported only for a capture
    from promptscope_engine.captures.content import Content
    from promptscope_engine.inputs.scenario import McpServer


class Codex(BuiltIn[Materials], Accounted):
    """The agent as the registry knows it."""

    folder = FOLDER
    params = CodexParams
    trusted: Mapping[str, Json] = {"args.trust": True}
    gather = staticmethod(gather)
    tools = staticmethod(tool_drafts)
    layout = staticmethod(wire)

    def models(self, _version: str) -> Mapping[str, str]:
        return {slug: slug for slug in models()}

    def roots(self, inputs: Inputs) -> tuple[str, ...]:
        params = cast(CodexParams, inputs.params)
        named = [os.path.join(inputs.workspace, path) for path in params.args.images]  # noqa: PTH118
        system = () if inputs.managed else ("/etc/codex",)
        return (codex_home(inputs), *named, *system)

    def sections(self, materials: Materials, _tools: tuple[ToolDraft, ...]) -> tuple[SectionDraft, ...]:
        return all_sections(materials)

    def window(self, gathered: Gathered[Materials]) -> Window:
        """What the session is shown, and the total at which it compacts: the setting if it comes first [source]."""
        m = gathered.materials
        compact_at = m.window * COMPACT_PERCENT // 100
        compact_at = compact_at if m.compact_limit is None else min(compact_at, m.compact_limit)
        return Window(m.window * USABLE_PERCENT // 100, 0, compact_at, compaction=BY_SOURCE)

    # --- features (features.py) -----------------------------------------------------------------------

    def started_by(self, command: Sequence[str], user_agent: str) -> Mapping[str, Json]:
        """The session in a terminal calls itself `codex-tui` in its header."""
        in_terminal = "tui" in user_agent if user_agent else bool(command) and not {"exec", "e"} & set(command)
        return {"entry": "interactive" if in_terminal else "exec", **said_by(command, **FOLDER.agent["command_line"])}

    def told_by(self, _content: Content) -> Mapping[str, Json]:
        return {}

    def servers(self, _content: Content) -> Sequence[McpServer]:
        return ()

    def alternatives(self, _model: str | None) -> Sequence[Mapping[str, Json]]:
        return ()


CODEX = Codex()
