"""What is known on a machine beside its disk: what was learned of agents, and what MCP servers answered."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from promptscope_engine.learned import Learned, ServerAnswer

from .reuse import LastDrafts


class Knowledge(Struct, frozen=True):
    """What an assembly goes by beside the disk. It is handed on from the caller, and looked up nowhere."""

    learned: Learned | None = None
    """The learned wording, for scenarios with `learned`."""
    answers: Callable[[str], Mapping[str, ServerAnswer]] = lambda _: {}
    """What the MCP servers of a folder answered, by name, for scenarios with `attended`."""
    drafts: LastDrafts | None = None
    """What was drafted last. An assembly of another workspace leaves it alone."""


NO_KNOWLEDGE = Knowledge()
