"""The 26 parameters of `buildAgentSystemPrompt` as this run passes them, each with where it comes from."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import field

from promptscope_engine.agents.kit.params import choices_of
from promptscope_engine.agents.kit.settings import mapping
from promptscope_engine.formats.document import Json
from promptscope_engine.frozen import frozen
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Observed
from promptscope_engine.prompt.drafts import Piece
from promptscope_engine.prompt.known import Known
from promptscope_engine.prompt.leaves import equals
from promptscope_engine.prompt.model import Lever, Origin, OriginKind

from .params import OpenClawParams, PromptParams

NAMES = tuple(PromptParams.model_fields)


@frozen
class Parameter:
    """A value passed to the builder, None if it is not passed; `because` holds while it is passed."""

    value: Json
    origin: Origin
    because: Condition = ALWAYS

    @property
    def shown(self) -> Piece:
        """The value as a piece of this origin that stands while there is one."""
        return Piece(str(self.value or ""), self.origin, self.because)


def parameter(value: Json, name: str, kind: OriginKind = "param", because: Condition = ALWAYS) -> Parameter:
    """A parameter whose origin is `name`."""
    return Parameter(value, Origin(kind, name=name), because)


def of_setting(known: Known[Json], example: Json, empty: Json = None) -> Parameter:
    """A setting passed on. `example` is what a lever sets while there is none, `empty` what takes it away."""
    return parameter(known.value, known.source.key, because=known.is_given(example, empty))


def literal(text: str) -> str:
    """A path as it may stand in a prompt (1, "Display workspace dir"): without control and format characters and
    line separators; what they held apart joins up."""
    return "".join(c for c in text if unicodedata.category(c) not in ("Cc", "Cf") and c not in "\u2028\u2029")


@frozen(slots=False)
class Prompt:
    """The parameters: what was gathered, and what the scenario passes in its place (null takes one away)."""

    gathered: Mapping[str, Parameter] = field(default_factory=dict)
    passed: Mapping[str, Json] = field(default_factory=dict)

    def passes(self, name: str) -> bool:
        """Whether the scenario decides the parameter."""
        return name in self.passed

    def parameter(self, name: str) -> Parameter:
        """The parameter in force."""
        if name in self.passed:
            return parameter(self.passed[name], f"promptParams.{name}", because=self._is_passed(name))
        return self.gathered.get(name) or parameter(None, f"promptParams.{name}", because=self._is_passed(name))

    def cause(self, name: str, gathered: Condition | None = None) -> Condition:
        """What decides whether there is a value: the scenario, else `gathered`."""
        return self.parameter(name).because if gathered is None or name in self.passed else gathered

    def has(self, name: str, value: Json, gathered: Condition) -> Condition:
        """The parameter has the value."""
        return equals(f"promptParams.{name}", value) if name in self.passed else gathered

    def _is_passed(self, name: str) -> Condition:
        key, value = f"promptParams.{name}", self.value(name)
        example = next(
            (choice for choice in choices_of(OpenClawParams).get(key, ()) if choice not in (None, False)), None
        )
        seen = self.texts(name) if name in ("ownerNumbers", "toolNames") else value
        there = bool(self.text(name) if isinstance(value, str) else seen)
        no = f"`{key}` is {'empty' if value is not None else 'null' if name in self.passed else 'not passed'}"
        return Observed(
            "flag", key, there, f"`{key}` is passed", no,
            on=(Lever(key, example),) if example is not None else None, off=(Lever(key, None),),
            remedy=f"leave `{key}` out, then it is gathered" if name in self.gathered else f"pass `{key}`",
        )  # fmt: skip

    def value(self, name: str) -> Json:
        """The value, None if it is not passed."""
        if name in self.passed:
            return self.passed[name]
        found = self.gathered.get(name)
        return None if found is None else found.value

    def text(self, name: str) -> str | None:
        """The trimmed text, None if it is blank or not passed."""
        value = self.value(name)
        return (js_trim(value) or None) if isinstance(value, str) else None

    def texts(self, name: str) -> list[str]:
        """The trimmed texts of a list, blank ones dropped."""
        value = self.value(name)
        items = value if isinstance(value, list) else []
        return [text for item in items if isinstance(item, str) and (text := js_trim(item))]

    def object(self, name: str) -> Mapping[str, Json]:
        """The value if it is an object, else an empty one."""
        return mapping(self.value(name))

    def says(self, name: str, text: str) -> Piece:
        """A stretch of the parameter's text, with its origin."""
        return Piece(text, self.parameter(name).origin)

    def pieces(self, name: str, gathered: Iterable[Piece] | None = None) -> tuple[Piece, ...]:
        """The trimmed text of the parameter; `gathered` is written where the scenario passes none."""
        if gathered is not None and name not in self.passed:
            return tuple(gathered)
        text = self.text(name)
        return () if text is None else (self.says(name, text),)
