"""Conditions that several sections share."""

from __future__ import annotations

from promptscope_engine.prompt.conditions import Any, Condition, Named, Observed
from promptscope_engine.prompt.leaves import mode_is
from promptscope_engine.prompt.model import Lever

from .materials import Materials

FULL: Condition = mode_is("full")
ANY_MODE: Condition = mode_is("full", "minimal")
"""Everything but `none`, which is the identity line alone."""


def has_tool(materials: Materials, name: str) -> Condition:
    """The prompt is told of the tool."""
    prompt = materials.prompt
    yes, no = f"the tool {name} is there", f"there is no tool {name}"
    if not prompt.passes("toolNames") and any(offer.key == name for offer in materials.offers):
        return Named("tool", name, offered(materials, name), yes, f"{no} ({{inner}})")
    names = prompt.texts("toolNames")
    on = (Lever("promptParams.toolNames", [*names, name]),)
    off = (Lever("promptParams.toolNames", [known for known in names if known.lower() != name]),)
    return Observed("tool", name, name in {known.lower() for known in names}, yes, no, on=on, off=off)


def offered(materials: Materials, key: str) -> Condition:
    """A tool of the lower-cased name is there; several may differ in case."""
    found = tuple(offer.when for offer in materials.offers if offer.key == key)
    return found[0] if len(found) == 1 else Any(found)


def has_tools(materials: Materials) -> Condition:
    """The prompt is told of any tool at all."""
    prompt = materials.prompt
    names = prompt.texts("toolNames")
    yes, no = "tools are known", "no tool is known"
    passed = prompt.passes("toolNames")
    param, some = ("promptParams.toolNames", ["read"]) if passed else ("tools", None)
    return Observed("tool", "any", bool(names), yes, no, on=(Lever(param, some),), off=(Lever(param, []),))
