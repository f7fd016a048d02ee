"""A line to type in, which takes keys in the order in which they were pressed."""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual.widgets import Input


class Returned(events.Key):
    """A key that reached a line after it was left: it is meant for what has the focus now."""


class LineInput(Input):
    """Calls `entered` with the text on enter.

    An `Input` announces enter by a message, which reaches its owner only after the keys that were pressed next: typed
    fast or pasted, they would end up in the line.
    """

    def __init__(
        self, value: str = "", *, entered: Callable[[str], None], placeholder: str = "", id: str | None = None
    ) -> None:
        super().__init__(value, placeholder=placeholder, id=id, compact=True)
        self._entered = entered

    async def _on_key(self, event: events.Key) -> None:
        if self.app.focused is not self:
            event.stop()
            event.prevent_default()
            self.app.post_message(Returned(event.key, event.character))
        elif event.key == "enter":
            event.stop()
            event.prevent_default()
            self._entered(self.value)
