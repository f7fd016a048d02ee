"""Settings of several files, one laid over the other: what they come to, and where each value stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field

from promptscope_engine.formats.document import Json, Path
from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.known import Known
from promptscope_engine.prompt.model import SettingSource

from .settings import at

LineOf = Callable[[Path], int | None]
"""The line of a key in its file."""


def _no_line(_: Path) -> int | None:
    return None


@frozen
class Layer:
    """One file that is read, or the scenario's own (`path` is ""). No switch overrides what is `fixed`."""

    values: Mapping[str, Json]
    kind: str = ""
    path: str = ""
    shown: str = ""
    line: LineOf = _no_line
    fixed: bool = False

    def source(self, key: str, where: Path, overlay: str | None) -> SettingSource:
        """Where the layer sets a key."""
        if not self.path:
            return SettingSource(key, overlay=overlay)
        return SettingSource(key, self.path, self.shown, self.line(where), overlay=None if self.fixed else overlay)


@frozen
class Join:
    """How two layers become one: objects merge key by key, everything else is replaced, but for what is named here."""

    lists: tuple[str, ...] | None = ()
    """The dotted keys of lists to which all layers add; None: of all lists."""
    whole: tuple[str, ...] = ()
    """Objects whose members replace each other as a whole."""
    once: bool = False
    """An item of such a list counts once."""

    def joins(self, key: str) -> bool:
        """Whether all layers add to the list of this key."""
        return self.lists is None or key in self.lists

    def over(self, low: Json, high: Json, key: str = "") -> Json:
        """What a value comes to that lies over another one."""
        if isinstance(low, dict) and isinstance(high, dict):
            if key in self.whole:
                return {**low, **high}
            names = {**low, **high}
            return {name: self._member(low, high, name, f"{key}.{name}" if key else name) for name in names}
        if isinstance(low, list) and isinstance(high, list) and self.joins(key):
            return [*low, *(item for item in high if not self.once or item not in low)]
        return high

    def _member(self, low: Mapping[str, Json], high: Mapping[str, Json], name: str, key: str) -> Json:
        if name in low and name in high:
            return self.over(low[name], high[name], key)
        return high[name] if name in high else low[name]


@frozen
class LayeredSettings:
    """The layers, weakest first, and what they come to."""

    layers: tuple[Layer, ...]
    plain: Mapping[str, Json]
    """The values in force, by key."""
    unset: SettingSource
    """The file in which a setting that no layer has would stand."""
    join: Join = field(default_factory=Join)

    def without(self, *kinds: str) -> LayeredSettings:
        """What the layers come to without those of some kinds."""
        if not any(layer.kind in kinds for layer in self.layers):
            return self
        return layered(tuple(layer for layer in self.layers if layer.kind not in kinds), self.join, self.unset)

    def known(self, key: str, default: Json = None) -> Known[Json]:
        """The value under a dotted key and the strongest layer that has it."""
        for layer in reversed(self.layers):
            if at(layer.values, key) is not None:
                return Known(at(self.plain, key), layer.source(key, tuple(key.split(".")), f"settings.{key}"))
        return Known(default, self._unset(key, f"settings.{key}"))

    def _unset(self, key: str, overlay: str | None) -> SettingSource:
        return SettingSource(key, self.unset.path, self.unset.shown, is_set=False, overlay=overlay)

    def enabled(self, key: str, default: bool) -> Condition:
        """A boolean setting is on."""
        known = self.known(key, default)
        value = known.value if isinstance(known.value, bool) else default
        return Known(value, known.source).is_(True, unset=False, yes=f"`{key}` is on", no=f"`{key}` is off")

    def is_list(self, key: str) -> bool:
        """Whether any layer sets a list."""
        return isinstance(at(self.plain, key), list)

    def member(self, key: str, name: str) -> Known[Json]:
        """The value under one name of an object that all layers add to; the name may hold any character."""
        overlay = None if "." in name else f"settings.{key}.{name}"
        for layer in reversed(self.layers):
            members = at(layer.values, key)
            if isinstance(members, dict) and name in members:
                return Known(members[name], layer.source(f"{key}.{name}", (*key.split("."), name), overlay))
        return Known(None, self._unset(f"{key}.{name}", overlay))

    def items(self, key: str, *, lone: bool = False, overlays: bool = True) -> tuple[Known[str], ...]:
        """The texts of a list with where each stands. `lone`: a text counts as a list of one.

        An item of the scenario's own layer has an overlay, the whole list, where `overlays` says so.
        """
        found: list[Known[str]] = []
        for layer in self.layers:
            value = at(layer.values, key)
            if not (isinstance(value, list) or (lone and isinstance(value, str))):
                continue
            if not self.join.joins(key):
                found = []
            overlay = f"settings.{key}" if overlays and not layer.path else None
            found += (
                Known(text, layer.source(key, where, overlay) if layer.path else SettingSource(key, overlay=overlay))
                for text, where in _texts(value, key)
            )
        once: dict[str, Known[str]] = {}
        for item in found if self.join.once else ():
            once.setdefault(item.value, item)
        return tuple(once.values() if self.join.once else found)


def _texts(value: Json, key: str) -> Iterator[tuple[str, Path]]:
    where = tuple(key.split("."))
    if isinstance(value, str):
        yield value, where
        return
    for number, item in enumerate(value):
        if isinstance(item, str):
            yield item, (*where, number)


def layered(layers: tuple[Layer, ...], join: Join, unset: SettingSource) -> LayeredSettings:
    """What the layers come to. A value of null is none."""
    plain: Json = {}
    for layer in layers:
        plain = join.over(plain, {key: value for key, value in layer.values.items() if value is not None})
    return LayeredSettings(layers, plain, unset, join)
