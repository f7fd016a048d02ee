"""Codex's sections in the order of its input items (agent.toml); those that lists decide are made here."""

from __future__ import annotations

from promptscope_engine.agents.codex.materials import Materials
from promptscope_engine.agents.codex.scope import scope_of
from promptscope_engine.agents.codex.texts import FOLDER
from promptscope_engine.prompt.drafts import SectionDraft

from .base_sections import base_sections
from .user import agents_md_sections, mentioned_sections, prompt_sections


def all_sections(m: Materials) -> tuple[SectionDraft, ...]:
    """Every section, the absent ones at their place."""
    made = {
        "base": lambda: base_sections(m),
        "agents_md": lambda: agents_md_sections(m),
        "prompt": lambda: prompt_sections(m),
        "mentioned": lambda: mentioned_sections(m),
    }
    return tuple(FOLDER.sections(scope_of(m), made))
