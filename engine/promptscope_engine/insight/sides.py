"""The sides of a comparison: what each is called, and the assembly that it stands for.

A side is a scenario, at the work tree or at a revision of the repository. What git says of the repository (branch,
status, recent commits) is no part of a revision's files: it is the same on both sides.
"""

import json
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Literal, get_args

from msgspec import Struct, convert, structs

from promptscope_engine.agents.registry import agent_ids, load_agent, load_observed
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.assembly.knowledge import NO_KNOWLEDGE, Knowledge
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import ScenarioError, nearest
from promptscope_engine.inputs.params import flatten
from promptscope_engine.inputs.pinned import REPOSITORY, pinned
from promptscope_engine.inputs.scenario import Scenario, load_scenario
from promptscope_engine.learned import Learned
from promptscope_engine.prompt.model import SCHEMA, Assembly, Diagnostic
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.wire.request import request_type
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.disk import Disk, Moved, OnlyBelow, RealDisk, moved
from promptscope_engine.workspace.paths import absolute
from promptscope_engine.workspace.repository import repository_root
from promptscope_engine.workspace.revision import (
    Revision,
    RevisionDisk,
    RevisionError,
    find_merge_base,
    find_revision,
)

from .comparison import IGNORED

SideKind = Literal["git", "agent", "version", "mode"]
_SCHEMA_WITHIN = 200
"""Bytes of a saved assembly in which its schema is named."""
KINDS: tuple[SideKind, ...] = get_args(SideKind)
FORMS = (
    "git:REV, agent:ID, version:V, AGENT@VERSION, mode:M, a scenario file, a capture, "
    "or what `show --format json` wrote"
)


class Side(Struct, frozen=True):
    """One side: a name to read, its scenario, and the revision of the repository (None: the work tree).

    `saved` is the assembly itself, where a file holds one.
    """

    name: str
    scenario: Scenario
    revision: Revision | None = None
    saved: Assembly | None = None
    left: str = ""
    """The revision that the other side left here, where this is their merge base."""


def side_of(text: str, base: Scenario) -> Side:
    """The side that `git:REV`, `agent:ID`, `version:V`, `AGENT@VERSION`, `mode:M`, or a file's path means.

    What it does not say is as in `base`, whose agent is named; another agent has none of its mode, model, params and
    edits.
    Raises ScenarioError.
    """
    agent, at, version = text.partition("@")
    kind, colon, value = ("release", at, agent) if at and agent in agent_ids() else text.partition(":")
    match kind if colon else "":
        case "git":
            return at_revision(value, base)
        case "agent" | "release":
            own = _of_agent(value, base)
            return Side(text, own.with_value("agent_version", version) if kind == "release" else own)
        case "version" | "mode":
            return Side(text, base.with_value("agent_version" if kind == "version" else "mode", value))
    file, _ = file_and_request(text)
    if not is_side(text) and not Path(file).exists():
        close = [f"{each}:{value}" for each in nearest(kind, KINDS)[:1]] if colon else _meant(text, base)
        raise ScenarioError(f"no side {text!r}: a side is {FORMS}", nearest=close)
    if saved := saved_in(text):
        return Side(text, base, saved=saved)
    try:
        scenario = load_scenario(text)
    except ScenarioError as error:
        if (captured := _captured(text, base)) is None:
            raise error from None
        return Side(text, captured)
    missing = {key: getattr(base, key) for key in ("workspace", "agent") if key not in scenario.model_fields_set}
    return Side(text, scenario.model_copy(update=missing))


def saved_in(path: str) -> Assembly | None:
    """The assembly in a file that `show --format json` wrote; None for any other file.

    Raises ScenarioError, with the place in the file, for one that was changed.
    """
    try:
        with Path(path).open("rb") as file:
            begins = file.read(_SCHEMA_WITHIN)
            if SCHEMA.encode() not in begins:
                return None
            values = json.loads(begins + file.read())
        request = request_type(values["request"])
        types = {field.name: field.type for field in structs.fields(Assembly)} | {"request": request}
        return Assembly(**{n: convert(values[n], kind, dec_hook=_made) for n, kind in types.items() if n in values})
    except (OSError, RecursionError):
        return None
    except (ValueError, LookupError, TypeError) as error:
        raise ScenarioError(f"no {SCHEMA}: {error}", where=path) from None


def _made(kind: type, value: Json) -> Json:
    return kind(value)


def _meant(text: str, base: Scenario) -> list[str]:
    """What a name without a kind is the name of: an agent, or a revision."""
    if text in agent_ids():
        return [f"agent:{text}"]
    try:
        at_revision(text, base)
    except ScenarioError:
        return []
    return [f"git:{text}"]


