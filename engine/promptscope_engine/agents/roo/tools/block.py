"""A tool as a block of the prompt: `## <name>` and what follows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.prompt.conditions import ALWAYS, Condition
from promptscope_engine.prompt.drafts import Choice, ParameterDraft, Piece, ToolDraft, builtin, environment, label

ALWAYS_GROUP = "always"
"""Shown as the group of tools that belong to no group of a mode."""


Describe = Callable[[Materials], ToolDraft]


def tool(
    group: str,
    *,
    when: Condition = ALWAYS,
    parameters: tuple[ParameterDraft, ...] = (),
    variant: Choice[str | None] | None = None,
) -> Callable[[Callable[[Materials], Iterable[Piece]]], Describe]:
    """The tool that the decorated function describes; its section and its measured size go by the function's name."""

    def described(pieces: Callable[[Materials], Iterable[Piece]]) -> Describe:
        name = pieces.__name__

        def draft(materials: Materials) -> ToolDraft:
            return ToolDraft(
                name=name,
                group=group,
                description=(label(f"## {name}\n"), *pieces(materials)),
                when=_offered(materials, group) & when,
                parameters=parameters,
                variant=variant,
                section=f"tools.{name}",
                reference=f"tools.{name}",
            )

        return draft

    return described


def _offered(materials: Materials, group: str) -> Condition:
    """The tools of `modes` are always available too; those of `mcp` are offered while a server is enabled (2.2)."""
    if group in (ALWAYS_GROUP, "modes"):
        return ALWAYS
    return materials.mcp if group == "mcp" else materials.mode.has(group)


def usage(tool: str, *, lead: str = "\n", **values: str) -> Iterator[Piece]:
    """The form of a call: each parameter with what stands for its value."""
    opening = f"{lead}Usage:\n<{tool}>\n"
    for name, value in values.items():
        yield label(f"{opening}<{name}>")
        yield builtin(f"{tool}.usage", value)
        opening = f"</{name}>\n"
    yield label(f"{opening}</{tool}>\n\n")


def cwd(materials: Materials) -> Piece:
    """The workspace directory, which most descriptions of a path name."""
    return environment("cwd", materials.inputs.workspace)


def required(*names: str) -> tuple[ParameterDraft, ...]:
    """Parameters that a call must have."""
    return tuple(map(ParameterDraft, names))


def optional(*names: str) -> tuple[ParameterDraft, ...]:
    """Parameters that a call may leave out."""
    return tuple(ParameterDraft(name, required=False) for name in names)
