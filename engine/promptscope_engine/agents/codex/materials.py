"""What was gathered, frozen: sections and tools are made of this alone."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import ALWAYS, Condition
from promptscope_engine.prompt.drafts import Span

from .gates import Model


class AgentsFile(Struct, frozen=True):
    """An AGENTS.md. `spans`: what is sent, () if nothing; `counts` holds while they are; `note`: where it is cut."""

    path: str
    spans: tuple[Span, ...]
    counts: Condition
    note: str = ""


class Skill(Struct, frozen=True):
    """A skill that can be listed. `description` is what fits, () if nothing does; `path` as the listing shows it."""

    name: str
    description: tuple[Span, ...]
    path: str
    when: Condition = ALWAYS


class MentionedSkill(Struct, frozen=True):
    """A skill that the prompt names: its whole file follows the prompt, unless `when` says why it does not."""

    name: str
    path: str
    spans: tuple[Span, ...]
    when: Condition = ALWAYS


class McpTool(Struct, frozen=True):
    """A tool of a server, as it is sent."""

    name: str
    description: str
    schema: Json


class McpServer(Struct, frozen=True):
    """A server that answers. `namespace` is its name on the wire; `tools` are those that its lists let through."""

    name: str
    namespace: str
    instructions: str
    tools: tuple[McpTool, ...]


class Entry(Struct, frozen=True):
    """A line of the permission profile: `kind` is `special`, `path` or `glob`."""

    access: Literal["read", "write", "deny"]
    kind: Literal["special", "path", "glob"]
    value: str


class SandboxView(Struct, frozen=True):
    """What commands may touch. `profile` holds the entries in order, None where nothing is restricted."""

    mode: str
    network: bool
    roots: tuple[str, ...]
    writable: tuple[str, ...]
    profile: tuple[Entry, ...] | None
    denied: tuple[Entry, ...] = ()


class Image(Struct, frozen=True):
    """An image that goes with the prompt. `url` is "" where the file is not an image that can be read."""

    number: int
    path: str
    url: str


class SubAgents(Struct, frozen=True):
    """What decides about sub-agents, and what is said of them.

    `own` are the user's texts by the gate of each, `threads` how many agents may work at once, `waits` the bounds of
    `wait_agent` by their keys.
    """

    gates: Mapping[str, Condition]
    own: Mapping[str, tuple[Span, ...]]
    namespace: str
    threads: int
    waits: Mapping[str, str]


class CodeMode(Struct, frozen=True):
    """What `features.code_mode` says: the namespaces that its lists name, with the condition of each."""

    direct_only: Mapping[str, Condition]
    excluded: Mapping[str, Condition]
    yield_time: str
    """How long a script runs before it hands back control, in milliseconds."""

    def nested(self, namespace: str) -> Condition:
        """Scripts may call the tools of a namespace."""
        when: Condition = ALWAYS
        for names in (self.direct_only, self.excluded):
            when = when & ~names[namespace] if namespace in names else when
        return when

    def deferred(self, namespace: str) -> Condition:
        """The tools of a namespace may be named in place of their schemas."""
        return ~self.direct_only[namespace] if namespace in self.direct_only else ALWAYS

    def alone(self, namespace: str, otherwise: Condition) -> Condition:
        """The tools of a namespace are tools of their own: by the list, or for another reason."""
        return otherwise | self.direct_only[namespace] if namespace in self.direct_only else otherwise


class Materials(Struct, frozen=True, eq=False):
    """Everything that the prompt is made of."""

    version: str
    model: Model
    gates: Mapping[str, Condition]
    """The conditions that texts name, by that name (agent.toml)."""
    features: Mapping[str, Condition]
    """That a feature is on, of each that decides something."""
    sandboxes: Mapping[str, Condition]
    """By name: that it is the one in force."""
    codex_home: str
    prompt: str
    cwd: str
    here: Mapping[str, str | None]
    """The lines of the environment context; None where one is left out."""
    sandbox: SandboxView
    base: tuple[Span, ...]
    """A base text of the user's own; empty where the model's own is sent."""
    own: Mapping[str, tuple[Span, ...]]
    """Further texts of the user's own, and of hooks, by the name of the condition under which each is sent."""
    user_file: AgentsFile | None
    project_files: tuple[AgentsFile, ...]
    skills: tuple[Skill, ...]
    skill_roots: Mapping[str, str]
    """The folders of the table of roots, by the alias of each."""
    mentioned: tuple[MentionedSkill, ...]
    servers: tuple[McpServer, ...]
    roles: Mapping[str, str]
    """Descriptions of the kinds of sub-agents that the user describes, by name."""
    approved_prefixes: tuple[tuple[str, ...], ...]
    images: tuple[Image, ...]
    sub_agents: SubAgents
    code_mode: CodeMode
    window: int
    """Tokens of the raw window."""
    compact_limit: int | None
    counts_body: bool
    """Whether only what follows the prompt's prefix counts towards compaction."""
    options: Mapping[str, Json]
    """The body's keys besides input and tools."""
    web_search: Mapping[str, Json]
