"""What the model is told about working with other agents (specs/codex.md 7.2)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.codex.materials import Materials
from promptscope_engine.prompt.drafts import Choice, Piece, SectionDraft, builtin, computed, label

from . import prose_agents as prose
from .places import MODE, ROLE


def role_section(m: Materials) -> SectionDraft:
    """Who it is among the agents, and how many may work at once. gpt-6 and 6.1 have it in a tag."""

    def pieces() -> Iterator[Piece]:
        current = m.gates.current
        yield label("<multi_agent_role>", when=current)
        yield builtin("multi_agent_role.current", prose.CURRENT_ROLE, when=current)
        yield builtin("multi_agent_role", prose.ROLE, when=~current)
        yield label("\n\n")
        yield builtin("multi_agent_role.threads", prose.THREADS)
        yield computed("max_concurrent_threads_per_session", str(m.threads))
        yield builtin("multi_agent_role.together", prose.TOGETHER)
        yield label("</multi_agent_role>", when=current)

    return SectionDraft(
        "multi_agent_role",
        "Sub-agents",
        tuple(pieces()),
        None,
        m.gates.second_kind,
        ROLE,
        reference=Choice(((m.gates.current, "multi_agent_role.current"),), "multi_agent_role"),
    )


def mode_section(m: Materials) -> SectionDraft:
    """Whether it may delegate by itself: with the effort `ultra` it should."""

    def pieces() -> Iterator[Piece]:
        yield label("<multi_agent_mode>")
        yield builtin("multi_agent_mode.explicit", prose.EXPLICIT, when=~m.gates.proactive)
        yield builtin("multi_agent_mode.proactive", prose.PROACTIVE, when=m.gates.proactive)
        yield label("</multi_agent_mode>")

    return SectionDraft(
        "multi_agent_mode", "When to delegate", tuple(pieces()), None, m.gates.second_kind, MODE,
        reference=Choice(((m.gates.proactive, "multi_agent_mode.proactive"),), "multi_agent_mode.explicit"),
    )  # fmt: skip
