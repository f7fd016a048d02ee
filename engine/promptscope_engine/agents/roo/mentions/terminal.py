"""The text of `@terminal` (specs/roo-user-messages.md, section 3.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from promptscope_engine.javascript.text import js_trim

if TYPE_CHECKING:
    from collections.abc import Mapping


def terminal_text(terminal: Mapping[str, Any] | None) -> str:
    """What the last command printed, from what copying the whole terminal puts into the clipboard.

    `terminal` is `{clipboard, selection?, error?}`: the clipboard before, what is copied (absent: nothing, so
    that the clipboard is taken for it), or why it failed. None: no terminal, an empty clipboard.
    """
    if terminal is None:
        return ""
    if terminal.get("error") is not None:
        return f"Error fetching terminal output: {terminal['error']}"
    before = terminal.get("clipboard") or ""
    selection = terminal.get("selection")
    copied = js_trim(before if selection is None else selection)
    if copied == before:
        return ""
    *lines, prompt = copied.split("\n")
    prompt = js_trim(prompt)
    if not prompt:
        return copied
    starts = [index for index, line in enumerate(lines) if js_trim(line).startswith(prompt)]
    return "\n".join(lines[starts[-1] if starts else 0 :])
