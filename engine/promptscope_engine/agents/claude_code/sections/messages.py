"""The messages: reminders, user context and prompt, in the order of each layout (specs/claude-code.md 2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain

from promptscope_engine.agents.claude_code import gates
from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.agents.claude_code.scope import style_gate, style_is, text
from promptscope_engine.agents.claude_code.selection import (
    any_offered,
    available,
    deferrable,
    deferred,
    lists_agent,
    lists_deferred,
)
from promptscope_engine.agents.claude_code.texts import FOLDER
from promptscope_engine.agents.claude_code.versions import CURRENT_MODEL, V100, has
from promptscope_engine.prompt.conditions import ALWAYS, Any, Condition, Named, Observed
from promptscope_engine.prompt.drafts import (
    Choice,
    Later,
    Piece,
    Place,
    SectionDraft,
    computed,
    guarded,
    label,
)
from promptscope_engine.prompt.leaves import given
from promptscope_engine.prompt.model import Stability

from . import environment
from .lazy_loaded import lazy_sections
from .mentions import mention_sections, note_sections, woken_sections
from .places import CONTEXT, DEFERRED, PROMPT, reminder
from .shared import (
    date_of,
    language_gate,
    language_pieces,
    style_heading,
    style_pieces,
    tokens_left,
)
from .typed import command_gate, prompt_sections, surrounded, unknown_command
from .user_context import classic_context, git_reminder, memory_reminder

OPEN = "<system-reminder>\n"
CLOSE = "\n</system-reminder>"


def message_sections(m: Materials) -> list[SectionDraft]:
    """Every section of the messages, the absent ones at their place."""
    base = {"A": _layout_a, "A'": _layout_older, "B": _layout_b}[m.message_layout](m)
    return [*base, *lazy_sections(m)]


def _part(
    section_id: str,
    title: str,
    pieces: Iterable[Piece],
    when: Condition,
    *,
    heading: str | Choice[str] | None = None,
    stability: Stability = "session",
) -> SectionDraft:
    place = Place(section_id, PROMPT)  # where a layout has it elsewhere, it says so
    return SectionDraft(section_id, title, Later(pieces), heading, when, place, stability, reference=section_id)


# --- the parts that every layout has ------------------------------------------------------------------------------


def _deferred(m: Materials, before: Iterable[Piece], *behind: Piece) -> SectionDraft:
    names = deferrable(m)
    listed = (computed("deferred_tools", f"\n{name}", when=deferred(m, name)) for name in names)
    left = Any(tuple(available(m, name) for name in names))
    there = Named("tool", "deferred", left, yes="there are tools to defer", no="there are no tools to defer")
    servers = absent_servers(m) if m.version != V100 else ()
    pieces = (*before, *listed, *servers, *behind)
    return _part("deferred_tools", "Deferred tools", pieces, lists_deferred(m) & there & _listed(m))


def absent_servers(m: Materials) -> Iterator[Piece]:
    """Which servers failed, with the reason that was given, and which have not answered yet (recorded 2.1.332)."""
    failed = [server for server in m.absent_servers if server.status == "disconnected"]
    waiting = [server for server in m.absent_servers if server.status == "connecting"]
    reasons = [f'\n{s.name} ({s.errorCode or "CONNECTION_CLOSED"}): "{s.error or "Connection closed"}"' for s in failed]
    return text(
        m,
        "messages.absent_servers",
        failed=[{"line": computed(f"mcp.{s.name}", line)} for s, line in zip(failed, reasons, strict=True)],
        again=any("url" in server.config for server in failed),
        waiting=[{"line": computed(f"mcp.{s.name}", f"\n{s.name}")} for s in waiting],
    )


def _hook(m: Materials, name: str, prefix: str, stability: Stability) -> SectionDraft:
    """What a hook says in the conversation."""
    hook = m.hooks[name]
    says = Observed(
        "flag",
        f"hooks.{name}",
        any(piece.text for piece in hook.pieces),
        "it prints something",
        "its object has no `additionalContext`",
    )
    ids = {"SessionStart": "hook.session_start", "UserPromptSubmit": "hook.user_prompt_submit"}
    given_at_all = given(f"hooks.{name}", yes=f"a {name} hook printed something", no=f"no {name} hook prints anything")
    when = given_at_all & m.gates.main & m.gates.unsafe & hook.speaks
    if hook.is_context:
        prefix, when = f"{name} hook additional context: ", when & says
    return _part(ids[name], f"{name} hook", (label(prefix), *hook.pieces), when, stability=stability)


def _session_start(m: Materials) -> SectionDraft:
    return _hook(m, "SessionStart", "SessionStart:startup hook success: ", "session")


def _prompt_submit(m: Materials) -> SectionDraft:
    return _hook(m, "UserPromptSubmit", "UserPromptSubmit hook success: ", "turn")


def _mcp(m: Materials) -> SectionDraft:
    speaking = [s for s in m.servers if s.instructions]
    pieces: list[Piece] = [label("# MCP Server Instructions\n\n"), *text(m, "messages.mcp")]
    for server in speaking:
        pieces += [
            label(f"\n\n## {server.name}\n"),
            computed(f"mcp.{server.name}", (server.instructions or "").rstrip()),
        ]
    when = Observed(
        "mcp",
        "instructions",
        bool(speaking),
        "a connected server has instructions",
        "no server gives instructions",
        remedy="connect a server that has `instructions`: `mcp_servers` simulates one",
    )
    heading = "# MCP Server Instructions"
    return _part("mcp_instructions", heading[2:], pieces, when & ~m.gates.bare, heading=heading)


def _skills(m: Materials) -> SectionDraft:
    pieces: list[Piece] = [*text(m, "messages.skills"), label("\n")]
    for skill in m.skills:
        colon = [label(": ")] if skill.pieces else []
        line = (label("\n- "), computed("skill.name", skill.shown), *colon, *skill.pieces)
        pieces += guarded(line, skill.when)
    # The bundled skills are listed wherever skills are on, so the listing is never empty.
    return _part("skills", "Skills", pieces, any_offered(m, "Skill") & m.gates.skills & _listed(m))


def _listed(m: Materials) -> Condition:
    """Listings stand beside the prompt: sub-agents have theirs whatever the switch says [recorded 2.1.332]."""
    return m.gates.attachments | (m.gates.delegated & ~m.gates.bare)


def _attached(m: Materials) -> Condition:
    return gates.IS_100 | m.gates.attachments


def _plan(m: Materials) -> SectionDraft:
    return _part(
        "plan_mode",
        "Plan mode",
        text(m, "plan.plan_mode"),
        gates.PLAN & m.gates.main & _attached(m),
        stability="turn",
    )


def _agents(m: Materials) -> SectionDraft:
    pieces: list[Piece] = [*text(m, "messages.agents")]
    for agent in m.agents:
        line = (label(f"\n- {agent.name}: "), *agent.pieces, label(f" (Tools: {agent.tools})"))
        pieces += guarded(line, lists_agent(m, agent))
    pieces += guarded(text(m, "messages.agents_in_parallel"), ~m.gates.model_is("opus", (5, 0)))
    return _part("agents", "Agents", pieces, any_offered(m, "Agent") & m.gates.main)


def _facts(m: Materials) -> SectionDraft:
    return _part("environment.facts", "Environment", environment.facts(m), ~m.gates.bare, heading="# Environment")


def _model(m: Materials) -> SectionDraft:
    return _part("environment.model", "Model", environment.model_line(m), ~m.gates.bare)


def _language(m: Materials) -> SectionDraft:
    when = language_gate(m) & m.gates.main
    return _part("language", "Language", language_pieces(m), when, heading="# Language")


def _style(m: Materials) -> SectionDraft:
    when = style_gate(m) & m.gates.main
    return _part("output_style", "Output style", style_pieces(m), when, heading=style_heading(m))


def _style_reminder(m: Materials) -> SectionDraft:
    """A short reminder that a style is in force: in 2.1.100 for built-in styles, later for any [recorded]."""
    built_in = Any(tuple(style_is(m, name) for name in FOLDER.agent["styles"]))
    kind = Named("file", "style", built_in, yes="the style is built in", no="the style is from a file")
    when = style_gate(m) & (kind | gates.IS_LATER) & m.gates.main & _attached(m)
    return _part(
        "output_style.reminder",
        "Output style reminder",
        text(m, "messages.style_reminder", style=computed("output_style.name", m.style.name)),
        when,
        stability="turn",
    )


def _attribution(m: Materials) -> SectionDraft:
    pieces = text(m, "messages.attribution")
    return _part("attribution", "Commit attribution", pieces, m.gates.attribution & any_offered(m, "Bash"))


def _date(m: Materials) -> SectionDraft:
    pieces = (label("Today's date is "), computed("date", date_of(m)), label("."))
    return _part("date", "Date", pieces, ~m.gates.bare, stability="session")


def _moved_memory(m: Materials) -> SectionDraft:
    """What moves out of the system prompt (2.1.329): in layout A' the folder of the memories, else all about them."""
    heading = "# Memory" if m.layout == "B" else "# auto memory"
    when = gates.EXCLUDE_DYNAMIC & m.gates.auto_memory & m.gates.full
    if m.message_layout == "A'":
        pieces = (label(f"{heading}\n"), *text(m, "memory.folder"))
        return _part("memory_instructions.folder", "Memory folder", pieces, when, heading=heading)
    instructions = text(m, "memory.short" if m.layout == "B" else "memory.long")
    pieces = (*instructions, label("\n\n"), *text(m, "memory.ambient"))
    moved = _part("memory_instructions.moved", heading[2:], pieces, when, heading=heading)
    return replace(moved, reference="memory_instructions")


