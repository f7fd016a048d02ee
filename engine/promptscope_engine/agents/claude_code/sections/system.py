"""The system array: order and gates of its sections in each layout (specs/claude-code.md 1.1, 1.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from promptscope_engine.agents.claude_code import gates
from promptscope_engine.agents.claude_code.materials import DEFAULT_STYLE, Materials, SubAgent
from promptscope_engine.agents.claude_code.scope import style_gate, text
from promptscope_engine.agents.claude_code.selection import any_offered, offers
from promptscope_engine.agents.claude_code.versions import V100
from promptscope_engine.prompt.conditions import ALWAYS, Any, Condition, Named, Observed
from promptscope_engine.prompt.drafts import (
    Choice,
    Later,
    Piece,
    Place,
    SectionDraft,
    computed,
    environment,
    guarded,
    label,
    param_value,
    unpredictable,
)
from promptscope_engine.prompt.model import Stability

from . import environment as surroundings
from .shared import (
    date_of,
    git_pieces,
    language_gate,
    language_pieces,
    memory_index,
    style_heading,
    style_pieces,
    tokens_left,
)

BILLING = Place("billing")
IDENTITY = Place("identity")
STATIC = Place("static", gap="\n\n")
DYNAMIC = Place("dynamic", gap="\n\n")

Body = Callable[[Materials], Iterable[Piece]]


def system_sections(m: Materials) -> list[SectionDraft]:
    """Every section of the system array, the absent ones at their place."""
    body = {"A": _layout_a, "A'": _layout_older, "B": _layout_b}[m.layout](m)
    sections = [*_replacements(m), *_subagent(m), *body]
    if not m.splits:  # one block for all that follows the identity
        sections = [replace(section, place=DYNAMIC) for section in sections]
    return [*_head(m), *sections, _cache_breaker()]


def _cache_breaker() -> SectionDraft:
    """A text that changes so that nothing behind it is cached: said to stand beside git status, and never recorded."""
    never = "no recorded request has one: it is told of builds that the maker tests with"
    when = Observed(
        "flag", "cacheBreaker", False, "", never, remedy="nothing: no setting of a released build puts one in"
    )
    return SectionDraft("cache_breaker", "Cache breaker", (), when=when, place=DYNAMIC, stability="turn")


def _head(m: Materials) -> Iterator[SectionDraft]:
    billing = (
        label("x-anthropic-billing-header: cc_version="),
        computed("version", m.version),
        label("."),
        unpredictable("build", "000"),
        label("; cc_entrypoint="),
        *_entrypoint(m),
        label(";"),
        label(" cc_is_subagent=true;", when=gates.IS_LATER & m.gates.delegated & _launched(m)),
        *guarded(_checked(), gates.IS_100),
        *guarded((*_checked(), *_turn()), gates.IS_LATER & m.gates.first_party & ~m.gates.delegated),
    )
    yield SectionDraft("billing", "Billing line", billing, place=BILLING, stability="static")
    yield _section("identity", "Identity", None, text(m, "messages.identity"), ALWAYS, IDENTITY, "static")


def _entrypoint(m: Materials) -> Iterator[Piece]:
    if m.started_as not in ("cli", "sdk-cli"):
        yield param_value("env.CLAUDE_CODE_ENTRYPOINT", m.started_as)
        return
    yield computed("entrypoint", "sdk-cli", when=gates.HEADLESS)
    yield computed("entrypoint", "cli", when=gates.INTERACTIVE)


def _checked() -> Iterator[Piece]:
    yield label(" cch=")
    yield unpredictable("cch", "00000")
    yield label(";")


def _turn() -> Iterator[Piece]:
    """What the first-party host is told of the turn; other hosts get the shorter line (specs/capture.md, 2)."""
    yield label(" cc_prompt_id=")
    yield unpredictable("prompt_id", "00000000-0000-0000-0000-000000000000")
    yield label("; cc_turn_origin=")
    yield computed("turn_origin", "sdk", when=gates.HEADLESS)
    # Recorded with five characters.
    yield unpredictable("turn_origin", "human", when=gates.INTERACTIVE)
    yield label("; cc_prompt_index=0; cc_turn_index=1;")


def _section(
    section_id: str,
    title: str,
    heading: str | Choice[str] | None,
    pieces: Iterable[Piece],
    when: Condition,
    place: Place = DYNAMIC,
    stability: Stability = "session",
) -> SectionDraft:
    measured = section_id.removesuffix(".static")
    return SectionDraft(section_id, title, Later(pieces), heading, when, place, stability, reference=measured)


def _launched(m: Materials) -> Condition:
    """An agent has launched the sub-agent, and not a command that the user types [recorded 2.1.332]."""
    if m.typed is None or m.typed.agent is None:
        return ALWAYS
    return Observed(
        "flag", "prompt", False, "", f"/{m.typed.name} asks for it", remedy="begin the prompt with other words"
    )


def _replacements(m: Materials) -> Iterator[SectionDraft]:
    """What stands instead of all sections: the text of --system-prompt, the body of --agent, bare mode's two lines."""
    g = m.gates
    prompt = (param_value("args.systemPrompt", m.params.args.systemPrompt or ""),)
    yield _section("system_prompt", "--system-prompt", None, prompt, gates.SYSTEM_PROMPT & ~g.delegated)
    body = _agents_prompt(m, m.main_agent)
    yield _section("agent_prompt", "Agent's own prompt", None, body, g.agent_body & ~gates.SYSTEM_PROMPT & ~g.delegated)
    yield from _agents_memory(m, m.main_agent, g.agent_body & ~gates.SYSTEM_PROMPT & ~g.delegated)
    yield _section("bare", "Bare mode", None, _bare(m), g.bare & ~g.replaced & ~g.delegated)


