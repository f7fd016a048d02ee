"""The sub-agent whose prompt is asked for in place of the main session's (specs/claude-code.md 2.3)."""

from __future__ import annotations

from collections.abc import Sequence

from promptscope_engine.agents.claude_code.materials import SubAgent
from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.conditions import Condition, Facts, Observed, Setting
from promptscope_engine.prompt.model import Diagnostic, Lever, SettingSource

PARAM = "subagent"
GENERAL = "general-purpose"
EXPLORE = "Explore"
WITHOUT_PROJECT = (EXPLORE, "Plan")
"""Built-in agents that get neither instruction files nor git status."""
RECORDED = (GENERAL, *WITHOUT_PROJECT)
"""Built-in agents whose prompts were recorded."""


def has_prompt(agent: SubAgent) -> bool:
    """Whether an agent's prompt is known: its file's text, or that of a built-in one which was recorded."""
    return bool(agent.body) or (agent.source == "built-in" and agent.name in RECORDED)


@frozen
class Delegation:
    """`agent`: the sub-agent that was found. `delegated`: its prompt is shown. `sees_project`: not kept from the
    project's instruction files and git status."""

    agent: SubAgent | None
    delegated: Condition
    sees_project: Condition


def gather_delegation(asked: str | None, agents: Sequence[SubAgent]) -> Delegation:
    """Which of the agents is asked for by name."""
    found = next((agent for agent in agents if agent.name == asked), None)
    no = f"no sub-agent is called {asked}" if asked else "it is the main session's prompt"
    delegated = Setting(
        SettingSource(PARAM, overlay=PARAM),
        found.name if found else None,
        "given",
        True,
        f"it is the prompt of the sub-agent {found.name}" if found else "it is the prompt of a sub-agent",
        no,
        on=Lever(PARAM, GENERAL),
        off=Lever(PARAM, None),
    )
    kept_away = found is not None and found.source == "built-in" and found.name in WITHOUT_PROJECT
    sees_project = Observed(
        "flag",
        PARAM,
        not kept_away,
        "the agent sees the project's instruction files and git status",
        f"the sub-agent {asked} sees neither instruction files nor git status",
        on=(Lever(PARAM, GENERAL),),
        off=(Lever(PARAM, EXPLORE),),
    )
    return Delegation(found, delegated, sees_project)


def delegation_problems(
    asked: str | None, found: SubAgent | None, agents: Sequence[SubAgent], facts: Facts
) -> tuple[Diagnostic, ...]:
    """What is wrong with the name, or not known of the agent."""
    if not asked:
        return ()
    if found is None:
        known = ", ".join(agent.name for agent in agents if agent.when.holds(facts))
        return (Diagnostic("warning", "unknown-subagent", f"no sub-agent is called {asked}; known: {known}"),)
    if found.source == "built-in" and found.name not in RECORDED:
        text = f"the prompt of the built-in sub-agent {found.name} was not recorded: what stands around it is shown"
        return (Diagnostic("info", "subagent-unrecorded", text),)
    return ()
