"""What an agent may be able to tell beyond its prompt, each ability a small protocol of its own.

An agent (see `adapter.Agent`) has an ability if it has the methods; who wants to know asks `isinstance(agent, Caches)`,
and says in one line what is missing where an agent lacks it. Nothing outside of its own package knows an agent by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from msgspec import Struct

from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.drafts import SectionDraft
from promptscope_engine.prompt.model import Assembly, Lever, ModeChoice, Section
from promptscope_engine.workspace import Workspace

from .transcripts import TranscriptFile, TranscriptReader, Turn

if TYPE_CHECKING:  # only `verify` and `calibrate` need it
    from promptscope_engine.inputs.scenario import McpServer
    from promptscope_engine.javascript.matcher import Matcher

    from .kit.text.folder import Folder


@runtime_checkable
class WrittenAsText(Protocol):
    """An agent whose prompt is a folder of text and data, over which corrections can be laid."""

    @property
    def folder(self) -> Folder:
        """Its texts."""


def package_of(agent: object) -> str:
    """The package that holds an agent's data, measured sizes among them: of one with texts, that of these."""
    if isinstance(agent, WrittenAsText):
        return f"{__package__}.{agent.folder.path.name}"
    return type(agent).__module__.rpartition(".")[0]


CategoryKind = Literal[
    "prompt", "tools", "files", "settings", "machine", "skills", "agents", "messages", "unaccounted", "deferred",
    "free", "reserve",
]  # fmt: skip

UNACCOUNTED = "Not in the agent's own account"
"""The category of what is sent and none of the agent's own categories counts."""


class Category(Struct, frozen=True):
    """A row of the agent's own account of its window, in tokens; `used`: whether it counts as used."""

    name: str
    tokens: int
    used: bool = True
    kind: CategoryKind = "prompt"


class ContextReport(Struct, frozen=True):
    """The agent's own account of the window, in its order. All in tokens.

    The used rows add up to the expected tokens of the prompt and `conversation`, the tokens of a conversation that has
    begun. `reported` is what the last answer is said to have used (an input of the scenario), None if nothing is said.
    """

    categories: tuple[Category, ...]
    window: int
    reserve: int
    compact_at: int | None
    reported: int | None = None
    conversation: int = 0
    remark: str = ""
    """How sure the window and the point of compaction are, where that has to be said."""
    compaction: str = ""
    """Why it compacts nowhere, or how sure the point is (`TokenSummary.compaction`)."""

    @property
    def used(self) -> int:
        """All that is used: the prompt and the conversation."""
        return sum(row.tokens for row in self.categories if row.used)


@runtime_checkable
class ReportsContext(Protocol):
    """An agent that accounts for its window in categories of its own."""

    def context(self, assembly: Assembly, params: Mapping[str, Json], /) -> ContextReport:
        """The account for an assembly made with these params."""


What = Literal["kept", "computed", "dropped", "lost", "unknown"]


class CacheEffect(Struct, frozen=True):
    """What an event does to a section: sent as before, computed again, dropped, lost until something loads it again."""

    what: What
    why: str


class Forecast(Struct, frozen=True):
    """If a file changed before the next session: tokens in front of the change, and those a breakpoint keeps cached.

    `section` is the first one that changes (`tools` for a tool's description), None if nothing of the request does.
    Tokens are expected ones (see CONTRACT). `note` says what `cached` goes by.
    """

    section: str | None
    unchanged: int
    cached: int
    total: int
    note: str = "in a new session, up to the last breakpoint before the change"


@runtime_checkable
class Caches(Protocol):
    """An agent whose caching is known, and what it computes again."""

    @property
    def events(self) -> Mapping[str, str]:
        """What can happen in a session, as a person names it: `clear` is "/clear"."""

    def cache_effect(self, assembly: Assembly, section: Section, event: str, /) -> CacheEffect:
        """What one of `events` does to a present section."""

    def boundary(self, assembly: Assembly, /) -> str | None:
        """The first present section behind the boundary of the static and the dynamic parts; None without one."""

    def forecast(self, assembly: Assembly, path: str, /) -> Forecast:
        """How much stays cached if the file at `path` (as the agent shows it) changes."""


class LazyFile(Struct, frozen=True):
    """An instruction file that loads when the agent reads another file.

    `path` as the agent shows it. Only files below `base` load it: those that match `patterns`, which are as their
    author wrote them, or all where there are none.
    `never` says why a pattern's form keeps it from ever matching, or why no read loads it; "" if one can.
    """

    path: str
    kind: str
    base: str
    patterns: tuple[str, ...]
    loads_for: Callable[[str], bool]
    """Whether reading an absolute path loads it."""
    never: str = ""
    loads_among: Callable[[Sequence[str]], Sequence[int]] | None = None
    """The indices of the files below `base` for which `loads_for` holds, where that is faster than one by one."""

    @classmethod
    def of_folder(cls, path: str, kind: str, folder: str) -> LazyFile:
        """One that any read of another file below a folder loads."""
        return cls(path, kind, folder, (), lambda read: read.startswith(f"{folder}/") and read != path)


