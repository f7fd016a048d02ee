"""The clipboard of the terminal and of the machine."""

import re
from contextlib import suppress

from textual.app import App

_HALVES = re.compile("[\ud800-\udfff]")


def copy(app: App[object], text: str) -> None:
    """Copy, ignoring errors. OSC 52 works over ssh too; terminals without it need the machine's clipboard.

    Halves of surrogate pairs, as in file names that are not UTF-8, become U+FFFD: no clipboard takes them.
    """
    text = _HALVES.sub("\ufffd", text)
    app.copy_to_clipboard(text)
    if app.is_headless:
        return
    with suppress(Exception):
        # 9 ms, and it looks for xclip, wl-copy and pbcopy: only when something is copied.
        import pyperclip

        pyperclip.copy(text)
