"""Line numbers before the lines of a file (specs/roo-user-messages.md, section 3.3)."""

from __future__ import annotations


def add_line_numbers(text: str, start: int = 1) -> str:
    """`text` with `<number> | ` before each line, the numbers from `start` and padded to the widest.

    The result always ends in a newline, except that an empty text stays empty.
    """
    if text == "":
        return ""
    lines = text.removesuffix("\n").split("\n")
    width = len(str(start + len(lines) - 1))
    return "".join(f"{number:>{width}} | {line}\n" for number, line in enumerate(lines, start))
