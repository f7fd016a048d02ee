"""Gemini CLI's sections and tools as text (agent.toml, sections/, tools/), and what their conditions may name."""

from __future__ import annotations

from pathlib import Path

from promptscope_engine.agents.kit.expressions import Vocabulary
from promptscope_engine.agents.kit.folder import Folder
from promptscope_engine.inputs.params import fields_of

from .gates import HEADLESS
from .params import GeminiParams

FOLDER = Folder(
    Path(__file__).parent,
    Vocabulary(
        {"print": HEADLESS},
        lambda: {field.name: field for field in fields_of(GeminiParams)},
        words=frozenset({"tool", "switch"}),
    ),
)
