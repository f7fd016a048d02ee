"""A definition file read and validated; whatever is wrong is named with file, line and column."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.formats.document import MAX_DEPTH, Json, UnsureError, unfit
from promptscope_engine.formats.toml import TomlPlaces, no_places, toml_places
from promptscope_engine.inputs.errors import ScenarioError, nearest
from promptscope_engine.inputs.models import problems_of
from promptscope_engine.inputs.params import scenario_error
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import Workspace

from .definition import (
    KINDS,
    MAX_CHARS,
    MAX_MODES,
    MAX_PARAMS,
    MAX_SECTIONS,
    MAX_TOOLS,
    Definition,
    ParamTable,
    kind_of,
    param_name,
)

LIMITS: Mapping[str, int] = {"section": MAX_SECTIONS, "tool": MAX_TOOLS, "params": MAX_PARAMS, "mode": MAX_MODES}
_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)")

_PART = r"""(?:(?<![\w-])[\w-]++|"[^"\n]*"|'[^'\n]*')[ \t]*"""
_LONG_KEY = re.compile(rf"{_PART}(?:\.[ \t]*{_PART}){{{MAX_DEPTH}}}")
"""A dotted key that nobody means: tomllib takes seconds for some thousand parts."""

Path = tuple[str | int, ...]


class File(Struct, frozen=True):
    """A definition as it is written, with line feeds only, and the places of its keys."""

    path: str
    text: str
    places: TomlPlaces

    def position(self, path: Path, at: int | None = None) -> tuple[int, int]:
        """The line and column of a key, of a character `at` of its one-line value, or of the table around it."""
        for length in range(len(path), 0, -1):
            if place := self.places.place(tuple(map(str, path[:length]))):
                offset = place.key
                if at is not None and length == len(path):
                    raw = self.text[place.value : place.end]
                    plain = not raw.startswith(("'''", '"""')) and "\\" not in raw
                    offset = place.value + (1 + at if plain else 0)
                return self.places.position(offset)
        return 1, 1

    def line(self, *path: str | int) -> int | None:
        """The line of a key, or of the nearest table around it."""
        return self.position(path)[0]

    def error(self, message: str, *path: str | int, at: int | None = None, near: tuple[str, ...] = ()) -> ScenarioError:
        """An error at a key, or at a character of its value."""
        return self._error(message, *self.position(path, at), near)

    def error_in_text(self, message: str, offset: int, near: tuple[str, ...] = ()) -> ScenarioError:
        """An error at a character of the file."""
        return self._error(message, *self.places.position(offset), near)

    def _error(self, message: str, line: int, column: int, near: tuple[str, ...] = ()) -> ScenarioError:
        return ScenarioError(message, where=f"{self.path}:{line}:{column}", nearest=near)

    @contextmanager
    def at(self, *path: str | int) -> Iterator[None]:
        """Say at a key what a ValueError says."""
        try:
            yield
        except ValueError as error:
            raise self.error(str(error), *path) from None

    def written(self, *path: str | int) -> tuple[str, int]:
        """A value as it is written, quotes included, and its offset in the text; empty for one that is not found."""
        place = self.places.by_path.get(tuple(map(str, path)))
        return (self.text[place.value : place.end], place.value) if place else ("", 0)


class Read(File, frozen=True):
    """A definition; `diagnostics` say what was left out."""

    definition: Definition
    is_verbatim: bool
    """Whether the file has line feeds only, so that its texts of several lines are found in it."""
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def versions(self) -> tuple[str, ...]:
        """The agent's versions, the oldest first."""
        return tuple(self.definition.versions) or (self.definition.version,)


