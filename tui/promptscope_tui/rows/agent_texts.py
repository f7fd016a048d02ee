"""Where an agent's own wording stands among its texts: what Why names and `e` opens."""

from __future__ import annotations

from pathlib import Path

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.agents.features import WrittenAsText
from promptscope_tui.session.intents import OpenSource

from .page import Page


def text_place(agent: Agent, wording: str) -> OpenSource | None:
    """The file and line of a wording; None for an agent without texts, and for what Python says."""
    found = agent.folder.place_of(wording) if isinstance(agent, WrittenAsText) else None
    return OpenSource(str(found[0]), found[1]) if found else None


def text_source(page: Page, agent: Agent, wording: str | None) -> None:
    """A line `sections/rules.md:14` that leads to the text."""
    found = text_place(agent, wording) if wording else None
    if found is not None and isinstance(agent, WrittenAsText):
        page.source(agent.folder.shown(Path(found.path)), found.path, found.line, found.line)
