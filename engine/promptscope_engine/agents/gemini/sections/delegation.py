"""Sub-agents and skills: who and what can be called in (specs/gemini.md 3.1, 10, 11)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.gemini.materials import Materials, Skill, SubAgent
from promptscope_engine.agents.gemini.scope import text
from promptscope_engine.agents.gemini.texts import FOLDER
from promptscope_engine.prompt.drafts import Piece, builtin, computed, label


def agent_pieces(m: Materials) -> Iterator[Piece]:
    """The whole section, which an override file may ask for too."""
    return text(m, "sub_agents", agents_listed=agents_listed(m))


def agents_listed(m: Materials) -> list[dict[str, object]]:
    """The sub-agents as the section lists them."""
    return [
        {
            "opens": _opens(number, "subagent"),
            "name": computed("agent.name", agent.name),
            "text": tuple(_agent_text(m, agent)),
        }
        for number, agent in enumerate(m.agents)
    ]


def skill_pieces(m: Materials) -> Iterator[Piece]:
    """The whole section, which an override file may ask for too."""
    return text(m, "skills", skills_listed=skills_listed(m))


def skills_listed(m: Materials) -> list[dict[str, object]]:
    """The skills as the section lists them."""
    return [
        {
            "opens": _opens(number, "skill"),
            "name": computed("skill.name", skill.name),
            "text": tuple(_skill_text(m, skill)),
            "location": computed("skill.location", skill.location),
        }
        for number, skill in enumerate(m.skills)
    ]


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


def _skill_text(m: Materials, skill: Skill) -> Iterator[Piece]:
    if skill.built_in:
        yield builtin(f"skills.{skill.built_in}", FOLDER.bundled("skills", m.inputs.agent_version)[skill.built_in].text)
    yield from skill.pieces