def read_definition(path: str, workspace: Workspace) -> Read:
    """The definition at `path`. Raises ScenarioError."""
    file = workspace.read(path)
    if not file.found:
        reason = {"missing": "there is no such file"}.get(file.problem or "", f"it {file.detail}")
        raise ScenarioError(f"cannot read the agent's definition: {reason}", where=path)
    if len(file.text) > MAX_CHARS:
        raise ScenarioError(f"an agent's definition has at most {MAX_CHARS:,} characters", where=path)
    if file.looks_binary or "\ufffd" in file.text:
        raise ScenarioError("an agent's definition is UTF-8 text", where=path)
    text = file.text.replace("\r\n", "\n")
    values = _values(path, text)
    written = File(path, text, _places(text))
    if problem := unfit(values):
        raise written.error(problem[1], *problem[0])
    used, left = _limited(written, values)
    try:
        definition = Definition.model_validate(used)
    except ValueError as error:
        raise _invalid(written, error) from None
    read = Read(path, text, written.places, definition, "\r" not in file.text, left)
    for mistake in _mistakes(read):
        raise mistake
    return replace(read, diagnostics=(*left, *_old_ways(read)))


def _old_ways(read: Read) -> Iterator[Diagnostic]:
    """What says how to write now what is in the definition itself: of the first table that does."""
    definition = read.definition
    ways = []
    for number, table in enumerate(definition.section):
        if table.text is not None:
            name = table.id.replace(".", "/")
            ways.append(
                ("section", number, f"sections/{name}.md has its text, an `order` of [[sections]] `{table.id}`")
            )
        elif not definition.sections:
            ways.append(("section", number, f"an `order` of [[sections]] has `@{table.id}`"))
    for number, tool in enumerate(definition.tool):
        if tool.name is not None:
            now = f"tools/{tool.name}.md and .json describe it, [tools.groups] has `{tool.name}`"
            ways.append(("tool", number, now))
    for kind, number, now in ways[:1]:
        text = f"this [[{kind}]] has the old form, which still works; in the new one {now} (docs/agents-as-data.md)"
        yield Diagnostic("info", "old-form", text, read.path, read.line(kind, number))


def _values(path: str, text: str) -> dict[str, Any]:
    if long := _LONG_KEY.search(text):
        line = 1 + text.count("\n", 0, long.start())
        column = long.start() - text.rfind("\n", 0, long.start())
        raise ScenarioError(f"a key has at most {MAX_DEPTH} parts", where=f"{path}:{line}:{column}")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        found = _AT.search(message)
        lines = text.split("\n")
        line, column = map(int, found.groups()) if found and all(found.groups()) else (len(lines), len(lines[-1]) + 1)
        said = _AT.sub("", message)
        raise ScenarioError(f"{said[:1].lower()}{said[1:]}", where=f"{path}:{line}:{column}") from None
    except RecursionError:
        raise ScenarioError("it is nested too deeply", where=path) from None
    except ValueError as error:  # a number of thousands of digits
        raise ScenarioError(str(error), where=path) from None


def _places(text: str) -> TomlPlaces:
    try:
        return toml_places(text)
    except (UnsureError, RecursionError, ValueError):
        return no_places(text)


def _limited(file: File, values: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[Diagnostic, ...]]:
    """The values without what is beyond the limits, and what says so."""
    used, left = dict(values), []
    for key, most in LIMITS.items():
        found = values.get(key)
        if isinstance(found, list | dict) and len(found) > most:
            used[key] = found[:most] if isinstance(found, list) else dict(list(found.items())[:most])
            first: str | int = most if isinstance(found, list) else list(found)[most]
            text = f"{len(found):,} of `{key}`: the first {most:,} are used, the others are left out"
            left.append(Diagnostic("warning", "definition-limit", text, file.path, file.line(key, first)))
    return used, tuple(left)


def _invalid(file: File, error: ValueError) -> ScenarioError:
    first = problems_of(error)[0]
    known = scenario_error(error, Definition)
    loc: Path = first["loc"]
    message = known.message
    if first["type"] == "value_error":
        message = f"{first['ctx']['error']}, not {first['input']!r}"[:400]
    if first["type"] == "missing":
        message = f"the key `{loc[-1]}` is missing"
    elif first["type"] != "extra_forbidden":
        message = f"`{'.'.join(map(str, loc))}`: {message}"
    return file.error(message, *loc, near=known.nearest)


