"""A definition file read and validated; whatever is wrong is named with file, line and column."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.schema.file import File, mistakes_in, mistakes_of, toml_values
from promptscope_engine.agents.schema.former import Path
from promptscope_engine.formats.document import Json, unfit
from promptscope_engine.formats.toml import toml_places
from promptscope_engine.inputs.errors import ScenarioError, nearest
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.glob import MAX_PATTERN_CHARS, expand_braces, glob_matches, is_pattern
from promptscope_engine.prompt.conditions import Condition, Fact
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.reader import Listing
from promptscope_engine.workspace.repository import repository_root

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

MAX_FILES = 500
"""Files of one pattern."""

MAX_LOOKED = 20_000
"""Names that are looked at for one pattern."""

_SKIPPED = (".git", "node_modules")
"""Folders that `**` does not enter."""


def own_folder(path: str, home: str) -> str | None:
    """The folder of a definition, readable because it was named; None for the root, a home, or a folder around it."""
    folder = posixpath.dirname(path)
    inside = f"{folder.rstrip('/')}/"
    return None if f"{home.rstrip('/')}/".startswith(inside) else folder


class FoundPlace(Struct, frozen=True):
    """The files of a pattern by path, sorted. `limit` says what was left out, "" if nothing was."""

    paths: tuple[str, ...]
    limit: str = ""


class Texted(Struct, frozen=True):
    """Whether there is text at a path: `problem` says why there is none, `remedy` what a person would do."""

    shown: str
    problem: str = ""
    remedy: str = ""

    @property
    def condition(self) -> Condition:
        """True if there is text."""
        yes = f"{self.shown} is there"
        return Fact("file", self.shown, not self.problem, yes, self.problem, remedy=self.remedy)


class Source(Struct, frozen=True):
    """A file that was read; `is_missing`: nothing is there, `is_blank`: nothing is in it."""

    text: str
    state: Texted
    is_missing: bool = False
    is_blank: bool = False


class Places(Struct, frozen=True):
    """Where the paths of a definition lead: they are relative to its folder, and stay within `bounds`."""

    folder: str
    bounds: tuple[str, ...]
    workspace: Workspace

    @classmethod
    def of(cls, path: str, inputs: Inputs, workspace: Workspace) -> Places:
        """The places of a definition."""
        folder = posixpath.dirname(path)
        own = own_folder(path, inputs.home)
        root = repository_root(inputs.workspace, workspace)
        return cls(folder, tuple(filter(None, (own, inputs.workspace, root))), workspace)

    def absolute(self, path: str) -> str:
        """Where a path leads. Raises ValueError for one that a definition may not name."""
        if not path.strip() or "\0" in path:
            raise ValueError("a path is not empty")
        if path.startswith(("/", "~")):
            raise ValueError("a path is relative to the folder of the definition")
        found = posixpath.normpath(f"{self.folder}/{path}")
        if not any(found == bound or found.startswith(f"{bound.rstrip('/')}/") for bound in self.bounds):
            raise ValueError("the path leads out of the repository and of the folder of the definition")
        return found

    def shown(self, path: str) -> str:
        """An absolute path as the definition would name it."""
        base = f"{self.folder.rstrip('/')}/"
        return path.removeprefix(base) if path.startswith(base) else path

    def found(self, pattern: str) -> FoundPlace:
        """The files that a pattern finds, from one walk. Raises ValueError for one that may not be named."""
        if not pattern.strip() or len(pattern) > MAX_PATTERN_CHARS:
            raise ValueError(f"a path is not empty, and has at most {MAX_PATTERN_CHARS:,} characters")
        *folders, name = pattern.split("/")
        fixed = list(takewhile(lambda part: not is_pattern(part), folders))
        base = self.absolute("/".join(fixed) or ".")
        rest = "/".join([*folders[len(fixed) :], name])
        written_out = expand_braces(rest)
        deepest = None if any("**" in each for each in written_out) else max(each.count("/") for each in written_out)
        found: list[str] = []
        pending = [(base, 0)]
        looked, limit = 0, ""
        while pending:
            folder, depth = pending.pop()
            inner: list[tuple[str, int]] = []
            listing = self.workspace.list(folder)
            limit = limit or self._locked(folder, listing)
            for entry in listing.entries:
                looked += 1
                if looked > MAX_LOOKED:
                    return FoundPlace(tuple(sorted(found)), f"only the first {MAX_LOOKED:,} names were looked at")
                path = f"{folder.rstrip('/')}/{entry.name}"
                if entry.kind == "directory":
                    if (deepest is None or depth < deepest) and entry.name not in _SKIPPED:
                        inner.append((path, depth + 1))
                elif entry.kind in ("file", "link") and glob_matches(rest, path[len(base.rstrip("/")) + 1 :]):
                    if entry.kind == "link" and self.workspace.is_dir(path):
                        continue
                    if len(found) == MAX_FILES:
                        return FoundPlace(tuple(sorted(found)), f"only the first {MAX_FILES:,} files are used")
                    found.append(path)
            pending += reversed(inner)
        return FoundPlace(tuple(sorted(found)), limit)

    def _locked(self, folder: str, listing: Listing) -> str:
        is_locked = listing.problem == "unreadable"
        return f"the folder {self.shown(folder)} cannot be listed: {listing.detail}" if is_locked else ""

    def source(self, path: str, most: int | None = None) -> Source:
        """The file at an absolute path, its first `most` bytes."""
        file, shown = self.workspace.read(path), self.shown(path)
        if file.problem == "missing":
            return Source("", Texted(shown, f"there is no {shown}", f"create {shown}"), is_missing=True)
        if not file.found:
            return Source("", Texted(shown, f"{shown} cannot be read: {file.detail}", f"put a text file at {shown}"))
        if file.looks_binary:
            return Source("", Texted(shown, f"{shown} is not a text file", f"put a text file at {shown}"))
        if most is not None and file.size > most:
            return Source("", Texted(shown, f"{shown} is larger than {most:,} bytes", f"make {shown} smaller"))
        if not file.text.strip():
            return Source("", Texted(shown, f"{shown} is blank", f"write something into {shown}"), is_blank=True)
        return Source(file.text, Texted(shown))


# --- places -----------------------------------------------------------------------------------------------------------


LIMITS: Mapping[str, int] = {"section": MAX_SECTIONS, "tool": MAX_TOOLS, "params": MAX_PARAMS, "mode": MAX_MODES}


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
    values = toml_values(path, text)
    written = File(path, text, toml_places(text))
    if problem := unfit(values):
        raise written.error(problem[1], *problem[0])
    used, left = _limited(written, values)
    try:
        definition = Definition.model_validate(used)
    except ValueError as error:
        raise next(mistakes_of(error, Definition, written)) from None
    read = Read(path, text, written.places, definition, "\r" not in file.text, left)
    for mistake in _mistakes(read):
        raise mistake
    return replace(read, diagnostics=(*left, *_old_ways(read)))


def every_mistake(path: str, workspace: Workspace, first: ScenarioError) -> list[ScenarioError]:
    """All mistakes in the keys and values of a definition that can't be read; `first` alone if it is none of them."""
    text = workspace.read(path).text.replace("\r\n", "\n")
    found = [*mistakes_in(path, text, Definition)] if len(text) <= MAX_CHARS else []
    return found if str(first) in map(str, found) else [first]


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


