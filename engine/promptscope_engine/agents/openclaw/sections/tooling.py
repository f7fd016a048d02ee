"""Tooling (specs/openclaw.md 1 part 2, and 2): the bullets, and lines that do not depend on the tools."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.openclaw.gates import has_tools
from promptscope_engine.agents.openclaw.materials import Materials
from promptscope_engine.agents.openclaw.texts import listed, spelling, tools_of_no_run
from promptscope_engine.agents.openclaw.tools.drafts import bullet, summaries
from promptscope_engine.prompt.conditions import ALWAYS, Condition
from promptscope_engine.prompt.drafts import Choice, Piece, SectionDraft, builtin, label

from .part import part


def tooling(materials: Materials) -> SectionDraft:
    """The tools by name and meaning."""
    known = has_tools(materials)
    reference = Choice(((known, "## Tooling"),), "## Tooling (fallback)")
    return part("tooling", "## Tooling", _lines(materials, known), reference=reference)


def _lines(materials: Materials, known: Condition) -> Iterator[Piece]:
    yield builtin(
        "tooling.lead",
        "\nWhich tools there are (after the tool policies):\nThe names are case-sensitive: write a tool's name just as it is given here.",
    )
    yield from _bullets(materials)
    yield _fallback(known)
    yield from _advice(materials)


def _bullets(materials: Materials) -> Iterator[Piece]:
    """One line a tool; what a policy removed stands among the absent, at its place."""
    present, told = materials.prompt.texts("toolNames"), summaries(materials)
    passed = materials.prompt.passes("toolNames")
    absent = [] if passed else [offer.name for offer in materials.offers]
    for key, name in listed([*present, *absent]):
        yield from bullet(key, name, told.get(key), ALWAYS if passed else materials.offered[key])


def _fallback(known: Condition) -> Piece:
    """A fixed list where no tool is known: it names tools that this run does not have (also for CLI backends)."""
    bullets = "".join(f"\n- {name}: {text}" for name, text in tools_of_no_run().items())
    return builtin(
        "tooling.fallback",
        "\nThe tools that Pi has by nature are above. This runtime offers besides them:" + bullets,
        when=~known,
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
