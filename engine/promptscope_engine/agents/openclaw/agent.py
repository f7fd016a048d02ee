"""OpenClaw 2026.2.24: how the wing is put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from promptscope_engine.agents.features import AgentReport
from promptscope_engine.inputs.params import Params
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.javascript.text import utf16_len
from promptscope_engine.prompt.drafts import Draft
from promptscope_engine.prompt.model import Assembly, Section, Tool
from promptscope_engine.wire.request import Request, wire_tool
from promptscope_engine.workspace import Workspace

from .budget import budget
from .config import BUILTIN_ALIASES, user_path
from .gather import gather
from .params import OpenClawParams
from .sections import section_drafts

TRACES = ("SOUL.md", "TOOLS.md", "IDENTITY.md", "USER.md", "HEARTBEAT.md", "BOOTSTRAP.md")
"""AGENTS.md and MEMORY.md are other agents' too."""


@dataclass(frozen=True)
class OpenClaw:
    """The agent as the registry knows it."""

    id: str = "openclaw"
    name: str = "OpenClaw"
    versions: tuple[str, ...] = ("2026.2.24",)
    params: type[Params] = OpenClawParams

    def models(self, version: str) -> Mapping[str, str]:  # noqa: ARG002 - there is one version
        return BUILTIN_ALIASES

    def traces(self, workspace: Workspace, cwd: str) -> tuple[str, ...]:
        return tuple(name for name in TRACES if workspace.kind(f"{cwd}/{name}") is not None)

    def roots(self, inputs: Inputs) -> tuple[str, ...]:
        params = cast(OpenClawParams, inputs.params)
        return tuple(user_path(path, inputs) for path in (params.bundledSkillsDir, params.managedSkillsDir) if path)

    def draft(self, inputs: Inputs, workspace: Workspace) -> Draft:
        materials = gather(inputs, workspace)
        return Draft(
            facts=materials.facts,
            sections=tuple(section_drafts(materials)),
            tools=materials.tools,
            files=materials.files,
            budget=budget(materials.config, materials.facts.model or ""),
            diagnostics=materials.diagnostics,
            layout=_layout,
            length=utf16_len,
        )

    def report(self, scenario: Scenario, workspace: Workspace, assembly: Assembly) -> AgentReport:
        """What `/context` would print (specs/openclaw.md 9)."""
        # Only who asks for it pays for the report's modules.
        from .report import context_report
        from .report_lines import agent_report

        return agent_report(context_report(scenario, workspace, assembly))


def _layout(sections: Sequence[Section], tools: Sequence[Tool]) -> Request:
    """One system text, and the tools in the order of their creation."""
    text = "".join(s.text for s in sections if s.present and s.channel == "system")
    wired = tuple(dict(wire_tool(t.name, t.description, t.input_schema)) for t in tools if t.present)
    return Request(system=({"type": "text", "text": text},), tools=wired)


OPENCLAW = OpenClaw()