def _subagent(m: Materials) -> Iterator[SectionDraft]:
    """A sub-agent's own prompt, and what follows the prompt of each (2.3)."""
    there = m.gates.delegated
    body = _agents_prompt(m, m.sub_agent)
    missing = f"its prompt is not known: {m.sub_agent.name} is built in" if m.sub_agent else "there is no sub-agent"
    known = Observed("file", "subagent", bool(body) or m.sub_agent is None, "its prompt is known", missing)
    yield _section("subagent_prompt", "Sub-agent's own prompt", None, body, there & known)
    yield from _agents_memory(m, m.sub_agent, there)
    yield _section(
        "subagent_launcher", "Messages of the launcher", None, text(m, "subagents.launcher"), there & gates.IS_LATER
    )
    yield _section("subagent_notes", "Notes for sub-agents", None, text(m, "subagents.notes"), there)
    yield _section("subagent_environment", "Environment", None, surroundings.of_subagent(m), there & gates.IS_100)


def _agents_memory(m: Materials, agent: SubAgent | None, when: Condition) -> Iterator[SectionDraft]:
    """What an agent is told of a memory of its own, and the memory's index."""
    if agent is None or agent.memory is None:
        return
    folder = computed("memory.folder", agent.memory.folder)
    told = text(m, "memory.long", of_agent=True, **{"memory.folder": folder})
    pieces = (*told, *memory_index(m, agent.memory, agent.memory_scope))
    who = "subagent" if agent is m.sub_agent else "agent"
    yield _section(f"{who}_memory", "The agent's own memory", None, pieces, when & m.gates.auto_memory)


def _agents_prompt(m: Materials, agent: SubAgent | None) -> tuple[Piece, ...]:
    """The text of an agent's file, or our wording of a built-in one's prompt."""
    if agent is None or agent.source != "built-in":
        return agent.body if agent else ()
    return tuple(text(m, f"subagents.{_PROMPTS[agent.name]}")) if agent.name in _PROMPTS else ()


_PROMPTS = {"general-purpose": "general_purpose", "Explore": "explore", "Plan": "plan"}
"""The built-in sub-agents whose prompts were recorded."""


def _bare(m: Materials) -> Iterator[Piece]:
    return text(m, "messages.bare", cwd=environment("cwd", m.cwd), date=environment("date", date_of(m)))


def _append(m: Materials) -> SectionDraft:
    pieces = (param_value("args.appendSystemPrompt", m.params.args.appendSystemPrompt or ""),)
    return _section("append", "--append-system-prompt", None, pieces, gates.APPEND & ~m.gates.delegated)


