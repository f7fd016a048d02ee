"""Where a setting is in its file. The parsers of JSON, JSON5 and TOML give no lines, so the text is looked through.

A line that is named is right for a text that its parser takes; whatever is odd gives None.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from .document import Notation, Path, UnsureError, whole
from .yaml import YAML_1_1, YamlError, read_yaml

MAX_CHARS = 1_000_000
"""No line is looked for in a longer text."""


def key_line(text: str, key: str | Sequence[str | int], notation: Notation) -> int | None:
    """The 1-based line of a setting: `channels.telegram.enabled`, or its parts where they hold dots.

    The number of an item names it in a list. None where the text has no such setting, or where it is not sure.
    """
    path = tuple(whole(str(part)) for part in (key.split(".") if isinstance(key, str) else key))
    if not path or len(text) > MAX_CHARS:
        return None
    try:
        return {"json": json_line, "yaml": _yaml_line, "toml": _toml_line}[notation](text, path)
    except (UnsureError, YamlError, RecursionError):
        return None


def _yaml_line(text: str, path: tuple[str, ...]) -> int | None:
    """Nothing below the second use of an anchor has a line of its own."""
    parsed = read_yaml(text, YAML_1_1)
    value = parsed.value
    exact: Path = ()
    for part in path:
        if isinstance(value, list) and part.isdecimal() and int(part) < len(value):
            value, exact = value[int(part)], (*exact, int(part))
        elif isinstance(value, dict) and part in value:
            value, exact = value[part], (*exact, part)
        else:
            return None
    return parsed.lines.get(exact)


def _toml_line(text: str, path: tuple[str, ...]) -> int | None:
    from .toml import toml_line  # 3 ms with what it imports

    return toml_line(text, path)


# --- JSON and JSON5: their parsers give no places, so the text is looked through --------------------------------------


_JSON_TOKEN = r"""(?xs)
    (?P<space> [\s\ufeff]+ | //[^\n\r\u2028\u2029]* | /\*.*?\*/ )
    | [{}\[\]:,]
    | "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*'
    | (?:[^\s\ufeff{}\[\]:,"'/\\]|\\u[0-9a-fA-F]{4})+
"""
_ESCAPE = r"(?s)\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|[\n\r\u2028\u2029])|(.))"
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "0": "\0"}


def _json_tokens(text: str) -> Iterator[tuple[str, int]]:
    at, line = 0, 1
    token = re.compile(_JSON_TOKEN)  # kept by `re`: most starts look for no line
    while at < len(text):
        found = token.match(text, at)
        if found is None:
            raise UnsureError
        if found["space"] is None:
            yield found[0], line
        line += found[0].count("\n")
        at = found.end()


class _Place(NamedTuple):
    """Where a value stands, and what is in it by key or number."""

    line: int
    inner: dict[str, _Place]


def json_line(text: str, path: tuple[str, ...]) -> int | None:
    """The 1-based line of a key or an item, the numbers of items as text. Raises UnsureError."""
    inner = json_places(text)
    line: int | None = None
    for part in path:
        if part not in inner:
            return None
        line, inner = inner[part]
    return line


@lru_cache(maxsize=8)
def json_places(text: str) -> dict[str, _Place]:
    """Every value's place; of equal keys the last one counts, with what is in it. One walk serves all questions."""
    here: dict[str, _Place] = {}
    root = inner = here
    outer: list[dict[str, _Place]] = []
    closing: list[str] = []
    expected: Literal["value", "item", "key", "colon", "more"] = "value"
    for token, line in _json_tokens(text):
        if closing and token == closing[-1] and expected in ("item", "key", "more"):
            closing.pop()
            here = outer.pop()
            expected = "more"
        elif expected == "more" and token == "," and closing:
            expected = "key" if closing[-1] == "}" else "item"
        elif expected == "colon" and token == ":":
            expected = "value"
        elif expected == "key" and token not in "{}[]:,":
            inner = {}
            here[_json_key(token)] = _Place(line, inner)
            expected = "colon"
        elif expected in ("value", "item") and token not in "}]:,":
            if expected == "item":
                inner = {}
                here[str(len(here))] = _Place(line, inner)
            if token in "{[":
                closing.append("}" if token == "{" else "]")
                outer.append(here)
                here = inner
                expected = "key" if token == "{" else "item"
            else:
                expected = "more"
        else:
            raise UnsureError
    if closing or expected != "more":
        raise UnsureError
    return root


def _json_key(token: str) -> str:
    if token[0] not in "\"'":
        return _unescaped(token)
    try:
        return str(json.loads(token))
    except ValueError:
        return _unescaped(token[1:-1])


def _unescaped(text: str) -> str:
    """What the escapes of a JSON5 name stand for; a broken line goes on."""

    def character(found: re.Match[str]) -> str:
        code = found[1] or found[2]
        return chr(int(code, 16)) if code else "" if found[3] else _ESCAPED.get(found[4], found[4])

    return whole(re.sub(_ESCAPE, character, text))
