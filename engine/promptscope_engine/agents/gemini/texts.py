"""Gemini CLI's tools as text (agent.toml, tools/), and what their conditions may name."""

from __future__ import annotations

from dataclasses import fields
from functools import lru_cache
from pathlib import Path

from promptscope_engine.agents.kit.expressions import Vocabulary
from promptscope_engine.agents.kit.folder import Folder
from promptscope_engine.agents.kit.texts import Scope
from promptscope_engine.inputs.params import fields_of
from promptscope_engine.prompt.drafts import computed

from .gates import Gates
from .materials import Materials
from .params import GeminiParams

FOLDER = Folder(
    Path(__file__).parent,
    Vocabulary(
        params=lambda: {field.name: field for field in fields_of(GeminiParams)},
        own=frozenset(field.name for field in fields(Gates)),
    ),
)


@lru_cache(maxsize=1)  # sections and tools of one scenario
def scope_of(m: Materials) -> Scope:
    """Its gates, and the values that stand in texts."""
    names = {
        **{field.name: getattr(m.gates, field.name) for field in fields(Gates)},
        "skills.listed": computed("skills", ", ".join(f"'{skill.name}'" for skill in m.skills)),
        "plans": computed("plans", f"{m.plans}/"),
    }
    return Scope(names, params=m.params)
