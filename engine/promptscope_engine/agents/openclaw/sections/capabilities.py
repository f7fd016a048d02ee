"""Skills, memory, self-update, model aliases (specs/openclaw.md 1, parts 6 to 9)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.openclaw.gates import ANY_MODE, FULL, has_tool
from promptscope_engine.agents.openclaw.materials import Materials
from promptscope_engine.agents.openclaw.texts import spelling
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import Choice, Piece, SectionDraft, builtin, label

from .part import part


def skills(materials: Materials) -> SectionDraft:
    """How to use skills, and the listing; kept in minimal mode."""
    when = ANY_MODE & materials.prompt.cause("skillsPrompt", materials.has_skills)
    return part("skills", "## Skills (mandatory)", _skills(materials), when)


def _skills(materials: Materials) -> Iterator[Piece]:
    yield builtin(
        "skills.lead",
        "\nAhead of every reply: go through the <description> entries in <available_skills>.\n- One skill is plainly the one: open its SKILL.md, which <location> names, by `",
    )
    yield label(spelling("read", materials.prompt.texts("toolNames")))
    yield builtin(
        "skills.lead",
        "` and do as it says.\n- Several might be: settle on the most specific one, open that, do as it says.\n- None plainly is: open no SKILL.md at all.\n"
        "Rules: open at the very most one skill before you begin, and only once it is settled on.",
    )
    yield label("\n")
    yield from materials.prompt.pieces("skillsPrompt", materials.skills)


def memory_recall(materials: Materials) -> SectionDraft:
    """Looking into memory first: with either of the two tools."""
    tools = has_tool(materials, "memory_search") | has_tool(materials, "memory_get")
    off = materials.prompt.has("memoryCitationsMode", "off", materials.citations_off)
    reference = Choice(((off, "## Memory Recall (citations off)"),), "## Memory Recall")
    return part("memory_recall", "## Memory Recall", _memory(off), FULL & tools, reference=reference)


def _memory(off: Condition) -> Iterator[Piece]:
    yield builtin(
        "memory_recall",
        "\nAhead of any answer that touches earlier work, decisions, dates, people, preferences or todos: call memory_search for MEMORY.md + memory/*.md, "
        "and with memory_get fetch just the lines you need. If you stay unsure after that, tell that you looked.",
    )
    yield builtin(
        "memory_recall.citations_on",
        "\nSources: add Source: <path#line> where the user may want to check a memory.",
        when=~off,
    )
    yield builtin(
        "memory_recall.citations_off",
        "\nSources are switched off: name no paths or line numbers in a reply unless the user asks for them outright.",
        when=off,
    )


def self_update(materials: Materials) -> SectionDraft:
    """Updating only when told to; needs the gateway tool."""
    text = (
        "\nUpdates of yourself happen ONLY if the user asks for one in so many words."
        "\nCall neither config.apply nor update.run without such a request for an update or a change of configuration; if it is not plain, ask."
        "\nActions: config.get, config.schema, config.apply (checks the whole configuration, writes it, restarts), update.run (brings in the new version by git or package, restarts)."
        "\nOnce it is up again, OpenClaw pings the session that was last active."
    )
    when = FULL & has_tool(materials, "gateway")
    return part("self_update", "## OpenClaw Self-Update", [builtin("self_update", text)], when, stability="static")


def model_aliases(materials: Materials) -> SectionDraft:
    """The short names of models."""
    when = FULL & materials.prompt.cause("modelAliasLines")
    return part("model_aliases", "## Model Aliases", _aliases(materials), when)


def _aliases(materials: Materials) -> Iterator[Piece]:
    yield builtin(
        "model_aliases", "\nFor a model override use the alias by preference; the full provider/model works too."
    )
    # one value of several lines: an empty line inside of it is no separator and stays
    lines = "\n".join(materials.prompt.value("modelAliasLines") or [])
    if lines:
        yield label("\n")
        yield materials.prompt.says("modelAliasLines", lines)
