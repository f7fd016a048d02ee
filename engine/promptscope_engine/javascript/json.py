"""JSON as `JSON.parse` takes it, with the line of every part, and as `JSON.stringify(value, null, 2)` writes it."""

import json
import math
import re
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

from promptscope_engine.formats.document import FormatError, Json, Parsed, Path, too_deep
from promptscope_engine.formats.key_lines import json_places

_MAX_DIGITS = 300
MAX_CHARS = 1_000_000
"""Characters of a text: no configuration that a person wrote has a tenth."""
_SURROGATE = "[\ud800-\udfff]"


class JsonSyntaxError(FormatError):
    """Text that is not JSON."""


_COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n\r]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_LAST_COMMA = re.compile(r'"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])')


def parse_jsonc(text: str, *, commas: bool = False) -> Parsed:
    """The value of a text with comments, and perhaps a comma behind a last item. Raises JsonSyntaxError."""
    plain = _COMMENT.sub(_blanks, text) if len(text) <= MAX_CHARS else text
    return parse_json(_LAST_COMMA.sub(lambda at: at[0] if at[0][0] == '"' else " ", plain) if commas else plain)


def _blanks(found: re.Match[str]) -> str:
    """Blanks for a comment, so that every line stays where it was; one without an end is left, which is not JSON."""
    is_kept = found[0][0] == '"' or (found[0][1] == "*" and not found[0].endswith("*/"))
    return found[0] if is_kept else re.sub(r"[^\n]", " ", found[0])


@lru_cache(maxsize=16)
def parse_json(text: str) -> Parsed:
    """The value and its lines. Raises JsonSyntaxError; a byte order mark is an error, as it is for `JSON.parse`."""
    if len(text) > MAX_CHARS:
        raise JsonSyntaxError(f"{len(text):,} characters are too many to be parsed here (at most {MAX_CHARS:,})")
    try:
        value = json.loads(text, parse_constant=no_constant, parse_int=_integer)
    except json.JSONDecodeError as error:
        raise JsonSyntaxError(error.msg, error.lineno) from None
    except RecursionError:
        raise JsonSyntaxError("it is nested too deeply") from None
    if problem := too_deep(value):
        raise JsonSyntaxError(problem)
    return Parsed(value, _lines(text, value))


def no_constant(word: str) -> Json:
    """For `json.loads`, which takes NaN and Infinity. Raises JsonSyntaxError."""
    raise JsonSyntaxError(f"{word} is not valid JSON")


def _integer(digits: str) -> float:
    return int(digits) if len(digits) < _MAX_DIGITS else float(digits)  # Python refuses thousands of digits


def _lines(text: str, value: Json) -> dict[Path, int]:
    """Where each part begins; the text is known to be valid."""
    lines: dict[Path, int] = {(): 1 + text[: -len(text.lstrip())].count("\n")}
    pending: list[tuple[Path, Json, Any]] = [((), value, json_places(text))]
    while pending:
        path, value, places = pending.pop()
        for key, item in _members(value):
            lines[*path, key] = places[str(key)].line
            pending.append(((*path, key), item, places[str(key)].inner))
    return lines


def _members(value: Json) -> Iterable[tuple[str | int, Json]]:
    if isinstance(value, dict):
        return value.items()
    return enumerate(value) if isinstance(value, list) else ()


def stringify(value: Json, depth: int = 0) -> str:
    """The text of a JSON value; numbers, key order and lone surrogates as in JavaScript."""
    pad, end = "  " * (depth + 1), "  " * depth
    if isinstance(value, dict) and value:
        entries = [f"{_string(k)}: {stringify(v, depth + 1)}" for k, v in _in_key_order(value).items()]
        return "{\n" + ",\n".join(pad + entry for entry in entries) + f"\n{end}}}"
    if isinstance(value, (list, tuple)) and value:
        return "[\n" + ",\n".join(pad + stringify(item, depth + 1) for item in value) + f"\n{end}]"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return number(value)
    return json.dumps(value)


