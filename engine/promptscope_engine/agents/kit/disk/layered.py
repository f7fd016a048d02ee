"""Settings of several files, one laid over the other: how they are read, what they come to, where each value is.

Keys are dotted texts, or parts where a part may hold a dot itself: `known("a.b")`, `known("projects", "/a.b")`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.formats.document import Json, Path
from promptscope_engine.inputs.params import Params
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.json import JsonSyntaxError, parse_jsonc
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact
from promptscope_engine.prompt.model import Diagnostic, Op, SettingSource
from promptscope_engine.prompt.sourced import Sourced
from promptscope_engine.workspace import FileText, Workspace

from .rows import Found
from .settings import MAX_ITEMS, below, mapping, shortened, texts, too_long
from .settings_schema import Policy, checked
from .walking import shown

LineOf = Callable[[Path], int | None]
"""The line of a key in its file."""


def _no_line(_: Path) -> int | None:
    return None


class Layer(Struct, frozen=True):
    """One file that is read, or the scenario's own (`path` is ""). No switch overrides what is `fixed`."""

    values: Mapping[str, Json]
    kind: str = ""
    path: str = ""
    shown: str = ""
    line: LineOf = _no_line
    fixed: bool = False

    @property
    def folder(self) -> str:
        """The folder of the file."""
        return self.path.rpartition("/")[0]

    def table(self, key: str) -> Mapping[str, Json]:
        """The object under a key, an empty one without it."""
        return mapping(self.values.get(key))

    def source(self, where: Path, overlay: str | None = None, key: str = "") -> SettingSource:
        """Where the layer sets a key; `key` names it where `where` is but an item of it."""
        key = key or ".".join(map(str, where))
        if not self.path:
            return SettingSource(key, overlay=overlay)
        return SettingSource(key, self.path, self.shown, self.line(where), overlay=None if self.fixed else overlay)


class Join(Struct, frozen=True):
    """How two layers become one: objects merge key by key, the rest is replaced, except as named; null is no value."""

    lists: tuple[str, ...] | None = ()
    """The dotted keys of lists to which all layers add; None: of all lists."""
    whole: tuple[str, ...] = ()
    """Objects whose members replace each other as a whole."""
    once: bool = False
    """An item of such a list counts once."""
    nulls: bool = False
    """null is a value: it takes that of a weaker layer away."""

    def joins(self, key: str) -> bool:
        """Whether all layers add to the list of this key."""
        return self.lists is None or key in self.lists

    def over(self, low: Json, high: Json, key: str = "") -> Json:
        """A value laid over another one."""
        if isinstance(low, dict) and isinstance(high, dict):
            given = {name: value for name, value in high.items() if value is not None or self.nulls}
            if key in self.whole:
                return {**low, **given}
            inner = f"{key}." if key else ""
            return {
                **low,
                **{n: self.over(low[n], v, f"{inner}{n}") if n in low else v for n, v in given.items()},
            }
        if isinstance(low, list) and isinstance(high, list) and self.joins(key):
            return [*low, *(item for item in high if not self.once or item not in low)]
        return high

    def of(self, layers: tuple[Layer, ...]) -> Mapping[str, Json]:
        """What layers come to, weakest first."""
        plain: Json = {}
        for layer in layers:
            plain = self.over(plain, dict(layer.values))
        return mapping(plain)


