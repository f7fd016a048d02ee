"""Textual's driver for terminals of POSIX systems, which may be closed at any time."""

import asyncio
import select
import signal
from collections.abc import Callable
from functools import partial
from threading import Thread
from typing import IO, Any

from textual.app import App
from textual.drivers.linux_driver import LinuxDriver

_IN_TURN = (signal.SIGTSTP, signal.SIGCONT, signal.SIGWINCH)


class TerminalDriver(LinuxDriver):
    """Ends the app when its terminal is gone, and takes signals between two steps of the event loop.

    Textual's thread that writes would end with the first failure, and the app would wait for it forever. Of a terminal
    that is closed, its thread that reads would read nothing again and again.

    Textual's own handlers of signals run in the middle of whatever the app is doing. A stop that came while a frame was
    handed to that thread waited for its own lock, and of two sizes in a row the older could be told last.
    """

    def __init__(
        self, app: App[Any], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._file: Any = Output(self._file, self._lost)
        self._waiting: Thread | None = None
        self._handlers: dict[signal.Signals, Any] = {}

    def start_application_mode(self) -> None:
        """Take over the terminal; the first time, begin to wait for its end as well."""
        super().start_application_mode()  # type: ignore[no-untyped-call]
        loop = asyncio.get_running_loop()
        for number in _IN_TURN:
            handler = self._handlers.setdefault(number, signal.getsignal(number))
            if callable(handler):
                signal.signal(number, partial(loop.call_soon_threadsafe, handler))
        if self._waiting is None and self.input_tty:
            self._waiting = Thread(target=self._wait_for_its_end, name="promptscope-terminal", daemon=True)
            self._waiting.start()

    def stop_application_mode(self) -> None:
        """Give the terminal back. Until it is taken over again, for an editor say, the loop may stand still."""
        while self._handlers:
            signal.signal(*self._handlers.popitem())
        super().stop_application_mode()

    def run_input_thread(self) -> None:
        """Dispatch events until the app ends or the terminal is closed."""
        try:
            super().run_input_thread()
        except OSError:
            self._lost()

    def _wait_for_its_end(self) -> None:
        closed = select.poll()
        closed.register(self.fileno, 0)  # no events: only that it is closed
        while not any(event & (select.POLLHUP | select.POLLNVAL) for _, event in closed.poll()):
            pass
        self._lost()

    def _lost(self) -> None:
        self._app.call_later(self._app.exit, None, 128 + signal.SIGHUP)


class Output:
    """A file that loses what cannot be written any more, and says so once."""

    def __init__(self, file: IO[str], lost: Callable[[], None]) -> None:
        self._file, self._on_loss = file, [lost]
        self.fileno = file.fileno

    def write(self, text: str) -> None:
        """Write a text, or lose it."""
        self._try(lambda: self._file.write(text))

    def flush(self) -> None:
        """Write what is buffered, or lose it."""
        self._try(self._file.flush)

    def _try(self, step: Callable[[], object]) -> None:
        try:
            step()
        except OSError:
            while self._on_loss:
                self._on_loss.pop()()
