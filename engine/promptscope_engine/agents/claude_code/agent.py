"""Claude Code: how the package is put together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from msgspec.structs import replace

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.features import ContextReport
from promptscope_engine.agents.kit.built_in import BuiltIn, CachedByOrder, Feature
from promptscope_engine.agents.transcripts import Turn
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.params import validate
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.drafts import SectionDraft, ToolDraft, Window
from promptscope_engine.prompt.model import Assembly, Lever
from promptscope_engine.workspace import Workspace

from .gather.gather import gather
from .gather.prompt import mentioned_paths
from .gather.session import added_directories, managed_folder
from .layout import wire
from .materials import Materials
from .params import ClaudeCodeParams
from .sections import message_sections, system_sections
from .texts import FOLDER
from .tools import tool_drafts
from .versions import aliases, config_folder
from .window import budget, compaction_note, report


class ClaudeCode(BuiltIn[Materials], CachedByOrder):
    """The agent as the registry knows it."""

    folder = FOLDER
    params = ClaudeCodeParams
    tools = staticmethod(tool_drafts)
    layout = staticmethod(wire)

    def models(self, version: str) -> Mapping[str, str]:
        return {"default": aliases(version)["default"], **aliases(version)}

    def roots(self, inputs: Inputs) -> tuple[str, ...]:
        params = cast(ClaudeCodeParams, inputs.params)
        configured = config_folder(inputs.env, inputs.home, inputs.workspace)
        managed = () if inputs.managed else (managed_folder(inputs),)
        # Announce only what is outside the announced folders: a link inside them would announce its target.
        known = tuple(f"{folder.rstrip('/')}/" for folder in (inputs.workspace, inputs.home))
        typed = mentioned_paths(params.prompt, inputs.workspace, inputs.home)
        outside = (path for path in (configured, *typed) if not path.startswith(known))
        return (*added_directories(inputs), *managed, *outside)

    def gather(self, inputs: Inputs, workspace: Workspace) -> Gathered[Materials]:
        gathered = gather(inputs, workspace)
        note = compaction_note(gathered.materials)
        return replace(gathered, diagnostics=(*gathered.diagnostics, note)) if note else gathered

    def sections(self, materials: Materials, _tools: tuple[ToolDraft, ...]) -> tuple[SectionDraft, ...]:
        return (*system_sections(materials), *message_sections(materials))

    def window(self, gathered: Gathered[Materials]) -> Window:
        m = gathered.materials
        return budget(m.model, m.version, m.inputs.env)

    cache_effect = Feature("caching")
    boundary = Feature("caching")
    forecast = Feature("caching")
    lazy_files = Feature("lazy_rules")
    started_by = Feature("captured")
    params_from_request = Feature("captured")
    servers = Feature("captured")
    alternatives = Feature("captured")

    def context(self, assembly: Assembly, params: Mapping[str, Json]) -> ContextReport:
        """What `/context` would print."""
        given = validate(self.params, params)
        return report(assembly, given.usage.lastTotal)

    def continue_from(self, _path: str, turn: Turn) -> tuple[Lever, ...]:
        """The total that the turn reports."""
        return (Lever("usage.lastTotal", turn.fill),)


CLAUDE_CODE = ClaudeCode()
