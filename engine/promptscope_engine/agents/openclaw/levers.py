"""The configuration's settings with the place of each, and the levers that override them.

A lever sets a key of the param `configOverlay` and leaves the user's file alone. Where the deciding value
is in an agent's own entry of `agents.list`, a list that an overlay could only replace whole, there is none.
"""

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TypedDict, TypeVar, Unpack

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.kit.disk.settings import mapping, text, texts
from promptscope_engine.formats.document import Json, Path
from promptscope_engine.formats.key_lines import key_line
from promptscope_engine.prompt.conditions import Condition, Setting
from promptscope_engine.prompt.model import Lever, SettingSource
from promptscope_engine.prompt.sourced import Sourced, first_set

T = TypeVar("T")
D = TypeVar("D")

OVERLAY = "configOverlay"


def overlay(path: Path, value: Json) -> Lever | None:
    """The lever that overrides a value (keys with dots are nested), None for a path through a list."""
    name, nested = _overlaid(path)
    if name is None:
        return None
    for part in nested:
        value = {part: value}
    return Lever(name, value)


# The agent's own paths, and those of a file: the same ones in every assembly.
_kept = lru_cache(maxsize=1024)


@_kept
def _overlaid(path: Path) -> tuple[str | None, Path]:
    """The param that overlays a path, and the keys that are nested into its value, the innermost first."""
    if any(isinstance(part, int) for part in path):
        return None, ()
    plain = next((n for n, part in enumerate(path) if "." in str(part)), len(path))
    return ".".join((OVERLAY, *map(str, path[:plain]))), path[plain:][::-1]


@_kept
def split(key: str) -> Path:
    """The path of a dotted key none of whose parts has a dot of its own."""
    return tuple(key.split("."))


@_kept
def dotted(path: Path) -> str:
    """The path as a sentence has it: `agents.list[0].tools`."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")


class LeverValues(TypedDict, total=False):
    """The values that levers set to make a condition true or false, perhaps at another path `at`."""

    on: Json
    off: Json
    at: Path


class SettingLevers(Struct, frozen=True):
    """A settings file: its values, and where a person finds them.

    `shown` is the file as a sentence has it; `overlaid` is what a param overrides in it, `simulated` whether
    one can.
    """

    values: Mapping[str, Json]
    path: str | None = None
    shown: str = "`config`"
    text: str = ""
    overlaid: Mapping[str, Json] = {}
    simulated: bool = True

    def get(self, path: str | Path) -> Json:
        """The value at the path, None where there is none."""
        return _at(self.values, _path(path))

    def object(self, path: str | Path) -> Mapping[str, Json]:
        """The object at the path, an empty one for anything else."""
        return mapping(self.get(path))

    def word(self, path: str | Path) -> str | None:
        """The trimmed text at the path, None if it is none or blank."""
        return text(self.get(path))

    def words(self, path: str | Path) -> list[str]:
        """The texts of the list at the path."""
        return texts(self.get(path)) or []

    def source(self, path: str | Path) -> SettingSource:
        """Where the setting is, or would have to be written."""
        path = _path(path)
        name, nested = _overlaid(path)
        param = name if self.simulated and not nested else None
        key, is_set = dotted(path), self.get(path) is not None
        if _at(self.overlaid, path) is not None:
            return SettingSource(key, shown=f"`{OVERLAY}`", overlay=param)
        line = _line(self.text, path) if is_set else None
        return SettingSource(key, self.path, self.shown, line, is_set, param)

    def known(self, path: str | Path, value: T) -> Sourced[T]:
        """What the setting comes to."""
        return Sourced(value, self.source(path))

    def named(self, path: str | Path, usual: str) -> Sourced[str]:
        """The text that the setting names, else the usual one."""
        return self.known(path, self.word(path) or usual)

    def switch(self, path: str | Path, *, usual: bool) -> Condition:
        """The setting is on: it is true, or what is usually on is not switched off."""
        is_on = self.get(path) is not False if usual else self.get(path) is True
        return self.known(path, is_on).is_(True, unset=False)

    def first(self, read: Callable[[Json], T | None], *paths: str | Path | None, default: D) -> Sourced[T | D]:
        """The first of the settings that `read` makes something of, else the default, to be changed at the last."""
        return first_set(*(self.known(path, read(self.get(path))) for path in paths if path), default=default)

    def decides(self, path: str | Path, ok: bool, yes: str, no: str, **values: Unpack[LeverValues]) -> Condition:
        """Whether a setting is as it has to be."""
        path = _path(path)
        at, given = values.get("at") or path, (values.get("on"), values.get("off"))
        levers = [None if value is None or not self.simulated else overlay(at, value) for value in given]
        source = self.source(path)
        if not any(levers):
            source = replace(source, overlay=None)
        return Setting(source, ok, "is", True, yes, no, *levers)


@_kept
def _line(text: str, path: Path) -> int | None:
    return key_line(text, path, "json")


def _path(path: str | Path) -> Path:
    return split(path) if isinstance(path, str) else path


def _at(values: Json, path: Path) -> Json:
    for part in path:
        if values is None:
            break
        if isinstance(part, int):
            values = values[part] if isinstance(values, list) and part < len(values) else None
        else:
            values = mapping(values).get(part)
    return values


def positive(value: Json, default: int) -> int:
    """A positive finite number, floored; else the default."""
    is_low = isinstance(value, (int, float)) and value <= 0
    return default if is_low else count(value, default)


def count(value: Json, default: int) -> int:
    """A limit of `skills.limits`: any finite number, floored and at least 0; else the default."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return default
    return max(0, math.floor(value))
