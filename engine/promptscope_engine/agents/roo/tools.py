"""Which of Roo's 21 tools a mode has, in the order in which its prompt lists them."""

from __future__ import annotations

from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.agents.roo.texts import FOLDER, scope_of
from promptscope_engine.prompt.conditions import ALWAYS, Condition
from promptscope_engine.prompt.drafts import ToolDraft

_ALWAYS = "always"


def tool_drafts(materials: Materials) -> tuple[ToolDraft, ...]:
    """Every tool: the mode's groups in the mode's order, then those that are always available, each tool once."""
    groups, scope = FOLDER.tool_groups, scope_of(materials)
    names = [name for group in _order(materials.mode.groups) for name in groups[group]]
    generated = materials.override.generated
    offered = {group: generated & _offered(materials, group) for group in groups}
    return tuple(
        FOLDER.tool(name, scope, offered[FOLDER.group_of(name)]) for name in dict.fromkeys((*names, *groups[_ALWAYS]))
    )


def _offered(materials: Materials, group: str) -> Condition:
    """The tools of `modes` are always available too; those of `mcp` are offered while a server is enabled."""
    if group in (_ALWAYS, "modes"):
        return ALWAYS
    return materials.mcp if group == "mcp" else materials.mode.has(group)


def _order(groups: tuple[str, ...]) -> list[str]:
    """The mode's groups, and each one that it lacks behind the group it follows elsewhere.

    `modes` counts only where a mode lists it: its tools are always available, and then stand further below.
    """
    order = list(groups)
    before: str | None = None
    for group in FOLDER.tool_groups:
        if group not in order and group not in ("modes", _ALWAYS):
            order.insert(order.index(before) + 1 if before else 0, group)
        before = group if group in order else before
    return order
