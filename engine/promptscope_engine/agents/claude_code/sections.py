"""The sections of Claude Code's prompt: `system_sections` and `message_sections` give them in the order of the wire.

agent.toml has order and places, the text files have conditions and exact structure, Python what the user's files
bring along. Of the texts: system/ (of all layouts), classic/ (layouts A and A'), short/ (layout B), memory/,
environment/ and closing/ (of both), variants/ (what only some sessions are told), plan/, styles/ (built-in output
styles), subagents/, context/ and messages/. Our prose makes the points of the real text in its order and at its length,
which a test holds. A text begins with its heading (if it has one), without a blank line before it and with no line
break at its end. Wording rules that the recordings impose:

- no line of ours begins with `# ` except the section's own heading; `## ` only where the recording has it;
- no text outside plan mode says "plan mode" in a message; no line of ours looks like `- name: … (Tools: …)`;
- the memory instructions name `materials.memory_folder`, the model lines the wire id `materials.model.id`.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain

from msgspec.structs import replace

from promptscope_engine.agents.kit.disk.servers import some
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact
from promptscope_engine.prompt.drafts import (
    LazySequence,
    Place,
    SectionDraft,
    Span,
    builtin,
    computed,
    file_text,
    guarded,
    label,
    param_value,
)
from promptscope_engine.prompt.leaves import by_reading, given
from promptscope_engine.prompt.memo import KeptWith
from promptscope_engine.prompt.model import Stability

from . import texts
from .materials import AgentMemory, InstructionFile, Materials, MemoryCut, Mention, SubAgent
from .scope import memory_cut, scope_of, startup_files, surrounded, text
from .selection import offers
from .texts import FOLDER
from .versions import V100, prompt_layout

_OPEN, _CLOSE = "<system-reminder>\n", "\n</system-reminder>"
# In order; the last three are what reads load.
DEFERRED, MENTIONS, PROMPT, CONTEXT, LAZY, LAZY_AGENTS, LAZY_SKILLS = range(7)


def reminder(block: str) -> Place:
    """A reminder before the prompt. The last one ends with a line break: what follows is another kind of text."""
    return Place(block, PROMPT, run="reminders", ends="\n")


# --- the instruction files of the user context ------------------------------------------------------------------------


def entry_spans(file: InstructionFile, *, labelled: bool) -> Iterator[Span]:
    """`Contents of <path> (<label>):`, a blank line, the text. Files that a read loaded have no label."""
    yield label(f"Contents of {file.shown} ({file.label}):\n\n" if labelled else f"Contents of {file.shown}:\n\n")
    yield from file.spans if labelled else file.lazy_spans


def file_sections(m: Materials) -> Iterator[SectionDraft]:
    """One section per file, each with the blank line before it."""
    place = Place("user_context", PROMPT) if m.gates.messages == "A" else reminder("user_context")
    for file in startup_files(m):
        if file.kind == "memory":
            yield _entry(file, place, tuple(_memory_warning(m)))
        else:
            yield _ENTRIES.get(file, place, partial(_entry, file, place))


_ENTRIES: KeptWith[InstructionFile, SectionDraft] = KeptWith()


def _entry(file: InstructionFile, place: Place, more: tuple[Span, ...] = ()) -> SectionDraft:
    spans = (label("\n\n"), *entry_spans(file, labelled=True), *more)
    name = f"user_context.file:{file.shown}"
    return SectionDraft(name, file.shown, spans, None, file.when, place, "session", "user_context")


def _memory_warning(m: Materials) -> Iterator[Span]:
    cut = FOLDER.reason("memory_cut", m.memory_cut is not None)
    yield label("\n\n> WARNING: MEMORY.md is ", when=cut)
    yield from guarded(memory_cut(m, m.memory_cut or MemoryCut("", "", 0, 0)), cut)


# --- what mentions bring along ----------------------------------------------------------------------------------------


def in_tags(spans: Iterable[Span]) -> tuple[Span, ...]:
    """In the tags of a reminder."""
    return (label(_OPEN), *spans, label(_CLOSE))


def _turn(section_id: str, title: str, spans: Iterable[Span], when: Condition, place: Place) -> SectionDraft:
    """A section of this turn."""
    inner = tuple(spans)
    return SectionDraft(section_id, title, inner, None, when, place, "turn")


def mention_sections(m: Materials) -> Iterator[SectionDraft]:
    """Two reminders per file. The first call is a message of its own, all else begins the prompt's (recorded 2.1.332).

    In 2.1.100 all of them are in the message before.
    """
    made: dict[str, int] = {}
    for number, mention in enumerate(m.mentions.read):
        made[mention.path] = again = made.get(mention.path, 0) + 1
        name = mention.path if again == 1 else f"{mention.path} ({again})"
        folder, called = mention.kind == "folder", computed("mention.input", mention.input)
        call = text(m, "messages.mention_call", folder=folder, input=called)
        for part, spans in (("call", call), ("result", _result(m, mention))):
            section_id = f"mention.{part}:{name}"
            alone = m.version == V100 or (number == 0 and part == "call")
            place = Place(section_id, MENTIONS) if alone else _place(m, section_id)
            yield _turn(section_id, f"{name}, {part}", in_tags(spans), m.mentions.when, place)
    yield from _kept_out(m)


def _kept_out(m: Materials) -> Iterator[SectionDraft]:
    """What is mentioned and adds nothing."""
    for path, why in m.mentions.kept_out:
        section_id = f"mention.none:{path}"
        yield _turn(section_id, path, (), m.mentions.when & why, _place(m, section_id))


def _result(m: Materials, mention: Mention) -> Iterator[Span]:
    first, count = mention.asked
    warnings = {
        "empty": "There is such a file, and nothing is in it.",
        "beyond": f"There is such a file, but it ends before line {first}: it has {count} lines.",
    }
    folder, words = mention.kind == "folder", warnings.get(mention.kind)
    yield from text(
        m,
        "messages.mention_result",
        folder=folder,
        image=mention.kind == "image",
        warning=words and builtin(f"mention.{mention.kind}", words),
        nothing=folder and not mention.lines,
    )
    for number, line in mention.lines:
        if number is None:
            yield computed("mention.answer", f"\n{line}")
        else:
            yield label(f"\n{number}\t")
            yield file_text(mention.path, line, number)


def woken_sections(m: Materials) -> Iterator[SectionDraft]:
    """The instruction files that the mentions load."""
    for file in (loaded.file for loaded in m.woken):
        section_id, title = f"mention.woken:{file.shown}", f"Loaded by a mention: {file.shown}"
        before = [label("prompt.mention hook additional context: ")] if file.kind == "agents-md" else []
        spans = (*before, *entry_spans(file, labelled=False))
        yield _turn(section_id, title, in_tags(spans), m.mentions.when, _place(m, section_id))


def note_sections(m: Materials) -> Iterator[SectionDraft]:
    """Files that are too large, and agents that are wanted: each a part of what is said beside the prompt."""
    for mention in m.mentions.large:
        section_id, path = f"mention.large:{mention.path}", computed("mention.path", mention.path)
        spans = text(m, "messages.mention_large", path=path, size=label(mention.input))
        yield _turn(section_id, mention.path, spans, m.mentions.when, Place(section_id, PROMPT))
    for agent in m.mentions.agents:
        section_id, title = f"mention.agent:{agent}", f"The agent {agent} is wanted"
        spans = text(m, "messages.mention_agent", agent=computed("mention.agent", agent))
        yield _turn(section_id, title, spans, m.mentions.when, Place(section_id, PROMPT))


def _place(m: Materials, section_id: str) -> Place:
    """Where the harness speaks in messages of its own, these are of a kind apart from the other reminders."""
    if m.gates.messages == "B":
        return Place(section_id, PROMPT, run="mentions", between="\n")
    return reminder(section_id)


# --- the prompt itself [recorded 2.1.332] -----------------------------------------------------------------------------


def prompt_sections(m: Materials) -> Iterator[SectionDraft]:
    """The user's words; for a command its name and arguments, then its text."""
    typed = m.typed
    if typed is None or typed.kind in ("unknown", "path", "local", "kept", "refused"):
        yield _section("prompt", "The user's message", [*_initial(m), param_value("prompt", m.inputs.params.prompt)])
        yield from _given_skills(m)
        return
    if typed.agent is None:
        arguments = typed.arguments and param_value("prompt", typed.arguments)
        tags = text(m, "messages.command", command=computed("command.name", typed.name), arguments=arguments)
        yield _section("command", f"The command /{typed.name}", tags)
    body = typed.body
    if typed.kind == "built-in":
        body = (builtin("command.body", f"(the client's own text of /{typed.name})"),)
    if body:
        yield _section("prompt", f"The text of /{typed.name}", body)


