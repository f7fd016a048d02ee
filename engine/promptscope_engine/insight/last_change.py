"""The commits that changed what a prompt is made of, and what each did to it."""

from msgspec import Struct

from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.pinned import REPOSITORY
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.workspace.revision import Commit, commits_touching

from .comparison import Comparison, compare
from .sides import PinnedPlaces, assemble_pinned, at_revision


class LastChange(Struct, frozen=True):
    """The last commit that changed a prompt, and what differs since the one before, committed or not.

    `since` is None where the history here begins with that commit.
    """

    commit: Commit
    since: Comparison | None


def commits_of(scenario: Scenario, counter: Counter, most: int) -> tuple[tuple[Commit, ...], Assembly]:
    """The last commits that changed files of a prompt, present or absent, the latest first; and the prompt, pinned.

    The scenario names its agent and an absolute workspace. Raises ScenarioError.
    """
    pinned, workspace = PinnedPlaces().place(scenario)
    now = assemble(pinned, workspace, counter)
    asked = {*(file.real_path for file in now.files if file.present), *workspace.asked}
    below = sorted(path.removeprefix(f"{REPOSITORY}/") for path in asked if path.startswith(f"{REPOSITORY}/"))
    named = (path for path in below if path.partition("/")[0] != ".git")
    return commits_touching(named, scenario.workspace, pinned.home or "", scenario.env or {}, most), now


def effect_of(commit: Commit, scenario: Scenario, counter: Counter, after: Assembly | None = None) -> Comparison | None:
    """What a commit changed in the prompt of a scenario that names its agent; with `after` all up to that prompt.

    Both sides are pinned (see inputs/pinned.py). None for a commit without a parent, and where one can't be assembled.
    """
    if commit.parent is None:
        return None
    try:
        before = assemble_pinned(at_revision(commit.parent, scenario), counter)
        after = after or assemble_pinned(at_revision(commit.id, scenario), counter)
    except ScenarioError:
        return None
    return compare(before, after, (commit.parent, commit.id))


_LOOKED_AT = 5
"""Commits among which one is looked for that changed the prompt: many change the body of a skill, which isn't in it."""


def find_last_change(scenario: Scenario, counter: Counter) -> LastChange | None:
    """The last commit that changed the prompt, else its files; None where git knows none. Raises ScenarioError."""
    commits, now = commits_of(scenario, counter, _LOOKED_AT)
    found = (LastChange(commit, effect_of(commit, scenario, counter, now)) for commit in commits)
    first = next(found, None)
    if first is None or first.since is None or first.since.differs:
        return first
    return next((each for each in found if each.since and each.since.differs), first)
