"""The messages: those of the session before, then the drafted one."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.kit.earlier import sections
from promptscope_engine.agents.openclaw.gates import DRAFTED, HISTORY
from promptscope_engine.agents.openclaw.materials import Materials
from promptscope_engine.prompt.drafts import Place, SectionDraft, param_value


def conversation(materials: Materials) -> Iterator[SectionDraft]:
    """A section for each message; two rows that say why there is none."""
    yield from sections(materials.history, materials.session_file, HISTORY)
    # [recorded] the words go as they are typed, without a clock or a sender before them
    words = (param_value("task", materials.message),)
    place = Place("message", 0)
    yield SectionDraft("user.task", "The user's message", words, when=DRAFTED, place=place, stability="turn")