def _captured(text: str, base: Scenario) -> Scenario | None:
    """The scenario that shows a capture file (`run.jsonl`), or a request of it (`run.jsonl:3`); None if it is none."""
    file, request = file_and_request(text)
    try:
        load_observed(None, absolute(file), Workspace())
    except ScenarioError:
        return None
    params = {"request": request} if request else {}
    of_another = {"agent": None, "agent_version": None, "mode": None, "model": None, "params": params}
    return base.model_copy(update={**of_another, "capture": absolute(file)})


def file_and_request(text: str) -> tuple[str, int]:
    """`run.jsonl:3` as the file and the request's number; 0 without one, or where a file is called so."""
    path, _, number = text.rpartition(":")
    return (path, int(number)) if path and number.isdecimal() and not Path(text).exists() else (text, 0)


def is_side(text: str) -> bool:
    """Whether it has the form of a side that is not a file."""
    return text.partition(":")[0] in KINDS and ":" in text


def at_revision(name: str, base: Scenario) -> Side:
    """The files of a revision, all else as in `base`. Raises ScenarioError."""
    return Side(f"git:{name}", base, _found(name, base))


def between(words: str, base: Scenario) -> tuple[Side, Side]:
    """The sides of `A..B`, of `A...B` (from the commit where B left A), or of a revision against the work tree.

    An empty name is HEAD. Raises ScenarioError.
    """
    for dots in ("...", ".."):
        one, found, other = words.partition(dots)
        if found:
            after = at_revision(other or "HEAD", base)
            if dots == "..":
                return at_revision(one or "HEAD", base), after
            machine = Workspace()
            inputs = resolve(base, machine).inputs
            folder = machine.own_path(inputs.workspace)
            try:
                start = find_merge_base(one or "HEAD", other or "HEAD", folder, inputs.home, inputs.env)
            except RevisionError as error:
                raise _refused(error, one) from None
            return Side(f"git:{start.short}", base, start, left=one or "HEAD"), after
    return at_revision(words, base), Side("work tree", base)


def question_of(before: Side, after: Side) -> str:
    """The question that a comparison with a revision answers; "" of any other."""
    if before.revision is None:
        return ""
    one, other = before.name.removeprefix("git:"), after.name.removeprefix("git:")
    if before.left:
        return f"what {other} changed since it left {before.left}"
    if after.revision is not None:
        return f"all files of {one} and {other}"
    return f"all files of {one} and those here now, committed or not"


def assemble_side(
    side: Side,
    counter: Counter | None = None,
    workspace: Workspace | None = None,
    *,
    knowledge: Knowledge = NO_KNOWLEDGE,
) -> Assembly:
    """The side's assembly. `workspace` reads the work tree. Raises ScenarioError."""
    if side.saved is not None:
        return side.saved
    if side.revision is None:
        return assemble(side.scenario, workspace, counter, knowledge=knowledge)
    with closing(RevisionDisk(side.revision)) as tree:
        assembly = assemble(side.scenario, (workspace or Workspace()).over(tree), counter, knowledge=knowledge)
    return _with_notes(assembly, tree)


def assemble_both(
    sides: tuple[Side, Side], counter: Counter | None = None, learned: Learned | None = None
) -> tuple[Assembly, Assembly]:
    """The assemblies of both sides, pinned unless one of them was saved: it has the machine of then in it.

    What was `learned` on this machine takes part as far as both can be compared by it.
    """
    one, other = sides
    if one.saved or other.saved:
        return assemble_side(one, counter), assemble_side(other, counter)
    known = comparable((one.scenario, other.scenario), learned)
    return assemble_pinned(one, counter, known[0]), assemble_pinned(other, counter, known[1])


def comparable(scenarios: Sequence[Scenario], learned: Learned | None) -> list[Learned | None]:
    """What each scenario, which names its version, is assembled with, for all to be in the same words.

    They are the agents' own where all versions were learned. Else they are ours; of a version that is not modelled,
    the parts are known that came, moved and ended.
    """
    if all(is_learned(each, learned) for each in scenarios):
        return [learned] * len(scenarios)
    return [_parts_alone(each, learned) for each in scenarios]


def _parts_alone(scenario: Scenario, learned: Learned | None) -> Learned | None:
    agent, version = scenario.agent, scenario.agent_version
    known = learned.version(agent, version) if learned and agent and version else None
    if known is None or known.agent_version in load_agent(known.agent).versions:
        return None
    return Learned((structs.replace(known, wordings=()),))


def is_learned(scenario: Scenario, learned: Learned | None) -> bool:
    """Whether the version that a scenario names was learned."""
    agent, version = scenario.agent, scenario.agent_version
    return learned is not None and (agent, version) in learned


