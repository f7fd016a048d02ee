"""Where a request goes: the first row of `[[endpoints]]` in agent.toml that fits."""

import re
from collections.abc import Mapping, Sequence

from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.model import Endpoint

from .choosing import first_row
from .sources import Table

_NAME = re.compile(r"\{(\w+)\}")
_SECRET = re.compile(r"(?<=//)[^/@]*@")
"""A name and password in an address."""


def endpoint(rows: Sequence[Table], facts: Mapping[str, Json], given: Mapping[str, object]) -> Endpoint:
    """The address by the agent's usual `base`, or by what one of `bases` names in `given`, and by its `path`.

    What a row lacks, the last one has. `{name}` is a fact; it stays as it is where it is not known before the run.
    """

    def filled(text: str) -> str:
        return _NAME.sub(lambda found: str(found[0] if facts.get(found[1]) is None else facts[found[1]]), text)

    row = {**rows[-1], **first_row(rows, facts)}
    if not row["path"]:
        return Endpoint("POST", "", filled(row["says"]))
    name, base = next(((each, given[each]) for each in map(filled, row["bases"]) if given.get(each)), ("", ""))
    where = _SECRET.sub("", str(base)) if name else filled(row["base"])
    why = f"`{name}` names the host" if name else filled(row.get("says", "nothing names another host"))
    return Endpoint("POST", f"{where.rstrip('/')}{filled(row['path'])}", why)
