"""What Roo's gatherer found, ready for the sections: facts, modes, servers and instruction texts with their origins."""

from __future__ import annotations

from dataclasses import dataclass, field

from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts
from promptscope_engine.prompt.drafts import FileDraft, Piece, SectionDraft
from promptscope_engine.prompt.model import Diagnostic

from .params import RooParams


@dataclass(frozen=True, slots=True)
class Mode:
    """A mode as the prompt shows it: texts are pieces, so that a custom mode's lines keep their file:line.

    `listed` is what stands behind the dash in MODES (1.8); `role` and `instructions` are those in use when the mode
    is selected (3). `instructions` is () where there are none.
    """

    slug: str
    name: str
    groups: tuple[str, ...]
    listed: tuple[Piece, ...]
    role: tuple[Piece, ...]
    instructions: tuple[Piece, ...]
    source: str = "built in"


@dataclass(frozen=True, slots=True)
class Server:
    """An MCP server that is not disabled (5). `config` is as the prompt shows it, after substitution."""

    name: str
    status: str
    config: dict[str, Json]
    instructions: str | None = None
    tools: tuple[dict[str, Json], ...] = ()
    resources: tuple[dict[str, Json], ...] = ()
    resource_templates: tuple[dict[str, Json], ...] = ()
    path: str | None = None
    """The configuration file it comes from; None for a stand-in of the scenario."""


@dataclass(frozen=True, slots=True)
class Override:
    """The file `.roo/system-prompt-<mode>` (1.2): `condition` is true while it replaces the generated prompt."""

    path: str
    condition: Condition
    text: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class Materials:
    """Everything the sections need. `mode` is the one in force, after the fallback for an unknown slug."""

    inputs: Inputs
    params: RooParams
    facts: Facts
    mode: Mode
    modes: tuple[Mode, ...]
    override: Override
    mcp: Condition
    """shouldIncludeMcp, see gates.mcp_gate."""
    servers: tuple[Server, ...]
    shell: str
    custom_instructions: tuple[SectionDraft, ...]
    """The section USER'S CUSTOM INSTRUCTIONS and its children, made by custom_instructions.py."""
    message: tuple[SectionDraft, ...] = ()
    """The first message of a task, made by first_message.py."""
    files: tuple[FileDraft, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    generated: Condition = field(default=ALWAYS)
    """True while no override file replaces the generated prompt: guards every generated section and tool."""
