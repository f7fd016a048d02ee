"""Copilot's sections in the order of the wire (agent.toml)."""

from promptscope_engine.prompt.drafts import SectionDraft, ToolDraft

from .materials import Materials
from .texts import FOLDER


def all_sections(m: Materials, _tools: tuple[ToolDraft, ...] = ()) -> tuple[SectionDraft, ...]:
    """Every section, the absent ones at their place.

    What is said of tools is in the order of the tools, which a chosen agent may change.
    """
    drafts = [*FOLDER.sections(m.scope)]
    names = {f"tools.{name}": number for number, name in enumerate(m.tools)}
    names["tools.search"] = min(names["tools.rg"], names["tools.grep"])
    at = [number for number, draft in enumerate(drafts) if draft.id in names]
    for number, draft in zip(at, sorted((drafts[n] for n in at), key=lambda each: names[each.id]), strict=True):
        drafts[number] = draft
    return tuple(drafts)
