"""Values as TOML that a person can read and change: rows of a table as `[[name]]`, one key a line."""

import json
import re
from collections.abc import Mapping, Sequence

from promptscope_engine.formats.document import Json

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def as_toml(values: Mapping[str, Json], unseen: str) -> str:
    """A text of these values, tables last; what is null is left out. `unseen` are characters that are escaped."""
    plain = {key: value for key, value in values.items() if not _is_rows(value)}
    lines = [f"{_key(key, unseen)} = {_top(value, unseen)}\n" for key, value in plain.items() if value is not None]
    for key, rows in values.items():
        for row in rows if key not in plain else ():
            lines.append(f"\n[[{_key(key, unseen)}]]\n")
            lines += [f"{_key(name, unseen)} = {_shown(value, unseen)}\n" for name, value in row.items()]
    return "".join(lines)


def _is_rows(value: Json) -> bool:
    return isinstance(value, Sequence) and bool(value) and isinstance(value[0], Mapping)


def _top(value: Json, unseen: str) -> str:
    """A list has a line for each item."""
    if isinstance(value, Sequence) and not isinstance(value, str) and value:
        return "[\n" + "".join(f"  {_shown(each, unseen)},\n" for each in value) + "]"
    return _shown(value, unseen)


def _shown(value: Json, unseen: str) -> str:
    if isinstance(value, str):
        return re.sub(unseen, _escaped, json.dumps(value, ensure_ascii=False))
    if isinstance(value, Mapping):
        pairs = (f"{_key(key, unseen)} = {_shown(each, unseen)}" for key, each in value.items() if each is not None)
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, Sequence):
        return f"[{', '.join(_shown(each, unseen) for each in value if each is not None)}]"
    return json.dumps(value)


def _key(name: str, unseen: str) -> str:
    return name if _BARE.fullmatch(name) else _shown(name, unseen)


def _escaped(sign: re.Match[str]) -> str:
    r"""`\u202e`; half a surrogate pair, which no TOML has, is the sign for what cannot be shown."""
    return "\\ufffd" if "\ud800" <= sign[0] <= "\udfff" else f"\\u{ord(sign[0]):04x}"
