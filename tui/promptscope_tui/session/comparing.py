"""What the app can compare: the prompt as it is shown, the baseline, and every side that the engine knows."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct, structs

from promptscope_engine.agents.adapter import Describes
from promptscope_engine.agents.registry import agent_ids, load_agent
from promptscope_engine.assembly.knowledge import Knowledge
from promptscope_engine.assembly.resolve import agents_for, resolve
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.comparison import Comparison, compare
from promptscope_engine.insight.last_change import commits_of, effect_of
from promptscope_engine.insight.sides import Side, assemble_side, comparable, question_of, side_of
from promptscope_engine.learned import Learned
from promptscope_engine.learning.mod_difference import AS_RUN, BEFORE, by_last_run
from promptscope_engine.learning.mod_effects import last_run
from promptscope_engine.tokens.counter import Counter, counter_for
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.revision import Commit, revision_names
from promptscope_tui.text.words import difference, home_short, many

from .answering import without_edits
from .releases import refuse_sizes_alone
from .saving import scenario_path
from .session import Session
from .snapshot import Snapshot
from .versions import default_version, how_known, known_versions, one_before

NOW = "now"
BASELINE = "baseline"
UNEDITED = "unedited"


COMMITS = 10
"""Commits that are offered."""


class Choice(Struct, frozen=True):
    """A side, or two of them, to choose: as it is written, and what it is; `label` is what is shown of it.

    `commit` is the one whose two sides they are.
    """

    sides: str
    about: str
    label: str = ""
    commit: Commit | None = None


def find_names(session: Session) -> tuple[str, ...]:
    """The branches and tags, the latest first; () where git can't tell."""
    try:
        inputs = resolve(session.placed, Workspace()).inputs
    except ScenarioError:
        return ()
    return revision_names(inputs.workspace, inputs.home, inputs.env)


def find_commits(session: Session) -> tuple[Commit, ...]:
    """The last commits that changed files of the prompt, the latest first. Raises ScenarioError."""
    return commits_of(session.placed, _counter(session), COMMITS)[0]


def side_choices(
    session: Session, state_folder: Path, names: Sequence[str], commits: Sequence[Commit] = ()
) -> Iterator[Choice]:
    """Every side that can be chosen: those at hand, commits, modes, agents, versions, files, then branches and tags."""
    now = session.snapshot
    yield Choice(NOW, "the prompt as it is shown")
    if now.baseline is not None:
        yield Choice(BASELINE, _of_baseline(now))
    if now.scenario.edits:
        yield Choice(UNEDITED, "the prompt without your edits")
    if run := last_run(now.assembly.programs) if now.assembly else None:
        yield Choice(AS_RUN, f"what the mods did when they were run on {run.date}")
    if names:
        yield Choice("git:HEAD", "the last commit")
    yield from map(_of_commit, commits)
    for mode in now.assembly.modes if now.assembly else ():
        yield Choice(f"mode:{mode.slug}", mode.name)
    agents = list(agents_for(session.placed))
    for agent in agents:
        yield Choice(f"agent:{agent.id}", agent.name)
    shown = next((agent for agent in agents if now.assembly and agent.id == now.assembly.agent), None)
    if shown is not None:
        yield from version_sides(shown, session.learned)
    folder = scenario_path(state_folder).parent
    for path in sorted(each for each in folder.glob("*") if each.suffix in (".yaml", ".yml", ".json", ".toml")):
        yield Choice(str(path), "a saved scenario", home_short(str(path)))
    for name in names:
        yield Choice(f"git:{name}", "a branch or tag")


def _of_baseline(now: Snapshot) -> str:
    return "the prompt before the last change" if now.pinned_at is None else f"set with b at {now.pinned_at:%H:%M:%S}"


def _of_commit(commit: Commit) -> Choice:
    """What a commit changed: its parent and itself. The very first commit has no parent, and is a side alone."""
    sides = f"git:{commit.parent}..{commit.id}" if commit.parent else f"git:{commit.id}"
    return Choice(sides, f"{commit.day}  {commit.subject}", commit.id, commit)


def both_sides(text: str) -> tuple[str, str] | None:
    """The two sides that `git:A..B` names, each of which is HEAD where it is empty; None for one side.

    The prompt as mods left it is compared with the one before them alone.
    """
    if text in (BEFORE, AS_RUN):
        return BEFORE, AS_RUN
    kind, _, names = text.partition(":")
    one, dots, other = names.partition("..")
    if kind != "git" or not dots or other.startswith("."):
        return None
    return f"git:{one or 'HEAD'}", f"git:{other or 'HEAD'}"


