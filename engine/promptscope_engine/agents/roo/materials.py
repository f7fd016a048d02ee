"""What Roo's gatherer found, ready for the sections: modes, servers and instructions with their origins and causes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from promptscope_engine.agents.kit.sessions.earlier import Said
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Test
from promptscope_engine.prompt.drafts import Span
from promptscope_engine.prompt.model import FileLimit, SettingSource

from .params import RooParams

if TYPE_CHECKING:
    from promptscope_engine.agents.roo.mentions import Expansion


class Mode(Struct, frozen=True):
    """A mode as the prompt shows it: texts are spans, so that a custom mode's lines keep their file:line.

    `listed` is what is behind the dash in MODES; `role` and `instructions` are those in use when the mode
    is selected, `instructed` whether the latter are not blank. `groups_source` is where a file lists the groups;
    `edits_only` are the files that the group edit is limited to.
    """

    slug: str
    name: str
    groups: tuple[str, ...]
    listed: tuple[Span, ...]
    role: tuple[Span, ...]
    instructions: tuple[Span, ...]
    instructed: Condition
    source: str = "built in"
    groups_source: SettingSource | None = None
    edits_only: FileLimit | None = None

    def has(self, group: str) -> Condition:
        """The mode in force has the tool group `group`."""
        where = self.groups_source
        if where is None:
            place, remedy = "", f"define a mode with the group `{group}` in .roomodes"
        else:
            file = f"{where.shown}:{where.line}" if where.line else where.shown
            place, remedy = f" ({file})", f"add the group `{group}` to the mode {self.slug} in {file}"
        yes, no = f"the mode has the group {group}", f"the mode lacks the group {group}{place}"
        return Test("mode", "groups", "has", group, yes, no, source=where, remedy=remedy)


class Server(Struct, frozen=True):
    """A configured MCP server. `config` is as the prompt shows it, after substitution.

    `when`: it is in the prompt, enabled and connected. `path` is the file that configures it, None for a stand-in.
    """

    name: str
    when: Condition
    config: dict[str, Json]
    instructions: str | None = None
    tools: tuple[dict[str, Json], ...] = ()
    resources: tuple[dict[str, Json], ...] = ()
    resource_templates: tuple[dict[str, Json], ...] = ()
    path: str | None = None


class Override(Struct, frozen=True):
    """The override file: `condition` holds while it replaces the prompt, `generated` while none does in any mode."""

    condition: Condition
    generated: Condition = ALWAYS
    text: tuple[Span, ...] = ()


class InstructionFile(Struct, frozen=True, weakref=True):
    """A file that may be among the rules: `text` is the stretch of `whole` that goes in if `when` holds."""

    name: str
    whole: str
    text: str
    when: Condition


class RuleSet(Struct, frozen=True):
    """The rules of one kind: of all modes (`slug` is None), or of a mode.

    `files` are those in rule directories, `legacy` those that count while there are none; `present` is whether any
    of them is in the prompt.
    """

    slug: str | None
    present: Condition
    files: tuple[InstructionFile, ...] = ()
    legacy: tuple[InstructionFile, ...] = ()


class Materials(Struct, frozen=True):
    """Everything the sections need. `mode` is the one in force, after the fallback for an unknown slug."""

    inputs: Inputs
    params: RooParams
    mode: Mode
    modes: tuple[Mode, ...]
    override: Override
    mcp: Condition
    """shouldIncludeMcp: the mode has the group, and a server is not disabled, whatever its status."""
    servers: tuple[Server, ...]
    shell: str
    language: str
    """The code of the language to answer in, "" for none."""
    mode_rules: RuleSet
    repeated_rules: RuleSet
    """The mode's rules as the environment details repeat them: of the slug that was asked for."""
    rooignore: InstructionFile
    agents: tuple[InstructionFile, ...]
    """AGENTS.md and AGENT.md, of which one counts."""
    rules: RuleSet
    details: Mapping[str, object]
    """What the environment details say, by the names that their texts have for it."""
    task: Expansion | None = None
    """The drafted task with its mentions expanded."""
    history: tuple[Said, ...] = ()