def _guidance_gate(m: Materials) -> Condition:
    """`# Session-specific guidance` is left out where none of its bullets stands."""
    skills = any_offered(m, "Skill")
    if m.version != V100:  # the bullet on skills goes with the dynamic sections (claude-code-new-facts.md)
        skills = skills & ~gates.EXCLUDE_DYNAMIC
    bullets = [gates.INTERACTIVE, skills]
    if m.layout != "B":
        bullets.append(any_offered(m, "Agent"))
    if m.version == V100:
        bullets.append(any_offered(m, "AskUserQuestion"))
    return m.gates.full & Named("all", "guidance", Any(tuple(bullets)), yes="it has something to say")


def _artifact(m: Materials) -> SectionDraft:
    """A paragraph that comes with the tool, also behind a prompt of one's own (claude-code-new-facts.md)."""
    when = offers(m, "Artifact") & m.gates.main
    return _section("artifact", "Artifact", None, text(m, "variants.artifact"), when, STATIC, "static")


def _coding_gate(m: Materials) -> Condition:
    """An own output style drops `# Doing tasks` unless its frontmatter keeps it; built-in styles keep it (1.2)."""
    keeps = m.style.built_in or m.style.keep_coding_instructions
    no = f"the output style {m.style.name} replaces the coding instructions (keep-coding-instructions is not set)"
    in_force = replace(m.style_setting, value=DEFAULT_STYLE if keeps else m.style.name)
    return m.gates.full & in_force.is_(DEFAULT_STYLE, yes="no output style replaces the coding instructions", no=no)


def _classic_static(m: Materials, *, older: bool) -> Iterator[SectionDraft]:
    full = m.gates.full
    yield _section("intro", "Introduction", None, text(m, "classic.intro"), full, STATIC, "static")
    yield _section("system", "System", "# System", text(m, "classic.system"), full, STATIC, "static")
    yield _section(
        "doing_tasks", "Doing tasks", "# Doing tasks", text(m, "classic.doing_tasks"), _coding_gate(m), STATIC, "static"
    )
    heading = "# Executing actions with care"
    yield _section(
        "executing_actions", heading[2:], heading, text(m, "classic.executing_actions"), full, STATIC, "static"
    )
    yield _section(
        "using_tools", "Using your tools", "# Using your tools", text(m, "classic.using_tools"), full, STATIC, "static"
    )
    yield _section(
        "tone_and_style",
        "Tone and style",
        "# Tone and style",
        text(m, "classic.tone_and_style"),
        full,
        STATIC,
        "static",
    )
    if older:
        yield _artifact(m)
        # Recorded: with the dynamic sections excluded the memory instructions move up here, without their folder. Where
        # the harness speaks in messages of its own, they move there as a whole.
        static_memory = full & m.gates.auto_memory & gates.EXCLUDE_DYNAMIC & m.gates.messages_are("A'")
        pieces = (*text(m, "memory.long", moved=True), label("\n\n"))
        yield _section(
            "memory_instructions.static", "auto memory", "# auto memory", pieces, static_memory, STATIC, "static"
        )
        heading = "# Text output (does not apply to tool calls)"
        yield _section("text_output", "Text output", heading, text(m, "classic.text_output"), full, stability="static")


def _layout_a(m: Materials) -> Iterator[SectionDraft]:
    g = m.gates
    stays = g.full & ~gates.EXCLUDE_DYNAMIC
    yield from _classic_static(m, older=False)
    heading = "# Session-specific guidance"
    yield _section("session_guidance", heading[2:], heading, text(m, "classic.session_guidance"), _guidance_gate(m))
    # The section ends with a blank line of its own: four line breaks stand before the next one.
    memory = (*text(m, "memory.long"), label("\n\n"))
    yield _section("memory_instructions", "auto memory", "# auto memory", memory, stays & g.auto_memory)
    yield _section("environment", "Environment", "# Environment", surroundings.classic_environment(m), stays)
    yield _section("language", "Language", "# Language", language_pieces(m), g.full & language_gate(m))
    yield _section("output_style", "Output style", style_heading(m), style_pieces(m), g.full & style_gate(m))
    yield _section(
        "tool_results_note", "Tool results", None, text(m, "classic.tool_results_note"), g.full, stability="static"
    )
    yield _talking(m)
    yield _append(m)
    git = (label("gitStatus: "), *git_pieces(m))
    yield _section("git_status", "Git status", None, git, g.git_status & ~gates.EXCLUDE_DYNAMIC)


