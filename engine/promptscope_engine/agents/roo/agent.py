"""Roo Code 3.28.16: how the wing is put together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import cast

from promptscope_engine.agents.replies import Completion, Reply
from promptscope_engine.inputs.params import Params
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.drafts import Draft, SectionDraft
from promptscope_engine.workspace import Workspace

from .budget import budget
from .gather import gather
from .layout import request_layout
from .params import RooParams
from .sections import generated_sections, override_sections
from .tools import tool_drafts

TRACES = (".roo", ".roomodes", ".rooignore", ".roorules", ".clinerules")


@dataclass(frozen=True)
class Roo:
    """The agent as the registry knows it."""

    id: str = "roo"
    name: str = "Roo Code"
    versions: tuple[str, ...] = ("3.28.16",)
    params: type[Params] = RooParams

    def models(self, version: str) -> Mapping[str, str]:  # noqa: ARG002 - Roo takes a provider's own names only
        return {}

    def traces(self, workspace: Workspace, cwd: str) -> tuple[str, ...]:
        return tuple(name for name in TRACES if workspace.kind(f"{cwd}/{name}") is not None)

    def roots(self, inputs: Inputs) -> tuple[str, ...]:
        storage = cast(RooParams, inputs.params).globalStorage
        return (storage,) if storage else ()

    @property
    def replies(self) -> tuple[Reply, ...]:
        from .responses.catalogue import CATALOGUE  # looked at by few: the prompt does without

        return CATALOGUE

    @property
    def completion(self) -> Completion:
        from .responses.conversation import CompletionMachine

        return CompletionMachine()

    def draft(self, inputs: Inputs, workspace: Workspace) -> Draft:
        materials = gather(inputs, workspace)
        tools = tool_drafts(materials)
        sections: list[SectionDraft] = [
            *generated_sections(materials, tools),
            *override_sections(materials),
            *materials.custom_instructions,
            *materials.message,
        ]
        return Draft(
            facts=materials.facts,
            sections=tuple(sections),
            tools=tuple(replace(tool, when=materials.generated & tool.when) for tool in tools),
            files=materials.files,
            budget=budget(inputs.model),
            diagnostics=materials.diagnostics,
            layout=request_layout,
        )


ROO = Roo()
