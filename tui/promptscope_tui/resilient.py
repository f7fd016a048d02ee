"""An app that goes on after an exception.

Textual ends an app with whatever a handler, a timer or a worker raises, or is raised while it draws. Here a report is
written, and the view is built again from what the session knows.
"""

import asyncio
import threading
from collections.abc import Callable
from time import monotonic
from typing import Any

from textual._context import active_message_pump
from textual.app import App
from textual.dom import DOMNode
from textual.message import Message
from textual.screen import Screen
from textual.worker import WorkerFailed

from .failures import Failure, Failures
from .output.exits import OWN_ERRORS

AT_ONCE = 60.0
"""Seconds in which a view that was built again, and that nobody has used since, must not fail."""


class ResilientApp(App[None]):
    """Builds the view again after a failure; if that one fails as well, a page that cannot; then it ends.

    Exceptions in other threads, and what the event loop reports, are only told: no view is broken by them.
    """

    failures: Failures
    _builds = 0
    """How often the view was built again since somebody used it."""
    _built_at = 0.0
    _is_due = False
    """Whether it is to be built again."""
    _has_begun = False

    # --- what an app has ------------------------------------------------------------------------------------------

    def build_view(self, tab: str = "") -> Screen[None]:
        """The view, from what is known now; at a tab, or the one that was shown."""
        raise NotImplementedError

    def build_failed_view(self, failure: Failure) -> Screen[None]:
        """What is shown instead of a view that fails again. As little as possible can fail in it."""
        raise NotImplementedError

    def tell(self, failure: Failure) -> None:
        """Say what failed."""
        raise NotImplementedError

    @property
    def about_view(self) -> list[str]:
        """What is shown, for a report."""
        return []

    # --- failing ---------------------------------------------------------------------------------------------------

    @property
    def is_ending(self) -> bool:
        """Whether a key or a signal has ended the app, or its screens are being taken apart."""
        return self.return_code is not None or (self._has_begun and not self.is_running)

    def add_failure(self, error: BaseException) -> Failure:
        """Write a report. From any thread."""
        size = self.size
        return self.failures.add(error, [f"size: {size.width} × {size.height}", *self.about_view])

    def report(self, error: Exception) -> str:
        """Write a report on what another thread could not do, and did not break anything; the words for it."""
        return self.add_failure(error).words

    def _handle_exception(self, error: Exception) -> None:
        """Each exception of the app's own thread comes here; what raised it takes no more messages.

        What fails in a view that is being taken away fails because of that.
        """
        if self.is_ending or self._is_due or not self._is_in_view(active_message_pump.get(None)):
            return
        failure = self.add_failure(error.error if isinstance(error, WorkerFailed) else error)
        self._is_due = True
        self._exception_event.set()  # for anyone who waits for the view to take its messages
        self.call_later(self._build_again, failure)

    def _is_in_view(self, node: object) -> bool:
        around = node.ancestors_with_self if isinstance(node, DOMNode) else ()
        screen = next((each for each in around if isinstance(each, Screen)), None)
        return screen is None or screen in self.screen_stack

    async def _dispatch_message(self, message: Message) -> None:
        try:
            await super()._dispatch_message(message)
        except Exception as error:  # Textual would take no more messages for the app
            self._handle_exception(error)

    def on_load(self) -> None:
        """Hear of exceptions in other threads, and of those that nobody waits for in the event loop."""
        self._has_begun = True
        self._threads_hook, threading.excepthook = threading.excepthook, self._thread_failed
        asyncio.get_running_loop().set_exception_handler(self._loop_failed)

    def on_unmount(self) -> None:
        """Leave both as they were."""
        threading.excepthook = self._threads_hook
        asyncio.get_running_loop().set_exception_handler(None)

    def _thread_failed(self, found: threading.ExceptHookArgs) -> None:
        if isinstance(found.exc_value, Exception) and not self.is_ending:
            self.call_later(self.tell, self.add_failure(found.exc_value))
        else:
            self._threads_hook(found)

    def _loop_failed(self, loop: asyncio.AbstractEventLoop, found: dict[str, Any]) -> None:
        error = found.get("exception")
        if isinstance(error, Exception) and not self.is_ending:
            self.call_later(self.tell, self.add_failure(error))
        else:
            loop.default_exception_handler(found)

    async def run_action(self, action: Any, *arguments: Any, **more: Any) -> bool:
        """Run an action, and have a report say which: by its name, and the id of one of the table."""
        words = action if isinstance(action, str) else str(action[1])
        self.failures.trail.note(f"action {words if 'run(' in words else words.partition('(')[0]}")
        return await super().run_action(action, *arguments, **more)

    # --- going on --------------------------------------------------------------------------------------------------

    def used(self) -> None:
        """Somebody does something in the view: if it fails now it is for the first time."""
        self._builds = 0

    async def _build_again(self, failure: Failure) -> None:
        self._is_due = False
        self._builds = self._builds + 1 if monotonic() - self._built_at < AT_ONCE else 1
        self._built_at = monotonic()
        if self._builds == 1:
            await self._show_only(self.build_view())
            self.tell(failure)
        elif self._builds == _MOST_BUILDS:
            await self._show_only(self.build_failed_view(failure))
        else:
            self.exit(return_code=OWN_ERRORS)

    async def go_on(self, tab: str, then: Callable[[], object]) -> None:
        """Build the view at a tab, in place of what is shown because it failed; if it can be shown, do something."""
        self._builds, self._built_at = 1, monotonic()
        view = self.build_view(tab)
        await self._show_only(view)
        view.call_after_refresh(lambda: self.call_later(then) if self.screen is view else None)

    async def _show_only(self, view: Screen[None]) -> None:
        """Show a screen in place of all others. Textual's own ways need those to work."""
        before = self.screen_stack
        await self.push_screen(view)
        for screen in reversed(before):
            self._screen_stack.remove(screen)
            await self._replace_screen(screen)
        self._exception_event.clear()


_MOST_BUILDS = 2
"""The second one shows what failed, and nothing that did."""
