"""Looking into a configuration that anybody may have written: nothing is taken for granted."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import islice

from msgspec import Struct

from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.nearest import meant
from promptscope_engine.prompt.model import Diagnostic, SettingSource
from promptscope_engine.prompt.sourced import Sourced

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


def filled(values: Mapping[str, Json]) -> dict[str, Json]:
    """The values without tables of which nothing is set: such a one would be laid over whatever a file has there."""
    tables = {key: filled(value) if isinstance(value, dict) else value for key, value in values.items()}
    return {key: value for key, value in tables.items() if value != {}}


def at(config: Json, path: str) -> Json:
    """The value under a dotted path, None where a level is missing or no object."""
    return below(config, path.split("."))


def below(values: Json, path: Iterable[str]) -> Json:
    """The value under the parts of a key, None where a level is missing or no object."""
    for part in path:
        if not isinstance(values, (dict, Mapping)):  # asked in this order, as the question for a Mapping is a slow one
            return None
        values = values.get(part)
    return values


def mapping(value: Json) -> Mapping[str, Json]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, (dict, Mapping)) else {}


def object_in(text: Json) -> dict[str, Json] | None:
    """The object that a JSON text holds, None for anything else."""
    try:
        found = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def text(value: Json) -> str | None:
    """The trimmed text, None if it is none or blank."""
    return (js_trim(value) or None) if isinstance(value, str) else None


def texts(value: Json) -> list[str] | None:
    """The strings of a list, None if it is not a list."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else None


MOST = 20
"""Notes on one list."""
_LONGEST = 200


class Names(Struct, frozen=True):
    """A list whose entries name things.

    `key` is the list as a person writes it, `what` the kind of thing that it names. `matches` says whether an entry
    names one; without it an entry must be one of `known`, and the nearest is suggested.
    """

    key: str
    what: str
    entries: Iterable[Sourced[str]]
    known: Collection[str]
    matches: Callable[[str], object] | None = None


def unmatched(lists: Iterable[Names]) -> Iterator[Diagnostic]:
    """A note on each entry that names nothing, up to a limit for each list."""
    for names in lists:
        matches = names.matches or names.known.__contains__
        yield from islice((_unknown(names, entry) for entry in names.entries if not matches(entry.value)), MOST)


def _unknown(names: Names, entry: Sourced[str]) -> Diagnostic:
    name = entry.value if len(entry.value) <= _LONGEST else f"{entry.value[:_LONGEST]}…"
    hint = meant(entry.value.partition("(")[0], names.known, 1)  # without what a rule says of its calls
    return note(f"`{names.key}` names {name}: there is no such {names.what}{hint}", entry.source)


def note(text: str, source: SettingSource) -> Diagnostic:
    """A note on an entry that matches nothing for another reason."""
    return Diagnostic("info", "unmatched-entry", text, source.path, source.line)