def _initial(m: Materials) -> Iterator[Span]:
    """What the agent that drives the session begins with."""
    if m.main_agent and m.main_agent.initial and m.sub_agent is None:
        yield m.main_agent.initial.span()
        yield label("\n\n")


def _given_skills(m: Materials) -> Iterator[SectionDraft]:
    """The skills that a sub-agent is given with its task [asked of 2.1.332]."""
    for number, (name, body) in enumerate(m.given_skills):
        called = computed("skill.name", name)
        tags = (
            label("<command-message>"),
            called,
            label("</command-message>\n<command-name>"),
            called,
            label("</command-name>\n<skill-format>true</skill-format>"),
        )
        for part, spans in (("name", tags), ("text", body)):
            section_id = f"skill.{part}:{number}"
            yield _turn(section_id, f"{name}, {part}", spans, ALWAYS, Place(section_id, PROMPT))


def _section(section_id: str, title: str, spans: Iterable[Span]) -> SectionDraft:
    return replace(_turn(section_id, title, spans, ALWAYS, Place(section_id, PROMPT)), reference=section_id)


def unknown_command(m: Materials) -> Iterator[SectionDraft]:
    """A reminder that there is no such command."""
    typed = m.typed
    if typed is None or typed.kind != "unknown":
        return
    names = ", ".join(f"/{name}" for name in typed.known)
    spans = text(
        m,
        "messages.unknown_command",
        typed=param_value("prompt", f"/{typed.name}"),
        close=computed("command.close", f"/{typed.close}") if typed.close else None,
        known=computed("command.known", f"{names}, and {typed.more} more") if typed.known else None,
    )
    place = reminder("command.unknown")
    yield _turn("command.unknown", "No such command", in_tags(spans), m.gates.attachments, place)


