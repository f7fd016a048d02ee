"""The models that Codex knows, and the conditions that several parts of its prompt share."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.kit.sources import Table, sources_of
from promptscope_engine.prompt.conditions import Condition, Fact, Named
from promptscope_engine.prompt.leaves import equals
from promptscope_engine.prompt.model import Lever

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


def table(name: str, version: str = "") -> Table:
    """A table of agent.toml, as a version has it, or the newest one."""
    agent = sources_of(Path(__file__).parent).agent
    versions = agent["versions"]
    later = versions[versions.index(version) :] if version else ()
    found: Table = agent[next((own for each in later if (own := f"{name}@{each}") in agent), name)]
    return found


def models(version: str = "") -> dict[str, Model]:
    """The catalogue of agent.toml by slug, the default first."""
    return {slug: Model(slug, slug, **{"base": slug, **row}) for slug, row in table("models", version).items()}


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
    """The gates that the model alone decides: `[by_model]` of agent.toml."""
    found: dict[str, Condition] = {}
    # `is_` is what the catalogue has to say of the model; `on` and `off` are models where it is so, and is not
    for name, said in table("by_model").items():
        on, off = said["on"], said["off"]
        yes, no = (said[key].replace("{model}", model.name) for key in ("yes", "no"))
        ok = all(getattr(model, key) == value for key, value in said["is_"].items())
        found[name] = Fact(
            "model", "id", ok, yes, no, actual=model.name, on=(Lever("model", on),), off=(Lever("model", off),)
        )  # fmt: skip
    return found
