"""Which model is asked, by the names a person gives, and what follows from it (specs/gemini.md 3, 9, 13)."""

from __future__ import annotations

import re
from typing import Literal

from promptscope_engine.frozen import frozen

from .texts import FOLDER

Variant = Literal["modern", "legacy"]
Family = Literal["gemini-3", "default-legacy"]
Routed = Literal["flash", "pro"]

AUTO = "auto"
LEGACY_MODEL = "gemini-2.5-pro"
"""A model with the older prompt and the older tools, for levers."""
ALIASES: dict[str, str] = FOLDER.agent["models"]["aliases"]
ROUTERS: dict[str, dict[Routed, str]] = FOLDER.agent["models"]["routers"]

_GEMINI_3 = re.compile(r"gemini-3(?:[.-]|\Z)")


@frozen
class Model:
    """The model as configured, and as it is named on the wire."""

    configured: str
    name: str

    @property
    def variant(self) -> Variant:
        """The prompt follows the configured name: the 2.5 family has the older one, `auto-gemini-2.5` too (3.2)."""
        if self.configured in ROUTERS:
            return "legacy" if self.configured == "auto-gemini-2.5" else "modern"
        resolved = ALIASES.get(self.configured, self.configured)
        return "modern" if _GEMINI_3.match(resolved) or not resolved.startswith("gemini-") else "legacy"

    @property
    def family(self) -> Family:
        """The tools follow the name on the wire: `auto-gemini-2.5` has the newer ones (13)."""
        return "gemini-3" if _GEMINI_3.match(self.name) else "default-legacy"

    @property
    def plans_todos(self) -> bool:
        """`write_todos` goes by the configured name, taken literally (9.1)."""
        return self.configured.startswith("gemini-2")


def resolve_model(configured: str, routed: Routed, *, plan: bool) -> Model:
    """The model behind a configured name. The router's answer is imagined; plan mode always takes the larger one."""
    if configured in ROUTERS:
        return Model(configured, ROUTERS[configured]["pro" if plan else routed])
    return Model(configured, ALIASES.get(configured, configured))