# --- what the simulated reads load ------------------------------------------------------------------------------------


def lazy_sections(m: Materials) -> Iterator[SectionDraft]:
    """A block per file; nothing without the Read tool.

    What a hook adds to a call is the text of an AGENTS.md: it follows the turn in a `system` message [R329], and to
    older models it is a reminder before those of the other files [recorded 2.1.332].
    """
    older = m.gates.messages == "A'"
    for hooked in (older, not older):
        for number, loaded in enumerate(m.lazy):
            if (loaded.file.kind == "agents-md") is hooked:
                shown, place = loaded.file.shown, Place(f"lazy {number}", LAZY)
                said = [label("tool.call hook additional context: ")] if hooked else []
                spans = (*said, *entry_spans(loaded.file, labelled=False))
                when = by_reading(loaded.read) & offers(m, "Read")
                draft = _turn(f"woken:{shown}", f"Loaded on a read: {shown}", spans, when, place)
                yield _after(m, draft, LAZY_AGENTS) if hooked else tagged(draft)
    yield from _late_agents(m)
    yield from _skills(m)
    yield from _style_again(m)


def _after(m: Materials, draft: SectionDraft, message: int) -> SectionDraft:
    """What follows a turn, in a `system` message of this number; to older models it is a reminder in the turn."""
    if m.gates.messages == "A'":
        return tagged(draft)
    return replace(draft, place=Place(draft.place.block, message, "system"))


def _late_agents(m: Materials) -> Iterator[SectionDraft]:
    """The agents that a sub-agent may call: their list comes after its first reply [recorded 2.1.332]."""
    if m.sub_agent is None or not m.inputs.reads or m.version == V100:
        return
    for part in FOLDER.sections(scope_of(m), {}, "late"):
        when, place = part.when & offers(m, "Read"), Place("late agents", LAZY)
        yield _after(m, replace(part, id="agents.late", when=when, place=place), LAZY_SKILLS)


