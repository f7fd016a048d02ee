"""What the client tells the model besides base instructions, skills and permissions (specs/codex.md 3, 6.5, 7.4, 9)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.codex.catalogue import MODELS
from promptscope_engine.agents.codex.gates import PLANNING
from promptscope_engine.agents.codex.materials import Materials, McpServer
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import (
    Choice,
    Piece,
    SectionDraft,
    builtin,
    computed,
    environment,
    guarded,
    label,
)

from . import prose
from .places import developer


def developer_section(m: Materials) -> SectionDraft:
    """`developer_instructions`, exactly as written."""
    return SectionDraft(
        "developer_instructions", "Developer instructions", m.developer, when=m.gates.developer,
        place=developer("developer_instructions"),
    )  # fmt: skip


def memory_section(m: Materials) -> SectionDraft:
    """The summary of what earlier sessions learned."""
    folder = f"{m.codex_home}/memories"

    def pieces() -> Iterator[Piece]:
        yield label("## Memory\n\n")
        for number, text in enumerate(prose.MEMORY.split("{folder}")):
            if number:
                yield environment("memories", folder)
            yield builtin("memory", text)
        yield label("\n\n========= MEMORY_SUMMARY BEGINS =========\n")
        yield from m.memory
        yield label("\n========= MEMORY_SUMMARY ENDS =========\n\n")
        yield builtin("memory.closing", prose.MEMORY_CLOSING)

    return SectionDraft(
        "memory", "Memory", tuple(pieces()), "## Memory", m.gates.memory, developer("memory"), reference="memory"
    )


def collaboration_section(m: Materials) -> SectionDraft:
    """How a session works together with the user. Plan mode is for sessions in a terminal (6.5) [source]."""

    def pieces() -> Iterator[Piece]:
        yield label("<collaboration_mode>")
        yield from guarded(_default_mode(m), ~PLANNING)
        yield label(f"{PLAN_HEADING}\n\n", when=PLANNING)
        yield builtin("collaboration_mode.plan", prose.PLAN, when=PLANNING)
        yield label("\n</collaboration_mode>")

    return SectionDraft(
        "collaboration_mode", "Collaboration mode", tuple(pieces()),
        Choice(((PLANNING, PLAN_HEADING),), DEFAULT_HEADING), m.gates.collaboration_mode,
        developer("collaboration_mode"), "session",
        reference=Choice(((PLANNING, "collaboration_mode.plan"),), "collaboration_mode"),
    )  # fmt: skip


DEFAULT_HEADING = "# Collaboration Mode: Default"
PLAN_HEADING = "# Plan Mode (Conversational)"


def _default_mode(m: Materials) -> Iterator[Piece]:
    asks = m.gates.on("default_mode_request_user_input")
    yield label(f"{DEFAULT_HEADING}\n\n")
    yield builtin("collaboration_mode", prose.COLLABORATION)
    yield label("\n\n## request_user_input availability\n\n")
    yield builtin("collaboration_mode.unavailable", prose.QUESTIONS_UNAVAILABLE, when=~asks)
    yield builtin("collaboration_mode.available", prose.QUESTIONS_AVAILABLE, when=asks)


def deferred_section(m: Materials) -> SectionDraft:
    """Tools that are only named: their schemas cost nothing at the start (7.4)."""
    lines: list[tuple[str, tuple[Piece, ...]]] = []
    lines += ((server.namespace, _server_line(m, server)) for server in m.servers if server.tools)
    name = "multi_agent_v1"
    lines.append((name, (label(f"- {name}\n", when=m.gates.first_kind),)))
    ordered = [piece for _, pieces in sorted(lines, key=lambda line: line[0]) for piece in pieces]
    pieces = (label("<tools>\nDeferred tool namespaces:\n"), *ordered, label("</tools>"))
    when = m.gates.deferred & m.gates.on("deferred_tool_world_state")
    return SectionDraft("tools", "Deferred tools", pieces, None, when, developer("tools"))


def _server_line(m: Materials, server: McpServer) -> tuple[Piece, ...]:
    """The namespace and the first line of what the server says of itself."""
    first = server.instructions.strip().split("\n")[0].rstrip("\r")
    known: Condition = m.gates.known
    head = computed("mcp.namespace", f"- {server.namespace}", when=known)
    text = (label(": ", when=known), computed(f"mcp.{server.name}", first, when=known)) if first else ()
    return (head, *text, label("\n", when=known))


def catalogue_section(m: Materials) -> SectionDraft:
    """The models that the model may choose for its sub-agents."""

    def pieces() -> Iterator[Piece]:
        yield label("<model_catalog>\n")
        yield builtin("model_catalog", prose.CATALOGUE)
        for slug in MODELS:
            if slug in prose.CATALOGUE_LINES:
                yield label(f"\n- `{slug}`")
                yield builtin(f"model_catalog.{slug}", f": {prose.CATALOGUE_LINES[slug]}")
        yield label("\n</model_catalog>")

    return SectionDraft(
        "model_catalog", "Models", tuple(pieces()), None, m.gates.on("model_catalog_in_context"),
        developer("model_catalog"), reference="model_catalog",
    )  # fmt: skip
