"""What the app can compare: the prompt as it is shown, the baseline, and every side that the engine knows."""

from collections.abc import Iterator
from pathlib import Path

from promptscope_engine.assembly.resolve import agents_for, resolve
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.comparison import Comparison, compare
from promptscope_engine.insight.sides import assemble_side, side_of
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.tokens.counter import Counter, counter_for
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.revision import revision_names

from .saving import scenario_path
from .session import Session, without_edits
from .snapshot import Snapshot

NOW = "now"
BASELINE = "baseline"
UNEDITED = "unedited"


def side_choices(session: Session, state_folder: Path) -> Iterator[tuple[str, str]]:
    """Every side that can be chosen: how it is written, and what it is; git is asked for its branches and tags."""
    now = session.snapshot
    yield NOW, "the prompt as it is shown"
    if now.baseline is not None:
        yield BASELINE, "set with b" if now.pinned else "before the last change"
    if now.scenario.edits:
        yield UNEDITED, "the prompt without your edits"
    for name in _revisions(session):
        yield f"git:{name}", "a revision of the repository"
    for mode in now.assembly.modes if now.assembly else ():
        yield f"mode:{mode.slug}", mode.name
    agents = list(agents_for(session.placed))
    for agent in agents:
        yield f"agent:{agent.id}", agent.name
    shown = next((agent for agent in agents if now.assembly and agent.id == now.assembly.agent), None)
    for version in reversed(shown.versions if shown else ()):
        yield f"version:{version}", shown.name if shown else ""
    folder = scenario_path(state_folder).parent
    for path in sorted(each for each in folder.glob("*") if each.suffix in (".yaml", ".yml", ".json", ".toml")):
        yield str(path), "a saved scenario"


def _revisions(session: Session) -> tuple[str, ...]:
    try:
        _, inputs = resolve(session.placed, Workspace())
    except ScenarioError:
        return ()
    names = revision_names(inputs.workspace, inputs.home, inputs.env)
    return ("HEAD", *names) if names else ()


def first_sides(session: Session) -> tuple[str, str]:
    """The sides at first: the baseline if one was set, else the prompt without edits if there are any.

    Else the last commit, else another agent.
    """
    now = session.snapshot
    if now.pinned:
        return BASELINE, NOW
    if now.scenario.edits:
        return UNEDITED, NOW
    if _revisions(session):
        return "git:HEAD", NOW
    if now.compared is not None:
        return BASELINE, NOW
    shown = now.assembly.agent if now.assembly else None
    return f"agent:{next(agent.id for agent in agents_for(session.placed) if agent.id != shown)}", NOW


def compare_sides(session: Session, sides: tuple[str, str]) -> Comparison:
    """The comparison. Raises ScenarioError for a side that cannot be assembled."""
    now, base = session.snapshot, session.placed
    counter = counter_for(base.model, session.counter.cache)
    before, after = (_assembly(text, now, base, session.workspace.snapshot(), counter) for text in sides)
    return compare(before, after, sides)


def _assembly(text: str, now: Snapshot, base: Scenario, workspace: Workspace, counter: Counter) -> Assembly:
    if text == NOW and now.assembly is not None and now.counted:
        return now.assembly
    if text == BASELINE:
        if now.baseline is None:
            raise ScenarioError("there is no baseline: set one with b")
        return now.baseline
    if text == UNEDITED:
        base = without_edits(base)
    named = f"agent:{base.agent}" if text in (NOW, UNEDITED) else text
    return assemble_side(side_of(named, base), counter, workspace)
