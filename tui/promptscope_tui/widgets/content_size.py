"""The size of what a view scrolls over."""

from __future__ import annotations

from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.widget import Widget


def resize_content(view: ScrollView, size: Size) -> None:
    """Set the size of a view's content; the screen is laid out again (10 ms) only if the scroll bar comes or goes."""
    height = view.scrollable_content_region.height
    if size == view.virtual_size:
        return
    if (view.virtual_size.height > height) == (size.height > height) and size.width == view.virtual_size.width:
        view.set_reactive(Widget.virtual_size, size)
        view.vertical_scrollbar.window_virtual_size = size.height
        view.scroll_y = min(view.scroll_y, view.max_scroll_y)
    else:
        view.virtual_size = size
