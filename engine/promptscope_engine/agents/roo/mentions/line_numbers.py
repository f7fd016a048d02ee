"""Line numbers before the lines of a file (specs/roo-user-messages.md, section 3.3)."""

from __future__ import annotations

from collections.abc import Iterator


def add_line_numbers(text: str, start: int = 1) -> str:
    """`text` with `<number> | ` before each line, the numbers from `start` and padded to the widest.

    The result always ends in a newline, except that an empty text stays empty.
    """
    return "".join(f"{mark}{line}\n" for mark, line in line_numbers(text, start))


def line_numbers(text: str, start: int = 1) -> Iterator[tuple[str, str]]:
    """Each line of `text` with the mark before it; none for an empty text."""
    if text == "":
        return
    lines = text.removesuffix("\n").split("\n")
    width = len(str(start + len(lines) - 1))
    yield from ((f"{number:>{width}} | ", line) for number, line in enumerate(lines, start))
