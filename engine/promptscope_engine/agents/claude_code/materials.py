"""What Claude Code's gatherer found, ready for the sections and tools: frozen values, nothing is read after this.

The plan of section ids, in the order of the wire. Sections marked * are measured; `reference` is then the id itself.

system, layout A: billing identity* | intro* system* doing_tasks* executing_actions* using_tools* tone_and_style*
  [boundary] session_guidance* memory_instructions* environment* language output_style tool_results_note* append
  git_status
system, layout A': the same with text_output* after tone_and_style*, and context_management*, closing* in place of
  language, output_style and tool_results_note; no git_status. With --exclude-dynamic-… memory_instructions.static
  stands before text_output, in layout B after harness.
system, layout B: billing identity* | intro* harness* [boundary] notes* session_guidance* memory_instructions*
  environment* context_management* closing* append
instead of all sections: system_prompt (the text of --system-prompt), agent_prompt (--agent), bare*

messages: mention.call:<path> mention.result:<path> deferred_tools* hook.session_start environment.facts*
  environment.model* language output_style agents* mcp_instructions skills* total_tokens* plan_mode*
  output_style.reminder hook.user_prompt_submit user_context (children user_context.<key>, user_context.file:<path>)
  git_status memory_instructions.folder attribution* date prompt woken:<path>
  Each layout has its own order (2.1, 2.2); a section of one layout is not listed in another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.inputs.scenario import McpServer
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts
from promptscope_engine.prompt.drafts import FileDraft, Piece
from promptscope_engine.prompt.model import Diagnostic

from .gates import Gates
from .gather.mentions import Mention
from .params import ClaudeCodeParams
from .versions import Layout, Model


@dataclass(frozen=True, slots=True)
class InstructionFile:
    """A file that stands as an entry `Contents of <shown> (<label>):` (3.2): `pieces` is its text, right-trimmed.

    `paths` are the patterns of a rule that waits for a matching file, None where the file loads unasked; `base` is
    the directory that the patterns are relative to. `importer` is the shown path of the file that imported it.
    """

    shown: str
    real: str
    kind: str
    label: str
    pieces: tuple[Piece, ...]
    paths: tuple[str, ...] | None = None
    base: str = ""
    importer: str | None = None
    depth: int = 0
    when: Condition = ALWAYS
    """True while it loads: a file that waits or is switched off has a false one."""
    gate: Condition = ALWAYS
    """`when` without the waiting: what has to hold for a read to wake the rule."""

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class Woken:
    """An instruction file that a read wakes (3.6). `read` is the path whose reading woke it."""

    file: InstructionFile
    read: str


@dataclass(frozen=True, slots=True)
class GitStatus:
    """The repository as git tells it (4). `status` is whole; what is sent of it stands in `status_shown`."""

    branch: str
    main_branch: str
    user: str | None
    status: str
    commits: tuple[str, ...]
    status_shown: str
    cut: bool


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill of the listing (6). `shown` is the name as listed, `dir (name)` where both differ.

    `pieces` is what follows `<shown>: `, cut to its length and the budget; () where only the name is listed.
    """

    name: str
    shown: str
    source: str
    """`bundled`, `user`, `project`, `command`."""
    pieces: tuple[Piece, ...]
    when: Condition = ALWAYS
    """True while it is listed."""


@dataclass(frozen=True, slots=True)
class SubAgent:
    """A sub-agent of the listing: `tools` as listed (`All tools`, `Read, Grep`), `body` its own system prompt."""

    name: str
    pieces: tuple[Piece, ...]
    """The description."""
    tools: str
    source: str
    """`built-in`, `user`, `project`."""
    body: tuple[Piece, ...] = ()
    tool_list: tuple[str, ...] | None = None
    """The tools it asks for, in its own order; None for all."""


@dataclass(frozen=True, slots=True)
class OutputStyle:
    """The style in force. `body` is empty for a built-in one: its text is builtin wording."""

    name: str
    built_in: bool
    body: tuple[Piece, ...] = ()
    keep_coding_instructions: bool = False


@dataclass(frozen=True, slots=True)
class Origined:
    """A setting's value with where it was set: the path of a settings file, or None for `params.settings`."""

    value: Json
    path: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class McpTool:
    """A tool of a connected server under its wire name `mcp__<server>__<tool>`."""

    name: str
    server: str
    description: str
    input_schema: Json


@dataclass(frozen=True, slots=True)
class Materials:
    """Everything the sections and tools need.

    `tools`: names that may be offered are decided in tools/selection.py; `offers(name)` there is the condition that a
    tool is at hand (directly or deferred), for sections that name it.
    """

    inputs: Inputs
    params: ClaudeCodeParams
    facts: Facts
    gates: Gates
    version: str
    model: Model
    layout: Layout
    settings: Mapping[str, Origined]
    """The settings in force, by key."""
    first_party: bool
    cwd: str
    additional: tuple[str, ...]
    """Added working directories, absolute."""
    git_root: str | None
    memory_folder: str
    """`<config>/projects/<key>/memory`, without a slash at the end."""
    config_folder: str
    """`~/.claude` or CLAUDE_CONFIG_DIR."""
    git: GitStatus | None
    instructions: tuple[InstructionFile, ...]
    """Every file of the chain in load order, also those that wait or are off; see `InstructionFile.when`."""
    auto_memory: InstructionFile | None
    memory_warning: tuple[str, str] | None
    """(size, limit) as shown where MEMORY.md was cut: ("300", "200") lines or ("45.1KB", "24.4KB")."""
    woken: tuple[Woken, ...]
    mentions: tuple[Mention, ...]
    """The files that the prompt mentions."""
    skills: tuple[Skill, ...]
    agents: tuple[SubAgent, ...]
    main_agent: SubAgent | None
    style: OutputStyle | None
    language: Origined | None
    servers: tuple[McpServer, ...]
    """Connected servers by name."""
    mcp_tools: tuple[McpTool, ...]
    window: int
    files: tuple[FileDraft, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    conditions: dict[str, Condition] = field(default_factory=dict, compare=False, repr=False)
    """Conditions on tools made so far, by tool: many sections ask for the same ones."""
