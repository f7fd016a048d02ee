"""The parts of the prompt in the agent's order (agent.toml, sections/), then the messages."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.kit.earlier import sections
from promptscope_engine.agents.openclaw.gates import DRAFTED, HISTORY
from promptscope_engine.agents.openclaw.materials import Materials
from promptscope_engine.agents.openclaw.texts import FOLDER
from promptscope_engine.prompt.drafts import Place, SectionDraft, param_value

from .project_context import injected_files
from .values import scope_of


def section_drafts(materials: Materials) -> Iterator[SectionDraft]:
    """Every part, present or not."""
    files = injected_files(materials)
    made = {"project_context": lambda: files, "conversation": lambda: _conversation(materials)}
    return FOLDER.sections(scope_of(materials, files), made)


def _conversation(materials: Materials) -> Iterator[SectionDraft]:
    """A section for each message of the session before, then the drafted one; two rows that say why there is none."""
    yield from sections(materials.history, materials.session_file, HISTORY)
    # [recorded] the words go as they are typed, without a clock or a sender before them
    words = (param_value("task", materials.message),)
    place = Place("message", 0)
    yield SectionDraft("user.task", "The user's message", words, when=DRAFTED, place=place, stability="turn")
