"""Where a setting stands in its file. The parsers of JSON, JSON5 and TOML give no lines, so the text is looked through.

A line that is named is right for a text that its parser takes; whatever is odd gives None.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from .document import Notation, Path, UnsureError, whole
from .json_places import json_line
from .toml import parse_toml
from .toml_places import TomlPlaces, toml_places
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
    places = _toml_places(text)
    place = None if places is None else places.place(path)
    return None if places is None or place is None else places.position(place.key)[0]


@lru_cache(maxsize=8)  # of a file with many settings each one is looked for
def _toml_places(text: str) -> TomlPlaces | None:
    """The places of a text; None if it is not TOML, or they are not sure."""
    try:
        parse_toml(text)
        return toml_places(text)
    except (ValueError, UnsureError, RecursionError):
        return None
