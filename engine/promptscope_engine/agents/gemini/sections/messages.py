"""What follows the session context: hooks, the prompt and its files, what reads bring (specs/gemini.md 5.5, 12)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from promptscope_engine.agents.gemini.gates import INTERACTIVE
from promptscope_engine.agents.gemini.materials import Discovered, Materials
from promptscope_engine.agents.gemini.selection import active
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Observed
from promptscope_engine.prompt.drafts import Piece, Place, SectionDraft, builtin, label, param_value
from promptscope_engine.prompt.leaves import given

from .memory import entries

_FIRST = 0


def message_sections(m: Materials) -> Iterator[SectionDraft]:
    """The further parts of the first content, and what later ones hold."""
    start = m.gates["hooks"] & _hook("SessionStart")
    # Interactive, the hook's text is a part of its own; headless, it stands before the prompt in the same part.
    yield _section(
        "hook.session_start", "SessionStart hook", _context(m.params.hooks.SessionStart), start & INTERACTIVE
    )
    headless = (*_context(m.params.hooks.SessionStart), label("\n\n"))
    yield _section(
        "hook.session_start.headless",
        "SessionStart hook, before the prompt",
        headless,
        start & m.gates["headless"],
        block="prompt",
    )
    first, *further = m.prompt
    yield _section("prompt", "Prompt", first, ALWAYS, block="prompt")
    for number, pieces in enumerate(further, 2):
        yield _section(f"prompt:{number}", f"Prompt, part {number}", pieces, ALWAYS)
    # Recorded: with `experimental.contextManagement` the prompt is sent twice, the second time as a part of its own.
    yield _section("prompt.again", "Prompt, again", first, m.gates["context_management"])
    yield from _mentions(m)
    before = m.gates["hooks"] & _hook("BeforeAgent")
    yield _section("hook.before_agent", "BeforeAgent hook", _context(m.params.hooks.BeforeAgent), before)
    for number, found in enumerate(m.discovered):
        yield _read(number, found, active(m, found.tool))


def _section(section_id: str, title: str, pieces: Iterable[Piece], when: Condition, *, block: str = "") -> SectionDraft:
    return SectionDraft(section_id, title, tuple(pieces), None, when, Place(block or section_id, _FIRST), "turn")


def _hook(name: str) -> Condition:
    return given(f"hooks.{name}", yes=f"the hook {name} adds something", no=f"no hook {name} adds anything")


def _context(text: str | None) -> Iterator[Piece]:
    """A hook's text between its tags, in which angle brackets are written as entities."""
    yield label("<hook_context>")
    yield param_value("hooks", (text or "").replace("<", "&lt;").replace(">", "&gt;"))
    yield label("</hook_context>")


def _mentions(m: Materials) -> Iterator[SectionDraft]:
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


def _read(number: int, found: Discovered, can_read: Condition) -> SectionDraft:
    """What is appended to the result of a read."""
    remedy = f"take {found.path} out of `reads`"
    when = Observed("file", found.path, True, f"{found.path} was read", "", remedy=remedy)
    place = Place(f"read {number}", _FIRST + 1 + number)
    return SectionDraft(
        f"read:{number}", f"Found on reading {found.path}", tuple(_found(found)), None, when & can_read, place, "turn"
    )