_LEAST_PLAIN, _LEAST_WITH_EXPONENT = 1e-6, 1e21


def number(value: int | float) -> str:
    """A number's shortest text: plain from 1e-6 to below 1e21, else with an exponent; `null` if it is not finite."""
    try:
        value = float(value)
    except OverflowError:
        return "null"
    if not math.isfinite(value):
        return "null"
    if value == 0:
        return "0"
    if _LEAST_PLAIN <= abs(value) < _LEAST_WITH_EXPONENT:
        plain = format(Decimal(repr(value)), "f")
        return plain.removesuffix(".0")
    return re.sub(r"e([+-])0+(?=\d)", r"e\1", repr(value).replace(".0e", "e"))


def string(value: Json) -> str:
    """`String(value)`, as a template prints it; null within a list is empty."""
    match value:
        case None | bool():
            return json.dumps(value)
        case float() if not math.isfinite(value):
            return "NaN" if value != value else f"{'-' if value < 0 else ''}Infinity"
        case int() | float():
            return number(value)
        case list() | tuple():
            return ",".join("" if item is None else string(item) for item in value)
        case dict():
            return "[object Object]"
    return str(value)


def truthy(value: Json) -> bool:
    """JavaScript's truth: an empty list or object is true."""
    return isinstance(value, (list, dict)) or (bool(value) and value == value)


def _string(text: str) -> str:
    quoted = json.dumps(text, ensure_ascii=False)
    return re.sub(_SURROGATE, lambda match: f"\\u{ord(match[0]):04x}", quoted)


def _in_key_order(value: dict[str, Json]) -> dict[str, Json]:
    """Keys that are array indices come first, by number; the others stay in order."""
    indices = sorted(filter(_is_index, value), key=int)
    return {key: value[key] for key in (*indices, *value)}


def _is_index(key: str) -> bool:
    return re.fullmatch(r"0|[1-9][0-9]{0,9}", key) is not None and int(key) < 2**32 - 1


# --- JSON5 ------------------------------------------------------------------------------------------------------------


MAX_JSON5_CHARS = 40_000
"""The json5 library is busy with them for more than a second. Plain JSON may have as many characters as elsewhere."""


class ParsedJson5(NamedTuple):
    """The value, or the problem with its 1-based line. `is_plain`: no more than JSON was needed, which is fast."""

    value: Json = None
    problem: str | None = None
    line: int | None = None
    is_plain: bool = True


@lru_cache(maxsize=64)
def parse_json5(text: str) -> ParsedJson5:
    """The value of a JSON5 text. The same text gives the same object: nobody may change it."""
    if len(text) > MAX_CHARS:
        return ParsedJson5(problem=f"{len(text):,} characters are too many to be parsed here (at most {MAX_CHARS:,})")
    try:
        return _checked(json.loads(text))
    except RecursionError:
        return ParsedJson5(problem="nested too deeply")
    except ValueError as error:  # not plain JSON: comments, unquoted keys, or broken
        if len(text) > MAX_JSON5_CHARS:
            line = error.lineno if isinstance(error, json.JSONDecodeError) else None
            return ParsedJson5(problem=f"no plain JSON, and too large for JSON5 ({len(text):,} characters)", line=line)
    return _by_grammar(text)


def _by_grammar(text: str) -> ParsedJson5:
    import json5  # 20 ms, for its grammar

    try:
        return _checked(json5.loads(text))._replace(is_plain=False)
    except RecursionError:
        return ParsedJson5(problem="nested too deeply", is_plain=False)
    except (ValueError, OverflowError) as error:
        found = re.match(r"<string>:(\d+) (.*)", str(error), re.DOTALL)
        line = int(found[1]) if found else None
        return ParsedJson5(problem=found[2] if found else str(error), line=line, is_plain=False)


def _checked(value: Json) -> ParsedJson5:
    problem = too_deep(value)
    return ParsedJson5(problem=problem) if problem else ParsedJson5(value)
