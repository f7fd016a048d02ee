"""The models that Copilot knows, and what the model alone decides."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from msgspec import Struct

from promptscope_engine.agents.kit.sources import Table, sources_of
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import Condition, Fact
from promptscope_engine.prompt.model import Lever

Protocol = Literal["completions", "responses", "messages"]
MESSAGES = "anthropic"
"""The kind of provider that is sent Anthropic's shape."""


class Model(Struct, frozen=True):
    """A model as Copilot has it: `kind` names what its prompt has, `output` and `messages` tokens of an answer.

    `budget` are the tokens that it may think, where it is given a number; `bound`: its thoughts are tied to the prompt.
    """

    name: str
    kind: str
    known: bool = True
    output: int = 128_000
    messages: int = 0
    effort: str = "medium"
    budget: int = 0
    bound: bool = False

    @property
    def family(self) -> str:
        """How its name begins, of the beginnings that mean something."""
        return next(start for start in table("families") if self.name.startswith(start))

    @property
    def traits(self) -> list[str]:
        """What its prompt has, by the names of `[by_model]`."""
        found: list[str] = table("kinds")[self.kind]
        return [*found, *(["auto"] if self.name == "auto" else [])]


def table(name: str) -> Table:
    """A table of agent.toml."""
    found: Table = sources_of(Path(__file__).parent).agent[name]
    return found


def model_named(name: str) -> Model:
    """The model of a name, by the exact name; else what its beginning tells."""
    row: Mapping[str, Json] = table("models").get(name, {})
    families = table("families")
    kind = next(families[start] for start in families if name.startswith(start))
    return Model(name, **{"kind": kind, **row}, known=bool(row))


def is_claude(model: Model) -> bool:
    """Whether its service is asked to cache."""
    return model.name.startswith("claude-")


def of_model(model: Model) -> dict[str, Condition]:
    """The gates that the model alone decides: `[by_model]` of agent.toml."""
    traits = model.traits
    found: dict[str, Condition] = {}
    for name, (yes, no, on, off) in table("by_model").items():
        ok = name in traits
        found[name] = Fact(
            "model", "id", ok, yes.replace("{model}", model.name), no.replace("{model}", model.name),
            actual=model.name, on=(Lever("model", on),), off=(Lever("model", off),),
            remedy=f"choose another model, such as {off if ok else on}",
        )  # fmt: skip
    return found