class LayeredSettings(Struct, frozen=True):
    """The layers, weakest first, and what they come to."""

    layers: tuple[Layer, ...]
    plain: Mapping[str, Json]
    """The values in force, by key."""
    unset: SettingSource
    """The file in which a setting that no layer has would be."""
    join: Join = Join()

    def without(self, *kinds: str) -> LayeredSettings:
        """What the layers come to without those of some kinds."""
        if not any(layer.kind in kinds for layer in self.layers):
            return self
        return layered(tuple(layer for layer in self.layers if layer.kind not in kinds), self.join, self.unset)

    def of(self, *kinds: str) -> LayeredSettings:
        """What the layers of some kinds come to."""
        return self.without(*{layer.kind for layer in self.layers}.difference(kinds))

    def at(self, *key: str) -> Json:
        """The value under a key, None where there is none."""
        return below(self.plain, _parts(key))

    def layer_of(self, *key: str) -> Layer | None:
        """The strongest layer that has the key."""
        parts = _parts(key)
        return next((layer for layer in reversed(self.layers) if below(layer.values, parts) is not None), None)

    def known(self, *key: str, default: Json = None) -> Sourced[Json]:
        """The value under a key and the strongest layer that has it; the default where none has."""
        parts = _parts(key)
        overlay = None if any("." in part for part in parts) else ".".join(("settings", *parts))
        value = below(self.plain, parts)
        if value is not None and (layer := self.layer_of(*key)):
            return Sourced(value, layer.source(parts, overlay))
        return Sourced(
            default, SettingSource(".".join(parts), self.unset.path, self.unset.shown, is_set=False, overlay=overlay)
        )

    def flag(self, *key: str, default: bool) -> Sourced[bool]:
        """A truth value; the default where it is none."""
        known = self.known(*key)
        return Sourced(known.value if isinstance(known.value, bool) else default, known.source)

    def text(self, *key: str) -> Sourced[str | None]:
        """A text, None where it is none."""
        known = self.known(*key)
        return Sourced(known.value if isinstance(known.value, str) else None, known.source)

    def texts(self, *key: str) -> list[str] | None:
        """The texts of a list, None where it is none."""
        return texts(self.at(*key))

    def table(self, *key: str) -> Mapping[str, Json]:
        """An object, an empty one where it is none."""
        return mapping(self.at(*key))

    def enabled(self, key: str, default: bool) -> Condition:
        """A boolean setting is on."""
        return self.flag(key, default=default).is_(True, unset=False, yes=f"`{key}` is on", no=f"`{key}` is off")

    def names(self, key: str, name: str, *, wanted: bool, op: Op = "flag") -> Condition:
        """A list names something, or does not, as is wanted."""
        source = next((item.source for item in self.items(key) if item.value == name), None)
        if source is None and not wanted:
            return ALWAYS
        where = source or self.known(key).source
        named, others = f"`{key}` names {name}", f"`{key}` does not name {name}"
        yes, no = (named, others) if wanted else (others, named)
        remedy = f"edit `{key}` {where.place}".strip()
        return Fact(op, key, (source is not None) is wanted, yes, no, remedy=remedy, source=where)

    def member(self, key: str, name: str) -> Sourced[Json]:
        """The value under one name of an object that all layers add to; the name may hold any character."""
        return self.known(*key.split("."), name)

    def items(self, key: str, *, lone: bool = False, overlays: bool = False) -> tuple[Sourced[str], ...]:
        """The texts of a list with where each is. `lone`: a text counts as a list of one.

        An item of the scenario's own layer has an overlay, the whole list, where `overlays` says so.
        """
        found: list[Sourced[str]] = []
        for layer in self.layers:
            value = below(layer.values, key.split("."))
            if not (isinstance(value, list) or (lone and isinstance(value, str))):
                continue
            if not self.join.joins(key):
                found = []
            overlay = f"settings.{key}" if overlays and not layer.path else None
            found += (Sourced(text, layer.source(where, overlay, key)) for text, where in _texts(value, key))
        once: dict[str, Sourced[str]] = {}
        for item in found if self.join.once else ():
            once.setdefault(item.value, item)
        return tuple(once.values() if self.join.once else found)


