"""Textual's driver for terminals of POSIX systems, which may be closed at any time."""

from __future__ import annotations

import select
import signal
from collections.abc import Callable
from threading import Event, Thread
from typing import IO, Any

from textual.app import App
from textual.drivers.linux_driver import LinuxDriver

_ALTERNATE_SCREEN = "\x1b[?1049h"

_WRITING = 0.005
"""Seconds that a frame may take to be written: a terminal that is slower is no longer waited for."""


class TerminalDriver(LinuxDriver):
    """Ends the app when its terminal is gone.

    Textual's thread that writes would end with the first failure, and the app would wait for it forever.
    """

    def __init__(
        self, app: App[Any], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._file: Any = _Output(self._file, self._lost)
        self.output: _Output = self._file
        self._waiting: Thread | None = None

    def start_application_mode(self) -> None:
        """Take over the terminal; the first time, begin to wait for its end as well."""
        super().start_application_mode()  # type: ignore[no-untyped-call]
        if self._waiting is None and self.input_tty:
            self._waiting = Thread(target=self._wait_for_its_end, name="promptscope-terminal", daemon=True)
            self._waiting.start()

    def write(self, data: str) -> None:
        """Hand it to Textual's thread that writes."""
        self.output.written.clear()
        super().write(data)

    def flush(self) -> None:
        """Let that thread have the interpreter until a frame is out: what follows a frame, such as the other panes,
        would keep it for some milliseconds."""
        self.output.written.wait(_WRITING)

    def run_input_thread(self) -> None:
        """Dispatch events until the app ends or the terminal is closed."""
        try:
            super().run_input_thread()
        except OSError:
            self._lost()

    def _wait_for_its_end(self) -> None:
        """Of a terminal that is closed, Textual would read nothing again and again."""
        closed = select.poll()
        closed.register(self.fileno, 0)  # no events: only that it is closed is told
        while not any(event & (select.POLLHUP | select.POLLNVAL) for _, event in closed.poll()):
            pass
        self._lost()

    def _lost(self) -> None:
        self._app.call_later(self._app.exit, None, 128 + signal.SIGHUP)


class TakingOver(TerminalDriver):
    """For a terminal on which the last frame is shown already.

    Does not enter the alternate screen a second time, which would clear it; after a stop it does.
    """

    _entered = True

    def write(self, data: str) -> None:
        if self._entered and data == _ALTERNATE_SCREEN:
            self._entered = False
            return
        super().write(data)


class _Output:
    """A file that loses what cannot be written any more, and says so once."""

    def __init__(self, file: IO[str], lost: Callable[[], None]) -> None:
        self._file = file
        self.lost: Callable[[], None] | None = lost
        self.fileno = file.fileno
        self.written = Event()
        """Whether all that was handed over is written, so far as is known: it may be said too early."""

    def write(self, text: str) -> None:
        self._try(lambda: self._file.write(text))

    def flush(self) -> None:
        self._try(self._file.flush)
        self.written.set()

    def _try(self, step: Callable[[], object]) -> None:
        try:
            step()
        except OSError:
            lost, self.lost = self.lost, None
            if lost:
                lost()
