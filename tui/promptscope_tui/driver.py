"""Textual's driver for a terminal on which the last frame is shown already."""

from __future__ import annotations

from textual.drivers.linux_driver import LinuxDriver

_ALTERNATE_SCREEN = "\x1b[?1049h"


class TakingOver(LinuxDriver):
    """Does not enter the alternate screen a second time, which would clear it; after a stop it does."""

    _entered = True

    def write(self, data: str) -> None:
        if self._entered and data == _ALTERNATE_SCREEN:
            self._entered = False
            return
        super().write(data)
