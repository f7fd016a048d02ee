"""Instruction files that the simulated reads load, after the base messages (specs/claude-code.md 3.6)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.claude_code.materials import LazyLoaded, Materials, Skill
from promptscope_engine.agents.claude_code.scope import text
from promptscope_engine.agents.claude_code.selection import offers
from promptscope_engine.prompt.conditions import Observed
from promptscope_engine.prompt.drafts import Piece, Place, SectionDraft, builtin, computed, label

from .places import LAZY, LAZY_AGENTS, LAZY_SKILLS
from .user_context import entry_pieces


def lazy_sections(m: Materials) -> Iterator[SectionDraft]:
    """A block per file. An AGENTS.md follows in a message of role `system`, after those of the user turn [R329].

    An agent that has no Read tool reads nothing, so nothing loads [recorded 2.1.332].
    """
    for number, loaded in enumerate(m.lazy):
        if loaded.file.kind != "agents-md":
            pieces = (
                label("<system-reminder>\n"),
                *entry_pieces(loaded.file, labelled=False),
                label("\n</system-reminder>"),
            )
            yield _draft(m, loaded, pieces, Place(f"lazy {number}", LAZY))
    for number, loaded in enumerate(m.lazy):
        if loaded.file.kind == "agents-md":
            pieces = tuple(entry_pieces(loaded.file, labelled=False))
            yield _draft(m, loaded, pieces, Place(f"lazy {number}", LAZY_AGENTS, "system"))
    yield from _skills(m)


def _skills(m: Materials) -> Iterator[SectionDraft]:
    """Folders of skills and new skills, in a message of role `system`, to older models in reminders."""
    woken = m.woken_skills
    pieces: list[tuple[Piece, ...]] = []
    for found in woken.folders:
        said = builtin("skills.found", "Skills of a folder that you had not looked into before can be called now. ")
        names = "".join(f"\n- {name}" for name in found.names)
        pieces.append((said, label(f"{found.folder}/.claude/skills:"), computed("skills.names", names)))
    lines = [
        piece
        for skill in woken.skills
        for piece in (label("\n- "), computed("skill.name", skill.shown), *_described(skill))
    ]
    if lines:
        pieces.append((*text(m, "messages.skills"), label("\n"), *lines))
    older = m.message_layout == "A'"
    for number, block in enumerate(pieces):
        body = (label("<system-reminder>\n"), *block, label("\n</system-reminder>")) if older else block
        when = Observed("file", "reads", True, "the reads bring up skills", "") & offers(m, "Read") & offers(m, "Skill")
        place = Place(f"skills {number}", LAZY) if older else Place(f"skills {number}", LAZY_SKILLS, "system")
        yield SectionDraft(f"woken_skills.{number}", "Skills found on a read", body, None, when, place, "turn")


def _described(skill: Skill) -> tuple[Piece, ...]:
    return (label(": "), *skill.pieces) if skill.pieces else ()


def _draft(m: Materials, loaded: LazyLoaded, pieces: tuple[Piece, ...], place: Place) -> SectionDraft:
    shown = loaded.file.shown
    when = Observed("file", loaded.read, True, f"loaded by reading {loaded.read}", "") & offers(m, "Read")
    return SectionDraft(f"woken:{shown}", f"Loaded on a read: {shown}", pieces, None, when, place, "turn")
