"""Gathered values that know their cause: the condition that decided them, and the setting behind it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.params import Params, fields_of

from .conditions import ALWAYS, Condition, Setting, show
from .derived import Derivation, because
from .drafts import Span, computed, file_text, param_value
from .leaves import either
from .model import Lever, SettingSource

T = TypeVar("T")
D = TypeVar("D")


class Sourced(Struct, Generic[T], frozen=True):
    """A gathered value, the setting that decided it, and the condition that holds while there is a value."""

    value: T
    source: SettingSource
    because: Condition = ALWAYS

    def is_(self, *wanted: Json, unset: Json = None, yes: str | None = None, no: str | None = None) -> Condition:
        """The setting has one of the wanted values. `unset` is a value that it has otherwise, for the lever back."""
        fact, otherwise = either(f"`{self.source.key}` is {{actual}}", wanted)
        if not self.source.is_set and self.value == "":
            otherwise = f"`{self.source.key}` is not set"
        on, off = self._lever(wanted[0]), None if unset is None else self._lever(unset)
        return Setting(self.source, self.value, "in", wanted, yes or fact, no or otherwise, on, off)

    def is_given(self, example: Json, empty: Json, *, yes: str | None = None, no: str | None = None) -> Condition:
        """The setting is neither null nor empty. `example` and `empty` are what its levers set."""
        key, on, off = self.source.key, self._lever(example), self._lever(empty)
        yes, no = yes or f"`{key}` is set", no or f"`{key}` is not set"
        return Setting(self.source, self.value, "given", True, yes, no, on, off)

    def _lever(self, value: Json) -> Lever | None:
        return Lever(self.source.overlay, value) if self.source.overlay else None

    def span(self) -> Span:
        """The value as text, with the setting it comes from as its origin."""
        text = show(self.value)
        if self.source.path is None:
            return param_value(self.source.overlay or self.source.key, text)
        if self.source.line is not None and isinstance(self.value, str):
            return file_text(self.source.path, text, self.source.line)
        return computed(self.source.key, text)


def variable(env: Mapping[str, str], name: str) -> Sourced[str]:
    """An environment variable; "" where it is not set."""
    return Sourced(env.get(name, ""), SettingSource(name, is_set=name in env, overlay=f"env.{name}"))


def first_set(*candidates: Sourced[T | None], default: D) -> Sourced[T | D]:
    """The first candidate that has a value; without one the default, decided by the last candidate's setting."""
    for candidate in candidates:
        if candidate.value is not None:
            return Sourced(candidate.value, candidate.source, candidate.because)
    return Sourced(default, replace(candidates[-1].source, is_set=False), candidates[-1].because)


def by_setting(known: Sourced[Any]) -> Condition:
    """A setting decides an input: its value, and where it is."""
    fact = f"`{known.source.key}` is {{actual}}"
    return Setting(known.source, known.value, "is", known.value, fact, "")


def unless_given(param: str, given: Json, value: Json, named: Sourced[Any], usual: str) -> Iterator[Derivation]:
    """What an input comes to where it is not given: by the setting `named`, where that has a value."""
    if given is None:
        yield Derivation(param, value, by_setting(named) if named.value else because(param, usual))


def from_settings(params: Params, known: Callable[[str], Sourced[Any]]) -> Iterator[Derivation]:
    """The settings that the params leave to files, with the place that decides. `known` looks one up by its key."""
    for field in fields_of(type(params)):
        head, _, key = field.name.partition(".")
        if head != "settings" or not key:
            continue
        found = known(key)
        if found.value is None:
            continue
        by_hand = found.source.path is None and found.source.is_set
        given = found.value if by_hand else None
        yield Derivation(field.name, found.value, by_setting(found), given, is_setting=True)
