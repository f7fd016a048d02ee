"""What Why says about a switch before it is changed, the budget, and the files that a mode may edit."""

import json
from collections.abc import Sequence

from promptscope_engine.agents.registry import OBSERVED
from promptscope_engine.assembly.wording import coverage
from promptscope_engine.insight.editable import EditableFiles, EditAnswer
from promptscope_engine.insight.effects import Effect
from promptscope_engine.insight.quirks import quirks_of_input
from promptscope_engine.prompt.model import Assembly, ModeChoice
from promptscope_tui.text.spans import Row, Span, Tone, paragraph, signed
from promptscope_tui.text.words import compaction, compacts, contains, many, number
from promptscope_tui.views.subjects import Cursor, Subject, SwitchSubject, ToolSubject, WindowSubject
from promptscope_tui.views.window.rows import composition, free

from .page import Page

_CHOSEN = {
    "agent": "Press enter to choose the agent and its version.",
    "mode": "Press enter to choose the mode.",
    "model": "Press enter to choose the model. It determines tokenizer, window and, for some agents, the prompt.",
}


def switch_page(page: Page, subject: SwitchSubject) -> None:
    """A switch, what changing it would do, and the files that a mode may edit."""
    _switch(page, subject)
    edits_block(page, subject)


def _switch(page: Page, subject: SwitchSubject) -> None:
    inputs, assembly = page.inputs, page.assembly
    field = inputs.field(subject.param)
    page.heading(field.title if field else subject.param)
    if field:
        page.line(field.help)
        page.pair("now", inputs.label(field.name, inputs.value(field.name)), "param")
        page.pair("default", inputs.label(field.name, field.default), "dim")
    derived = assembly.derivation(subject.param)
    if derived is not None:
        page.derivation(derived)
    page.quirks(quirks_of_input(subject.param, assembly))
    if subject.value is None:
        if subject.param in _CHOSEN:
            page.line(Span(_CHOSEN[subject.param], "dim"))
            page.block("Current")
            page.pair("agent", f"{inputs.agent.name} {assembly.shown_version}")
            if date := inputs.agent.about.modelled.get(assembly.agent_version):
                page.pair("modelled", f"{assembly.agent_version}, {date}")
            if assembly.learned:
                page.pair("learned", "{:,} of {:,} parts in its own words".format(*coverage(assembly)))
            page.pair("mode", assembly.mode or "none")
            page.pair("model", assembly.model or "not set")
            page.pair("counted by", assembly.tokens.tokenizer)
            page.pair("window", f"{assembly.tokens.window:,} tok")
        return
    value = json.loads(subject.value)
    mode = next((m for m in assembly.modes if m.slug == value), None)
    if subject.param == "mode" and mode:
        page.line(Span(mode.name, "strong"), Span(f"  {mode.source}", "dim"))
        page.line(Span("groups ", "dim"), ", ".join(mode.groups) or "none")
    words = inputs.label(subject.param, value)
    current = assembly.mode if subject.param == "mode" else inputs.value(subject.param)
    if value == current:
        page.line(Span("◉ ", "accent"), Span(words), Span(" is the current value", "dim"))
        return
    page.block(f"If set to {words}")
    effect = page.snapshot.effect(subject.param, value)
    if effect is None:
        page.line(Span("… computing", "dim"))
    else:
        _effect(page, effect)


def _effect(page: Page, effect: Effect) -> None:
    if effect.error:
        page.line(Span(f"✗ {effect.error}", "error"), hang=2)
        return
    page.line(signed(effect.tokens), Span(" tok" if effect.tokens else " no change in tokens", "dim"))
    described = {
        tool.section for tool in page.assembly.tools
    }  # a tool's own section says nothing that the tool does not
    lists: Sequence[tuple[str, str, Sequence[str]]] = (
        ("+", "section", [s for s in effect.sections_added if s not in described]),
        ("−", "section", [s for s in effect.sections_removed if s not in described]),
        ("+", "tool", effect.tools_added),
        ("−", "tool", effect.tools_removed),
    )
    for mark, what, names in lists:
        if not names:
            continue
        page.block(f"{'Adds' if mark == '+' else 'Removes'} {many(len(names), what)}")
        for name in names:
            section = page.assembly.section(name)
            title = page.shorten(section.title) if section and what == "section" else name
            page.line(Span(f"{mark} ", "more" if mark == "+" else "fewer"), title, hang=2)