def assemble_pinned(side: Side, counter: Counter | None = None, learned: Learned | None = None) -> Assembly:
    """The side's assembly with everything of the machine pinned (see inputs/pinned.py).

    Nothing is read but the repository and the folders that the scenario names: neither the home folder, nor files
    in the folders around the repository, nor programs. Raises ScenarioError.
    """
    scenario, root, seen = _pinned(side.scenario)
    disk = OnlyBelow(RealDisk(), seen)
    scenario = scenario.model_copy(update={"learned": learned is not None})

    def assembled(disk: Disk) -> Assembly:
        return assemble(scenario, Workspace(Moved(disk, root, REPOSITORY)), counter, knowledge=Knowledge(learned))

    if side.revision is None:
        return assembled(disk)
    with closing(RevisionDisk(side.revision, disk)) as tree:
        assembly = assembled(tree)
    return _with_notes(assembly, tree, (disk.realpath(root), REPOSITORY))


class PinnedPlaces:
    """Where pinned scenarios are read: agents that see the same folders have one workspace, which reads a file once."""

    def __init__(self) -> None:
        self._workspaces: dict[tuple[str, ...], Workspace] = {}

    def place(self, scenario: Scenario) -> tuple[Scenario, Workspace]:
        """The pinned scenario and the workspace to read from.

        The user trusts the workspace unless the scenario says otherwise. The repository (without one, the workspace) is
        at REPOSITORY there.

        Raises ScenarioError.
        """
        scenario, root, named = _pinned(scenario)
        disk = RealDisk()
        seen = {path for folder in named for path in (folder, disk.realpath(folder))}
        outermost = tuple(sorted(path for path in seen if not any(path.startswith(f"{other}/") for other in seen)))
        if (key := (root, *outermost)) not in self._workspaces:
            self._workspaces[key] = Workspace(Moved(OnlyBelow(disk, outermost), root, REPOSITORY))
        return scenario, self._workspaces[key]


def _pinned(scenario: Scenario) -> tuple[Scenario, str, tuple[str, ...]]:
    """The pinned scenario, the real root of what it may read, and all folders on its disk, at their real places."""
    scenario, machine = pinned(scenario), Workspace()
    agent, inputs = resolve(scenario, machine)
    said = flatten(scenario.params)
    for name, value in agent.about.trusted.items():
        if name not in said:
            scenario = scenario.with_value(name, value)
    here, own = machine.beneath(), machine.own_path
    root = repository_root(own(inputs.workspace), here) or own(inputs.workspace)
    named = (inputs.home, *(path for path in (inputs.managed, inputs.capture) if path), *agent.roots(inputs))
    placed = {
        "agent": agent.id,
        "workspace": moved(own(inputs.workspace), root, REPOSITORY),
        "reads": [moved(path, root, REPOSITORY) for path in scenario.reads],
        "edits": [edit.with_files(lambda path: moved(path, root, REPOSITORY)) for edit in scenario.edits],
        "capture": inputs.capture and moved(own(inputs.capture), root, REPOSITORY),
        "definition": scenario.definition and inputs.definition and moved(own(inputs.definition), root, REPOSITORY),
    }
    return scenario.model_copy(update=placed), root, (root, *named)


def _with_notes(assembly: Assembly, tree: RevisionDisk, place: tuple[str, str] = ("/", "/")) -> Assembly:
    """With a diagnostic for each submodule that something was looked for in, and each file that is not the revision's.

    `place`: the repository's real root, and where it is in the assembly.
    """
    real, shown = place
    found = [
        Diagnostic("info", "submodule", f"a submodule at {commit[:9]}: its files are of another repository", path)
        for path, commit in sorted((moved(path, real, shown), commit) for path, commit in tree.submodules.items())
    ]
    found += [
        Diagnostic("info", IGNORED, "git ignores it: every revision is assembled with it", file.path)
        for file in assembly.files
        if file.present and tree.is_ignored(moved(file.real_path, shown, real))
    ]
    return assembly.with_diagnostics((*assembly.diagnostics, *found))


def _of_agent(agent: str, base: Scenario) -> Scenario:
    if agent == base.agent:
        return base
    own = dict.fromkeys(("agent_version", "mode", "model"))
    return base.model_copy(update={**own, "params": {}, "edits": [], "agent": agent})


def _found(name: str, base: Scenario) -> Revision:
    machine = Workspace()
    inputs = resolve(base, machine).inputs
    try:
        return find_revision(name, machine.own_path(inputs.workspace), inputs.home, inputs.env)
    except RevisionError as error:
        raise _refused(error, name) from None


def _refused(error: RevisionError, name: str) -> ScenarioError:
    return ScenarioError(str(error), nearest=_nearest(name, error.known))


def _nearest(name: str, known: Sequence[str]) -> tuple[str, ...]:
    """The branches and tags closest to a name: in a fresh clone `main` may be there as `origin/main` only."""
    remote = [each for each in known if each.endswith(f"/{name}")]
    return tuple(dict.fromkeys([*remote, *nearest(name, known)]))[:3]
