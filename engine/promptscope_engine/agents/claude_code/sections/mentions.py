"""The message that holds the files the prompt mentions: for each the call of Read, then its result (2.1)."""

from __future__ import annotations

import json
from collections.abc import Iterator

from promptscope_engine.agents.claude_code.materials import Materials, Mention
from promptscope_engine.prompt.drafts import Piece, Place, SectionDraft, builtin, computed, file_text, label


def mention_sections(m: Materials, message: int) -> Iterator[SectionDraft]:
    """Two reminders per file, in a user message of their own before the prompt's."""
    for mention in m.mentions:
        for part, pieces in (("call", _call(mention)), ("result", _result(mention))):
            wrapped = (label("<system-reminder>\n"), *pieces, label("\n</system-reminder>"))
            section_id = f"mention.{part}:{mention.path}"
            title, place = f"{mention.path}, {part}", Place(section_id, message)
            yield SectionDraft(section_id, title, wrapped, None, mention.when, place, "turn")


def _call(mention: Mention) -> Iterator[Piece]:
    yield builtin("mention.call", "The user's message names a file, so the tool Read was called for it. Its input: ")
    yield computed("mention.input", json.dumps({"file_path": mention.path}, ensure_ascii=False))


def _result(mention: Mention) -> Iterator[Piece]:
    yield builtin("mention.result", "What Read answered, with line numbers:")
    for number, line in enumerate(mention.lines, 1):
        yield label(f"\n{number}\t")
        yield file_text(mention.path, line, number)
