"""Copying text: by the terminal (OSC 52) and by the machine's clipboard, whichever works."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.app import App

_HALVES = re.compile("[\ud800-\udfff]")


def copy(app: App[object], text: str) -> None:
    """Copy without ever failing. Terminals that know OSC 52 take it over ssh too; others need the machine's own.

    Halves of surrogate pairs, as file names that are no UTF-8 have them, become U+FFFD: no clipboard takes them.
    """
    text = _HALVES.sub("\ufffd", text)
    app.copy_to_clipboard(text)
    if app.is_headless:
        return
    with suppress(Exception):
        # 9 ms, and it looks for xclip, wl-copy and pbcopy: only when something is copied.
        import pyperclip

        pyperclip.copy(text)