def _auto_mode(m: Materials) -> SectionDraft:
    """What auto mode adds: a text by the model, for many of them none (recorded 2.1.332).

    A model that has no auto mode leaves it after the start; some versions told it of it all the same.
    """
    late = has(m.version, "late_auto_mode") and not m.model.auto_mode and m.message_layout == "A'"
    kind = "long" if late else m.model.auto_mode
    able = m.gates.about_model(
        "auto mode",
        bool(kind),
        "{model} has a text on auto mode",
        "{model} has no text on auto mode",
        such=CURRENT_MODEL,
        other="claude-haiku-5-5",
    )
    prose = text(m, "messages.auto_mode_older" if kind == "long" else "messages.auto_mode")
    when = m.gates.auto_mode & able & m.gates.main
    if late:
        when = when & gates.INTERACTIVE & ~m.gates.quiet
    return _part("auto_mode", "Auto mode", prose, when, stability="turn")


# --- the layouts --------------------------------------------------------------------------------------------------


def _reminder(draft: SectionDraft) -> SectionDraft:
    """A section in a reminder of its own."""
    return replace(_tagged(draft), place=reminder(draft.id))


def _tagged(draft: SectionDraft) -> SectionDraft:
    return replace(draft, pieces=Later(chain([label(OPEN)], draft.pieces, [label(CLOSE)])))


