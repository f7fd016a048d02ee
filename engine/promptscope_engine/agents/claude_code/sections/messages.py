"""What Python makes of the messages; agent.toml has the order of each layout."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain

from promptscope_engine.agents.claude_code.answers import surrounded
from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.agents.claude_code.scope import scope_of
from promptscope_engine.agents.claude_code.texts import FOLDER
from promptscope_engine.prompt.conditions import Observed
from promptscope_engine.prompt.drafts import Later, Place, SectionDraft, label
from promptscope_engine.prompt.leaves import given
from promptscope_engine.prompt.model import Stability

from .lazy_loaded import lazy_sections
from .mentions import mention_sections, note_sections, woken_sections
from .places import CONTEXT, PROMPT, reminder
from .typed import prompt_sections, unknown_command
from .user_context import file_sections


def message_sections(m: Materials) -> list[SectionDraft]:
    """Every section of the messages, the absent ones at their place."""
    scope = scope_of(m)
    hooks = {
        "session_start": lambda: [_hook(m, "SessionStart", "hook.session_start", "SessionStart:startup", "session")],
        "prompt_submit": lambda: [_hook(m, "UserPromptSubmit", "hook.user_prompt_submit", "UserPromptSubmit", "turn")],
        "notes": lambda: note_sections(m),
    }
    group = partial(FOLDER.sections, scope, hooks)
    surroundings = {"A'": _reminders_beside, "B": _turn_beside}
    made = {
        "mentions": lambda: mention_sections(m),
        "woken": lambda: woken_sections(m),
        "unknown_command": lambda: unknown_command(m),
        "files": lambda: file_sections(m),
        "moved_memory": lambda: group(f"moved_memory.{m.layout}"),
        "prompt": lambda: prompt_sections(m),
        "reminders": lambda: map(_reminder, group("reminders.A")),
        "surroundings": lambda: surroundings[m.message_layout](m, _beside(m, group("surroundings")), group("date")),
    }
    return [*FOLDER.sections(scope, made, f"messages.{m.message_layout}"), *lazy_sections(m)]


def _hook(m: Materials, event: str, section: str, prefix: str, stability: Stability) -> SectionDraft:
    """What a hook says in the conversation."""
    hook = m.hooks[event]
    says = Observed(
        "flag",
        f"hooks.{event}",
        any(piece.text for piece in hook.pieces),
        "it prints something",
        "its object has no `additionalContext`",
    )
    given_at_all = given(
        f"hooks.{event}", yes=f"a {event} hook printed something", no=f"no {event} hook prints anything"
    )
    when = given_at_all & m.gates.main & m.gates.unsafe & hook.speaks
    if hook.is_context:
        when = when & says
    before = f"{event} hook additional context: " if hook.is_context else f"{prefix} hook success: "
    pieces, place = (label(before), *hook.pieces), Place(section, PROMPT)
    return SectionDraft(section, f"{event} hook", pieces, None, when, place, stability, reference=section)


def _beside(m: Materials, parts: Iterable[SectionDraft]) -> Iterator[SectionDraft]:
    """What is said beside the prompt: none of it where that begins like a path."""
    if not m.attached:  # the agents are listed all the same, and first of all
        parts = sorted(parts, key=lambda part: part.id not in ("hook.session_start", "agents"))
    beside = surrounded(m)
    return (replace(part, when=part.when & beside) for part in parts)


def _reminders_beside(
    m: Materials, parts: Iterable[SectionDraft], _date: Iterable[SectionDraft]
) -> Iterator[SectionDraft]:
    """To older models each part is a reminder."""
    for part in parts:
        yield _reminder(part)
        if part.id == "agents":
            yield from woken_sections(m)


def _turn_beside(m: Materials, parts: Iterable[SectionDraft], date: Iterable[SectionDraft]) -> Iterator[SectionDraft]:
    """Others are told all of it in one block of a message of role `system`."""
    context = Place("context", CONTEXT, "system", gap="\n\n")
    for part in chain(parts, date):
        # Sonnet 5: each part is a reminder, all of them in one block [recorded]
        yield replace(_tagged(part) if m.layout != m.message_layout else part, place=context)


def _reminder(draft: SectionDraft) -> SectionDraft:
    """A section in a reminder of its own."""
    return replace(_tagged(draft), place=reminder(draft.id))


def _tagged(draft: SectionDraft) -> SectionDraft:
    pieces = Later(chain([label("<system-reminder>\n")], draft.pieces, [label("\n</system-reminder>")]))
    return replace(draft, pieces=pieces)
