"""What was gathered, frozen: sections and tools are made of this alone."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import asdict

from promptscope_engine.agents.kit.disk.servers import OfferedTool
from promptscope_engine.agents.kit.text.texts import Scope
from promptscope_engine.agents.opencode.permissions import Rule
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import ALWAYS, Condition
from promptscope_engine.prompt.drafts import Span, Window
from promptscope_engine.prompt.model import SettingSource
from promptscope_engine.wire.protocols import Protocol


class Model(Struct, frozen=True):
    """A model as catalogue and settings have it, `named` by the user. `api` is its id on the wire.

    Of an unknown one limits are 0.
    """

    named: str
    provider: str
    name: str
    api: str
    package: str
    protocol: Protocol
    is_known: bool = True
    context: int = 0
    output: int = 0
    input: int = 0
    temperature: bool = False
    reasoning: bool = False
    options: Mapping[str, Json] | None = None
    variants: Mapping[str, Mapping[str, Json]] | None = None

    @property
    def facts(self) -> dict[str, Json]:
        """What rows of agent.toml may ask for: `lower` is the id on the wire in small letters."""
        return {**asdict(self), "lower": self.api.lower()}


class Agent(Struct, frozen=True):
    """An agent with its rules in order. `prompt` takes the place of the model's own text; None where it has none.

    `base` names the text that a built-in agent brings along.
    """

    name: str
    mode: str
    hidden: bool
    description: tuple[Span, ...]
    prompt: tuple[Span, ...] | None
    rules: tuple[Rule, ...]
    options: Mapping[str, Json] | None = None
    model: str = ""
    variant: str = ""
    steps: int = 0
    base: str = ""
    source: SettingSource | None = None


class Instructions(Struct, frozen=True):
    """A file or address of instructions, its text, and whether it counts."""

    path: str
    spans: tuple[Span, ...]
    when: Condition = ALWAYS


READ = "reads:"
"""Before the path in the name of a part that answers a read."""


class Part(Struct, frozen=True):
    """A text of a message. `message` is its number; `attached` the file that is sent behind it.

    `measured` is the text by its measured size.
    """

    id: str
    title: str
    spans: tuple[Span, ...]
    message: int = 0
    role: Literal["user", "assistant", "tool"] = "user"
    attached: dict[str, Json] | None = None
    measured: str = ""
    when: Condition = ALWAYS


class Materials(Struct, frozen=True, eq=False):
    """Everything that the prompt is made of.

    `base` names the base text. `gates` are the conditions that texts name (agent.toml), `scope` is all that they name,
    and `tools` says of each built-in tool that no permission takes it away. `cached`: the request has cache marks.
    """

    model: Model
    base: str
    agent: Agent
    gates: Mapping[str, Condition]
    scope: Scope
    tools: Mapping[str, Condition]
    mcp_tools: tuple[OfferedTool, ...]
    own_tools: tuple[OfferedTool, ...]
    parts: tuple[Part, ...]
    options: Mapping[str, Json]
    cached: bool
    window: Window
    kept: tuple[int, int | None]
    """Tokens and turns that a compaction may keep of the newest turns; None: any number of turns."""