def window_page(page: Page, _: WindowSubject) -> None:
    """The budget in figures."""
    assembly, tokens = page.assembly, page.assembly.tokens
    page.heading("The context window")
    page.line(Span(f"{tokens.window:,} tokens"), Span(f"  {assembly.model or 'no model set'}", "dim"))
    page.block("Used, by origin")
    for share in composition(assembly):
        page.pair(share.name, f"{share.tokens:,} tok", share.tone)
    page.pair("expected", f"{number(tokens.expected)} tok", "strong")
    if tokens.band:
        page.pair("between", f"{tokens.band[0]:,} and {tokens.band[1]:,}", "dim")
    if assembly.agent.startswith(OBSERVED):
        page.pair("as sent", f"{number(tokens.total)} tok, counted as a whole", "dim")
    page.line(Span("a section's tokens are divided among its origins by characters", "faint"))
    page.block("Left")
    page.pair("reserve", f"{tokens.reserve:,} tok")
    page.pair("free", f"{number(None if tokens.expected is None else free(tokens))} tok")
    if compacts(tokens.compact_at, tokens.compaction):
        page.pair("compacts", compaction(tokens.compact_at, tokens.compaction), "warn")
    page.block("Counted with")
    page.line(tokens.tokenizer, Span("  exact" if tokens.exact else "  an estimate", "dim"))


_LISTED = 30


def limited_mode(subject: Subject | None, assembly: Assembly) -> ModeChoice | None:
    """The mode that a subject is about, itself or by a tool that is held to its pattern, if it has one."""
    slug, tool = assembly.mode, None
    match subject:
        case SwitchSubject("mode", value):
            slug = json.loads(value) if value is not None else slug
        case ToolSubject(name) | Cursor(tool=str(name)):
            tool = name
        case _:
            return None
    mode = next((mode for mode in assembly.modes if mode.slug == slug), None)
    if mode is None or mode.edits_only is None or (tool is not None and tool not in mode.edits_only.tools):
        return None
    return mode


def edits_block(page: Page, subject: Subject) -> None:
    """The pattern of the mode that a subject is about, and the files of the repository that it allows."""
    mode = limited_mode(subject, page.assembly)
    limit = mode.edits_only if mode else None
    if mode is None or limit is None:
        return
    page.block("Which files it may edit")
    page.pair("mode", mode.slug)
    page.pair("pattern", limit.pattern, "param")
    if limit.description:
        page.pair("named", limit.description)
    if limit.source and limit.source.path:
        page.source(limit.source.shown, limit.source.path, limit.source.line, limit.source.line)
    editable = page.snapshot.editable
    if editable is None or editable.rules.mode != mode:
        page.line(Span("… computing", "dim"))
        return
    page.line(Span(editable.summary(), "warn" if editable.undecided else "dim"))
    for name in editable.files[:_LISTED]:
        page.line(Span("· ", "faint"), Span(name, "file"), hang=2)
    if editable.count > _LISTED:
        page.line(Span(f"… {editable.count - _LISTED:,} more", "faint"))
    page.line(Span("W asks about any path", "faint"))


def answer_rows(answer: EditAnswer) -> list[Row]:
    """Whether a mode may edit a file, and what decides."""
    tone: dict[bool | None, Tone] = {True: "good", False: "error", None: "warn"}
    marks = {True: "✓ ", False: "✗ ", None: "? "}
    steps = (paragraph(Span(f" {marks[s.ok]}", tone[s.ok]), Span(s.text), indent=3) for s in answer.steps)
    return [paragraph(Span(answer.words, "strong")), *steps]


def file_rows(editable: EditableFiles | None, typed: str) -> list[Row]:
    """The files that a mode may edit and that have all words of what was typed."""
    if editable is None:
        return [paragraph(Span("… computing", "dim"))]
    found = [name for name in editable.files if contains(name, typed)]
    rows = [paragraph(Span(editable.summary(), "dim"))]
    rows += [paragraph(Span(" · ", "faint"), Span(name, "file"), indent=3) for name in found]
    if editable.count > len(editable.files):
        rows.append(paragraph(Span(f" … {editable.count - len(editable.files):,} more", "faint")))
    return rows
