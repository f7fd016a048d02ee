"""What a version changed, in a line."""

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.insight.comparison import Comparison
from promptscope_engine.learned.model import Learned
from promptscope_tui.text.words import difference, many

from .comparing import compare_sides, version_side
from .session import Session
from .versions import one_before


def news_of(agent: Agent, version: str, session: Session) -> str:
    """What it changed in the prompt that is shown; "" of the first one that is known. Raises ScenarioError."""
    learned = session.learned
    before = one_before(agent, version, learned)
    if before is None:
        return ""
    found = compare_sides(session, (version_side(agent, before), version_side(agent, version)))
    return news(agent, (before, version), found, learned)


def news(agent: Agent, versions: tuple[str, str], found: Comparison, learned: Learned | None) -> str:
    """`Claude Code 2.1.333: +1,204 tokens, 1 new tool, 3 texts changed since 2.1.332`."""
    before, version = versions
    tools, sections = ([each.change for each in part] for part in (found.tools, found.sections))
    changed = (*tools, *sections).count("changed")
    counts = (
        (tools.count("added"), "new tool", ""), (tools.count("removed"), "tool", " gone"),
        (sections.count("added"), "new section", ""), (sections.count("removed"), "section", " gone"),
        (changed, "text", " changed"), (sections.count("moved"), "section", " moved"),
    )  # fmt: skip
    parts = [f"{many(count, noun)}{end}" for count, noun, end in counts if count]
    said = ", ".join([f"{difference(found.tokens)} tokens", *parts]) if parts else "the same prompt here"
    return f"{agent.name} {version}: {said} since {before}{_not_compared(agent, versions, learned)}"


def _not_compared(agent: Agent, versions: tuple[str, str], learned: Learned | None) -> str:
    """Why the texts of two versions are not in the same words."""
    unlearned = [each for each in versions if not (learned and (agent.id, each) in learned)]
    is_alike = not unlearned or set(versions) <= set(agent.versions)
    return "" if is_alike else f"; their texts cannot be compared: {unlearned[0]} was not learned"
