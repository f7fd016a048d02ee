"""The one plan of every agent's package, in four roles: it describes itself, reads, writes, recognises its requests.

gather    disk, machine and settings to typed materials: data only
tools     materials to tools, each with its condition
sections  materials (and the tools, where the prompt lists them) to sections made of spans
layout    sections to the wire
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from msgspec import Struct

from promptscope_engine.agents.description import Description
from promptscope_engine.agents.features import PromptHints
from promptscope_engine.agents.kit.disk.rows import Found
from promptscope_engine.agents.kit.disk.servers import Configured, IdleServer
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.params import ParamField, Params, fields_of
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.inputs.scenario import McpServer
from promptscope_engine.prompt.conditions import Condition, Facts
from promptscope_engine.prompt.derived import Derivation
from promptscope_engine.prompt.drafts import FileDraft, Layout, ProgramDraft, SectionDraft, ToolDraft, Window
from promptscope_engine.prompt.model import Assembly, Assumption, Diagnostic, Endpoint, Variable, View
from promptscope_engine.workspace import Workspace

if TYPE_CHECKING:  # only `verify` and `calibrate` need it
    from promptscope_engine.captures.model import Content

M = TypeVar("M")


class BodyKey(Struct, frozen=True):
    """A key of the request's body that is no part of the prompt. `needed`: it is sent in this scenario for certain.

    `handed`: the agent gives it to the provider's code, which sends of it what that provider takes, by other names.
    """

    name: str
    needed: bool = False
    says: str = ""
    """What is in it, of one that tells about the person or the machine."""
    handed: bool = False


class Gathered(Struct, Generic[M], frozen=True):
    """What an agent found. `materials` hold no facts, so that sections can only state conditions, not decide.

    `variables`: what the agent's files say about the variables it reads, where they decide over the process.
    `views`: prompts of the same session that can be shown in place of this one.
    `derived`: the inputs that the agent computes from others, unless they are set.
    `refused`: the agent would not start under this scenario, and why; then the request is empty.
    `starts`: what a start takes, where a switch may bring it about.
    `configured`: the MCP servers of the agent's own settings.
    `idle`: servers that offer no tools now, and may be asked about all the same.
    `server_limit`: how much of what a server says of itself is sent, 0 where no limit is known.
    `assumed`: what was assumed of the files, since somebody sits at it.
    `known`: names that were found for a param to choose from, by its dotted name.
    `endpoint`: where the request goes.
    `programs`: hooks and mods.
    """

    facts: Facts
    materials: M
    files: tuple[FileDraft, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    variables: tuple[Variable, ...] = ()
    views: tuple[View, ...] = ()
    derived: tuple[Derivation, ...] = ()
    refused: Diagnostic | None = None
    starts: Condition | None = None
    configured: tuple[Configured, ...] = ()
    idle: tuple[IdleServer, ...] = ()
    server_limit: int = 0
    assumed: tuple[Assumption, ...] = ()
    known: Mapping[str, tuple[str, ...]] = {}
    endpoint: Endpoint | None = None
    programs: tuple[ProgramDraft, ...] = ()

    @classmethod
    def of(cls, found: Found, facts: Facts, materials: M, **more: Any) -> "Gathered[M]":
        """With what gatherers added to: each row and note once; the first refusal stops the start."""
        files, notes = {file.path: file for file in found.files}, dict.fromkeys(found.diagnostics)
        refused = found.refusals[0] if found.refusals else None
        return cls(
            facts, materials, tuple(files.values()), tuple(notes), refused=refused, assumed=tuple(found.assumed), **more
        )


class Describes(Protocol):
    """Who an agent is, and what there is to set."""

    @property
    def id(self) -> str:
        """The name by which a scenario chooses it."""

    @property
    def name(self) -> str:
        """The name that people know it by."""

    @property
    def versions(self) -> tuple[str, ...]:
        """The versions that are modelled, oldest first: the last is the default."""

    @property
    def params(self) -> type[Params]:
        """The model of the agent's own inputs."""

    @property
    def about(self) -> Description:
        """All else that is only declared."""
        return Description()

    def models(self, _version: str, /) -> Mapping[str, str]:
        """The agent's own names of models, each with what it stands for in a version."""
        return {}

    def implied(self, _params: Params, /) -> Mapping[str, Json]:
        """The params, by dotted name, that others bring about where the scenario does not say them."""
        return {}


class Reads(Protocol[M]):
    """What an agent reads, and what it leaves."""

    def roots(self, _inputs: Inputs, /) -> tuple[str, ...]:
        """Folders outside workspace and home that the params name and that may be read."""
        return ()

    def gather(self, inputs: Inputs, workspace: Workspace) -> Gathered[M]:
        """Everything that sections and tools need. Raises ScenarioError for inputs that make no sense."""

    def unread(self, _inputs: Inputs, _path: str, /) -> str:
        """Why a file that is in no row is not read: a sentence, or "" if no more is known; the path is absolute."""
        return ""

    def sequence(self, _kind: str, /) -> str:
        """How its files of a kind are read, side by side or not, and their order in the prompt; "" if unknown."""
        return ""

    def mistakes(self, _inputs: Inputs, _workspace: Workspace) -> Sequence[ScenarioError]:
        """What is wrong with the texts of an agent that a file defines."""
        return ()


class Writes(Protocol[M]):
    """What an agent makes of the materials: the drafts, and the request that they become."""

    def tools(self, materials: M, /) -> tuple[ToolDraft, ...]:
        """Every tool, the absent ones too."""

    def sections(self, materials: M, tools: tuple[ToolDraft, ...], /) -> tuple[SectionDraft, ...]:
        """Every section in the order of the prompt, the absent ones at their place."""

    def layout(self, gathered: Gathered[M], /) -> Layout:
        """How sections and tools become the request."""

    def window(self, gathered: Gathered[M]) -> Window:
        """The context window and what is left of it."""

    def body(self, _assembly: Assembly) -> Sequence[BodyKey]:
        """The keys of the request's body; none where they are not known."""
        return ()

    def length(self, text: str) -> int:
        """A text's characters as the agent counts them."""
        return len(text)


class Recognises(Protocol):
    """What a recorded run says about the scenario that it was a run of."""

    def started_by(self, _command: Sequence[str], _user_agent: str, /) -> Mapping[str, Json]:
        """The params, by dotted name, that a command line and the user-agent header tell; `model` may be one."""
        return {}

    def params_from_request(self, _content: "Content", /) -> Mapping[str, Json]:
        """The same for what a request holds."""
        return {}

    def servers(self, _content: "Content", /) -> Sequence[McpServer]:
        """The MCP servers that a request tells about, as far as it tells about them."""
        return ()

    def alternatives(self, _model: str | None, /) -> Sequence[Mapping[str, Json]]:
        """Values that change a request unseen, set by set, the likeliest first. `_model`: the one asked."""
        return ()

    def hints_from_prompt(self, _text: str) -> PromptHints:
        """What its system prompt, which people copy, tells about its scenario, and what is to be tried of the rest."""
        return PromptHints()


class Adapter(Describes, Reads[M], Writes[M], Recognises, Protocol[M]):
    """What an agent's package offers the rest of the engine, in four roles; who needs one of them takes that.

    An agent that subclasses this inherits the methods that have a body.
    """


ROLES = (Describes, Reads, Writes, Recognises)

Agent = Adapter[Any]
"""An agent whose materials are its own business."""


def inputs_of(agent: Describes) -> tuple[ParamField, ...]:
    """Everything that can be set: the agent's params, then its environment variables."""
    return (*fields_of(agent.params), *agent.about.variables)
