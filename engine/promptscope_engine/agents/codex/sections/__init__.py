"""Codex's sections in the order of its input items (specs/codex.md 1.4)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.codex.materials import Materials
from promptscope_engine.prompt.drafts import SectionDraft

from .agents import mode_section, role_section
from .base_sections import base_sections
from .developer import (
    catalogue_section,
    collaboration_section,
    deferred_section,
    developer_section,
    memory_section,
)
from .permissions import permissions_section
from .skills import moved_skills_section, skills_section
from .user import (
    agents_md_sections,
    budget_sections,
    environment_section,
    mentioned_sections,
    prompt_hook_section,
    prompt_sections,
    reminder_section,
    session_hook_section,
)


def all_sections(m: Materials) -> tuple[SectionDraft, ...]:
    """Every section, the absent ones at their place."""
    return tuple(_in_order(m))


def _in_order(m: Materials) -> Iterator[SectionDraft]:
    yield from base_sections(m)
    yield developer_section(m)
    yield memory_section(m)
    yield skills_section(m)
    yield permissions_section(m)
    yield collaboration_section(m)
    yield deferred_section(m)
    yield catalogue_section(m)
    yield moved_skills_section(m)
    yield role_section(m)
    yield mode_section(m)
    yield from budget_sections(m)
    yield from agents_md_sections(m)
    yield environment_section(m)
    yield session_hook_section(m)
    yield from prompt_sections(m)
    yield from mentioned_sections(m)
    yield prompt_hook_section(m)
    yield reminder_section(m)
