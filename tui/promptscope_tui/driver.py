"""Textual's driver for terminals of POSIX systems, which may be closed at any time."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import IO, Any

from textual.app import App
from textual.drivers.linux_driver import LinuxDriver

_ALTERNATE_SCREEN = "\x1b[?1049h"


class TerminalDriver(LinuxDriver):
    """Ends the app when its terminal is gone.

    Textual's thread that writes would end with the first failure, and the app would wait for it forever.
    """

    def __init__(
        self, app: App[Any], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._file: Any = _Output(self._file, self._lost)

    def run_input_thread(self) -> None:
        """Dispatch events until the app ends or the terminal is closed."""
        try:
            super().run_input_thread()
        except OSError:
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
        self._lost: Callable[[], None] | None = lost
        self.fileno = file.fileno

    def write(self, text: str) -> None:
        self._try(lambda: self._file.write(text))

    def flush(self) -> None:
        self._try(self._file.flush)

    def _try(self, step: Callable[[], object]) -> None:
        try:
            step()
        except OSError:
            lost, self._lost = self._lost, None
            if lost:
                lost()
