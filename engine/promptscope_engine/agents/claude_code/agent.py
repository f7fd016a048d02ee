"""Claude Code: how the package is put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from msgspec.structs import replace

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.kit.built_in import BuiltIn, CachedByOrder
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.params import validate
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.drafts import SectionDraft, ToolDraft, Window
from promptscope_engine.prompt.model import Assembly, Lever, Section
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

if TYPE_CHECKING:  # a prompt needs none of the features: each is imported when somebody looks at it
    from promptscope_engine.agents.features import CacheEffect, ContextReport, Forecast, LazyFile
    from promptscope_engine.agents.transcripts import TranscriptReader, Turn
    from promptscope_engine.captures.content import Content
    from promptscope_engine.inputs.scenario import McpServer


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

    # --- features (features.py) -----------------------------------------------------------------------

    def cache_effect(self, assembly: Assembly, section: Section, event: str) -> CacheEffect:
        from .features import caching

        return caching.cache_effect(section, assembly.agent_version, event)

    def boundary(self, assembly: Assembly) -> str | None:
        from .features import caching

        return caching.boundary(assembly)

    def forecast(self, assembly: Assembly, path: str) -> Forecast:
        from .features import caching

        return caching.forecast(assembly, path)

    def context(self, assembly: Assembly, params: Mapping[str, Json]) -> ContextReport:
        given = validate(self.params, params)
        return report(assembly, given.usage.lastTotal)

    def lazy_files(self, inputs: Inputs, workspace: Workspace, files: Sequence[str]) -> tuple[LazyFile, ...]:
        from .features.lazy_rules import lazy_files

        return lazy_files(inputs, workspace, files)

    def transcript_reader(self, base: int, variables: Mapping[str, str]) -> TranscriptReader:
        from .features.transcripts import Reader

        return Reader(base, variables=variables)

    def continue_from(self, _path: str, turn: Turn) -> tuple[Lever, ...]:
        return (Lever("usage.lastTotal", turn.fill),)

    def started_by(self, command: Sequence[str], user_agent: str) -> Mapping[str, Json]:
        from promptscope_engine.agents.claude_code.features.captured import started_by

        return started_by(command, user_agent)

    def params_from_request(self, content: Content) -> Mapping[str, Json]:
        from promptscope_engine.agents.claude_code.features.captured import hooks_in

        return hooks_in(content)

    def servers(self, content: Content) -> Sequence[McpServer]:
        from promptscope_engine.agents.claude_code.features.captured import servers_in

        return servers_in(content)

    def alternatives(self, _model: str | None) -> Sequence[Mapping[str, Json]]:
        from promptscope_engine.agents.claude_code.features.captured import alternatives

        return alternatives()


CLAUDE_CODE = ClaudeCode()
