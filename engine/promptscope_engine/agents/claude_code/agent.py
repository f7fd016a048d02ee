"""Claude Code 2.1.100 and 2.1.329: how the wing is put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from promptscope_engine.agents.features import ContextReport, Fate, Forecast, LazyFile
from promptscope_engine.agents.transcripts import Recording
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.params import Params, validate
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.drafts import Draft
from promptscope_engine.prompt.model import Assembly, Lever
from promptscope_engine.workspace import Workspace

from . import caching
from .breakpoints import breakpoints
from .gather import added_directories, gather
from .layout import Wire
from .models import VERSIONS, aliases
from .params import ClaudeCodeParams
from .recordings import recordings
from .sections import message_sections, system_sections
from .tools import tool_drafts
from .tools.selection import sends_placeholder
from .transcript import Reader
from .waiting import lazy_files
from .window import budget, compaction_note, report

TRACES = ("CLAUDE.md", ".claude", "CLAUDE.local.md", ".mcp.json")


@dataclass(frozen=True)
class ClaudeCode:
    """The agent as the registry knows it."""

    id: str = "claude-code"
    name: str = "Claude Code"
    versions: tuple[str, ...] = VERSIONS
    params: type[Params] = ClaudeCodeParams

    def models(self, version: str) -> Mapping[str, str]:
        return {"default": aliases(version)["default"], **aliases(version)}

    def traces(self, workspace: Workspace, cwd: str) -> tuple[str, ...]:
        return tuple(name for name in TRACES if workspace.kind(f"{cwd}/{name}") is not None)

    def roots(self, inputs: Inputs) -> tuple[str, ...]:
        params = cast(ClaudeCodeParams, inputs.params)
        configured = inputs.env.get("CLAUDE_CONFIG_DIR")
        managed = () if inputs.managed else ("/etc/claude-code",)
        return (*added_directories(inputs, params), *((configured,) if configured else ()), *managed)

    def draft(self, inputs: Inputs, workspace: Workspace) -> Draft:
        materials = gather(inputs, workspace)
        placed = [*system_sections(materials), *message_sections(materials)]
        facts = materials.facts
        note = compaction_note(materials)
        return Draft(
            facts=facts,
            sections=tuple(p.draft for p in placed),
            tools=tool_drafts(materials),
            files=materials.files,
            budget=budget(materials),
            diagnostics=(*materials.diagnostics, *([note] if note else [])),
            layout=Wire(
                places={p.draft.id: p.place for p in placed},
                breakpoints=breakpoints(materials),
                placeholder=sends_placeholder(materials),
                empty_system_message=materials.layout == "B" and materials.gates.bare.holds(facts),
            ),
        )

    # --- abilities (abilities.py of the engine) -----------------------------------------------------------------------

    @property
    def events(self) -> Mapping[str, str]:
        return caching.EVENTS

    def fates(self, assembly: Assembly, event: str) -> tuple[Fate, ...]:
        return caching.fates(assembly, event)

    def boundary(self, assembly: Assembly) -> str | None:
        return caching.boundary(assembly)

    def forecast(self, assembly: Assembly, path: str) -> Forecast:
        return caching.forecast(assembly, path)

    def context(self, assembly: Assembly, params: Mapping[str, Json]) -> ContextReport:
        given = cast(ClaudeCodeParams, validate(self.params, params))
        return report(assembly, given.usage.lastTotal)

    def lazy_files(self, inputs: Inputs, workspace: Workspace, files: Sequence[str]) -> tuple[LazyFile, ...]:
        return lazy_files(inputs, workspace, files)

    def recordings(self, inputs: Inputs, workspace: Workspace) -> tuple[Recording, ...]:
        return recordings(inputs, workspace)

    def transcript_reader(self, base: int) -> Reader:
        return Reader(base)

    def continue_from(self, fill: int) -> tuple[Lever, ...]:
        return (Lever("usage.lastTotal", fill),)


CLAUDE_CODE = ClaudeCode()
