"""A view that keeps the line at its top when its rows are wrapped to another width."""

from typing import Generic, TypeVar

from textual.geometry import Size
from textual.scroll_view import ScrollView

Spot = TypeVar("Spot")
"""A place in the text, whatever row shows it."""


class TopLineView(ScrollView, Generic[Spot]):
    """Knows which line the user left at the top, and what of the text that was.

    Neither the scroll position nor the beginning of the first row will do. Textual scrolls a view back that grows,
    before there are rows for its new size. And from width to width a spot is in the middle of a row or at its end: the
    text would move on with each size of a window that is drawn larger.
    """

    _top = 0
    _held: tuple[int, Spot] | None = None

    def spot_at(self, line: int) -> Spot | None:
        """What is at the top when the view is scrolled down by so many lines; None in a view without rows."""
        raise NotImplementedError

    def line_showing(self, spot: Spot) -> int:
        """By how many lines to scroll down, so that a spot is at the top."""
        raise NotImplementedError

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """The user, or a jump, has scrolled."""
        super().watch_scroll_y(old_value, new_value)
        self._top = round(new_value)

    def _scroll_update(self, virtual_size: Size) -> None:
        """Textual scrolls back, as the view has grown: that is not what the user left at the top."""
        top = self._top
        super()._scroll_update(virtual_size)
        self._top = top

    @property
    def top(self) -> int:
        """The line that the user left at the top."""
        return self._top

    @property
    def top_spot(self) -> Spot | None:
        """What the user left at the top. Ask before the rows are made again: afterwards it is another line."""
        if self._held is not None and self._held[0] == self._top:
            return self._held[1]
        return self.spot_at(self._top)

    def fix_top(self, spot: Spot | None = None) -> None:
        """Bring a spot to the top, as far as there is text below it, once there are rows for this size.

        Without one, what is there now is what the user looks at.
        """
        if spot is not None:
            self.scroll_to(y=self.line_showing(spot), animate=False, force=True)
        self._top = min(self.scroll_offset.y, self.max_scroll_y)
        self._held = None if spot is None else (self._top, spot)