def _skills(m: Materials) -> Iterator[SectionDraft]:
    """Folders of skills and new skills, in a message of role `system`, to older models in reminders."""
    woken = m.woken_skills
    spans: list[tuple[Span, ...]] = []
    for folder, found in woken.folders:
        said = builtin("skills.found", "Skills of a folder that you had not looked into before can be called now. ")
        names = "".join(f"\n- {name}" for name in found)
        spans.append((said, label(f"{folder}/.claude/skills:"), computed("skills.names", names)))
    if woken.skills:
        lines = ((label("\n- "), computed("skill.name", skill.shown), skill.spans) for skill in woken.skills)
        listed = ((*line, label(": "), *said) if said else line for *line, said in lines)
        spans.append((*text(m, "messages.skills"), label("\n"), *chain(*listed)))
    when = Fact("file", "reads", True, "the reads bring up skills", "") & offers(m, "Read") & offers(m, "Skill")
    for number, block in enumerate(spans):
        place = Place(f"skills {number}", LAZY)
        draft = _turn(f"woken_skills.{number}", "Skills found on a read", block, when, place)
        yield _after(m, draft, LAZY_SKILLS)


def _style_again(m: Materials) -> Iterator[SectionDraft]:
    """The reminder of an output style comes after each turn of the agent's own, too [asked of 2.1.332]."""
    if m.sub_agent is not None or not m.inputs.reads or m.version == V100:
        return
    for part in FOLDER.sections(scope_of(m), {}, "again"):
        place = Place("style again", LAZY)
        when = part.when & offers(m, "Read")
        yield _after(m, replace(part, id="output_style.again", when=when, place=place), LAZY_SKILLS)


# --- the system array -------------------------------------------------------------------------------------------------


DYNAMIC = Place("dynamic", gap="\n\n")


def system_sections(m: Materials) -> list[SectionDraft]:
    """Every section of the system array, the absent ones at their place."""
    scope, delegated = scope_of(m), m.gates.delegated
    leads = m.gates.agent_body & ~texts.SYSTEM_PROMPT & ~delegated
    made = {
        "layout": lambda: FOLDER.sections(scope, group=f"system.{m.gates.layout}"),
        "agents_memory": lambda: _agents_memory(m, "agent", m.main_agent, leads),
        "subagents_memory": lambda: _agents_memory(m, "subagent", m.sub_agent, delegated),
        "cache_breaker": lambda: [_cache_breaker()],
    }
    sections = list(FOLDER.sections(scope, made, "system"))
    if not m.splits:  # one block for all that follows the identity
        sections = [replace(each, place=DYNAMIC) if each.place.block == "static" else each for each in sections]
    return sections


def _cache_breaker() -> SectionDraft:
    """A text that changes so that nothing behind it is cached: said to be beside git status, and never recorded."""
    when = FOLDER.reason("cache_breaker")
    return SectionDraft("cache_breaker", "Cache breaker", (), when=when, place=DYNAMIC, stability="turn")


def _agents_memory(m: Materials, who: str, agent: SubAgent | None, when: Condition) -> Iterator[SectionDraft]:
    """What an agent is told about a memory of its own, and the memory's index."""
    if agent is None or agent.memory is None:
        return
    name, spans = f"{who}_memory", LazySequence(_memory_told(m, agent.memory, agent.memory_scope))
    when = when & m.gates.auto_memory
    yield SectionDraft(name, "The agent's own memory", spans, None, when, DYNAMIC, reference=name)


def _memory_told(m: Materials, memory: AgentMemory, scope: str) -> Iterator[Span]:
    yield from text(m, "memory.long", of_agent=True, **{"memory.folder": computed("memory.folder", memory.folder)})
    index = {
        "refused": memory.refused,
        "empty": not memory.spans,
        "text": memory.spans,
        "cut": memory.cut is not None,
        "told": tuple(memory_cut(m, memory.cut)) if memory.cut else (),
    }
    scopes = {name: name == scope for name in ("project", "user", "local")}
    yield from text(m, "memory.of_agent", scope=scopes, index=index)


# --- the messages -----------------------------------------------------------------------------------------------------


