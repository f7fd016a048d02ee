"""The sections of Gemini CLI's request, in the order of agent.toml (specs/gemini.md 3, 4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from promptscope_engine.agents.gemini.materials import Materials
from promptscope_engine.agents.gemini.scope import scope_of
from promptscope_engine.agents.gemini.texts import FOLDER
from promptscope_engine.prompt.drafts import Later, SectionDraft

from .collapsed import collapsed
from .delegation import agents_listed, skills_listed
from .memory import remembered
from .messages import further_prompts, mentions, reads
from .override import override
from .session import loaded_sections, tree_sections


def section_drafts(m: Materials) -> Iterator[SectionDraft]:
    """Every section, the absent ones at their place. Blank lines collapse in the whole system text."""
    legacy = m.model.variant == "legacy"
    scope = scope_of(m).within(
        {
            **remembered(m),
            "agents_listed": lambda: agents_listed(m),
            "skills_listed": lambda: skills_listed(m),
        }
    )
    made = {
        "override": lambda: [override(m)],
        "final_reminder": lambda: FOLDER.sections(scope, group="legacy") if legacy else (),
        "trees": lambda: tree_sections(m),
        "loaded": lambda: loaded_sections(m),
        "further": lambda: further_prompts(m),
        "mentions": lambda: mentions(m),
        "reads": lambda: reads(m),
    }
    for draft in FOLDER.sections(scope, made, form="legacy" if legacy else ""):
        is_text = draft.place.block == "system"
        yield replace(draft, pieces=Later(collapsed(draft.pieces))) if is_text else draft
