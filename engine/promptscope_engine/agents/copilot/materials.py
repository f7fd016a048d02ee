"""What was gathered, frozen: sections and tools are made of this alone."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from promptscope_engine.agents.kit.servers import OfferedTool
from promptscope_engine.agents.kit.texts import Scope
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import Span, Window
from promptscope_engine.wire.protocols import Protocol

from .texts import FOLDER


class Model(Struct, frozen=True):
    """A model as Copilot has it: `kind` names what its prompt has, `family` how its name begins.

    `output` and `messages` are tokens of an answer; `budget` are those that it may think, where it is given a number;
    `bound`: its thoughts are tied to the prompt.
    """

    name: str
    kind: str
    family: str
    known: bool = True
    output: int = 128_000
    messages: int = 0
    effort: str = "medium"
    budget: int = 0
    bound: bool = False

    @property
    def traits(self) -> dict[str, bool]:
        """By the name of a trait in `[kinds]`: whether its prompt has it."""
        own, kinds = table("kinds")[self.kind], table("kinds").values()
        return {"auto": self.name == "auto"} | {trait: trait in own for traits in kinds for trait in traits}


def table(name: str) -> Any:
    """A table of agent.toml."""
    return FOLDER.agent[name]


def model_named(name: str) -> Model:
    """The model of a name, by the exact name; else what its beginning tells."""
    row = table("models").get(name, {})
    family, kind = next((start, kind) for start, kind in table("families").items() if name.startswith(start))
    return Model(name, **{"kind": kind, **row}, family=family, known=bool(row))


class Instruction(Struct, frozen=True):
    """An instruction file that is sent: `spans` is its text with imports, escaped in one that a read brought along."""

    path: str
    spans: tuple[Span, ...]
    when: Condition
    shown: str = ""


class Named(Struct, frozen=True):
    """An instruction file that is only named, in a row of a table."""

    path: str
    first: str
    shown: str
    description: str
    when: Condition


class Materials(Struct, frozen=True, eq=False):
    """Everything that the prompt is made of.

    `scope` is what texts may name. `tools` says of each of the client's own when it is there, in the order in which the
    chosen agent gives them; `kinds` are the agents that `task` may start. `attached` are images, each a media type and
    data in base64; `split`: the system text is sent in two parts; `options` are the other keys of the body.
    """

    model: Model
    protocol: Protocol
    scope: Scope
    tools: Mapping[str, Condition]
    kinds: tuple[str, ...]
    mcp_tools: tuple[OfferedTool, ...]
    attached: tuple[tuple[str, str], ...]
    split: bool
    options: Mapping[str, Json]
    window: Window
