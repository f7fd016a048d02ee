"""The request of a capture that is open beside the prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from promptscope_engine.agents.registry import OBSERVED

from .snapshot import Snapshot

if TYPE_CHECKING:  # the first frame has none
    from promptscope_engine.captures.content import Content
    from promptscope_engine.captures.model import Capture, Recorded

View = Literal["predicted", "sent", "differences"]


class Sent(Struct, frozen=True):
    """A request of a capture.

    `agent` is the modelled agent whose prediction it can be compared with: None for another agent, and for a request
    that is not a main one. `numbers` are those of the capture's requests to a model.
    """

    path: str
    capture: Capture
    request: Recorded
    content: Content
    agent: str | None
    numbers: tuple[int, ...]

    @property
    def at(self) -> int:
        """The request's place among those to a model, from 1."""
        return self.numbers.index(self.request.index) + 1


def view_of(sent: Sent | None, shown: Snapshot) -> View | None:
    """The view of a capture that is shown; None if none is, as when another agent is shown."""
    if sent is None or shown.assembly is None:
        return None
    if shown.assembly.agent.startswith(OBSERVED):
        return "sent" if shown.scenario.capture == sent.path else None
    return "predicted" if shown.assembly.agent == sent.agent else None
