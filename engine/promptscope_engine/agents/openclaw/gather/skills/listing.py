"""The listing of skills: exact form, limits, where each stretch comes from (specs/openclaw.md 3, "Format")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from promptscope_engine.agents.kit.texts import Scope
from promptscope_engine.agents.openclaw.gather.config import short_path
from promptscope_engine.agents.openclaw.texts import FOLDER
from promptscope_engine.javascript.text import utf16_len
from promptscope_engine.prompt.drafts import Piece, builtin, computed, label, param_value, traced_lines

from .discovery import Limits, Skill

# Measured in the real agent: its limit counts these, not our own wording (3, reference.json).
BASE_CHARS = 368
ENTRY_CHARS = 97

ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;"}


def listed_count(skills: Sequence[Skill], bounds: Limits) -> int:
    """How many from the front fit: first by number, then by the characters of the whole block."""
    total = BASE_CHARS
    for number, skill in enumerate(skills[: bounds.in_prompt]):
        total += entry_chars(skill)
        if total > bounds.chars:
            return number
    return min(len(skills), bounds.in_prompt)


def entry_chars(skill: Skill) -> int:
    """Characters that a skill's entry takes; the location counts with its full path, which is shortened later."""
    return ENTRY_CHARS + sum(utf16_len(escape(value)) for value in (skill.name, skill.description, skill.path))


def escape(value: str) -> str:
    """XML's five special characters as entities."""
    return re.sub(r"[&<>\"']", lambda found: ENTITIES[found[0]], value)


def listing(skills: Sequence[Skill], total: int, home: str) -> Iterator[Piece]:
    """The text of `skillsPrompt`, trimmed; `total` are the eligible ones, more than the listed if some were cut."""
    names = {
        "some_cut": len(skills) < total,
        "shown_skills": computed("skills.listed", str(len(skills))),
        "eligible_skills": computed("skills.eligible", str(total)),
        "listed": [
            {
                "name": list(_escaped(_name(skill))),
                "description": list(_escaped(_description(skill))),
                "location": computed("skill.location", escape(short_path(skill.path, home))),
            }
            for skill in skills
        ],
    }
    return FOLDER.pieces("skill_list", Scope(names))


def _name(skill: Skill) -> Iterator[Piece]:
    if skill.file is None:
        yield label(skill.name) if skill.plugin else param_value("skills", skill.name)
    elif skill.head.name is None:
        yield computed("skill.folder", skill.name)
    else:
        yield from traced_lines(skill.file.path, skill.file.text, skill.name, skill.head.name_line, "skill.name")


def _description(skill: Skill) -> Iterator[Piece]:
    if skill.file is None:
        own = skill.plugin is not None
        yield builtin(f"skills.{skill.name}", skill.description) if own else param_value("skills", skill.description)
    else:
        first = skill.head.description_line
        yield from traced_lines(skill.file.path, skill.file.text, skill.description, first, "skill.description")


def _escaped(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """The pieces with entities; what is verbatim in a file stays so on both sides of one."""
    for piece in pieces:
        if piece.origin.kind != "file":
            yield Piece(escape(piece.text), piece.origin)
            continue
        for stretch in re.split(r"([&<>\"'])", piece.text):
            if stretch in ENTITIES:
                yield computed("xml", ENTITIES[stretch])
            elif stretch:
                yield Piece(stretch, piece.origin)