def _layout_older(m: Materials) -> Iterator[SectionDraft]:
    g = m.gates
    yield from _classic_static(m, older=True)
    heading = "# Session-specific guidance"
    yield _section("session_guidance", heading[2:], heading, text(m, "classic.session_guidance"), _guidance_gate(m))
    memory = (*text(m, "memory.long"), label("\n\n"))
    when = g.full & g.auto_memory & ~gates.EXCLUDE_DYNAMIC
    yield _section("memory_instructions", "auto memory", "# auto memory", memory, when)
    yield _section("environment", "Environment", "# Environment", surroundings.classic_environment(m), g.full)
    heading = "# Context management"
    yield _section(
        "context_management", heading[2:], heading, text(m, "closing.context_management"), g.full, stability="static"
    )
    yield _section("closing", "Closing notes", None, text(m, "closing.closing"), g.full, stability="static")
    yield _talking(m)
    yield _tokens_left(m)
    yield _append(m)


def _layout_b(m: Materials) -> Iterator[SectionDraft]:
    g = m.gates
    yield _section("intro", "Introduction", None, text(m, "short.intro"), g.full, STATIC, "static")
    yield _section("harness", "Harness", "# Harness", text(m, "short.harness"), g.full, STATIC, "static")
    yield _artifact(m)
    yield _section("notes", "Notes", None, text(m, "short.notes"), g.full, stability="static")
    heading = "# Session-specific guidance"
    yield _section("session_guidance", heading[2:], heading, text(m, "short.session_guidance"), _guidance_gate(m))
    when = g.full & g.auto_memory & ~gates.EXCLUDE_DYNAMIC
    yield _section("memory_instructions", "Memory", "# Memory", text(m, "memory.short"), when)
    yield _section("environment", "Environment", "# Environment", surroundings.models(m), g.full)
    heading = "# Context management"
    yield _section(
        "context_management", heading[2:], heading, text(m, "closing.context_management"), g.full, stability="static"
    )
    yield _section("closing", "Closing notes", None, text(m, "closing.closing"), g.full, stability="static")
    yield from _model_notes(m)
    yield _talking(m)
    yield _tokens_left(m)
    yield _append(m)


def _model_notes(m: Materials) -> Iterator[SectionDraft]:
    """What single models are told besides (variants, d)."""
    g = m.gates
    fable = g.full & g.model_is("fable", (5, 2))
    games = g.full & (g.model_is("opus", (5, 5)) | g.model_is("fable", (5, 2)))
    yield _section("games", "Games", None, text(m, "variants.games"), games, stability="static")
    finishing = g.full & g.model_is("haiku", (5, 5))
    yield _section("finishing", "Finishing work", None, text(m, "variants.finishing"), finishing, stability="static")
    heading = "# Finishing work"
    yield _section(
        "finishing_work", heading[2:], heading, text(m, "variants.finishing_work"), fable, stability="static"
    )
    heading = "# Memory, notes and feedback"
    yield _section("memory_notes", heading[2:], heading, text(m, "variants.memory_notes"), fable, stability="static")
    opus_5 = g.full & g.model_is("opus", (5, 0))
    heading = "# Delivering work"
    yield _section(
        "delivering_work", heading[2:], heading, text(m, "variants.delivering_work"), opus_5, stability="static"
    )
    heading = "# Corrections"
    yield _section("corrections", heading[2:], heading, text(m, "variants.corrections"), opus_5, stability="static")


def _talking(m: Materials) -> SectionDraft:
    """How to use the tool that answers go through (variants, e)."""
    when = m.gates.full & m.gates.brief
    return _section("talking", "Talking to the user", None, text(m, "variants.talking"), when, stability="static")


def _tokens_left(m: Materials) -> SectionDraft:
    """The tag that closes the prompt of models that are told how many tokens are left."""
    when = m.gates.full & m.gates.counts_tokens()
    return _section("tokens_left", "Tokens left", None, tokens_left(m), when, stability="static")
