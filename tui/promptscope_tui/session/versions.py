"""The versions of an agent that are known here, and how."""

from promptscope_engine.agents.adapter import Describes
from promptscope_engine.agents.registry import agent_ids, load_agent
from promptscope_engine.learned import Learned, LearnedVersion
from promptscope_engine.tokens.measured import version_numbers


def learned_versions(agent: Describes, learned: Learned | None) -> list[LearnedVersion]:
    """Those that were learned here, without their texts."""
    return [each for each in learned.versions if each.agent == agent.id] if learned else []


def known_versions(agent: Describes, learned: Learned | None) -> tuple[str, ...]:
    """Those that are modelled or were learned here, oldest first."""
    own = {each.agent_version for each in learned_versions(agent, learned)}
    return tuple(sorted(own.union(agent.versions), key=version_numbers)) if own else agent.versions


def default_version(agent: Describes, learned: Learned | None) -> str:
    """The version that is shown unless another one is named: the one learned last, else the newest modelled one."""
    return (learned.latest(agent.id) if learned else None) or agent.versions[-1]


def newest_learned(agent: Describes, learned: Learned | None) -> str | None:
    """The version that was learned last, if none that was learned is newer: to learn an older one is no update."""
    last = learned.latest(agent.id) if learned else None
    own = [each.agent_version for each in learned_versions(agent, learned)]
    return last if last is not None and last == max(own, key=version_numbers) else None


def how_known(agent: Describes, version: str, learned: Learned | None) -> str:
    """`modelled 2026-11-26, learned 2026-11-27`."""
    parts = []
    if version in agent.versions:
        parts.append(f"modelled {agent.about.modelled.get(version, '')}".rstrip())
    parts += [f"learned {own.learned[:10]}" for own in learned_versions(agent, learned) if own.agent_version == version]
    return ", ".join(parts)


def the_model(agent: Describes) -> str:
    """`the model is 2.1.332 of 2026-11-26`."""
    newest = agent.versions[-1]
    date = agent.about.modelled.get(newest)
    return f"the model is {newest}{f' of {date}' if date else ''}"


def newer_than_known(name: str | None, version: str | None, learned: Learned | None) -> str:
    """What to say of an agent's version that is newer than all that are known here; "" of any other."""
    if name not in agent_ids() or not version:
        return ""
    agent = load_agent(name)
    if version_numbers(version) <= version_numbers(known_versions(agent, learned)[-1]):
        return ""
    return f"{agent.name} {version} is newer than what is known here: {the_model(agent)}"


def one_before(agent: Describes, version: str, learned: Learned | None) -> str | None:
    """The version to compare one with: the one before that was learned, else that is modelled; None for the first."""
    earlier = [each for each in known_versions(agent, learned) if version_numbers(each) < version_numbers(version)]
    own = [each for each in earlier if learned and (agent.id, each) in learned]
    return next(reversed(own or earlier), None)
