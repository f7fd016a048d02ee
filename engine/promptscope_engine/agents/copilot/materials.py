"""What was gathered, frozen: sections and tools are made of this alone."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import Span

from .gates import Model, Protocol


class Instruction(Struct, frozen=True):
    """An instruction file that is sent: `spans` is its text with imports. One that is `loose` has no tag around it."""

    path: str
    spans: tuple[Span, ...]
    when: Condition
    loose: bool = False


class Named(Struct, frozen=True):
    """An instruction file that is only named, in a row of a table."""

    table: Literal["directories", "patterns"]
    path: str
    first: str
    shown: str
    description: tuple[Span, ...]
    when: Condition


class Woken(Struct, frozen=True):
    """An instruction file that a read brought along: its text is escaped."""

    path: str
    shown: str
    spans: tuple[Span, ...]
    when: Condition


class Skill(Struct, frozen=True):
    """A skill, or a command, that is listed. `location` is `project`, `user`, `plugin` or `builtin`."""

    name: str
    description: tuple[Span, ...]
    location: str
    when: Condition


class SubAgent(Struct, frozen=True):
    """A custom agent that is listed in the description of `task`."""

    name: str
    description: tuple[Span, ...]


class McpTool(Struct, frozen=True):
    """A tool of a server under its wire name, as it is sent."""

    name: str
    server: str
    description: str
    schema: Json
    when: Condition


class McpServer(Struct, frozen=True):
    """A server that said something of itself."""

    name: str
    instructions: str
    when: Condition


class Materials(Struct, frozen=True, eq=False):
    """Everything that the prompt is made of."""

    model: Model
    protocol: Protocol
    gates: Mapping[str, Condition]
    """The conditions that texts name, by that name (agent.toml)."""
    selected: Mapping[str, Condition]
    """By the name of a tool: that the command line and the chosen agent leave it."""
    order: tuple[str, ...]
    """The built-in tools, in the order that the chosen agent gives them."""
    here: Mapping[str, str]
    """The values of the environment context, those that there are."""
    session_folder: str
    now: str
    prompt: tuple[Span, ...]
    hooks: Mapping[str, tuple[Span, ...]]
    instructions: tuple[Instruction, ...]
    named: tuple[Named, ...]
    woken: tuple[Woken, ...]
    skills: tuple[Skill, ...]
    agents: tuple[SubAgent, ...]
    chosen: tuple[Span, ...]
    """The text of the chosen agent."""
    servers: tuple[McpServer, ...]
    mcp_tools: tuple[McpTool, ...]
    attached: tuple[str, ...]
    """Images that go with the prompt, as addresses of their data."""
    split: bool
    """Whether the system text is sent in two parts."""
    options: Mapping[str, Json]
    """The body's keys besides texts and tools."""
    window: int
