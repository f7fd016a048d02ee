"""The variables of an `.env` file, as the npm package dotenv reads them."""

import re
from collections.abc import Iterator
from typing import NamedTuple

MAX_LINES = 5_000
_KEY = re.compile(r"[^\S\n]*(?:export[^\S\n]+)?([A-Za-z0-9_.-]+)(?:[^\S\n]*=|:[^\S\n])[^\S\n]*")
_END = re.compile(r"[^\S\n]*(?:#[^\n]*)?(?=\n|\Z)")
_QUOTES = "'\"`"


class Entry(NamedTuple):
    """A variable and the line that sets it."""

    name: str
    value: str
    line: int


def entries(text: str) -> Iterator[Entry]:
    """Every entry in the order of the file; of two with one name the later one counts.

    Quotes may hold line ends, and a backslash before a quote keeps it from ending them; without quotes a value ends
    before the first `#`.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    at, line = 0, 1
    while at < len(text) and line <= MAX_LINES:
        end = text.find("\n", at) % (len(text) + 1)
        if found := _KEY.match(text, at, end):
            end, raw = _value(text, found.end(), end)
            yield Entry(found[1], _plain(raw), line)
        line += text.count("\n", at, end) + 1
        at = end + 1


def _value(text: str, start: int, line_end: int) -> tuple[int, str]:
    """The end of the line that the value ends in, and the value as it is written."""
    if text[start : start + 1] in tuple(_QUOTES):
        close = text.find(text[start], start + 1)
        while close != -1 and text[close - 1] == "\\":
            close = text.find(text[start], close + 1)
        if close != -1 and (end := _END.match(text, close + 1)):
            return end.end(), text[start : close + 1]
    return line_end, text[start:line_end].partition("#")[0].strip()


def _plain(raw: str) -> str:
    is_quoted = len(raw) > 1 and raw[0] in _QUOTES and raw[-1] == raw[0]
    value = raw[1:-1] if is_quoted else raw
    return value.replace("\\n", "\n").replace("\\r", "\r") if raw[:1] == '"' else value
