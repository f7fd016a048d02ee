"""The models that Codex knows, and the conditions that several parts of its prompt share."""

from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.kit.text.params import fact_of
from promptscope_engine.agents.kit.text.sources import sources_of
from promptscope_engine.prompt.conditions import Condition, Named
from promptscope_engine.prompt.leaves import equals

WINDOW = 272_000
USABLE_PERCENT = 95
COMPACT_PERCENT = 90
"""Of the raw window; the public repository's default."""

SubAgents = Literal["v1 deferred", "v1 direct", "v2"]


class Model(Struct, frozen=True):
    """A model as Codex has it. `slug` is the catalogue's, "" for a model that is not in it; `name` goes on the wire.

    `base` names the variant of the base instructions. `lite`: tools travel as the first input item. `current`: gpt-6
    to 6.2, which have a clock and the text on the collaboration mode. `newest`: 6.2, which writes to the user.
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
    newest: bool = False

    @property
    def known(self) -> bool:
        """Whether the catalogue has the model."""
        return bool(self.slug)


# The catalogue, the default first. base: the base instructions, those of its own name unless another is named · lite:
# tools travel as the first input item · current: gpt-6 to 6.2, which have a clock and the text on the collaboration
# mode · newest: 6.2, which writes to the user while it works.
_MODELS: Mapping[str, Mapping[str, Any]] = {
    "gpt-6.2-sol": {"base": "gpt-6.2", "effort": "low", "window": 500000, "current": True, "newest": True},
    "gpt-6.2-astra": {"base": "gpt-6.2", "effort": "low", "current": True, "newest": True},
    "gpt-6.1-terra": {"base": "gpt-6-astra", "effort": "low", "window": 500000, "current": True},
    "gpt-6.1-sol": {"effort": "low", "window": 500000, "current": True},
    "gpt-6-astra": {"effort": "low", "current": True},
    "gpt-6-sol": {"effort": "medium", "current": True},
    "gpt-6-luna": {"effort": "medium", "current": True},
    "gpt-5.6-sol": {"base": "gpt-5.6", "effort": "low"},
    "gpt-5.6-terra": {"base": "gpt-5.6", "effort": "medium"},
    "gpt-5.6-luna": {"base": "gpt-5.6", "effort": "medium", "sub_agents": "v1 deferred"},
    "gpt-5.5": {"effort": "medium", "sub_agents": "v1 deferred", "lite": False},
    "gpt-daybreak-blue-latest": {"base": "gpt-5.6", "effort": "low"},
    "gpt-daybreak-red-latest": {"base": "gpt-5.6", "effort": "medium", "window": 372000, "verbosity": "high"},
    "codex-auto-review": {"base": "gpt-5.6", "effort": "medium", "sub_agents": "v1 deferred"},
}
_OTHERWISE_169: Mapping[str, Mapping[str, Any]] = {
    "gpt-6.1-sol": {"window": WINDOW},
    "gpt-daybreak-blue-latest": {"base": "gpt-daybreak"},
    "gpt-daybreak-red-latest": {"base": "gpt-daybreak"},
}
_MODELS_169 = {
    name: {**_MODELS[name], **_OTHERWISE_169.get(name, {})}
    for name in ("gpt-6.1-sol", "gpt-6.1-terra", *islice(_MODELS, 4, None))  # and none of 6.2
}
"""That of 0.169.0."""


def models(version: str = "") -> dict[str, Model]:
    """The catalogue by slug, the default first: that of a version, or the newest one."""
    rows = _MODELS_169 if version == "0.169.0" else _MODELS
    return {slug: Model(slug, slug, **{"base": slug, **row}) for slug, row in rows.items()}


def model_named(name: str, version: str = "") -> Model:
    """The model of a name: the exact slug, the longest slug it begins with, or what follows one `/`."""
    known = models(version)
    found = _by_prefix(name, known)
    if found is None and name.count("/") == 1:
        found = _by_prefix(name.partition("/")[2], known)
    if found is None:
        return Model(name, "", "unknown", verbosity=None, sub_agents="v1 direct", lite=False)
    return replace(found, name=name)


def _by_prefix(name: str, known: Mapping[str, Model]) -> Model | None:
    fitting = [slug for slug in known if name.startswith(slug)]
    return known[max(fitting, key=len)] if fitting else None


INTERACTIVE: Condition = equals(
    "entry", "interactive", yes="the session is interactive", no="the session is `codex exec`"
)
_CHOSEN = equals("collaboration", "plan", yes="plan mode is chosen", no="plan mode is not chosen")
PLANNING: Condition = Named("flag", "plan", INTERACTIVE & _CHOSEN, "the session is in plan mode")
CHATGPT: Condition = equals("auth", "chatgpt", yes="the user is logged in with ChatGPT", no="an API key is used")


def of_model(model: Model) -> dict[str, Condition]:
    """The gates that the model alone decides, in the sentences of `[facts]` of agent.toml.

    `direct`: MCP tools and sub-agents v1 are tools, where the prompt names them for models of the catalogue.
    `searches`: the web search is among the tools. `second_own`: it has sub-agents of the second kind.
    """
    facts = sources_of(Path(__file__).parent).agent["facts"]
    found = {
        "lite": model.lite,
        "known": model.known,
        "direct": not model.known,
        "searches": not model.lite,
        "current": model.current,
        "newest": model.newest,
        "usage_of_skills": model.slug == "gpt-5.5",
        "second_own": model.sub_agents == "v2",
    }
    return {name: fact_of(facts[name], ok, {"actual": model.name}, {"model": model.name}) for name, ok in found.items()}
