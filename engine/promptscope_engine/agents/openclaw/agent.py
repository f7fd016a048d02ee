"""OpenClaw: how the package is put together, its request and its context window."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import cast

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.kit.built_in import (
    BuiltIn,
    CachedByOrder,
    Feature,
    Placed,
    messages,
    request_layout,
    system_blocks,
    system_text,
)
from promptscope_engine.agents.openclaw.gather.config import places_of, user_path
from promptscope_engine.agents.openclaw.gather.gather import gather
from promptscope_engine.agents.openclaw.levers import SettingLevers, positive
from promptscope_engine.agents.openclaw.materials import Materials
from promptscope_engine.agents.openclaw.params import OpenClawParams
from promptscope_engine.agents.openclaw.sections import section_drafts
from promptscope_engine.agents.openclaw.texts import ANTHROPIC, FOLDER, NEWER
from promptscope_engine.agents.openclaw.tools import tool_drafts
from promptscope_engine.agents.transcripts import Turn
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.text import utf16_len
from promptscope_engine.prompt.drafts import DEFERRED, Layout, Window
from promptscope_engine.prompt.model import Assembly, Lever, Tool
from promptscope_engine.tokens.models import context_window
from promptscope_engine.wire.request import Request, wire_tool

from .gather.config import MODEL_ALIASES

EPHEMERAL: dict[str, Json] = {"type": "ephemeral"}
RESERVE_FLOOR = 20_000
"""Tokens below the end of the window at which it compacts (`agents.defaults.compaction.reserveTokensFloor`)."""


def window_of(settings: SettingLevers, model: str, known: int | None = None, *, newer: bool = False) -> Window:
    """The window of the model, or the smaller one of `agents.defaults.contextTokens`; no reserve is displayed.

    `known`: what the catalog says of it. `newer`: 2026.9 or later, where at most a quarter of it is kept free.
    """
    size = known or context_window(model.partition("/")[2] or model)
    size = min(size, positive(settings.get("agents.defaults.contextTokens"), size))
    floor = positive(settings.get("agents.defaults.compaction.reserveTokensFloor"), RESERVE_FLOOR)
    if newer:  # recorded 2026.9.6: its log names 3,750 of 5,000, 6,000 of 8,000, 15,000 of 20,000
        floor = min(floor, size // 4)
    how = "" if newer else "by its documentation, not recorded"  # 2026.9.6: 178,500 of 200,000 don't, 181,000 do
    return Window(size, compact_at=max(size - floor, 0), compaction=how)


def _in_parts(blocks: bool, sections: Sequence[Placed], tools: Sequence[Tool]) -> Request:
    """The request of two parts, its tools by name. A tool that waits is not sent."""
    sent = sorted((tool for tool in tools if tool.variant != DEFERRED), key=lambda tool: tool.name)
    kept = dict.fromkeys(("system", "message"), EPHEMERAL) if blocks else {}
    return Request(
        system_blocks(sections, kept) if blocks else system_text(sections),
        tuple(messages(sections, kept)),
        tuple(wire_tool(tool.name, tool.description, tool.input_schema) for tool in sent),
    )


class OpenClaw(CachedByOrder, BuiltIn[Materials]):
    """The agent as the registry knows it."""

    folder = FOLDER
    params = OpenClawParams
    gather = staticmethod(gather)
    tools = staticmethod(tool_drafts)
    sections = staticmethod(section_drafts)
    length = staticmethod(utf16_len)
    hints_from_prompt = Feature("copied_prompt")
    report = Feature("report")
    after = Feature("after")

    def models(self, _version: str) -> Mapping[str, str]:
        """The agent's names of models."""
        return MODEL_ALIASES

    def roots(self, inputs: Inputs) -> tuple[str, ...]:
        """What the params name outside workspace and home."""
        params = cast(OpenClawParams, inputs.params)
        named = (
            params.packageDir,
            params.bundledSkillsDir,
            params.managedSkillsDir,
            params.sessionFile,
            *places_of(inputs),
        )
        return tuple(user_path(path, inputs) for path in named if path)

    def window(self, gathered: Gathered[Materials]) -> Window:
        """The context window."""
        model = gathered.facts.model
        assert model is not None  # OpenClaw has one of its own where nothing names one
        materials = gathered.materials
        return window_of(materials.settings, model, materials.window, newer=materials.version >= NEWER)

    def layout(self, gathered: Gathered[Materials]) -> Layout:
        """One text; from 2026.9 on two parts, which are blocks of their own where a service caches by blocks."""
        materials = gathered.materials
        return request_layout if materials.version < NEWER else partial(_in_parts, materials.api == ANTHROPIC)

    def boundary(self, assembly: Assembly) -> str | None:
        """Where the part of the turn begins, which a workspace file may move; before 2026.9 what may change first."""
        parts = (each.id for each in assembly.sections if each.present and each.id == "part.dynamic")
        return next(parts, None) or super().boundary(assembly)

    def continue_from(self, path: str, turn: Turn) -> tuple[Lever, ...]:
        """The session file and the line to go on behind."""
        return (Lever("sessionFile", path), Lever("sessionLine", turn.line))


OPENCLAW = OpenClaw()
