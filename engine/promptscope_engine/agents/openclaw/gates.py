"""Conditions that several sections share."""

from __future__ import annotations

from promptscope_engine.agents.kit.earlier import drafted, named
from promptscope_engine.prompt.conditions import Condition, Named, Observed
from promptscope_engine.prompt.model import Lever

from .materials import Materials

DRAFTED: Condition = drafted("a message")
HISTORY: Condition = named("sessionFile", "a session's file", ", or choose a turn of a conversation (o)")


def has_tool(materials: Materials, name: str) -> Condition:
    """The prompt is told of the tool."""
    prompt = materials.prompt
    yes, no = f"the tool {name} is there", f"there is no tool {name}"
    if name in materials.offered and not prompt.passes("toolNames"):
        return Named("tool", name, materials.offered[name], yes, f"{no} ({{inner}})")
    names = prompt.texts("toolNames")
    on = (Lever("promptParams.toolNames", [*names, name]),)
    off = (Lever("promptParams.toolNames", [known for known in names if known.lower() != name]),)
    return Observed("tool", name, name in {known.lower() for known in names}, yes, no, on=on, off=off)


def has_tools(materials: Materials) -> Condition:
    """The prompt is told of any tool at all."""
    prompt = materials.prompt
    names = prompt.texts("toolNames")
    yes, no = "tools are known", "no tool is known"
    passed = prompt.passes("toolNames")
    param, some = ("promptParams.toolNames", ["read"]) if passed else ("tools", None)
    return Observed("tool", "any", bool(names), yes, no, on=(Lever(param, some),), off=(Lever(param, []),))
