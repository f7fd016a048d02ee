"""What a tool or a mention shows of a file."""

from collections.abc import Iterable

from promptscope_engine.javascript.text import utf16_len, utf16_slice


def excerpt(
    lines: Iterable[str], mark: str, *, width: int, most: int, size: int | None = None
) -> tuple[list[str], bool]:
    """The first lines, at most so many, and whether `size`, bytes in all, leaves others out.

    `width`: UTF-16 units of a line; a longer one is cut there, and has the `mark` at its end.
    """
    shown: list[str] = []
    used = 0
    for line, _ in zip(lines, range(most), strict=False):
        cut = f"{utf16_slice(line, 0, width)}{mark}" if utf16_len(line) > width else line
        used += len(cut.encode("utf-8", "replace")) + 1
        if size is not None and used > size:
            return shown, True
        shown.append(cut)
    return shown, False
