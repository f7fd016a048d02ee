"""What was gathered, frozen: sections and tools are made of this alone."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from promptscope_engine.agents.opencode.collecting import Instructions
from promptscope_engine.agents.opencode.permissions import Rule
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import ALWAYS, Condition
from promptscope_engine.prompt.drafts import Span
from promptscope_engine.prompt.model import SettingSource
from promptscope_engine.wire.sdk import Protocol


class Model(Struct, frozen=True):
    """A model as catalogue and settings have it. `api` is its id on the wire; of an unknown one limits are 0."""

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
    def named(self) -> str:
        """The model as the user names it."""
        return f"{self.provider}/{self.name}"


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


class Skill(Struct, frozen=True):
    """A skill that can be listed. `body` is its text, for the command of its name."""

    name: str
    description: tuple[Span, ...] | None
    location: str
    body: str = ""
    path: str = ""
    when: Condition = ALWAYS


class Server(Struct, frozen=True):
    """An MCP server that answers. `tools` are (name on the wire, tool as the server has it)."""

    name: str
    instructions: str
    tools: tuple[tuple[str, Mapping[str, Json]], ...]


class OwnTool(Struct, frozen=True):
    """A tool that a file of the user's own defines."""

    name: str
    description: str
    schema: Json
    path: str


class Part(Struct, frozen=True):
    """A text of a message. `message` is its number; `attached` the file that is sent behind it.

    `answers` is the path for which a tool of this text is the answer, `measured` the text by its measured size.
    """

    id: str
    title: str
    spans: tuple[Span, ...]
    message: int = 0
    role: Literal["user", "assistant", "tool"] = "user"
    attached: Json = None
    answers: str = ""
    measured: str = ""
    when: Condition = ALWAYS


class Materials(Struct, frozen=True, eq=False):
    """Everything that the prompt is made of."""

    model: Model
    base: str
    """The name of the base text."""
    agent: Agent
    agents: tuple[Agent, ...]
    gates: Mapping[str, Condition]
    """The conditions that texts name, by that name (agent.toml)."""
    allowed: Mapping[str, Condition]
    """That no permission takes a tool away, by the name under which it is judged."""
    values: Mapping[str, Span]
    """The values that texts name."""
    references: tuple[tuple[str, str, str], ...]
    """Name, path and description of each reference."""
    instructions: tuple[Instructions, ...]
    skills: tuple[Skill, ...]
    servers: tuple[Server, ...]
    own_tools: tuple[OwnTool, ...]
    listed: tuple[tuple[Agent, Condition], ...]
    """The agents that the tool `task` lists."""
    parts: tuple[Part, ...]
    options: Mapping[str, Json]
    cached: bool
    """Whether the request has cache marks."""
    compact_at: int | None
    compaction: str
