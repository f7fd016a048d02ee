"""An agent that a file defines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from promptscope_engine.agents.adapter import Adapter, Gathered
from promptscope_engine.frozen import frozen
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.params import Params
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.drafts import Layout, SectionDraft, ToolDraft, Window
from promptscope_engine.workspace import Workspace

from .gather import gather
from .gather.own_texts import texts_of
from .gather.places import Places, own_folder
from .layout import layout
from .materials import Materials
from .params import params_of
from .reading import Read, read_definition
from .sections import sections
from .tools import tools

FILE = "promptscope-agent.toml"
"""The definition of a workspace, at its root."""


@frozen
class Declared(Adapter[Materials]):
    """The steps of the plan, over a definition."""

    read: Read
    id: str
    name: str
    versions: tuple[str, ...]
    params: type[Params]
    own_files: tuple[str, ...] = (FILE,)

    @property
    def definition(self) -> str:
        """The file's path (features.Defined)."""
        return self.read.path

    def mistakes(self, inputs: Inputs, workspace: Workspace) -> Sequence[ScenarioError]:
        return texts_of(self.read, self.params, Places.of(self.read.path, inputs, workspace), workspace).mistakes

    def models(self, _version: str) -> Mapping[str, str]:
        model = self.read.definition.model
        return {model: "of the definition"} if model else {}

    def roots(self, inputs: Inputs) -> tuple[str, ...]:
        folder = own_folder(self.read.path, inputs.home)
        return (folder,) if folder else (self.read.path,)

    def gather(self, inputs: Inputs, workspace: Workspace) -> Gathered[Materials]:
        return gather(inputs, workspace, self.read, self.params)

    def tools(self, materials: Materials) -> tuple[ToolDraft, ...]:
        return tuple(tools(materials))

    def sections(self, materials: Materials, _tools: tuple[ToolDraft, ...]) -> tuple[SectionDraft, ...]:
        return tuple(sections(materials))

    def layout(self, gathered: Gathered[Materials]) -> Layout:
        return layout(gathered.materials)

    def window(self, gathered: Gathered[Materials]) -> Window:
        materials = gathered.materials
        return Window(materials.window, materials.reserve, materials.compact_at)


def declared(path: str, workspace: Workspace) -> Declared:
    """The agent that a file defines; the same object until the file is saved. Raises ScenarioError."""

    def made() -> Declared:
        read = read_definition(path, workspace)
        said = read.definition
        return Declared(read, said.id, said.name or said.id, read.versions, params_of(said.params))

    return workspace.memo(("definition", path), made, tracked=True)
