"""A later request of Codex: after a compaction, a resume, or a turn [asked of 0.171.0].

A compaction keeps what the user said, newest first within a budget, and builds the context again: AGENTS.md, skills,
environment. Answers, calls, plans and the texts of skills that were typed are gone.
"""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.kit.sessions.after import Messages, conversation, newest, summary
from promptscope_engine.inputs.after import After
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.drafts import SectionDraft, label, param_value
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.paths import path_in

from .materials import Materials
from .texts import text

_HOOK = "hooks.session_start"
_TYPED = ("prompt", "skill", "mention", "image", "hooks")
_INSTRUCTIONS = ("/AGENTS.md", "/AGENTS.override.md")
_SAID_TOKENS = 20000
"""Tokens of what the user said that a compaction keeps, at four bytes each [asked of 0.171.0]."""
_MARKER = "…{tokens} tokens truncated…"


def after(
    gathered: Gathered[Materials], sections: Sequence[SectionDraft], inputs: Inputs, _workspace: Workspace
) -> tuple[SectionDraft, ...]:
    """The sections of the request that the scenario's `after` asks for."""
    m, event = gathered.materials, inputs.after
    assert event is not None
    base = [each for each in sections if each.id.partition(".")[0] == "base"]
    typed = [each for each in sections if each.id.partition(".")[0].partition(":")[0] in _TYPED]
    context = [each for each in sections if each not in base and each not in typed]
    turn = [each for each in typed if each.id != _HOOK]
    messages = Messages()
    if event.compacts:
        return (*messages.again(base), *_compacted(m, event, messages, context), *_turn(event, messages, turn))
    first = [each for each in typed if each.id == _HOOK] if event.event == "clear" else []
    start = (*messages.again(base), *messages.again(context), *messages.again(first))
    if event.event == "clear":
        return (*start, *messages.again(turn))
    return (
        *start,
        *conversation(event, messages),
        *_changed(m, event, inputs, messages, context),
        *_turn(event, messages, turn),
    )


def _compacted(
    m: Materials, event: After, messages: Messages, context: Sequence[SectionDraft]
) -> Iterator[SectionDraft]:
    kept = newest(event.said, _SAID_TOKENS, _MARKER)
    yield from _said(kept[:-1], messages, 0)
    yield from messages.again(context)
    yield from _said(kept[-1:], messages, len(kept) - 1)
    told = (*text(m, "after.summary"), label("\n"), summary(event))
    yield messages.one("after.summary", "The summary", told)


def _said(texts: Sequence[Sequence[str]], messages: Messages, first: int) -> Iterator[SectionDraft]:
    for number, parts in enumerate(texts, first):
        for part, said in enumerate(parts):
            name = f"after.said:{number}" + (f".{part}" if part else "")
            yield messages.one(name, "What the user said", [param_value("after.said", said)], parts=part)


def _turn(event: After, messages: Messages, typed: Sequence[SectionDraft]) -> Iterator[SectionDraft]:
    """Hooks of the session, then the prompt with what it brings along; inside a turn there is none."""
    for number, said in enumerate(event.session_hooks):
        spans = [param_value("after.session_hooks", said)]
        yield messages.one(f"after.hook:{number}", "SessionStart hook", spans, "developer")
    if not event.within:
        yield from messages.again(typed)


def _changed(
    m: Materials, event: After, inputs: Inputs, messages: Messages, context: Sequence[SectionDraft]
) -> Iterator[SectionDraft]:
    """After a resume: the chain of AGENTS.md, if a file of it changed, and the list of skills, if one did."""
    changed = [path_in(inputs.workspace, path) for path in event.changed]
    if any(path.endswith(_INSTRUCTIONS) for path in changed):
        note = SectionDraft("after.agents_md", "AGENTS.md changed", (*text(m, "after.agents_md"), label("\n\n")))
        for each in messages.again(each for each in context if each.id.startswith("agents_md")):
            yield replace(each, id=f"{each.id}.again")
            if each.id == "agents_md":
                yield replace(note, place=each.place)
    if any(path.endswith("/SKILL.md") for path in changed):
        skills = [replace(each, id=f"{each.id}.again") for each in context if each.id == "skills"]
        yield from messages.again(skills)
