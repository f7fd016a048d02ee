"""The models that Codex knows, and how it takes others (specs/codex.md 1.3, 4.5, 4.6, 7.2)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Literal

from promptscope_engine.agents.kit.sources import Table, sources_of
from promptscope_engine.frozen import frozen

DEFAULT = "gpt-6.1-sol"
CLASSIC = "gpt-5.5"
"""The only catalogue model whose tools travel in the body."""

WINDOW = 272_000
USABLE_PERCENT = 95
COMPACT_PERCENT = 90
"""Of the raw window; the public repository's default."""

SubAgents = Literal["v1 deferred", "v1 direct", "v2"]


@frozen
class Model:
    """A model as Codex has it. `slug` is the catalogue's, "" for a model that is not in it; `name` goes on the wire.

    `base` names the variant of the base instructions. `lite`: tools travel as the first input item. `current`: gpt-6
    and 6.1, which have a clock and the text on the collaboration mode.
    """

    name: str
    slug: str
    base: str
    window: int = WINDOW
    effort: str | None = None
    verbosity: str | None = "low"
    sub_agents: SubAgents = "v2"
    lite: bool = True
    current: bool = False

    @property
    def known(self) -> bool:
        return bool(self.slug)


def table(name: str) -> Table:
    """A table of agent.toml."""
    found: Table = sources_of(Path(__file__).parent).agent[name]
    return found


def models() -> dict[str, Model]:
    """The catalogue of agent.toml by slug, the default first."""
    return {slug: Model(slug, slug, **{"base": slug, **row}) for slug, row in table("models").items()}


def model_named(name: str) -> Model:
    """The model of a name: the exact slug, the longest slug it begins with, or what follows one `/` (4.5)."""
    found = _by_prefix(name)
    if found is None and name.count("/") == 1:
        found = _by_prefix(name.partition("/")[2])
    if found is None:
        return Model(name, "", "unknown", verbosity=None, sub_agents="v1 direct", lite=False)
    return replace(found, name=name)


def _by_prefix(name: str) -> Model | None:
    known = models()
    fitting = [slug for slug in known if name.startswith(slug)]
    return known[max(fitting, key=len)] if fitting else None
