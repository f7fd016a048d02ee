"""The models that Copilot knows, and what the model alone decides."""

from pathlib import Path
from typing import Any

from msgspec import Struct

from promptscope_engine.agents.kit.sources import sources_of


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
        return str(next(start for start in table("families") if self.name.startswith(start)))

    @property
    def is_claude(self) -> bool:
        """Whether its service is asked to cache."""
        return self.family == "claude-"

    @property
    def traits(self) -> dict[str, bool]:
        """By the name of a trait in `[kinds]`: whether its prompt has it."""
        own, kinds = table("kinds")[self.kind], table("kinds").values()
        return {"auto": self.name == "auto"} | {trait: trait in own for traits in kinds for trait in traits}


def table(name: str) -> Any:
    """A table of agent.toml."""
    return sources_of(Path(__file__).parent).agent[name]


def model_named(name: str) -> Model:
    """The model of a name, by the exact name; else what its beginning tells."""
    row, families = table("models").get(name, {}), table("families")
    kind = next(families[start] for start in families if name.startswith(start))
    return Model(name, **{"kind": kind, **row}, known=bool(row))
