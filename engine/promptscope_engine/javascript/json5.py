"""Parsing JSON5 that anybody may have written: a value, or one line that says where it stops making sense."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import NamedTuple

from promptscope_engine.formats.document import Json, too_deep

from .json import MAX_CHARS

MAX_JSON5_CHARS = 40_000
"""The json5 library is busy with them for more than a second. Plain JSON may have as many characters as elsewhere."""


class Parsed(NamedTuple):
    """The value, or the problem with its 1-based line. `is_plain`: no more than JSON was needed, which is fast."""

    value: Json = None
    problem: str | None = None
    line: int | None = None
    is_plain: bool = True


@lru_cache(maxsize=64)
def parse_json5(text: str) -> Parsed:
    """The value of a JSON5 text. The same text gives the same object: nobody may change it."""
    if len(text) > MAX_CHARS:
        return Parsed(problem=f"{len(text):,} characters are too many to be parsed here (at most {MAX_CHARS:,})")
    try:
        return _checked(json.loads(text))
    except RecursionError:
        return Parsed(problem="nested too deeply")
    except ValueError as error:  # not plain JSON: comments, unquoted keys, or broken
        if len(text) > MAX_JSON5_CHARS:
            line = error.lineno if isinstance(error, json.JSONDecodeError) else None
            return Parsed(problem=f"no plain JSON, and too large for JSON5 ({len(text):,} characters)", line=line)
    import json5  # 20 ms, for its grammar

    try:
        return _checked(json5.loads(text))._replace(is_plain=False)
    except RecursionError:
        return Parsed(problem="nested too deeply", is_plain=False)
    except (ValueError, OverflowError) as error:
        found = re.match(r"<string>:(\d+) (.*)", str(error), re.DOTALL)
        line = int(found[1]) if found else None
        return Parsed(problem=found[2] if found else str(error), line=line, is_plain=False)


def _checked(value: Json) -> Parsed:
    problem = too_deep(value)
    return Parsed(problem=problem) if problem else Parsed(value)
