"""Claude Code's versions, the models they know, and the layout that a model gets (specs/claude-code.md 1, 7).

Layout A: 2.1.100 with every model. Layout B: 2.1.329 with the models of 5.5. Layout A': 2.1.329 with older ones.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from .variables import is_on, number

V100 = "2.1.100"
V329 = "2.1.329"
VERSIONS = (V100, V329)

Layout = Literal["A", "A'", "B"]

CURRENT_MODEL = "claude-opus-5-5"
OLDER_MODEL = "claude-sonnet-4-5-20250929"
"""A model of layout B and one of layout A' in 2.1.329."""

_ALIASES = {
    V100: {
        "opus": "claude-opus-4-6",
        "sonnet": "claude-sonnet-4-6",
        "haiku": "claude-haiku-4-5-20251001",
        "default": "claude-sonnet-4-6",
    },
    V329: {
        "opus": CURRENT_MODEL,
        "sonnet": "claude-sonnet-5-5",
        "haiku": "claude-haiku-5-5",
        "default": CURRENT_MODEL,
    },
}
_NAME = re.compile(r"claude-(?P<family>[a-z]+)-(?P<major>\d{1,2})(?:-(?P<minor>\d{1,2}))?(?:-\d{8})?(?![\w.])")
_CURRENT = (5, 5)
_LONG = "[1m]"


@dataclass(frozen=True, slots=True)
class Model:
    """A model as asked for: `id` goes over the wire, `long` tells whether the `[1m]` suffix was there."""

    id: str
    long: bool = False
    family: str = ""
    version: tuple[int, int] = (0, 0)

    @property
    def name(self) -> str:
        """`claude-sonnet-4-6[1m]`: the id with its suffix."""
        return self.id + (_LONG if self.long else "")

    @property
    def display(self) -> str:
        """`Opus 5.5`, as the commit trailer and /context name it; the id where the name does not tell."""
        if not self.family:
            return self.id
        major, minor = self.version
        return f"{self.family.title()} {major}.{minor}" if minor else f"{self.family.title()} {major}"

    @property
    def current(self) -> bool:
        """Whether 2.1.329 gives it layout B and a window of a million tokens."""
        return self.version >= _CURRENT


def aliases(version: str) -> Mapping[str, str]:
    """The names that `/model` takes, each with the model that a version means by it."""
    return _ALIASES[version]


def resolve_model(asked: str | None, version: str) -> Model:
    """The model for an id, an alias (`opus`, `sonnet[1m]`) or None, in the agent's version."""
    name = (asked or "default").strip()
    long = name.endswith(_LONG)
    name = name.removesuffix(_LONG)
    model_id = _ALIASES[version].get(name.lower(), name)
    found = _NAME.search(model_id)
    if not found:
        return Model(model_id, long)
    return Model(model_id, long, found["family"], (int(found["major"]), int(found["minor"] or 0)))


def layout_of(version: str, model: Model) -> Layout:
    """Which layout a request has: chosen by the model, not only by the version."""
    if version == V100:
        return "A"
    return "B" if model.current else "A'"


STANDARD_WINDOW = 200_000
LONG_WINDOW = 1_000_000


def window_of(model: Model, version: str, env: Mapping[str, str]) -> int:
    """The window in tokens, as /context shows it."""
    long = model.long or (version == V329 and model.current)
    size = LONG_WINDOW if long and not is_on(env.get("CLAUDE_CODE_DISABLE_1M_CONTEXT", "")) else STANDARD_WINDOW
    return min(size, number(env, "CLAUDE_CODE_AUTO_COMPACT_WINDOW") or size)
