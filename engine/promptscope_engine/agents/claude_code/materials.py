"""What Claude Code's gatherer found, ready for the sections and tools: frozen values, nothing is read after this."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.after import After, Exchange
from promptscope_engine.inputs.params import Params
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.inputs.scenario import McpServer
from promptscope_engine.prompt.conditions import ALWAYS, Condition
from promptscope_engine.prompt.drafts import Span
from promptscope_engine.prompt.sourced import Sourced
from promptscope_engine.workspace import FileText

from .extra_body import ExtraBody
from .texts import RECORDED_PROMPTS, Gates
from .versions import V100, Model


class InstructionFile(Struct, frozen=True, weakref=True):
    """A file shown as an entry `Contents of <shown> (<label>):`: `spans` is its text, trimmed.

    `paths` are the patterns of a rule that waits for a matching file, None where the file loads unasked; `base` is
    the directory that the patterns are relative to. `importer` is the shown path of the file that imported it.
    """

    shown: str
    kind: str
    label: str
    spans: tuple[Span, ...] = ()
    lazy_spans: tuple[Span, ...] = ()
    """Its text as it is where a read loads it: not trimmed."""
    paths: tuple[str, ...] | None = None
    base: str = ""
    importer: str | None = None
    depth: int = 0
    when: Condition = ALWAYS
    """True while it loads: a file that waits or is switched off has a false one."""
    gate: Condition = ALWAYS
    """`when` without the waiting: what has to hold for a read to load the rule."""

    @property
    def text(self) -> str:
        """The text as it is sent."""
        return "".join(span.text for span in self.spans)


class LazyLoaded(Struct, frozen=True):
    """An instruction file that a read loads. `read` is the path that was read."""

    file: InstructionFile
    read: str


class Mention(Struct, frozen=True):
    """A file or folder that the prompt names. `input` is that of the tool called for it, as JSON.

    kind: `file`, `folder`, `empty`, `beyond` (it has fewer lines than were asked for), `image`, `pdf`; `large`: it is
    named only, and `input` is its size. `lines` are what the tool gives, with their numbers.
    `asked`: the first line that was asked for, and how many there are.
    """

    path: str
    kind: str
    input: str
    lines: tuple[tuple[int | None, str], ...] = ()
    asked: tuple[int, int] = (0, 0)


class KnownFile(Struct, frozen=True):
    """A file that the session knows. `modified` in milliseconds of the epoch, None where the disk does not say.

    `answer` is what Read gives for it; `woken`: a read loaded it as an instruction; `tied`: nobody can tell which of
    several files comes back, as their times are the same. `when`: it comes back after a compaction.
    """

    path: str
    source: FileText
    answer: Mention
    modified: int | None
    woken: bool
    tied: bool = False
    when: Condition = ALWAYS


class Invoked(Struct, frozen=True):
    """A skill or command that was invoked. `length` of its text in characters, uncut; `when`: it comes back."""

    name: str
    place: str
    body: tuple[Span, ...]
    length: int
    when: Condition


class Later(Struct, frozen=True):
    """What a later request is made of, besides what begins a session: files and skills newest first."""

    after: After
    kept: tuple[Exchange, ...]
    files: tuple[KnownFile, ...]
    skills: tuple[Invoked, ...]
    transcript: str


class Mentions(Struct, frozen=True):
    """What the prompt mentions.

    `read`: calls made for it · `large`: files that are named only · `agents`: the agents wanted · `looked_at`: every
    path, even missing ones · `when`: mentions are looked at · `kept_out`: paths that add nothing, each with the reason.
    """

    read: tuple[Mention, ...]
    large: tuple[Mention, ...]
    agents: tuple[str, ...]
    looked_at: tuple[str, ...]
    when: Condition
    kept_out: tuple[tuple[str, Condition], ...] = ()


class Typed(Struct, frozen=True):
    """A `/command` that the prompt begins with, or what looks like one.

    kind: `body` (a command of a file takes the prompt's place), `unknown` (no such command), `path` (no name of a
    command: the prompt goes out without its surroundings), `built-in` (its body is the client's own), `server` (an MCP
    server gives its body, which goes out without surroundings), `local` (the client carries it out), `kept` (it is the
    model's alone), `refused` (a terminal sends no such command).
    `body`: the file's text with the arguments put in. `close`: a command whose name is like it. `known`: those that
    there are, and how many more.
    """

    kind: str
    name: str
    arguments: str = ""
    body: tuple[Span, ...] = ()
    close: str = ""
    known: tuple[str, ...] = ()
    more: int = 0
    model: Sourced[str] | None = None
    """The model that the command asks for."""
    agent: str | None = None
    """The sub-agent that is given its text, where `context: fork` asks for one."""
    runs: tuple[str, ...] = ()
    """The commands of the shell that its text runs, none of which is run here."""

    @property
    def text(self) -> str:
        """The text as it is sent."""
        return "".join(span.text for span in self.body)


STATUS_LIMIT = 2_000
"""UTF-16 units of git's status that are sent."""


class GitStatus(Struct, frozen=True):
    """The repository as git tells it; empty where there is none. `status_shown` is what is sent of the status."""

    branch: str = ""
    main_branch: str = ""
    user: str = ""
    commits: tuple[str, ...] = ()
    status_shown: str = ""
    cut: bool = False
    failed: bool = False
    """Whether git fails at the status (recorded 2.1.332)."""


class Skill(Struct, frozen=True):
    """A skill of the listing. `shown` is the name as listed, `dir (name)` where both differ.

    `spans` is what follows `<shown>: `, cut to its length and the budget; () where only the name is listed.
    """

    name: str
    shown: str
    source: str
    """`bundled`, `managed`, `user`, `project`, `plugin`."""
    spans: tuple[Span, ...]
    when: Condition = ALWAYS
    """True while it is listed."""


class WokenSkills(Struct, frozen=True):
    """What the simulated reads bring up: folders (relative to cwd) with their skills, and the new skills' lines."""

    folders: tuple[tuple[str, tuple[str, ...]], ...] = ()
    skills: tuple[Skill, ...] = ()
    paths: tuple[str, ...] = ()


class AgentMemory(Struct, frozen=True):
    """The index of an agent's own memory: its folder as the agent writes it, the lines that are sent, and what is cut.

    `refused`: there is one, and it is not loaded.
    """

    folder: str
    spans: tuple[Span, ...]
    cut: MemoryCut | None
    refused: bool
    path: str


class SubAgent(Struct, frozen=True):
    """A sub-agent of the listing: `tools` as listed (`All tools`, `Read, Grep`), `body` its own system prompt."""

    name: str
    spans: tuple[Span, ...]
    """The description."""
    tools: str
    source: str
    """`built-in`, `user`, `project`."""
    body: tuple[Span, ...] = ()
    tool_list: Sourced[tuple[str, ...]] | None = None
    """The tools it asks for, in its own order; None for all."""
    without: Sourced[tuple[str, ...]] | None = None
    """The tools it does without."""
    model: Sourced[str] | None = None
    """The model it asks for; None for that of the session."""
    when: Condition = ALWAYS
    """True while it is listed."""
    memory_scope: str = ""
    """`project`, `user` or `local` if it asks for a memory of its own."""
    memory: AgentMemory | None = None
    """That memory, where memories are on."""
    servers: tuple[tuple[str, Json], ...] = ()
    """The MCP servers that it brings along: names and configurations."""
    path: str = ""
    """Its file, "" for one without."""
    skills: tuple[str, ...] = ()
    """The skills whose texts follow its task."""
    omits_files: bool = False
    """It is given no instruction files."""
    plans: bool = False
    """It works in plan mode."""
    isolated: bool = False
    """It works in a git worktree of its own."""
    initial: Sourced[str] | None = None
    """What it is told before the prompt where it drives the session."""

    @property
    def has_prompt(self) -> bool:
        """Whether its prompt is known: its file's text, or that of a built-in one which was recorded."""
        return bool(self.body) or (self.source == "built-in" and self.name in RECORDED_PROMPTS)


GENERAL = "general-purpose"
"""The agent that is started where none is named."""
DEFAULT_STYLE = "default"
FORCE = "force-for-plugin"
"""The key of a style that is in force as long as its plugin is on."""


class OutputStyle(Struct, frozen=True):
    """The style in force. `body` is empty for a built-in one: its text is builtin wording."""

    name: str
    built_in: bool
    body: tuple[Span, ...] = ()
    keep_coding_instructions: bool = False


class McpTool(Struct, frozen=True):
    """A tool of a connected server under its wire name `mcp__<server>__<tool>`.

    `always`: it is sent whole where tool search defers others.
    """

    name: str
    server: str
    description: str
    input_schema: Json
    always: bool = False
    place: str = ""
    """The file that asks for it, where the server's entry does."""


class Hook(Struct, frozen=True):
    """What the hooks of an event say, were they to speak. `is_context`: an object said it, not a plain text.

    `places` are the files that configure one, `commands` what they run.
    """

    speaks: Condition
    spans: tuple[Span, ...]
    is_context: bool = False
    places: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()


class MemoryCut(Struct, frozen=True):
    """How much of MEMORY.md is too much, as it is written: "300 lines", "45.1KB", "" where that is not it."""

    lines: str
    size: str
    total: int
    """Its lines."""
    line: int
    """The first one that is not sent, or that is sent in part: then `inside`."""
    start: str = ""
    """How that line begins."""
    inside: bool = False


class Materials(Struct, frozen=True, eq=False):
    """Everything the sections and tools need. They are kept apart by identity: conditions are remembered by it.

    Which tools there are is decided in tools/selection.py; `offers(name)` there is the condition that a tool can be
    called (directly or deferred), for sections that name it.
    """

    inputs: Inputs
    params: Params
    gates: Gates
    version: str
    model: Model
    credited: Model
    """The model that the request goes to: `model`, unless a command asks for another one."""
    extra: ExtraBody
    workflow_size: Sourced[Json]
    """The setting `workflowSizeGuideline`."""
    schema: Mapping[str, Json] | None
    """What --json-schema says of the answer; None without it, or where a person watches."""
    given_servers: frozenset[str]
    """The servers of --mcp-config, which bare mode keeps [recorded 2.1.332]."""
    denied: tuple[Sourced[str], ...]
    """The rules of `permissions.deny`, each with where it is."""
    splits: bool
    """Whether the boundary between static and dynamic part is a border of blocks: the global cache scope is usable at
    the first-party host only, and a prompt that is replaced has no static part."""
    cwd: str
    started_as: str
    """How the agent was started, as the billing line tells: `cli`, `sdk-cli`, `sdk-ts`, …"""
    shells: tuple[str, str]
    """The paths of the shell that commands run in and of the login shell."""
    additional: tuple[str, ...]
    """Directories of --add-dir, absolute."""
    directories: tuple[Sourced[str], ...]
    """Those that settings add, absolute; nothing of them is loaded."""
    git_root: str | None
    memory_folder: str
    """`<config>/projects/<key>/memory`, without a slash at the end."""
    config_folder: str
    """`~/.claude` or CLAUDE_CONFIG_DIR, as it is written."""
    git: GitStatus
    instructions: tuple[InstructionFile, ...]
    """Every file in load order, also those that wait or are off; auto memory last."""
    memory_cut: MemoryCut | None
    lazy: tuple[LazyLoaded, ...]
    """What the simulated reads load."""
    mentions: Mentions
    woken: tuple[LazyLoaded, ...]
    """What the mentions load."""
    typed: Typed | None
    """The command that the prompt begins with."""
    hooks: dict[str, Hook]
    """By event."""
    attached: bool
    """The notes beside the prompt, joined."""
    skills: tuple[Skill, ...]
    woken_skills: WokenSkills
    agents: tuple[SubAgent, ...]
    main_agent: SubAgent | None
    sub_agent: SubAgent | None
    """The sub-agent whose prompt is asked for, None for the main session's."""
    language_servers: bool
    """A plugin has a language server."""
    thinks_hard: bool
    """The prompt asks for more thought by a keyword."""
    given_skills: tuple[tuple[str, tuple[Span, ...]], ...]
    """The skills that the sub-agent is given with its task: names and texts."""
    left_out_mods: tuple[tuple[str, str], ...]
    """Names of mods, each with an event that an organisation's guard keeps it from."""
    style: OutputStyle
    """The style in force, `default` for none."""
    style_setting: Sourced[Json]
    language: Sourced[str]
    commit_trailer: Sourced[str] | None
    """The settings' own text for the end of commit messages; None for the usual one."""
    pull_request_footer: Sourced[str] | None
    organised: bool
    """An organisation's settings have a text of their own for commits or pull requests."""
    begins_as: str
    """What a SessionStart hook is told that the session begins with."""
    compaction_off: str
    """The setting that switches compaction off; "" where none does."""
    later: Later | None
    """What a later request brings along; None for a session's first one."""
    servers: tuple[McpServer, ...]
    """Connected servers by name."""
    mcp_tools: tuple[McpTool, ...]
    absent_servers: tuple[McpServer, ...]
    """The servers that failed or have not answered yet, by name."""

    @property
    def worktree(self) -> str:
        """The worktree that is made for the session or, with random digits, for the sub-agent; "" for none."""
        isolated, named = self.sub_agent is not None and self.sub_agent.isolated, self.params.args.worktree
        name = "agent-0000000000000000" if isolated else str(named or "").replace("/", "+")
        return f"{self.git_root}/.claude/worktrees/{name}" if name and self.git_root and self.version != V100 else ""

    @property
    def has_own_worktree(self) -> bool:
        """Whether the worktree is the sub-agent's."""
        return self.sub_agent is not None and self.sub_agent.isolated
