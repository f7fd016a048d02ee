"""Looking into a configuration that anybody may have written: nothing is taken for granted."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import cast

from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.text import js_trim

MAX_ITEMS = 1_000
"""Items of one list in one file: no list of permissions has a hundred."""


def too_long(value: Json, place: str = "") -> Iterator[str]:
    """The dotted names of the lists that hold too many items."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from too_long(inner, f"{place}.{key}" if place else key)
    elif isinstance(value, list) and len(value) > MAX_ITEMS:
        yield place


def shortened(value: Json) -> Json:
    """The value with the first items of such lists."""
    if isinstance(value, dict):
        return {key: shortened(inner) for key, inner in value.items()}
    return value[:MAX_ITEMS] if isinstance(value, list) else value


def at(config: Json, path: str) -> Json:
    """The value under a dotted path, None where a level is missing or no object."""
    return below(config, path.split("."))


def below(values: Json, path: Iterable[str]) -> Json:
    """The value under the parts of a key, None where a level is missing or no object."""
    for part in path:
        if not isinstance(values, Mapping):
            return None
        values = values.get(part)
    return values


def mapping(value: Json) -> Mapping[str, Json]:
    """The value if it is an object, else an empty one."""
    if isinstance(value, dict):  # asked first, as the question for a Mapping is a slow one
        return value
    return cast("Mapping[str, Json]", value) if isinstance(value, Mapping) else {}


def text(value: Json) -> str | None:
    """The trimmed text, None if it is none or blank."""
    return (js_trim(value) or None) if isinstance(value, str) else None


def texts(value: Json) -> list[str] | None:
    """The strings of a list, None if it is no list."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else None


def positive(value: Json, default: int) -> int:
    """A positive finite number, floored; else the default (4, 8)."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value) or value <= 0:
        return default
    return math.floor(value)


def count(value: Json, default: int) -> int:
    """A limit of `skills.limits`: any number as it is, at least 0; else the default."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return default
    return max(0, math.floor(value))
