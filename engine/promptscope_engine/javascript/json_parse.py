"""JSON as `JSON.parse` takes it, with the line of every part."""

from __future__ import annotations

import json
import re
from functools import lru_cache

from promptscope_engine.formats.document import FormatError, Json, Parsed, Path

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}:,]|[^\s\[\]{}:,"]+')
_MAX_DIGITS = 300


class JsonSyntaxError(FormatError):
    """Text that is no JSON."""


@lru_cache(maxsize=16)
def parse_json(text: str) -> Parsed:
    """The value and its lines. Raises JsonSyntaxError; a byte order mark is an error, as it is for `JSON.parse`."""
    try:
        value = json.loads(text, parse_constant=_no_constant, parse_int=_integer)
    except json.JSONDecodeError as error:
        raise JsonSyntaxError(error.msg, error.lineno) from None
    except RecursionError:
        raise JsonSyntaxError("it is nested too deeply") from None
    return Parsed(value, _lines(text))


def _no_constant(word: str) -> Json:
    raise JsonSyntaxError(f"{word} is no JSON")


def _integer(digits: str) -> float:
    return int(digits) if len(digits) < _MAX_DIGITS else float(digits)  # Python refuses thousands of digits


def _lines(text: str) -> dict[Path, int]:
    """Where each part begins; the text is known to be valid."""
    lines: dict[Path, int] = {}
    path: list[str | int] = []
    keyed: list[bool] = []  # of the open parts: whether the next string is a key
    line, at = 1, 0
    for token in _TOKEN.finditer(text):
        line += text.count("\n", at, token.start())
        at = token.start()
        match token[0]:
            case "{" | "[" as bracket:
                lines.setdefault(tuple(path), line)
                keyed.append(bracket == "{")
                path.append("" if bracket == "{" else 0)
            case "}" | "]":
                keyed.pop()
                path.pop()
            case ":":
                keyed[-1] = False
            case ",":
                keyed[-1] = not isinstance(path[-1], int)
                if isinstance(path[-1], int):
                    path[-1] += 1
            case word if keyed and keyed[-1]:
                path[-1] = json.loads(word)
                lines[tuple(path)] = line
            case _:
                lines.setdefault(tuple(path), line)
    return lines