def _at(draft: SectionDraft, place: Place) -> SectionDraft:
    return replace(draft, place=place)


def _layout_a(m: Materials) -> Iterator[SectionDraft]:
    opening, closing = label("<available-deferred-tools>"), label("\n</available-deferred-tools>")
    yield _at(_deferred(m, [opening], closing), Place("deferred_tools", DEFERRED))
    yield from mention_sections(m)
    drafts = [_session_start(m), _mcp(m), _skills(m), _plan(m), _style_reminder(m), _prompt_submit(m)]
    yield from map(_reminder, drafts)
    yield from classic_context(m)
    yield from prompt_sections(m)


def _layout_older(m: Materials) -> Iterator[SectionDraft]:
    yield from mention_sections(m)
    for draft in _context(m):
        yield _reminder(draft)
        if draft.id == "agents":
            yield from woken_sections(m)
    yield from unknown_command(m)
    yield from memory_reminder(m)
    yield git_reminder(m)
    yield from map(_reminder, [_moved_memory(m), _date(m), _attribution(m)])
    yield from prompt_sections(m)


def _context(m: Materials) -> list[SectionDraft]:
    """What 2.1.329 sends in either layout, in order; a prompt that begins like a path goes without it."""
    beside = surrounded(m)
    parts = [
        _session_start(m),
        *note_sections(m),
        _facts(m),
        _model(m),
        _style(m),
        _language(m),
        _deferred(m, text(m, "messages.deferred")),
        _agents(m),
        _mcp(m),
        _skills(m),
        _plan(m),
        _auto_mode(m),
        _total_tokens(m),
        _style_reminder(m),
        _prompt_submit(m),
    ]
    if not m.attached:  # the agents are listed all the same, and first of all
        parts = sorted(parts, key=lambda part: part.id not in ("hook.session_start", "agents"))
    return parts if beside is ALWAYS else [replace(part, when=part.when & beside) for part in parts]


def _total_tokens(m: Materials) -> SectionDraft:
    when = m.gates.counts_tokens() & m.gates.main & command_gate(m) & _attached(m)
    return _part("total_tokens", "Tokens left", tokens_left(m), when, stability="turn")


def _layout_b(m: Materials) -> Iterator[SectionDraft]:
    yield from mention_sections(m)
    yield from woken_sections(m)
    yield from unknown_command(m)
    yield from memory_reminder(m)
    yield git_reminder(m)
    yield from map(_reminder, [_moved_memory(m), _attribution(m)])
    yield from prompt_sections(m)
    parts = [*_context(m), _date(m)]
    context = Place("context", CONTEXT, "system", gap="\n\n")
    if m.layout != m.message_layout:  # Sonnet 5: each part is a reminder, all of them in one block [recorded]
        parts = [_tagged(part) for part in parts]
    yield from (_at(part, context) for part in parts)