def _mistakes(read: Read) -> Iterator[ScenarioError]:
    definition = read.definition
    slugs: set[str] = set()
    for number, mode in enumerate(definition.mode):
        if mode.slug in slugs:
            yield read.error(f"there are two modes {mode.slug!r}", "mode", number, "slug")
        slugs.add(mode.slug)
    wanted = definition.default_mode
    if wanted is not None and wanted not in slugs:
        yield read.error(f"unknown mode {wanted!r}", "default_mode", near=nearest(wanted, slugs))
    for name, table in definition.params.items():
        yield from _wrong_param(read, name, table)
    ids: set[str] = set()
    for number, section in enumerate(definition.section):
        if section.id in ids:
            yield read.error(f"there are two sections {section.id!r}", "section", number, "id")
        ids.add(section.id)
        yield from _not_one(read, ("text", "file", "glob"), section.model_fields_set, "section", number)
    yield from _wrong_orders(read, ids)
    for number, tool in enumerate(definition.tool):
        yield from _not_one(read, ("name", "file", "glob"), tool.model_fields_set, "tool", number)
        for key in {"description", "input_schema"} & tool.model_fields_set if tool.name is None else ():
            yield read.error(f"`{key}` belongs to a tool with a `name`: a file says its own", "tool", number, key)


def _wrong_orders(read: Read, tables: set[str]) -> Iterator[ScenarioError]:
    groups = read.definition.tools.groups if read.definition.tools else {}
    lists: list[tuple[Path, list[str]]] = [(("tools", "groups", key), names) for key, names in groups.items()]
    lists += [(("sections", at, "order"), group.order) for at, group in enumerate(read.definition.sections)]
    seen = set()
    for path, names in lists:
        for at, name in enumerate(names):
            if (path[0], name) in seen:
                yield read.error(f"there are two {path[0]} {name!r}", *path, at)
            if path[0] == "sections" and name[0] == "@" and name[1:] not in tables:
                near = nearest(name[1:], tables)
                yield read.error(f"there is no [[section]] {name[1:]}", *path, at, near=near)
            seen.add((path[0], name))


def _not_one(read: Read, keys: tuple[str, ...], given: set[str], table: str, number: int) -> Iterator[ScenarioError]:
    found = [key for key in keys if key in given]
    if len(found) != 1:
        words = " and ".join(f"`{key}`" for key in found) if found else "none of them"
        any_of = ", ".join(f"`{key}`" for key in keys)
        place: Path = (table, number, found[1]) if found else (table, number)
        yield read.error(f"a {table} has just one of {any_of}, not {words}", *place)


def _wrong_param(read: Read, name: str, table: ParamTable) -> Iterator[ScenarioError]:
    try:
        param_name(name)
    except ValueError as error:
        yield read.error(f"`{name}`: {error}", "params", name)
    kind = kind_of(table)
    if kind not in KINDS:
        yield read.error(f"a param's kind is one of {', '.join(KINDS)}, not {kind}", "params", name, "kind")
    if kind == "enum" and not table.choices:
        yield read.error("an enum has `choices`", "params", name)
    if kind != "enum" and table.choices:
        yield read.error(f"only an enum has `choices`, not a param of kind {kind}", "params", name, "choices")
    for number, choice in enumerate(table.choices):
        if any(choice == other and type(choice) is type(other) for other in table.choices[:number]):
            yield read.error(f"the choice {choice!r} is there twice", "params", name, "choices", number)
    if table.default is None:
        return
    fits = {"bool": bool, "int": int, "text": str}.get(kind)
    if fits is not None and type(table.default) is not fits:
        yield read.error(
            f"the default of a param of kind {kind} is not {_shown(table.default)}", "params", name, "default"
        )
    if kind == "enum" and not any(table.default == c and type(table.default) is type(c) for c in table.choices):
        shown = [str(choice) for choice in table.choices]
        near = nearest(str(table.default), shown)
        yield read.error(f"{_shown(table.default)} is none of the choices", "params", name, "default", near=near)


def _shown(value: Json) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else repr(value)
