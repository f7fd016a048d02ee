"""What Gemini CLI's gatherer found, ready for the sections and tools: frozen values, nothing is read after this.

The plan of section ids, in the order of the wire.

system: preamble core_mandates sub_agents skills hook_context plan primary_workflows tracker operational_guidelines
  yolo sandbox git final_reminder (of the older prompt) | override; then memory.global, memory.private
messages: session (children session.directories session.tree:<dir> session.gap memory.open memory.extension:<path>
  memory.open:project_context memory.project:<path> mcp_instructions:<server> memory.close session.close),
  hook.session_start prompt prompt:<n> prompt.again mention.agents mention.opening mention.<part>:<path>
  mention.context mention.closing hook.before_agent, and read:<n> in later contents
"""

from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import Struct

from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.params import Params
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import Span
from promptscope_engine.prompt.model import SettingSource
from promptscope_engine.prompt.sourced import Sourced

from .texts import Model
from .tool_policy import Policy

Place = Literal["global", "extension", "project", "private"]


class ContextFile(Struct, frozen=True):
    """A context file that is sent: its text with imports, trimmed, never empty."""

    path: str
    place: Place
    spans: tuple[Span, ...]

    @property
    def text(self) -> str:
        """The text as it is sent."""
        return "".join(span.text for span in self.spans)


class Tree(Struct, frozen=True):
    """The structure of a workspace folder: its lines, and whether anything of it was left out."""

    folder: str
    lines: tuple[str, ...]
    is_cut: bool


class Skill(Struct, frozen=True):
    """A skill that is listed, with its description."""

    name: str
    location: str
    spans: tuple[Span, ...]


class SubAgent(Struct, frozen=True):
    """A sub-agent that is listed, with its description; None of `generalist`, whose words go by its tools."""

    name: str
    spans: tuple[Span, ...] | None


class McpTool(Struct, frozen=True):
    """A tool of a connected server under its wire name. `offered`: no filter of the server's leaves it out."""

    name: str
    server: str
    own_name: str
    description: str
    input_schema: Json
    read_only: bool
    offered: Condition


class McpServer(Struct, frozen=True):
    """A connected server."""

    name: str
    instructions: str
    has_resources: bool


class Override(Struct, frozen=True):
    """The file of GEMINI_SYSTEM_MD, or the one that it would name if it were switched on."""

    path: str
    spans: tuple[Span, ...] = ()
    """Its text as it is; placeholders are filled in by the section."""


class Mention(Struct, frozen=True):
    """A file that the prompt names with `@`, under the name that the client gives it. `data`: it is sent as it is."""

    token: str
    path: str
    spans: tuple[Span, ...]
    data: bool = False


class Discovered(Struct, frozen=True):
    """What one read brings along: the path that was read, the context files found on the way, and the tool it takes."""

    path: str
    files: tuple[ContextFile, ...]
    tool: str = "read_file"


class Mentions(Struct, frozen=True):
    """What a prompt's `@` brings along: sub-agents, files, context files. `named`: it names files, read or not.

    `kept_out`: the names that bring nothing, each with the reason.
    """

    named: bool = False
    agents: tuple[str, ...] = ()
    files: tuple[Mention, ...] = ()
    discovered: tuple[Discovered, ...] = ()
    kept_out: tuple[tuple[str, Condition], ...] = ()


class Materials(Struct, frozen=True, eq=False):
    """Everything the sections and tools need. They are kept apart by identity: conditions are remembered by it."""

    inputs: Inputs
    params: Params
    gates: Mapping[str, Condition]
    """The conditions that texts name, by that name (agent.toml)."""
    switches: Mapping[str, Condition]
    """By section: no variable leaves it out."""
    model: Model
    policy: Policy
    core: tuple[Sourced[str], ...] | None
    """The entries of `tools.core`, None where it is not set."""
    core_source: SettingSource
    names: tuple[str, ...]
    """The names of context files, `GEMINI.md` among them."""
    date: str
    temporary: str
    """The project's folder of temporary files."""
    private_memory: str
    """The path of the private project memory, whether it is there or not."""
    global_memory: str
    plans: str
    """The folder of plans, absolute, without a slash at the end."""
    plans_shown: str
    """The same relative to the workspace."""
    tracker: str
    directories: tuple[str, ...]
    trees: tuple[Tree, ...]
    context: tuple[ContextFile, ...]
    """Every context file that is sent, in order."""
    skills: tuple[Skill, ...]
    agents: tuple[SubAgent, ...]
    servers: tuple[McpServer, ...]
    mcp_tools: tuple[McpTool, ...]
    override: Override
    prompt: tuple[tuple[Span, ...], ...]
    """Its parts: a command that puts files in has several."""
    mentions: Mentions
    discovered: tuple[Discovered, ...]
    """What the simulated reads bring along."""
    hidden_by: Callable[[str], str | None]
    """What keeps the client from reading a path (a folder's ends in a slash): the ignore file; None if nothing does."""
    compression: float
    """The part of the window at which the conversation is compressed."""

    def placed(self, place: Place) -> tuple[ContextFile, ...]:
        """The context files of a place."""
        return tuple(file for file in self.context if file.place == place)