def _repeated(names: Sequence[object]) -> list[int]:
    """Where a name is that is there before."""
    return [number for number, name in enumerate(names) if name in names[:number]]


def _mistakes(read: Read) -> Iterator[ScenarioError]:
    definition = read.definition
    slugs, ids = [mode.slug for mode in definition.mode], [section.id for section in definition.section]
    for number in _repeated(slugs):
        yield read.error(f"there are two modes {slugs[number]!r}", "mode", number, "slug")
    wanted = definition.default_mode
    if wanted is not None and wanted not in slugs:
        yield read.error(f"unknown mode {wanted!r}", "default_mode", near=nearest(wanted, slugs))
    for name, table in definition.params.items():
        yield from _wrong_param(read, name, table)
    for number in _repeated(ids):
        yield read.error(f"there are two sections {ids[number]!r}", "section", number, "id")
    for number, section in enumerate(definition.section):
        yield from _not_one(read, ("text", "file", "glob"), section.model_fields_set, "section", number)
    yield from _wrong_orders(read, ids)
    for number, tool in enumerate(definition.tool):
        yield from _not_one(read, ("name", "file", "glob"), tool.model_fields_set, "tool", number)
        for key in {"description", "input_schema"} & tool.model_fields_set if tool.name is None else ():
            yield read.error(f"`{key}` belongs to a tool with a `name`: a file says its own", "tool", number, key)


def _wrong_orders(read: Read, tables: Sequence[str]) -> Iterator[ScenarioError]:
    groups = read.definition.tools.groups if read.definition.tools else {}
    lists: list[tuple[Path, list[str]]] = [(("tools", "groups", key), names) for key, names in groups.items()]
    lists += [(("sections", at, "order"), group.order) for at, group in enumerate(read.definition.sections)]
    places: list[tuple[Path, str]] = [((*path, at), name) for path, names in lists for at, name in enumerate(names)]
    for number in _repeated([(path[0], name) for path, name in places]):
        path, name = places[number]
        yield read.error(f"there are two {path[0]} {name!r}", *path)
    for path, name in places:
        if path[0] == "sections" and name[0] == "@" and name[1:] not in tables:
            yield read.error(f"there is no [[section]] {name[1:]}", *path, near=nearest(name[1:], tables))


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
    for number in _repeated([(type(choice), choice) for choice in table.choices]):
        yield read.error(f"the choice {table.choices[number]!r} is there twice", "params", name, "choices", number)
    if table.default is None:
        return
    fits = {"bool": bool, "int": int, "text": str}.get(kind)
    if fits is not None and type(table.default) is not fits:
        yield read.error(
            f"the default of a param of kind {kind} is not {_shown(table.default)}", "params", name, "default"
        )
    if kind == "enum" and (type(table.default), table.default) not in [(type(c), c) for c in table.choices]:
        shown = [str(choice) for choice in table.choices]
        near = nearest(str(table.default), shown)
        yield read.error(f"{_shown(table.default)} is none of the choices", "params", name, "default", near=near)


def _shown(value: Json) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else repr(value)
