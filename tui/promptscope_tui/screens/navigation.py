"""The places from which the user jumped, to go back to: a stack."""

from __future__ import annotations

from collections.abc import Hashable

from msgspec import Struct

from promptscope_tui.views.prompt.layout import Place


class Location(Struct, frozen=True):
    """A place in a tab: `place` in the prompt, elsewhere the key of a row; and the first line in view."""

    tab: str
    top: int
    place: Place | None = None
    key: Hashable = None


class NavigationHistory:
    """The stops, the last one on top."""

    def __init__(self) -> None:
        self._stops: list[Location] = []

    def __len__(self) -> int:
        return len(self._stops)

    def push(self, stop: Location) -> None:
        """Remember where a jump begins; the same place twice in a row is one stop."""
        if not self._stops or self._stops[-1] != stop:
            self._stops.append(stop)

    def pop(self) -> Location | None:
        """The last stop, which is forgotten; None if there is none."""
        return self._stops.pop() if self._stops else None

    def clear(self) -> None:
        """Forget all: the user went to a tab by hand."""
        self._stops.clear()