@runtime_checkable
class LoadsLazily(Protocol):
    """An agent that loads some instruction files only when it reads others."""

    def lazy_files(self, inputs: Inputs, workspace: Workspace, files: Sequence[str]) -> tuple[LazyFile, ...]:
        """Every lazy file, in the order in which the agent would load them; `files`: the repository's, absolute."""


class EditStep(Struct, frozen=True):
    """One check before an edit: `ok` is None if that isn't known here, `text` says in a sentence what was found."""

    ok: bool | None
    text: str


class EditRules(Struct, frozen=True):
    """What decides whether a mode may edit a file.

    `tools` edit files; `matcher` is the mode's pattern, None without one, or if it cannot be used: then `undecided` is
    why. Paths are those that the model would write, relative to the workspace.
    """

    mode: ModeChoice
    may_edit: bool
    tools: tuple[str, ...]
    matcher: Matcher | None
    undecided: str
    hides: Callable[[str], bool]
    """Whether another rule keeps the agent from the file at a path."""
    steps: Callable[[str, str | None], tuple[EditStep, ...]]
    """What the agent looks at for a path, and the tool that would edit (None: any), in order, up to what refuses it."""


@runtime_checkable
class LimitsEdits(Protocol):
    """An agent whose modes may edit some of the files only."""

    def edit_rules(self, inputs: Inputs, workspace: Workspace, mode: ModeChoice) -> EditRules:
        """The rules of one of the modes."""


@runtime_checkable
class GoesOn(Protocol):
    """An agent whose later requests are known: after a compaction, `/clear`, a restart, some turns."""

    def after(
        self, gathered: Any, sections: Sequence[SectionDraft], inputs: Inputs, workspace: Workspace
    ) -> tuple[SectionDraft, ...]:
        """The sections of a session's first request, as `inputs.after` leaves them, and what it brings along.

        What is lost is absent there, with the reason. `gathered` is what the agent's own `gather` gave.
        """


@runtime_checkable
class KeepsTranscripts(Protocol):
    """An agent whose recorded conversations can be read."""

    def transcript_files(self, inputs: Inputs, workspace: Workspace) -> tuple[TranscriptFile, ...]:
        """The transcripts found below the home folder: this workspace's first, each group newest first."""

    def is_transcript(self, head: bytes) -> bool:
        """Whether a file that begins so (`transcripts.HEAD` bytes) is one of the agent's conversations."""

    def transcript_reader(self, base: int, variables: Mapping[str, str], /) -> TranscriptReader:
        """A reader for a transcript of a session whose prompt takes `base` tokens. The environment sets its limits."""

    def continue_from(self, path: str, turn: Turn, /) -> tuple[Lever, ...]:
        """What to set so that the session continues after a turn of the conversation at `path`; () if nothing does."""


class ReportLine(Struct, frozen=True):
    """A line of an agent's report as the agent prints it; `notes` say what it leaves out or gets wrong."""

    text: str
    notes: tuple[str, ...] = ()


class AgentReport(Struct, frozen=True):
    """What an agent's own report on its context would print for a prompt.

    `views` are its forms by name, the first being what it prints unless asked for another; `data` is the report as
    JSON, and `notes` are what concerns the report as a whole.
    """

    command: str
    views: Mapping[str, tuple[ReportLine, ...]]
    data: Json
    notes: tuple[str, ...] = ()


@runtime_checkable
class Reporting(Protocol):
    """An agent with a command that reports on its own context."""

    def report(self, inputs: Inputs, workspace: Workspace, assembly: Assembly) -> AgentReport:
        """The report on the assembly that was made of these inputs."""


class FirstMessage(Struct, frozen=True):
    """How the first message of a session can be drafted.

    `param` holds its words. `hint` names what expands in them. `sections` are the ids, or beginnings of ids up to a dot
    or colon, of what comes of it, the message's own first. `notes` are the codes of what may be said about it.
    """

    param: str
    hint: str = ""
    sections: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def holds(self, section: Section) -> bool:
        """Whether a section is there for the message."""
        return any(section.id.startswith(own) if own[-1] in ".:" else section.id == own for own in self.sections)


class PromptHints(Struct, frozen=True):
    """What a system prompt says of the scenario that it was made for; what it leaves open is not in it.

    `values` by dotted name, as `Scenario.with_value` takes them; `environment` facts of the machine. `alternatives` as
    those of an adapter.
    """

    values: Mapping[str, Json] = {}
    environment: Mapping[str, str] = {}
    servers: tuple[McpServer, ...] = ()
    workspace: str | None = None
    home: str | None = None
    alternatives: tuple[Mapping[str, Json], ...] = ()
