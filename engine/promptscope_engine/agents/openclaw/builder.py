"""The 26 parameters of `buildAgentSystemPrompt` as this run passes them, each with where it comes from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from promptscope_engine.agents.shared.settings import mapping
from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.drafts import Piece
from promptscope_engine.prompt.model import Origin

NAMES = (
    "workspaceDir", "defaultThinkLevel", "reasoningLevel", "extraSystemPrompt", "ownerNumbers", "ownerDisplay",
    "ownerDisplaySecret", "reasoningTagHint", "toolNames", "toolSummaries", "modelAliasLines", "userTimezone",
    "userTime", "userTimeFormat", "contextFiles", "skillsPrompt", "heartbeatPrompt", "docsPath", "workspaceNotes",
    "ttsHint", "promptMode", "runtimeInfo", "messageToolHints", "sandboxInfo", "reactionGuidance",
    "memoryCitationsMode",
)  # fmt: skip

Kind = Literal["param", "environment", "computed"]


@dataclass(frozen=True, slots=True)
class Given:
    """A parameter's value. `pieces` are its text with finer origins than `origin`, where it was put together."""

    value: Json
    origin: Origin
    pieces: tuple[Piece, ...] = ()


def given(value: Json, name: str, kind: Kind = "param") -> Given:
    return Given(value, Origin(kind, name=name))


def written(pieces: Iterable[Piece], name: str) -> Given:
    """A text that the gatherer put together."""
    kept = tuple(piece for piece in pieces if piece.text)
    return Given("".join(piece.text for piece in kept), Origin("computed", name=name), kept)


@dataclass(frozen=True)
class Prompt:
    """The parameters; one that is absent was not passed."""

    values: Mapping[str, Given] = field(default_factory=dict)

    def value(self, name: str) -> Json:
        found = self.values.get(name)
        return None if found is None else found.value

    def text(self, name: str) -> str | None:
        """The trimmed text, None if it is blank or not passed."""
        value = self.value(name)
        return (js_trim(value) or None) if isinstance(value, str) else None

    def texts(self, name: str) -> list[str]:
        """The trimmed texts of a list, blank ones dropped."""
        value = self.value(name)
        return (
            [text for item in value if isinstance(item, str) and (text := js_trim(item))]
            if isinstance(value, list)
            else []
        )

    def object(self, name: str) -> Mapping[str, Json]:
        return mapping(self.value(name))

    def says(self, name: str, text: str) -> Piece:
        """A stretch of the parameter's text, with its origin."""
        return Piece(text, self.values[name].origin)

    def pieces(self, name: str) -> tuple[Piece, ...]:
        """The trimmed text of the parameter; () if it is blank or not passed."""
        text = self.text(name)
        if text is None:
            return ()
        return self.values[name].pieces or (self.says(name, text),)

    def facts(self) -> dict[str, Json]:
        """The values under their names as params, trimmed as the conditions look at them."""
        return {f"promptParams.{name}": self._fact(name) for name in NAMES}

    def _fact(self, name: str) -> Json:
        value = self.value(name)
        if isinstance(value, str):
            return self.text(name)
        return (self.texts(name) or None) if name in ("ownerNumbers", "toolNames") else value


def laid_over(gathered: Mapping[str, Given | None], scenario: Mapping[str, Json]) -> Prompt:
    """What was gathered, with the scenario's own values in its place: null takes a parameter away."""
    values = {name: value for name, value in gathered.items() if value is not None and value.value is not None}
    for name, value in scenario.items():
        values.pop(name, None)
        if value is not None:
            values[name] = given(value, f"promptParams.{name}")
    return Prompt(values)
