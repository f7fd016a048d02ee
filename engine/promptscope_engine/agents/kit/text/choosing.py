"""Rows of agent.toml that are for some facts: which of them fit, and the keys that they come to.

`if` of a row names facts, each with the value that it has to have, a list of values of which it has to have one, or
words: `{any = […], all = […], none = […]}` that have to be in a text. A row without it is for everything. In `keys`
`"{name}"` is a fact, and the keys of a fact come in the place of `"*"`; a key whose fact is None or unknown is left
out, and so is an object of which nothing is left.
"""

import re
from collections.abc import Iterable, Mapping

from promptscope_engine.formats.document import Json

from .sources import Table

_FACT = re.compile(r"\{([\w.]+)\}")


def fits(row: Table, facts: Mapping[str, Json]) -> bool:
    """Whether a row is for these facts."""
    return all(_fits(facts[name], wanted) for name, wanted in row.get("if", {}).items())


def _fits(value: Json, wanted: Json) -> bool:
    if isinstance(wanted, list):
        return value in wanted
    if not isinstance(wanted, dict):
        return bool(value == wanted)
    found = {quantity: [word in value for word in words] for quantity, words in wanted.items()}
    return any(found.get("any", [True])) and all(found.get("all", ())) and not any(found.get("none", ()))


def first_row(rows: Iterable[Table], facts: Mapping[str, Json]) -> Table:
    """The first row that fits; the last one has to be for everything."""
    return next(row for row in rows if fits(row, facts))


def keys_for(rows: Iterable[Table], facts: Mapping[str, Json]) -> dict[str, Json]:
    """The keys of all rows that fit, in the order in which they first come; of one key the last row counts."""
    found: dict[str, Json] = {}
    for row in rows:
        if fits(row, facts):
            found |= _filled(row["keys"], facts)
    return found


def _filled(value: Json, facts: Mapping[str, Json]) -> Json:
    if isinstance(value, dict):
        filled = {key: _filled(each, facts) for key, each in value.items()}
        told = {key: each for key, each in filled.items() if each is not None and (each != {} or value[key] == {})}
        return {**told.pop("*", {}), **told}
    named = _FACT.fullmatch(value) if isinstance(value, str) else None
    return facts.get(named[1]) if named else value
