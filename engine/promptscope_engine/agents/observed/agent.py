"""An agent that is known by what it sent only."""

from __future__ import annotations

from promptscope_engine.agents.adapter import Adapter, Gathered
from promptscope_engine.frozen import frozen
from promptscope_engine.inputs.params import Params
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.drafts import Layout, SectionDraft, ToolDraft, Window
from promptscope_engine.tokens.windows import context_window
from promptscope_engine.workspace import Workspace

from .gather import gather
from .gather.recording import recording
from .layout import layout
from .materials import Materials
from .params import ObservedParams
from .sections import sections
from .tools import tools

PREFIX = "observed/"
"""What its id begins with (registry.OBSERVED); the agent's own name follows."""

_UNKNOWN = "unknown"


@frozen
class Observed(Adapter[Materials]):
    """The steps of the plan, over a capture. `versions` is the one that the capture tells of."""

    id: str
    versions: tuple[str, ...] = (_UNKNOWN,)
    params: type[Params] = ObservedParams
    own_files: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.id.removeprefix(PREFIX)} (observed)"

    def gather(self, inputs: Inputs, workspace: Workspace) -> Gathered[Materials]:
        return gather(inputs, workspace)

    def tools(self, materials: Materials) -> tuple[ToolDraft, ...]:
        return tools(materials)

    def sections(self, materials: Materials, _tools: tuple[ToolDraft, ...]) -> tuple[SectionDraft, ...]:
        return sections(materials)

    def layout(self, gathered: Gathered[Materials]) -> Layout:
        return layout(gathered.materials)

    def window(self, gathered: Gathered[Materials]) -> Window:
        return Window(context_window(gathered.facts.model), reported=gathered.materials.reported)


def observed(agent_id: str | None, capture: str, workspace: Workspace) -> Observed:
    """The agent of a capture file. An id takes the place of the name that the capture has for it.

    Raises ScenarioError for a file that is no capture.
    """
    header = recording(capture, workspace).header
    return Observed(agent_id or PREFIX + header.agent, (header.agent_version or _UNKNOWN,))
