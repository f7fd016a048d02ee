"""What lists decide behind the session context: the prompt's files, what reads bring (specs/gemini.md 5.5, 12)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from promptscope_engine.agents.gemini.materials import Discovered, Materials
from promptscope_engine.agents.gemini.selection import active
from promptscope_engine.agents.gemini.texts import FOLDER
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Observed
from promptscope_engine.prompt.drafts import Piece, Place, SectionDraft, builtin, label, param_value

from .memory import entries


def further_prompts(m: Materials) -> Iterator[SectionDraft]:
    """The parts of a command's prompt behind the first."""
    for number, pieces in enumerate(m.prompt[1:], 2):
        yield _section(f"prompt:{number}", f"Prompt, part {number}", pieces, ALWAYS)


def _section(section_id: str, title: str, pieces: Iterable[Piece], when: Condition) -> SectionDraft:
    return SectionDraft(section_id, title, tuple(pieces), None, when, FOLDER.place("message", section_id), "turn")


def mentions(m: Materials) -> Iterator[SectionDraft]:
    """What the prompt names with `@`: each stretch is a part of its own (12)."""
    found, remedy = m.mentions, "take it out of the prompt"
    if found.agents:
        when = Observed("flag", "prompt", True, "the prompt names a sub-agent", "", remedy=remedy)
        text = f"\n<system_note>\nThe user chose: {', '.join(found.agents)}. Hand the task to it.\n</system_note>\n"
        yield _section("mention.agents", "Sub-agents that the prompt names", (builtin("mention.agents", text),), when)
    if not found.named:
        return
    when = Observed("flag", "prompt", True, "the prompt names files", "", remedy=remedy)
    opening = (label("\n--- Content from referenced files ---"),)
    yield _section("mention.opening", "Before the files", opening, when)
    for mention in found.files:
        by_name = Observed("file", mention.path, True, "the prompt names it", "", remedy=remedy)
        name = (label("\nContent from @"), param_value("prompt", mention.token), label(":\n"))
        yield _section(f"mention.name:{mention.path}", f"{mention.path} (name)", name, by_name)
        yield _section(f"mention.text:{mention.path}", f"{mention.path} (text)", mention.pieces, by_name)
    if found.discovered:
        yield _section("mention.context", "Found around the files", _found(*found.discovered), when)
    closing = label("\n--- End of content ---") if found.files else builtin("mention.nothing", "No file is sent.")
    yield _section("mention.closing", "Behind the files", (closing,), when)


def _found(*discovered: Discovered) -> Iterator[Piece]:
    """Context files between their lines."""
    yield label("\n\n--- Newly Discovered Project Context ---\n")
    for number, each in enumerate(discovered):
        yield from (label("\n"),) if number else ()
        yield from entries(each.files)
    yield label("\n--- End Project Context ---")


def reads(m: Materials) -> Iterator[SectionDraft]:
    """What is appended to the results of reads."""
    for number, found in enumerate(m.discovered):
        remedy = f"take {found.path} out of `reads`"
        when = Observed("file", found.path, True, f"{found.path} was read", "", remedy=remedy) & active(m, found.tool)
        title, place = f"Found on reading {found.path}", Place(f"read {number}", 1 + number)
        yield SectionDraft(f"read:{number}", title, tuple(_found(found)), None, when, place, "turn")
