"""The models that Codex knows, and how it takes others (specs/codex.md 1.3, 4.5, 4.6, 7.2)."""

from __future__ import annotations

from typing import Literal

from promptscope_engine.frozen import frozen

DEFAULT = "gpt-6.1-sol"
CLASSIC = "gpt-5.5"
"""The only catalogue model whose tools travel in the body."""
SECOND_KIND = "gpt-5.6-sol"
"""A model with sub-agents of the second kind and without clock and collaboration mode."""
UNKNOWN = "another-model"
"""A name that is in no catalogue: what a lever sets."""

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


def _model(slug: str, base: str, effort: str, **more: object) -> Model:
    return Model(slug, slug, base, effort=effort, **more)  # type: ignore[arg-type]  # the rows below are the check


_CATALOGUE = (
    _model("gpt-6.1-sol", "gpt-6.1-sol", "low", current=True),
    _model("gpt-6.1-terra", "gpt-6-astra", "low", window=500_000, current=True),
    _model("gpt-6-astra", "gpt-6-astra", "low", current=True),
    _model("gpt-6-sol", "gpt-6-sol", "medium", current=True),
    _model("gpt-6-luna", "gpt-6-luna", "medium", current=True),
    _model("gpt-5.6-sol", "gpt-5.6", "low"),
    _model("gpt-5.6-terra", "gpt-5.6", "medium"),
    _model("gpt-5.6-luna", "gpt-5.6", "medium", sub_agents="v1 deferred"),
    _model("gpt-5.5", "gpt-5.5", "medium", sub_agents="v1 deferred", lite=False),
    _model("gpt-daybreak-blue-latest", "gpt-daybreak", "low"),
    _model("gpt-daybreak-red-latest", "gpt-daybreak", "medium", window=372_000, verbosity="high"),
    _model("codex-auto-review", "gpt-5.6", "medium", sub_agents="v1 deferred"),
)
MODELS = {model.slug: model for model in _CATALOGUE}
"""By slug, the default first."""


def model_named(name: str) -> Model:
    """The model of a name: the exact slug, the longest slug it begins with, or what follows one `/` (4.5)."""
    found = _by_prefix(name)
    if found is None and name.count("/") == 1:
        found = _by_prefix(name.partition("/")[2])
    if found is None:
        return Model(name, "", "unknown", verbosity=None, sub_agents="v1 direct", lite=False)
    return Model(
        name, found.slug, found.base, found.window, found.effort, found.verbosity, found.sub_agents, found.lite,
        found.current,
    )  # fmt: skip


def _by_prefix(name: str) -> Model | None:
    if name in MODELS:
        return MODELS[name]
    fitting = [slug for slug in MODELS if name.startswith(slug)]
    return MODELS[max(fitting, key=len)] if fitting else None
