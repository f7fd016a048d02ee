"""What Why says about a switch before it is changed, and about the budget."""

from __future__ import annotations

import json
from collections.abc import Sequence

from promptscope_engine.agents.registry import OBSERVED
from promptscope_engine.insight.effects import Effect
from promptscope_engine.prompt.model import Assembly
from promptscope_tui.session.inputs import AgentInputs
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.text.spans import Span, signed
from promptscope_tui.text.words import compaction, number
from promptscope_tui.views.subjects import SwitchSubject
from promptscope_tui.views.window.composition import composition, free

from .page import Page

_CHOSEN = {
    "agent": "Press enter to choose the agent and its version.",
    "mode": "Press enter to choose the mode.",
    "model": "Press enter to choose the model. It determines tokenizer, window and, for some agents, the prompt.",
}


def switch_page(
    page: Page, subject: SwitchSubject, snapshot: Snapshot, assembly: Assembly, inputs: AgentInputs
) -> None:
    """A switch, and what changing it would do."""
    field = inputs.field(subject.param)
    page.heading(field.title if field else subject.param)
    if field:
        page.line(field.help)
        page.pair("now", inputs.label(field.name, inputs.value(field.name)), "param")
        page.pair("default", inputs.label(field.name, field.default), "dim")
    derived = assembly.derivation(subject.param)
    if derived is not None:
        page.derivation(derived)
    if subject.value is None:
        if subject.param in _CHOSEN:
            page.line(Span(_CHOSEN[subject.param], "dim"))
            page.block("Current")
            page.pair("agent", f"{inputs.agent.name} {assembly.agent_version}")
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
    effect = snapshot.effect(subject.param, value)
    if effect is None:
        page.line(Span("… computing", "dim"))
    else:
        _effect(page, effect, assembly)


def _effect(page: Page, effect: Effect, assembly: Assembly) -> None:
    if effect.error:
        page.line(Span(f"✗ {effect.error}", "error"), hang=2)
        return
    page.line(signed(effect.tokens), Span(" tok" if effect.tokens else " no change in tokens", "dim"))
    described = {tool.section for tool in assembly.tools}  # a tool's own section says nothing that the tool does not
    lists: Sequence[tuple[str, str, Sequence[str]]] = (
        ("+", "section", [s for s in effect.sections_added if s not in described]),
        ("−", "section", [s for s in effect.sections_removed if s not in described]),
        ("+", "tool", effect.tools_added),
        ("−", "tool", effect.tools_removed),
    )
    for mark, what, names in lists:
        if not names:
            continue
        page.block(f"{'Adds' if mark == '+' else 'Removes'} {len(names)} {what}{'s' * (len(names) > 1)}")
        for name in names:
            section = assembly.section(name)
            title = page.shorten(section.title) if section and what == "section" else name
            page.line(Span(f"{mark} ", "more" if mark == "+" else "fewer"), title, hang=2)


def window_page(page: Page, assembly: Assembly) -> None:
    """The budget in figures."""
    tokens = assembly.tokens
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
    else:
        page.pair("our text", f"{number(tokens.total)} tok, our wording as it stands", "dim")
    page.line(Span("a section's tokens are divided among its origins by characters", "faint"))
    page.block("Left")
    page.pair("reserve", f"{tokens.reserve:,} tok")
    page.pair("free", f"{number(None if tokens.expected is None else free(tokens))} tok")
    page.pair("compacts", compaction(tokens.compact_at, tokens.compaction), "warn")
    page.block("Counted with")
    page.line(tokens.tokenizer, Span("  exact" if tokens.exact else "  an estimate", "dim"))
