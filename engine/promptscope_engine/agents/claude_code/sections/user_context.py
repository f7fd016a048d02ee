"""The user context: instruction files, date, what else stands before the prompt (specs/claude-code.md 2, 3.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from promptscope_engine.agents.claude_code import gates
from promptscope_engine.agents.claude_code.materials import InstructionFile, Materials, MemoryCut
from promptscope_engine.agents.claude_code.scope import text
from promptscope_engine.agents.claude_code.versions import V100
from promptscope_engine.prompt.conditions import ALWAYS, Any, Condition, Named, Observed
from promptscope_engine.prompt.drafts import Piece, Place, SectionDraft, computed, guarded, label
from promptscope_engine.prompt.kept import KeptWith

from .environment import classic_environment
from .places import PROMPT, reminder
from .shared import date_of, git_pieces, memory_cut

CLASSIC = Place("user_context", PROMPT)

_MOVED = {
    "user_context.environment": "environment",
    "user_context.memory_instructions": "memory_instructions",
}
"""Sections of the system prompt that --exclude-dynamic-… moves here were measured there."""


def _startup_files(m: Materials) -> list[InstructionFile]:
    """The files that may stand in the user context, in order. Rules with `paths` wait for a read."""
    return [file for file in m.instructions if file.text and file.paths is None]


def _any_file(m: Materials) -> Condition:
    # Where AGENTS.md is not read, the section that another version has for it is another one.
    reads = [file for file in _startup_files(m) if m.version != V100 or file.kind != "agents-md"]
    each = tuple(file.when for file in reads)
    if not each:
        remedy = f"create {m.cwd.rstrip('/')}/CLAUDE.md"
        return Observed("file", "instructions", False, "", "there is no instruction file", remedy=remedy)
    return Named("file", "instructions", Any(each), yes="instruction files load")


def _section(
    section_id: str, title: str, pieces: tuple[Piece, ...], when: Condition = ALWAYS, place: Place = CLASSIC
) -> SectionDraft:
    heading = next((p.text.strip() for p in pieces[:2] if p.text.strip().startswith("# ")), None)
    parent = None if section_id == "user_context" else "user_context"
    measured = _MOVED.get(section_id, section_id)
    return SectionDraft(section_id, title, pieces, heading, when, place, "session", parent, measured)


def entry_pieces(file: InstructionFile, *, labelled: bool) -> Iterator[Piece]:
    """`Contents of <path> (<label>):`, a blank line, the text. Files that a read loaded have no label (3.6)."""
    yield label(f"Contents of {file.shown} ({file.label}):\n\n" if labelled else f"Contents of {file.shown}:\n\n")
    yield from file.pieces if labelled else file.lazy_pieces


def _entries(m: Materials, place: Place) -> Iterator[SectionDraft]:
    """One section per file, each with the blank line before it."""
    for file in _startup_files(m):
        if file.kind == "memory":
            yield _entry(file, place, tuple(_memory_warning(m)))
        else:
            yield _ENTRIES.get(file, place, partial(_entry, file, place))


_ENTRIES: KeptWith[InstructionFile, SectionDraft] = KeptWith()


def _entry(file: InstructionFile, place: Place, more: tuple[Piece, ...] = ()) -> SectionDraft:
    pieces = (label("\n\n"), *entry_pieces(file, labelled=True), *more)
    return replace(_section(f"user_context.file:{file.shown}", file.shown, pieces, file.when, place), reference=None)


def _memory_warning(m: Materials) -> Iterator[Piece]:
    remedy = "a longer MEMORY.md is cut"
    there = m.memory_cut is not None
    cut = Observed("file", "memory.cut", there, "MEMORY.md is too long", "MEMORY.md is sent whole", remedy=remedy)
    yield label("\n\n> WARNING: MEMORY.md is ", when=cut)
    yield from guarded(memory_cut(m, m.memory_cut or MemoryCut("", "", 0, 0)), cut)


def classic_context(m: Materials) -> Iterator[SectionDraft]:
    """Layout A: one reminder with a heading per key, keys joined by a line break."""
    opening = (label("<system-reminder>\n"), *text(m, "context.intro"))
    yield _section("user_context", "User context", opening)
    moved = gates.EXCLUDE_DYNAMIC & m.gates.full
    git = (label("\n# gitStatus\n"), *git_pieces(m))
    yield _section("user_context.git_status", "Git status", git, m.gates.git_status & moved)
    memory = (label("\n# claudeMd\n"), *text(m, "context.preamble"))
    yield _section("user_context.claude_md", "Instruction files", memory, _any_file(m))
    yield from _entries(m, CLASSIC)
    date = (label("\n# currentDate\n"), label("Today's date is "), computed("date", date_of(m)), label("."))
    yield _section("user_context.current_date", "Date", date)
    environment = (label("\n"), *classic_environment(m))
    yield _section("user_context.environment", "Environment", environment, moved)
    instructions = (label("\n"), *text(m, "memory.long"))
    when = moved & m.gates.auto_memory
    yield _section("user_context.memory_instructions", "auto memory", instructions, when)
    closing = (label("\n\n      "), *text(m, "context.disclaimer"), label("\n</system-reminder>\n\n"))
    yield _section("user_context.closing", "Disclaimer", closing)


def memory_reminder(m: Materials) -> Iterator[SectionDraft]:
    """2.1.329: the instruction files in a reminder of their own, without a heading."""
    place, there = reminder("user_context"), _any_file(m)
    opening = (label("<system-reminder>\n"), *text(m, "context.preamble"))
    yield _section("user_context", "Instruction files", opening, there, place)
    yield from _entries(m, place)
    closing = (label("\n</system-reminder>"),)
    yield _section("user_context.closing", "End of the instruction files", closing, there, place)


def git_reminder(m: Materials) -> SectionDraft:
    """2.1.329: git status in a reminder of its own."""
    pieces = (
        label("<system-reminder>\n"),
        *text(m, "context.intro"),
        label("\n# gitStatus\n"),
        *git_pieces(m),
        label("\n\n"),
        *text(m, "context.note"),
        label("\n</system-reminder>"),
    )
    place = reminder("git_status")
    return SectionDraft(
        "git_status", "Git status", pieces, "# gitStatus", m.gates.git_status, place, reference="git_status"
    )
