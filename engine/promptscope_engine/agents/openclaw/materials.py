"""What was gathered: values with what decided them. Sections and tools are written from these alone."""

from __future__ import annotations

from collections.abc import Mapping

from promptscope_engine.agents.kit.earlier import Said
from promptscope_engine.frozen import frozen
from promptscope_engine.javascript.text import utf16_len
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import Piece

from .builder import Parameter, Prompt
from .levers import Settings
from .params import ToolStandIn
from .tool_policy import Offer


@frozen
class Session:
    """A parsed session key. `agent_id` is None where it names no agent; `rest` is what follows `agent:<id>:`."""

    key: str
    agent_id: str | None
    rest: str

    @property
    def is_subagent(self) -> bool:
        """`subagent:…`, or the same behind an agent's id, in any case."""
        return self.key.lower().startswith("subagent:") or self.rest.lower().startswith("subagent:")

    @property
    def is_cron(self) -> bool:
        """`agent:<id>:cron:…` only: a bare `cron:x` is no cron session (6)."""
        return self.rest.lower().startswith("cron:")

    @property
    def depth(self) -> int:
        """How many sub-agents deep: `:subagent:` counted, so a bare `subagent:x` is at depth 0 (6)."""
        return self.key.lower().count(":subagent:")

    @property
    def kind(self) -> str:
        """One word for a person: sub-agent, cron, group, thread, direct or main."""
        parts = self.rest.lower().split(":")
        if self.is_subagent:
            return "sub-agent"
        if self.is_cron:
            return "cron"
        if "thread" in parts:
            return "thread"
        if "group" in parts or "channel" in parts:
            return "group"
        return "direct" if "direct" in parts else "main"

    @property
    def mode(self) -> str:
        """`minimal` for sub-agents, else `full`: cron and group sessions too; never `none` (6)."""
        return "minimal" if self.is_subagent else "full"

    @property
    def reduced(self) -> bool:
        """Whether only some of the bootstrap files are loaded (4)."""
        return self.is_subagent or self.is_cron


# --- bootstrap files --------------------------------------------------------------------------------------------------


@frozen
class Entry:
    """A bootstrap file. `path` is what the prompt shows, `source` where the text was read (None: a stand-in)."""

    name: str
    path: str
    content: str | None
    when: Condition
    source: str | None = None
    real_path: str = ""
    bytes: int = 0
    withheld: bool = False
    """Whether it is left out here, and not by OpenClaw."""
    absence: str = "no such file"
    """Why there is no text, as a clause."""

    @property
    def missing(self) -> bool:
        return self.content is None and not self.withheld


@frozen
class Part:
    """A stretch of an injected text: units `start..end` of the file's text, or, without them, words of the agent's."""

    text: str
    start: int | None = None
    end: int | None = None


@frozen
class Injection:
    """What became of one file. No parts: nothing is injected. `kept` is (head, tail, length) where it was cut.

    `used` is what the files before it had taken of the total.
    """

    parts: tuple[Part, ...] = ()
    reached: bool = True
    kept: tuple[int, int, int] | None = None
    clamped: bool = False
    lost: bool = False
    used: int = 0

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts)

    @property
    def chars(self) -> int:
        return sum(utf16_len(part.text) for part in self.parts)


@frozen
class Context:
    """A file of Project Context with what is injected of it (`amount` in words); `why` is false where nothing is.

    `stretches` are the injected parts and those that were cut out between them, each with the reason why a lost one
    is not there (None: it is kept).
    """

    entry: Entry
    injection: Injection
    why: Condition
    amount: str
    stretches: tuple[tuple[Part, Condition | None], ...] = ()


# --- chat, speech, sandbox --------------------------------------------------------------------------------------------


@frozen
class Speech:
    """The settings of spoken replies: `auto` is off, always, inbound or tagged, `length` the most characters."""

    auto: str
    on: Condition
    inbound_only: Condition
    tagged_only: Condition
    length: Piece
    summarized: Condition


@frozen
class Chat:
    """The channel that a message came by, and what it brings along."""

    buttons: Condition
    """The channel has inline buttons."""
    lacks_buttons: Condition
    shown: Piece
    """The channel that lacks them, or the one that a lever sets."""
    metadata: Piece
    """What the agent tells of the message, for the channel in use or the one that a lever sets."""
    comes_by_channel: Condition
    group_prompt: Parameter


@frozen
class Reactions:
    """Whether the channel is told of reactions, how freely, and its display name."""

    on: Condition
    minimal: Condition
    channel: Parameter


@frozen
class Heartbeat:
    """The prompt of a heartbeat: one that is configured, else the built-in one for the default agent."""

    passed: Condition
    configured: Condition
    prompt: Parameter


@frozen
class Sandbox:
    """What the prompt is told of the sandbox; each value with what decides it."""

    on: Condition
    inside: Condition
    """The container's working directory is shown in place of the host's."""
    workdir: Parameter
    host: Parameter
    access: Parameter
    mount: Parameter
    browser: Condition
    no_vnc: Parameter
    host_browser_allowed: Condition
    host_browser_blocked: Condition
    elevated: Condition
    elevated_level: Piece


@frozen
class Materials:
    """Everything that sections and tools are written from."""

    settings: Settings
    session: Session
    prompt: Prompt
    date: str | None
    offers: tuple[Offer, ...]
    offered: Mapping[str, Condition]
    """Why a tool is there or not, by its lower-cased name; several tools may differ in case."""
    tool_stand_ins: tuple[ToolStandIn, ...] | None
    contexts: tuple[Context, ...]
    """The bootstrap files, those without text too."""
    limits: tuple[int, int]
    """The characters that a bootstrap file may have, and all of them together."""
    skills: tuple[Piece, ...]
    has_skills: Condition
    bootstrapping: Condition
    """BOOTSTRAP.md is there."""
    speech: Speech
    chat: Chat
    reactions: Reactions
    heartbeat: Heartbeat
    sandbox: Sandbox
    runtime: tuple[tuple[str, Parameter], ...]
    """The parts of the runtime line, by name."""
    hashed: Condition
    """Owners are shown hashed."""
    citations_off: Condition
    message: str
    """The drafted message, "" for none."""
    history: tuple[Said, ...]
    session_file: str
