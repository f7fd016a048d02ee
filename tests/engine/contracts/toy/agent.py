"""The toy as the registry knows it."""

from __future__ import annotations

from dataclasses import dataclass

from promptscope_engine.agents.adapter import Adapter, Gathered
from promptscope_engine.agents.description import Description
from promptscope_engine.inputs.params import Params
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.drafts import Layout, SectionDraft, ToolDraft, Window
from promptscope_engine.workspace import Workspace

from .gather import gather
from .layout import layout
from .materials import Materials
from .params import ToyParams
from .sections import sections
from .tools import tools


@dataclass(frozen=True)
class Toy(Adapter[Materials]):
    """The five steps."""

    id: str = "toy"
    name: str = "Toy"
    versions: tuple[str, ...] = ("1.0",)
    params: type[Params] = ToyParams

    @property
    def about(self) -> Description:
        return Description(own_files=("NOTES.md",))

    def gather(self, inputs: Inputs, workspace: Workspace) -> Gathered[Materials]:
        return gather(inputs, workspace)

    def tools(self, materials: Materials) -> tuple[ToolDraft, ...]:  # noqa: ARG002
        return tools()

    def sections(self, materials: Materials, tools: tuple[ToolDraft, ...]) -> tuple[SectionDraft, ...]:  # noqa: ARG002
        return sections(materials)

    def layout(self, gathered: Gathered[Materials]) -> Layout:  # noqa: ARG002
        return layout

    def window(self, gathered: Gathered[Materials]) -> Window:  # noqa: ARG002
        return Window(100_000)


TOY = Toy()
