"""The keys that an agent does not know of front matter, one rule for every kind of file, and of MCP servers' entries.

`[front_matter.KIND]` is for the files whose rows are of that kind, with `files`, a glob, for some of them only. `keys`
are those that the agent knows. `meant` gives names that are common elsewhere the key that counts here, or a sentence
that says where it counts. `types` of a key, and in `otherwise` what a value of another type counts for.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from fnmatch import fnmatch
from functools import partial
from posixpath import join
from typing import NamedTuple

from promptscope_engine.agents.kit.text.sources import Table
from promptscope_engine.formats.document import Json
from promptscope_engine.formats.key_lines import key_line
from promptscope_engine.inputs.errors import nearest
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import FileText, Workspace

from .heads import head_of, unfit
from .rows import is_never_read
from .servers import some

_KEY = re.compile(r"(?m)^([A-Za-z_$][\w.$-]*)[ \t]*:(?=[ \t\r]|$)")
_SHOWN = 8


class _Unknown(NamedTuple):
    """A key at the top of a file's front matter, and its line."""

    key: str
    path: str
    line: int


def unknown_keys(
    agent: str, tables: Mapping[str, Table], files: Iterable[FileDraft], workspace: Workspace, cwd: str
) -> Iterator[Diagnostic]:
    """A note for each key that is nearly one that counts, and one for all others of a kind. `agent`: its name."""
    others: dict[tuple[str, str], list[_Unknown]] = {}
    for draft in files:
        table = tables.get(draft.kind)
        if table is None or is_never_read(draft) or not fnmatch(draft.path, table.get("files", "*.md")):
            continue
        file = workspace.read(join(cwd, draft.path))
        keys = workspace.made_of(file, keys_of, partial(keys_of, file))
        known = _known(table)
        for key, line in keys.items():
            if key in known:
                continue
            elsewhere, instead = _elsewhere(key, table), _instead(key, table, keys)
            if instead and not elsewhere:
                text = f"`{key}` means nothing here: {instead}"
                yield Diagnostic("info", "near-key", text, file.path, line)
            else:
                others.setdefault((draft.kind, elsewhere), []).append(_Unknown(key, file.path, line))
    for (kind, elsewhere), unknown in others.items():
        names = [*dict.fromkeys(f"`{each.key}`" for each in unknown)]
        count = len({each.path for each in unknown})
        where = f"; {count} files of this kind have it" if count > 1 else ""
        text = f"{agent} ignores {some(names, _SHOWN)} in the front matter of a file of kind {kind}{where}"
        code = "near-key" if elsewhere else "unknown-key"
        text += f": {elsewhere}" if elsewhere else ""
        yield Diagnostic("info", code, text, unknown[0].path, unknown[0].line)


def unknown_server_keys(agent: str, servers: Mapping[str, Json], table: Table, file: FileText) -> Iterator[Diagnostic]:
    """A note for each key of an MCP server's entry in a JSON file that the agent does not know. `table`: as above."""
    known = _known(table)
    for name, entry in servers.items():
        config = entry if isinstance(entry, dict) else {}
        for key in (key for key in config if key not in known):
            where, instead = _elsewhere(key, table), _instead(key, table, config)
            text = f"`{key}` of the server {name} means nothing to {agent}"
            text += f": {where or instead}" if where or instead else ""
            line = key_line(file.text, ("mcpServers", name, key), "json")
            yield Diagnostic("info", "near-key" if instead else "unknown-key", text, file.path, line)


def misfits(file: FileText, values: Mapping[str, Json], table: Table) -> Iterator[Diagnostic]:
    """A note for each value of a wrong type that `otherwise` has a word on."""
    otherwise = table.get("otherwise", {})
    for key, what in unfit(values, {key: table["types"][key] for key in otherwise}):
        text = f"`{key}` has to be a {what}: {otherwise[key]}"
        yield Diagnostic("info", "wrong-type", text, file.path, keys_of(file).get(key))


def _known(table: Table) -> list[str]:
    return [*table["keys"], *table.get("types", ())]


def keys_of(file: FileText) -> Mapping[str, int]:
    """The keys at the top of a file's front matter, each with its line; none if it has no front matter."""
    text = file.text.removeprefix("\ufeff")
    front = head_of(text) if text.startswith("---") else None
    if not front:
        return {}
    return {found[1]: front.count("\n", 0, found.start()) + 2 for found in _KEY.finditer(front)}


def _elsewhere(key: str, table: Table) -> str:
    """Where else it counts, of a key that no key of front matter stands for."""
    counts = table.get("meant", {}).get(key, "")
    return "" if counts in _known(table) else counts


def _instead(key: str, table: Table, keys: Container[str]) -> str:
    """What counts in place of a key that does not; "" if nothing is near."""
    known = _known(table)
    counts = table.get("meant", {}).get(key) or {_plain(each): each for each in known}.get(_plain(key))
    if near := counts or next(iter(nearest(key, known)), ""):
        there = f"`{near}` counts, which is there as well"
        return there if near in keys else f"write `{near}`" if counts else f"did you mean `{near}`?"
    return ""


def _plain(key: str) -> str:
    return key.replace("-", "").replace("_", "").lower()
