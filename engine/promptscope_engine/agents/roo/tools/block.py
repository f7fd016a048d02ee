"""A tool as a block of the prompt: `## <name>` and what follows."""

from __future__ import annotations

from collections.abc import Iterable

from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.prompt.conditions import ALWAYS, Condition
from promptscope_engine.prompt.drafts import Choice, ParameterDraft, Piece, ToolDraft, environment, label

ALWAYS_GROUP = "always"
"""Shown as the group of tools that belong to no group of a mode."""


def block(
    name: str,
    group: str,
    description: Iterable[Piece],
    *,
    when: Condition = ALWAYS,
    parameters: tuple[ParameterDraft, ...] = (),
    variant: Choice[str | None] | None = None,
) -> ToolDraft:
    """The tool `name`; its section and its measured size go by that name."""
    return ToolDraft(
        name=name,
        group=group,
        description=(label(f"## {name}\n"), *description),
        when=when,
        parameters=parameters,
        variant=variant,
        section=f"tools.{name}",
        reference=f"tools.{name}",
    )


def cwd(materials: Materials) -> Piece:
    """The workspace directory, which most descriptions of a path name."""
    return environment("cwd", materials.inputs.workspace)


def required(*names: str) -> tuple[ParameterDraft, ...]:
    """Parameters that a call must have."""
    return tuple(map(ParameterDraft, names))


def optional(*names: str) -> tuple[ParameterDraft, ...]:
    """Parameters that a call may leave out."""
    return tuple(ParameterDraft(name, required=False) for name in names)