def _parts(key: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(key[0].split(".")) if len(key) == 1 else key


def _texts(value: Json, key: str) -> Iterator[tuple[str, Path]]:
    where = tuple(key.split("."))
    if isinstance(value, str):
        yield value, where
        return
    for number, item in enumerate(value):
        if isinstance(item, str):
            yield item, (*where, number)


def layered(layers: tuple[Layer, ...], join: Join, unset: SettingSource) -> LayeredSettings:
    """What the layers come to."""
    return LayeredSettings(layers, join.of(layers), unset, join)


class Content(Struct, frozen=True):
    """What a settings file holds, or what is wrong with it and where."""

    values: Json = None
    line: LineOf = _no_line
    problem: str = ""
    place: int | None = None


def jsonc(text: str) -> Content:
    """What JSON with comments, and with a comma behind a last item, holds."""
    try:
        parsed = parse_jsonc(text.removeprefix("\ufeff"), commas=True)
    except JsonSyntaxError as error:
        return Content(problem=f"not valid JSON: {error.message}", place=error.line or 1)
    return Content(parsed.value, parsed.line, "it is not a JSON object", 1)


@dataclass(eq=False, repr=False, kw_only=True)
class LayerReader(Found, ABC):
    """Reads settings files one by one: their layers, their rows, and what is said of them."""

    inputs: Inputs
    policy: Policy
    dropped: Condition | None = None
    """Why nothing of the file that was read last counts."""

    @property
    def params(self) -> Params:
        """The agent's own inputs."""
        return self.inputs.params

    def parsed(self, file: FileText) -> Content:
        """What a file that was found holds: JSON with comments, unless the program reads something else."""
        return jsonc(self.text_of(file))

    def text_of(self, file: FileText) -> str:
        """The text of a file as the program takes it."""
        return file.text

    @abstractmethod
    def broken(self, path: str, content: Content) -> None:
        """A file that is read is broken."""

    def shown(self, path: str) -> str:
        """A path as a sentence has it."""
        return shown(path, self.inputs.workspace, self.inputs.home)

    def refuse(self, text: str, at: SettingSource | str | None = None, line: int | None = None) -> None:
        """The agent does not start, because of a setting, or of the file at a path."""
        place = at if isinstance(at, SettingSource) else SettingSource("", at, line=line)
        said = f"{self.policy.agent} does not start: {text}"
        self.refusals.append(Diagnostic("error", "agent-refuses", said, place.path, place.line))

    def merged(self, layers: tuple[Layer, ...], join: Join, usual: str) -> LayeredSettings:
        """What the layers come to; a setting that none has would be in the file `usual`."""
        return layered(layers, join, SettingSource("", usual, self.shown(usual), is_set=False))

    def changed(self, layer: Layer) -> Layer:
        """The layer as the program takes it, before it is checked."""
        return layer

    def layer(
        self, path: str, kind: str = "", *, when: Condition = ALWAYS, reads: bool = True, listed: bool = True
    ) -> Layer | None:
        """The layer of a file, None if it does not count. `listed`: a missing file has a row too."""
        file, content = self.content_of(path)
        layer, usable_row = None, usable(file, isinstance(content.values, dict))
        if isinstance(content.values, dict) and reads:
            if name := next(too_long(content.values), None):
                text = f"only the first {MAX_ITEMS:,} items of `{name}` are used"
                self.warn("bad-settings", text, path, content.line(tuple(name.split("."))))
            values = carried(shortened(content.values), self.workspace)
            layer = self.check(self.changed(Layer(values, kind, path, self.shown(path), content.line)))
            usable_row = self.dropped or usable_row
        elif file.found and reads:
            self.broken(path, content)
        if listed or file.problem != "missing":
            self.row(file, "settings", "always", usable_row & when)
        return layer if self.dropped is None else None

    def content_of(self, path: str) -> tuple[FileText, Content]:
        """A file, and what it holds."""
        file = self.workspace.read(path)
        return file, self.parsed(file) if file.found else Content()

    def check(self, layer: Layer) -> Layer:
        """The layer with what its program takes of it."""
        found = checked(layer.values, self.policy, lambda where: (layer.path or None, layer.line(where)))
        self.diagnostics += found.problems
        self.refusals += found.refusals
        self.dropped = None
        if found.dropped:
            no, remedy = f"the whole file is dropped: {found.dropped}", f"correct {layer.path}"
            self.dropped = Fact("file", layer.path, False, "the file was found", no, remedy=remedy)
        return replace(layer, values=found.values)


def carried(value: Json, workspace: Workspace) -> Json:
    """The value with paths into a folder that is shown elsewhere, as names and as values, led there."""
    if isinstance(value, dict):
        return {workspace.shown_path(key): carried(inner, workspace) for key, inner in value.items()}
    if isinstance(value, list):
        return [carried(item, workspace) for item in value]
    return workspace.shown_path(value) if isinstance(value, str) else value


def usable(file: FileText, fits: bool) -> Condition:
    """A file of settings was found and holds what it has to."""
    no, remedy = "it cannot be used", f"make {file.path} a JSON object"
    if file.problem == "missing":
        no, remedy = "no such file", f"create {file.path}"
    return Fact("file", file.path, fits, "the file was found", no, remedy=remedy)
