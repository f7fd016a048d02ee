"""Keys in the order in which they were typed.

A key goes to the widget that has the keys, and comes back if it means nothing there. What it does may give the keys to
another widget, as `/` does: the next one, typed in a burst, waits until it is carried out.
"""

from collections import deque
from collections.abc import Awaitable, Callable

from textual import events
from textual.widget import Widget

from .resilient import ResilientApp
from .widgets.messages import KeysTaken

Typed = events.Key | events.Paste

_GONE = 0.01
"""Seconds after which is looked whether the widget that was sent a key is still there."""


class KeyOrder:
    """Sends one key after the other."""

    def __init__(self, app: ResilientApp, send: Callable[[Typed], Awaitable[None]]) -> None:
        """`send` has the app pass a key on to the widget that has the keys."""
        self._app, self._send = app, send
        self._given: Widget | None = None
        """The widget that was sent a key and has not carried it out yet."""
        self._keys: deque[Typed] = deque()
        """The keys that were typed since."""

    async def take(self, key: Typed) -> None:
        """Send a key, at once or after those before it."""
        self._keys.append(key)
        if not self._is_there:
            await self._send_next()
        else:
            self._app.set_timer(_GONE, self._look)

    async def taken(self, by: Widget) -> None:
        """A widget has carried out its key."""
        if by is self._given:
            await self._send_next()

    async def _send_next(self) -> None:
        """Send the next key, and a message behind it: it goes the key's way, so it comes when that is carried out."""
        self._given = None
        if self._keys and not self._app.is_ending:
            self._given = self._app.focused or self._app.screen
            await self._send(self._keys.popleft())
            self._given.post_message(KeysTaken(self._given))

    @property
    def _is_there(self) -> bool:
        """Whether the widget that was given a key can still say something."""
        return self._given is not None and self._given.is_attached and self._given.is_running

    async def _look(self) -> None:
        """Whether the widget is gone that would say so: a key has closed its screen."""
        if not self._keys or self._app.is_ending:
            return
        if self._is_there:
            self._app.set_timer(_GONE, self._look)
        else:
            await self._send_next()