def message_sections(m: Materials) -> list[SectionDraft]:
    """Every section of the messages, the absent ones at their place."""
    scope = scope_of(m)
    hooks = {
        "session_start": lambda: [
            _hook(m, "SessionStart", "hook.session_start", f"SessionStart:{m.begins_as}", "session")
        ],
        "prompt_submit": lambda: [_hook(m, "UserPromptSubmit", "hook.user_prompt_submit", "UserPromptSubmit", "turn")],
        "notes": lambda: note_sections(m),
        "left_out_mods": lambda: _left_out_mods(m),
    }
    group = partial(FOLDER.sections, scope, hooks)
    made = {
        "mentions": lambda: mention_sections(m),
        "woken": lambda: woken_sections(m),
        "unknown_command": lambda: unknown_command(m),
        "files": lambda: file_sections(m),
        "moved_memory": lambda: group(f"moved_memory.{m.gates.layout}"),
        "prompt": lambda: prompt_sections(m),
        "reminders": lambda: map(_reminder, group("reminders.A")),
        "surroundings": lambda: _surroundings(m, group("surroundings"), group("date")),
    }
    return [*FOLDER.sections(scope, made, f"messages.{m.gates.messages}"), *lazy_sections(m)]


def _hook(m: Materials, event: str, section: str, prefix: str, stability: Stability) -> SectionDraft:
    """What a hook says in the conversation."""
    hook = m.hooks[event]
    name, printed = f"hooks.{event}", any(span.text for span in hook.spans)
    silent = f"no {event} hook prints anything"
    if hook.places:
        silent = f"what the {event} hook of {some(hook.places)} prints is not known: hooks are not run"
    printing = given(name, yes=f"a {event} hook printed something", no=silent)
    when = printing & m.gates.main & m.gates.unsafe & hook.speaks
    if hook.is_context:
        when = when & FOLDER.reason("prints", printed, hook=name)
    before = f"{event} hook additional context: " if hook.is_context else f"{prefix} hook success: "
    spans, place = (label(before), *hook.spans), Place(section, PROMPT)
    return SectionDraft(section, f"{event} hook", spans, None, when, place, stability, reference=section)


def _left_out_mods(m: Materials) -> Iterator[SectionDraft]:
    """A notice for each event that an organisation's guard keeps a mod from; absent if there is none."""
    when = FOLDER.reason("left_out_mods", bool(m.left_out_mods)) & m.gates.main
    for name, event in m.left_out_mods or [("", "")]:
        section = f"left_out_mod:{name}:{event}" if name else "left_out_mod"
        title = f"The mod {name} is kept from {event}" if name else "Mods that are kept from an event"
        mod = {"name": computed("mods", name), "event": computed("mods", event)}
        yield _turn(section, title, text(m, "messages.left_out_mod", mod=mod), when, Place(section, PROMPT))


_HOOKS = ("hook.session_start", "hook.user_prompt_submit")


def _surroundings(m: Materials, parts: Iterable[SectionDraft], date: Iterable[SectionDraft]) -> Iterator[SectionDraft]:
    """The notes beside the prompt: a reminder each, or one `system` message.

    A prompt that begins like a path has none but what hooks say [asked of 2.1.332].
    """
    if not m.attached:  # the agents are listed all the same, and first of all
        parts = sorted(parts, key=lambda part: part.id not in ("hook.session_start", "agents"))
    beside, context = surrounded(m), Place("context", CONTEXT, "system", gap="\n\n")
    apart = {"agents": beside & m.gates.main, **dict.fromkeys(_HOOKS, ALWAYS)}
    said = (replace(part, when=part.when & apart.get(part.id, beside)) for part in parts)
    if m.gates.messages == "A'":
        for part in said:
            yield _reminder(part)
            if part.id == "agents":
                yield from woken_sections(m)
        return
    for part in chain(said, date):
        # Sonnet 5, whatever prompt is asked for: each part is a reminder, all of them in one block [asked of 2.1.332]
        is_tagged = prompt_layout(m.version, m.gates.model) != m.gates.messages
        yield replace(tagged(part) if is_tagged else part, place=context)


def _reminder(draft: SectionDraft) -> SectionDraft:
    """A section in a reminder of its own."""
    return replace(tagged(draft), place=reminder(draft.id))


def tagged(draft: SectionDraft) -> SectionDraft:
    """A section in the tags of a reminder."""
    spans = LazySequence(chain([label(_OPEN)], draft.spans, [label(_CLOSE)]))
    return replace(draft, spans=spans)
