"""The text of `@terminal` (specs/roo-user-messages.md, section 3.6)."""

from __future__ import annotations

from dataclasses import dataclass

from promptscope_engine.javascript.text import js_trim


@dataclass(frozen=True)
class Clipboard:
    """The clipboard `before`, and what copying the whole terminal puts there, or why it fails."""

    before: str = ""
    selection: str | None = None
    """None: nothing is copied, so that what was there before is taken for it."""
    error: str | None = None


def terminal_text(clipboard: Clipboard | None) -> str:
    """What the last command printed; None for no terminal and an empty clipboard."""
    if clipboard is None:
        return ""
    if clipboard.error is not None:
        return f"Error fetching terminal output: {clipboard.error}"
    copied = js_trim(clipboard.before if clipboard.selection is None else clipboard.selection)
    if copied == clipboard.before:
        return ""
    *lines, prompt = copied.split("\n")
    prompt = js_trim(prompt)
    if not prompt:
        return copied
    starts = [index for index, line in enumerate(lines) if js_trim(line).startswith(prompt)]
    return "\n".join(lines[starts[-1] if starts else 0 :])
