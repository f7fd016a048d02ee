"""stdout: data, and nothing but data, in the chosen format.

`plain` and `json` are for programs: to a file or a pipe their bytes are exact. `text` and `markdown` are for people,
and a pipe often ends in a pager or a log that a terminal shows: there, as on a terminal, control characters, escapes
and bidi marks in somebody's rule file are always made visible.
"""

import json
import os
import re
import sys
from collections.abc import Iterable, Sequence
from functools import partial
from types import ModuleType
from typing import Any, Literal, NamedTuple

from promptscope_engine.prompt.model import to_json
from promptscope_tui.text.escape import visible

Format = Literal["text", "json", "markdown", "plain", "html"]
"""What is printed; `html` is for the prompt alone."""

_HALF_PAIR = "[\ud800-\udc7f\udd00-\udfff]"


def on_terminal() -> bool:
    """Whether stdout is a terminal."""
    return sys.stdout.isatty()


BROWSER = {"TEXTUAL_DRIVER": "textual.drivers.web_driver:WebDriver"}
"""What `serve` sets for the processes that it starts: Textual then draws into a pipe, for the browser."""


def in_browser() -> bool:
    """Whether this process was started by `serve`, for a visitor."""
    return all(os.environ.get(name) == value for name, value in BROWSER.items())


def harmless(text: str) -> str:
    """The text, safe for a terminal: its lines made visible."""
    return "\n".join(map(visible, text.split("\n")))


def put(text: str) -> None:
    """Text to stdout: byte-exact into a file or pipe, made visible on a terminal."""
    sys.stdout.flush()
    sys.stdout.buffer.write(encoded(harmless(text) if on_terminal() else text))
    sys.stdout.buffer.flush()


def encoded(text: str) -> bytes:
    """The text as UTF-8.

    Bytes of a file name that are not UTF-8 (PEP 383) come out as they were. Other halves of surrogate pairs, which only
    a scenario's JSON can hold, become U+FFFD, as in the agents' runtime.
    """
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return re.sub(_HALF_PAIR, "\ufffd", text).encode("utf-8", "surrogateescape")


def put_shown(text: str) -> None:
    """Text for people to stdout: made visible wherever it goes."""
    put(harmless(text))


def put_json(value: Any) -> None:
    """JSON, indented. What a terminal would act on, and what UTF-8 cannot encode, is escaped; the value is the same."""
    write = partial(json.dumps, ensure_ascii=False, indent=1, allow_nan=False)
    try:
        text = write(value)
    except ValueError:  # a number without an end, as of a server's schema
        text = write(to_json(value))
    put(re.sub(r"[^\n\x20-\x7e]", _escape, text) + "\n")


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    return character if character.isprintable() else json.dumps(character)[1:-1]


Styled = tuple[str, str]
"""Text, and its style as rich names it."""


def put_styled(lines: Iterable[Sequence[Styled]], *, wrap: bool = False) -> None:
    """Lines in colours to a terminal, made visible; `wrap` breaks them between words at its width."""
    _terminal().print_styled(([(harmless(text), style) for text, style in line] for line in lines), wrap=wrap)


def _terminal() -> ModuleType:
    from . import terminal  # rich takes 35 ms

    return terminal


class Table(NamedTuple):
    """Rows of text in one of the formats; the columns in `right` hold numbers. The last column may be long."""

    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    right: frozenset[str] = frozenset()

    def put(self, form: Format) -> None:
        """Print the table; as `plain` it has no headings and tabs between the cells."""
        if form == "markdown":
            put_shown(self.markdown())
        elif form == "plain":
            put("".join("\t".join(map(_one_line, row)) + "\n" for row in self.rows))
        elif on_terminal():
            rows = [tuple(harmless(_one_line(cell)) for cell in row) for row in self.rows]
            _terminal().print_table(self.columns, rows, self.right)
        else:
            put_shown(self.aligned())

    def markdown(self) -> str:
        """The table as Markdown."""
        rule = ["---:" if name in self.right else "---" for name in self.columns]
        lines = [self.columns, rule, *([_one_line(cell).replace("|", "\\|") for cell in row] for row in self.rows)]
        return "".join(f"| {' | '.join(line)} |\n" for line in lines)

    def aligned(self) -> str:
        """The table in columns of text."""
        from rich.cells import cell_len as cells_of  # 9 ms: a character may be two cells wide, or none

        def cell_len(text: str) -> int:
            return len(text) if text.isascii() else cells_of(text)

        lines = [self.columns, *(tuple(map(_one_line, row)) for row in self.rows)]
        padded = []
        for name, column in zip(self.columns, zip(*lines, strict=True), strict=True):
            lengths = list(map(cell_len, column))
            width = max(lengths)
            spaces = [" " * (width - length) for length in lengths]
            pairs = zip(spaces, column, strict=True) if name in self.right else zip(column, spaces, strict=True)
            padded.append(map("".join, pairs))
        return "".join([line.rstrip() + "\n" for line in map("  ".join, zip(*padded, strict=True))])


def _one_line(cell: str) -> str:
    return " ".join(cell.split()) if "\n" in cell or "\t" in cell else cell
