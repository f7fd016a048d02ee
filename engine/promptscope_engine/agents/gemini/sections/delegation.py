"""Sub-agents, skills and hooks: who and what can be called in (specs/gemini.md 3.1, 3.2, 10, 11)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.gemini.materials import Materials, Skill, SubAgent
from promptscope_engine.agents.gemini.scope import text
from promptscope_engine.agents.gemini.selection import active
from promptscope_engine.agents.gemini.texts import FOLDER
from promptscope_engine.prompt.drafts import Piece, SectionDraft, builtin, computed, label

from .collapsed import collapsed
from .part import part

AGENTS = "# Available Sub-Agents"
SKILLS = "# Available Agent Skills"
HOOKS = "# Hook Context"


def sub_agents(m: Materials) -> SectionDraft:
    """`# Available Sub-Agents`: there has to be one, and the tool that calls it."""
    when = m.gates.agents & active(m, "invoke_agent")
    return part(m, "sub_agents", "Available Sub-Agents", AGENTS, agent_pieces(m), when, switch="sub_agents")


def agent_pieces(m: Materials) -> tuple[Piece, ...]:
    """The whole section, which an override file may ask for too."""
    listed = [
        {
            "opens": _opens(number, "subagent"),
            "name": computed("agent.name", agent.name),
            "text": tuple(_agent_text(m, agent)),
        }
        for number, agent in enumerate(m.agents)
    ]
    return collapsed(text(m, "sub_agents", agents_listed=listed))


def _opens(number: int, tag: str) -> Piece:
    return label(("\n" if number else "") + f"  <{tag}>\n    <name>")


def _agent_text(m: Materials, agent: SubAgent) -> Iterator[Piece]:
    """The description. That of `generalist` goes by the tools it may use: in plan mode there are no commands (11)."""
    if not agent.built_in:
        yield from agent.pieces
    elif agent.name == "generalist":
        yield from text(m, "generalist")
    else:
        yield builtin(f"sub_agents.{agent.name}", FOLDER.bundled("agents", m.inputs.agent_version)[agent.name].text)


def skills(m: Materials) -> SectionDraft:
    """`# Available Agent Skills`: there whenever there is a skill, with or without the tool that opens it (3.1)."""
    return part(m, "skills", "Available Agent Skills", SKILLS, skill_pieces(m), m.gates.skills, switch="skills")


def skill_pieces(m: Materials) -> tuple[Piece, ...]:
    """The whole section, which an override file may ask for too."""
    listed = [
        {
            "opens": _opens(number, "skill"),
            "name": computed("skill.name", skill.name),
            "text": tuple(_skill_text(m, skill)),
            "location": computed("skill.location", skill.location),
        }
        for number, skill in enumerate(m.skills)
    ]
    return collapsed(text(m, "skills", skills_listed=listed))


def _skill_text(m: Materials, skill: Skill) -> Iterator[Piece]:
    if skill.built_in:
        yield builtin(f"skills.{skill.built_in}", FOLDER.bundled("skills", m.inputs.agent_version)[skill.built_in].text)
    yield from skill.pieces


def hook_context(m: Materials) -> SectionDraft:
    """`# Hook Context`: always there, hooks or not."""
    return part(m, "hook_context", "Hook Context", HOOKS, text(m, "hook_context"), switch="hook_context")
