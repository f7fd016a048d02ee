"""Tooling (specs/openclaw.md 1 part 2, and 2): the bullets, and lines that stand whatever tools there are."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.openclaw.materials import Materials
from promptscope_engine.agents.openclaw.tools.summaries import FALLBACK, SUMMARIES, listed, spelling
from promptscope_engine.agents.shared.settings import mapping
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Observed
from promptscope_engine.prompt.drafts import Piece, SectionDraft, builtin, label, param_value

from .part import part


def tooling(materials: Materials) -> SectionDraft:
    """The tools by name and meaning."""
    known = bool(materials.prompt.texts("toolNames"))
    reference = "## Tooling" if known else "## Tooling (fallback)"
    return part("tooling", "## Tooling", _lines(materials, known), reference=reference)


def _lines(materials: Materials, known: bool) -> Iterator[Piece]:
    yield builtin(
        "tooling.lead",
        "\nWhich tools there are (after the tool policies):\nThe names are case-sensitive: write a tool's name just as it is given here.",
    )
    yield from _bullets(materials)
    yield _fallback(known)
    yield from _advice(materials)


def _bullets(materials: Materials) -> Iterator[Piece]:
    """One line a tool; what a policy removed stands among the absent, at its place."""
    present, texts = materials.prompt.texts("toolNames"), summaries(materials)
    there = {key for key, _ in listed(present)}
    absent = [name for name in materials.offered if name not in there]
    for key, name in listed([*present, *absent]):
        when = materials.offered.get(key, ALWAYS)
        yield from bullet(key, name, texts.get(key), when)


def bullet(key: str, name: str, summary: str | None, when: Condition = ALWAYS) -> Iterator[Piece]:
    """`- name: summary`. A built-in summary goes before the caller's; without any there is the name alone."""
    built_in = SUMMARIES.get(key)
    text = built_in or summary
    yield label(f"\n- {name}" + (": " if text else ""), when=when)
    if built_in:
        yield builtin(f"tooling.{key}", built_in, when=when)
    elif summary:
        # several lines stay several lines: the caller's description is kept whole
        yield param_value(f"tools.{key}.description", summary, when=when)


def summaries(materials: Materials) -> dict[str, str]:
    """The caller's summaries by lower-cased name, trimmed, blank ones dropped."""
    given = mapping(materials.prompt.value("toolSummaries"))
    return {
        js_trim(name).lower(): js_trim(text) for name, text in given.items() if isinstance(text, str) and js_trim(text)
    }


def _fallback(known: bool) -> Piece:
    """A fixed list where no tool is known: it names tools that this run does not have (also for CLI backends)."""
    none = Observed("tool", "any", not known, "no tool is known", "tools are known", wanted=False)
    bullets = "".join(f"\n- {name}: {text}" for name, text in FALLBACK.items())
    return builtin(
        "tooling.fallback",
        "\nThe tools that Pi has by nature are above. This runtime offers besides them:" + bullets,
        when=none,
    )


def _advice(materials: Materials) -> Iterator[Piece]:
    names = materials.prompt.texts("toolNames")
    yield builtin(
        "tooling.advice",
        "\nTOOLS.md tells how the user wants outside tools used; it makes no tool available.\nDo not wait in quick poll loops: give ",
    )
    yield label(spelling("exec", names))
    yield builtin("tooling.advice", " a long enough yieldMs, or take ")
    yield label(spelling("process", names))
    yield builtin(
        "tooling.advice",
        "(action=poll, timeout=<ms>).\n"
        "Is a task large or slow? Start a sub-agent for it, which reports by itself when it is done.\n"
        "Never call `subagents list` / `sessions_list` over and over to wait; look only when there is cause (to step in, to debug, or on request).",
    )