def weigh(commit: Commit, session: Session) -> int | None:
    """The tokens by which a commit changed the prompt; None where that can't be told."""
    found = effect_of(commit, session.placed, _counter(session))
    return found.tokens if found else None


def _counter(session: Session) -> Counter:
    return counter_for(session.placed.model, session.counter.cache)


def version_sides(agent: Describes, learned: Learned | None) -> Iterator[Choice]:
    """The versions of an agent as sides, the newest first, each with how it is known."""
    for version in reversed(known_versions(agent, learned)):
        yield Choice(version_side(agent, version), how_known(agent, version, learned))


def version_side(agent: Describes, version: str) -> str:
    """How a version is written as a side; an agent that a file defines is known by its name in one place only."""
    return f"{agent.id}@{version}" if agent.id in agent_ids() else f"version:{version}"


def first_sides(session: Session) -> tuple[str, str]:
    """The sides at first: the baseline if one was set, else the prompt without edits if there are any.

    Else the state before the last change, with which the marks of the prompt compare it. While nothing has changed the
    last commit, else another agent.
    """
    now = session.snapshot
    if now.pinned:
        return BASELINE, NOW
    if now.scenario.edits:
        return UNEDITED, NOW
    if now.baseline is not None:
        return BASELINE, NOW
    if find_names(session):
        return "git:HEAD", NOW
    shown = now.assembly.agent if now.assembly else None
    return f"agent:{next(agent.id for agent in agents_for(session.placed) if agent.id != shown)}", NOW


def compare_sides(session: Session, sides: tuple[str, str]) -> Comparison:
    """The comparison. Raises ScenarioError for a side that cannot be assembled."""
    counter, shown = _counter(session), session.snapshot.assembly
    if sides == (BEFORE, AS_RUN) and shown is not None:
        return by_last_run(shown, counter.count)
    made = [_side(text, session) for text in sides]
    before, after = (
        assemble_side(side, counter, session.workspace.snapshot(), knowledge=knowledge)
        for side, knowledge in _in_like_words(made, session)
    )
    about = f"baseline: {_of_baseline(session.snapshot)}" if BASELINE in sides else question_of(*made)
    return compare(before, after, sides, about)


def _side(text: str, session: Session) -> Side:
    """A side; one that is assembled already has its version."""
    now, base = session.snapshot, session.placed
    if text == BASELINE:
        if now.baseline is None:
            raise ScenarioError("there is no baseline: set one with b")
        return Side(text, base, saved=now.baseline)
    if text == UNEDITED:
        return Side(text, without_edits(base))
    if text == NOW:
        return Side(text, base, saved=now.unchecked if now.counted else None)
    refuse_sizes_alone(text, session.learned)
    return side_of(text, base)


def _in_like_words(sides: Sequence[Side], session: Session) -> Iterator[tuple[Side, Knowledge]]:
    """The sides, those of two versions of one agent in the same words, each with what it may know."""
    learned = session.learned
    scenarios = [_named(side.scenario, learned) for side in sides]
    versions = {(each.agent, each.agent_version) for each in scenarios}
    is_given = any(side.saved and side.name != NOW for side in sides)
    alike = is_given or len(versions) == 1 or len({agent for agent, _ in versions}) > 1
    for side, scenario, known in zip(sides, scenarios, comparable(scenarios, learned), strict=True):
        if alike or known is learned:
            yield side, session.knowledge
            continue
        scenario = scenario.model_copy(update={"learned": known is not None})
        yield structs.replace(side, scenario=scenario, saved=None), structs.replace(session.knowledge, learned=known)


def _named(scenario: Scenario, learned: Learned | None) -> Scenario:
    """The scenario with its version, where its agent is one that is registered."""
    if scenario.agent_version or scenario.agent not in agent_ids():
        return scenario
    return scenario.with_value("agent_version", default_version(load_agent(scenario.agent), learned))


def news_of(agent: Describes, version: str, session: Session) -> str:
    """What it changed in the prompt that is shown; "" of the first one that is known. Raises ScenarioError."""
    learned = session.learned
    before = one_before(agent, version, learned)
    if before is None:
        return ""
    found = compare_sides(session, (version_side(agent, before), version_side(agent, version)))
    return news(agent, (before, version), found, learned)


def news(agent: Describes, versions: tuple[str, str], found: Comparison, learned: Learned | None) -> str:
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


def _not_compared(agent: Describes, versions: tuple[str, str], learned: Learned | None) -> str:
    """Why the texts of two versions are not in the same words."""
    unlearned = [each for each in versions if not (learned and (agent.id, each) in learned)]
    is_alike = not unlearned or set(versions) <= set(agent.versions)
    return "" if is_alike else f"; their texts cannot be compared: {unlearned[0]} was not learned"
