"""The prompt itself: the user's words, or the command that they begin with (recorded 2.1.332)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.claude_code.materials import Materials, Typed
from promptscope_engine.agents.claude_code.scope import text
from promptscope_engine.prompt.conditions import ALWAYS
from promptscope_engine.prompt.drafts import Piece, Place, SectionDraft, builtin, computed, label, param_value

from .places import PROMPT, reminder

_OPEN, _CLOSE = "<system-reminder>\n", "\n</system-reminder>"


def prompt_sections(m: Materials) -> Iterator[SectionDraft]:
    """The user's words; for a command its name and arguments, then its text."""
    typed = m.typed
    if typed is None or typed.kind in ("unknown", "path", "local", "kept"):
        words = (param_value("prompt", m.params.prompt),)
        yield _section("prompt", "The user's message", words)
        return
    if typed.agent is None:
        yield _section("command", f"The command /{typed.name}", tuple(_tags(typed)))
    if typed.kind == "built-in":
        body: tuple[Piece, ...] = (builtin("command.body", f"(the client's own text of /{typed.name})"),)
    else:
        body = typed.body
    if body:
        yield _section("prompt", f"The text of /{typed.name}", body)


def unknown_command(m: Materials) -> Iterator[SectionDraft]:
    """A reminder that there is no such command."""
    if m.typed is None or m.typed.kind != "unknown":
        return
    pieces = (label(_OPEN), *_unknown(m, m.typed), label(_CLOSE))
    place = reminder("command.unknown")
    yield SectionDraft("command.unknown", "No such command", pieces, None, m.gates.attachments, place, "turn")


def _section(section_id: str, title: str, pieces: tuple[Piece, ...]) -> SectionDraft:
    return SectionDraft(
        section_id, title, pieces, None, ALWAYS, Place(section_id, PROMPT), "turn", reference=section_id
    )


def _tags(typed: Typed) -> Iterator[Piece]:
    yield label("<command-message>")
    yield computed("command.name", typed.name)
    yield label("</command-message>\n<command-name>/")
    yield computed("command.name", typed.name)
    yield label("</command-name>\n")
    if typed.arguments:
        yield label("<command-args>")
        yield param_value("prompt", typed.arguments)
        yield label("</command-args>\n")


def _unknown(m: Materials, typed: Typed) -> Iterator[Piece]:
    names = ", ".join(f"/{name}" for name in typed.known)
    return text(
        m,
        "messages.unknown_command",
        typed=param_value("prompt", f"/{typed.name}"),
        close=computed("command.close", f"/{typed.close}") if typed.close else None,
        known=computed("command.known", f"{names}, and {typed.more} more") if typed.known else None,
    )
