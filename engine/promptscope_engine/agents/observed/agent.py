"""An observed agent: a captured request as an assembly, with the files in which its text was found."""

from collections.abc import Sequence
from dataclasses import dataclass

from promptscope_engine.agents.adapter import Adapter, Gathered
from promptscope_engine.agents.kit.built_in import messages, system_blocks
from promptscope_engine.captures.files import recording
from promptscope_engine.inputs.params import Params
from promptscope_engine.prompt.drafts import Layout, Place, SectionDraft, ToolDraft, Window
from promptscope_engine.prompt.model import Section, Tool
from promptscope_engine.tokens.models import context_window
from promptscope_engine.wire.request import Request, wire_tool
from promptscope_engine.workspace import Workspace

from .gather import gather
from .materials import Materials, ObservedParams
from .sections import sections, tools

PREFIX = "observed/"
"""What its id begins with (registry.OBSERVED); the agent's own name follows."""

_UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Observed(Adapter[Materials]):
    """The steps of the plan, over a capture. `versions` is the one that the capture tells about."""

    id: str
    versions: tuple[str, ...] = (_UNKNOWN,)
    params: type[Params] = ObservedParams

    @property
    def name(self) -> str:
        """The name that people know it by."""
        return f"{self.id.removeprefix(PREFIX)} (observed)"

    gather = staticmethod(gather)
    tools = staticmethod(tools)

    def sections(self, materials: Materials, _tools: tuple[ToolDraft, ...]) -> tuple[SectionDraft, ...]:
        """Every section, the absent ones too."""
        return sections(materials)

    def layout(self, gathered: Gathered[Materials]) -> Layout:
        """The request in Anthropic's shape, whatever it was sent in; sections go back into their blocks.

        Roles and breakpoints are kept. Content that isn't text is shown as the text that is read.
        """
        blocks = gathered.materials.blocks
        roles = {block.name: block.role for block in blocks}
        caches = {block.name: dict(block.cache) for block in blocks if block.cache is not None}

        def lay_out(sections: Sequence[tuple[Place, Section]], tools: Sequence[Tool]) -> Request:
            sent = tuple(wire_tool(tool.name, tool.description, tool.input_schema) for tool in tools)
            return Request(system_blocks(sections, caches), tuple(messages(sections, caches, roles)), sent)

        return lay_out

    def window(self, gathered: Gathered[Materials]) -> Window:
        """The context window."""
        return Window(context_window(gathered.facts.model), reported=gathered.materials.reported)


def observed(agent_id: str | None, capture: str, workspace: Workspace) -> Observed:
    """The agent of a capture file, by another id if one is given. Raises ScenarioError for a file that isn't one."""
    header = recording(capture, workspace).header
    return Observed(agent_id or PREFIX + header.agent, (header.agent_version or _UNKNOWN,))
