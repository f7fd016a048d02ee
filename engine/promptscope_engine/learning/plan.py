"""Which runs of a client to ask for, computed: those that together show most of the texts that the model knows.

The engine can assemble any scenario, so it knows beforehand which texts, and in which variant, a run would show. Every
input of the agent is flipped once, in each way to start and each kind of folder; a greedy cover chooses, cheap runs
first.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from fnmatch import fnmatchcase
from itertools import product
from typing import Any

from msgspec import Struct

from promptscope_engine.agents.adapter import Describes, inputs_of
from promptscope_engine.assembly.wording import schema_variant, stretches, variant
from promptscope_engine.captures.model import Capture, Content, Header, Recorded
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.params import ParamField
from promptscope_engine.inputs.scenario import McpServer, Scenario
from promptscope_engine.insight.captured_scenario import scenario_of
from promptscope_engine.learned import LABEL, LINES, ROWS, Key, Wording
from promptscope_engine.prompt.model import Assembly, Fragment, Reason

from .script import Script, deciding


class Run(Struct, frozen=True):
    """One start of the client: a way and a kind of folder by their names, and what is given besides.

    `words` follow those of the way, `model` is the one that they ask for; `settings` are given as learn.toml says.
    `flip` is the input that is another one than usual, by its dotted name, with its value.
    """

    start: str
    workspace: str
    words: tuple[str, ...] = ()
    model: str | None = None
    env: Mapping[str, str] = {}
    settings: Mapping[str, Json] = {}
    flip: Mapping[str, Json] = {}

    @property
    def title(self) -> str:
        """What a person reads: `interactive, project, --bare`."""
        given = [" ".join(self.words), *(f"{name}={value}" for name, value in self.env.items())]
        given += [f"{name} = {json.dumps(value)}" for name, value in self.settings.items()]
        return ", ".join(filter(None, (self.start, self.workspace, *given)))


def candidates(agent: Describes, script: Script, modes: Sequence[str]) -> Iterator[Run]:
    """Every way to start in every kind of folder, as it is and with each input flipped alone."""
    flips = list(_flips(agent, script, modes))
    for start, workspace in product(script.start, script.workspace):
        yield Run(start, workspace)
    richest = script.richest
    for start in script.start:
        for flip in flips:
            yield Run(start, richest, **flip)


def _flips(agent: Describes, script: Script, modes: Sequence[str]) -> Iterator[dict[str, Any]]:
    for field in inputs_of(agent):
        if field.name not in script.skip:
            for value in _values(field, script):
                if (given := _given(field, value, script)) is not None:
                    yield {**given, "flip": {field.name: value}}
    for mode in modes if script.mode else ():
        yield {"words": tuple(word.replace("{value}", mode) for word in script.mode), "flip": {"mode": mode}}
    models = script.values.get("model") or dict.fromkeys(agent.models(agent.versions[-1]).values())
    for model in models if script.model else ():
        yield {
            "words": tuple(word.replace("{value}", model) for word in script.model),
            "model": model,
            "flip": {"model": model},
        }


def _values(field: ParamField, script: Script) -> Iterator[Json]:
    """The values to try: all but the usual one, or those of learn.toml."""
    if field.name in script.values:
        given = script.values[field.name]
        yield from given if isinstance(given, list) and field.kind != "object" else [given]
    elif field.is_flag:
        yield from (value for _, value in field.choices if value not in (field.default, None))


def _given(field: ParamField, value: Json, script: Script) -> dict[str, Any] | None:
    """How a value is given: a variable, a setting, an option; None where there is no way."""
    kind, _, name = field.name.partition(".")
    if kind == "env":
        return {"env": {name: str(value)}}
    if kind == "settings" and script.settings:
        return {"settings": {name: value}}
    if field.title.startswith("--") and value is not False:
        texts = [] if value is True else value if isinstance(value, list) else [value]
        return {"words": (field.title, *map(str, texts))}
    return None


def servers_of_run(script: Script, run: Run) -> list[McpServer]:
    """The MCP servers of a run's folder."""
    return [McpServer.model_validate(each) for each in script.workspace[run.workspace].servers]


def base_of(agent: Describes, script: Script, **places: str | None) -> Scenario:
    """What every run has in common, in these places."""
    base = Scenario.of({"agent": agent.id, "env": {}, **places})
    for name, value in script.given.items():
        base = base.with_value(name, value)
    return base


def scenario_of_run(agent: Describes, script: Script, run: Run, started: Header) -> Scenario:
    """The scenario of a run that is to come, as it will be found of its capture, which begins with `started`."""
    headers = {"user-agent": script.start[run.start].user_agent}
    request = Recorded(1, "POST", "", None, headers=headers)
    base = base_of(agent, script, workspace=started.cwd, home=started.home)
    if servers := servers_of_run(script, run):
        base = base.model_copy(update={"mcp_servers": servers})
    return scenario_of(Capture(started, (request,)), request, Content("anthropic", run.model), base)


# --- the cover --------------------------------------------------------------------------------------------------------


_Part = tuple[Fragment, ...]

Texts = Mapping[Key, Mapping[str, _Part]]
"""Fixed texts by part and variant, each with the parts that have it, by their text (a schema has no fragments)."""


def texts_shown(assembly: Assembly, described: Mapping[str, _Part]) -> Mapping[Key, _Part]:
    """The fixed texts that a request shows, each with its part, and the schemas of the agent's own tools."""
    parts = [(section.id, section.fragments) for section in assembly.sections if section.present]
    parts += ((f"tools.{name}", own) for name, own in described.items())
    found = {(part, variant(stretch)): own for part, own in parts for fixed, stretch in stretches(own) if fixed}
    for tool in assembly.tools_beside:
        if tool.input_schema is not None and tool.server is None:
            found[f"tools.{tool.name}", schema_variant(tool.input_schema)] = ()
    return found


def known_texts(texts: Texts, wordings: Iterable[Wording]) -> frozenset[Key]:
    """Those whose wording was learned: alone, line by line, or with what is beside it if no label is between them."""
    prose: dict[str, set[str]] = defaultdict(set)
    lines: dict[str, list[str]] = defaultdict(list)
    learned: set[Key] = set()
    for wording in wordings:
        learned.add(wording.key)
        if wording.ids == LABEL:
            prose[wording.part].add(wording.text[0])
        elif wording.ids[:1] in (LINES, ROWS):
            lines[wording.part] += "".join(wording.ids[1:]).split("\n")
    known = learned.intersection(texts)
    for part, own in {id(own): (part, own) for (part, _), parts in texts.items() for own in parts.values()}.values():
        joined = [stretch for is_fixed, stretch in stretches(own, prose[part]) if is_fixed]
        worded = {id(each) for stretch in joined if (part, variant(stretch)) in learned for each in stretch}
        for stretch in (each for is_fixed, each in stretches(own) if is_fixed):
            said = filter(str.strip, "".join([each.text for each in stretch]).split("\n"))
            if worded.issuperset(map(id, stretch)) or all(any(a.endswith(b) for a in lines[part]) for b in said):
                known.add((part, variant(stretch)))
    return frozenset(known)


class Chosen(Struct, frozen=True):
    """A run of the plan, and the texts that no run before it shows."""

    run: Run
    new: frozenset[Key]
    seconds: float


def cover(
    shown: Mapping[int, frozenset[Key]],
    runs: Sequence[Run],
    script: Script,
    most: int | None = None,
    known: Set[Key] = frozenset(),
) -> tuple[Chosen, ...]:
    """The runs in the order of what they show by second, until nothing is new or there are `most`.

    `shown` has, by a run's place, what it shows; a run that cannot be assembled is not in it. What is `known` is not
    new.
    """
    left = dict(shown)
    known = set(known)
    found: list[Chosen] = []
    while left and (most is None or len(found) < most):
        best = max(left, key=lambda at: len(left[at] - known) / script.start[runs[at].start].seconds)
        new = left.pop(best) - known
        if not new:
            break
        known |= new
        found.append(Chosen(runs[best], frozenset(new), script.start[runs[best].start].seconds))
    return tuple(found)


Assembled = Callable[[Run], tuple[Assembly, Mapping[str, tuple[Fragment, ...]]]]


class Shown(Struct, frozen=True):
    """What each run would show, by its place, without those that make no sense; the texts and parts of all."""

    by_run: Mapping[int, frozenset[Key]]
    texts: Texts
    parts: frozenset[str]


def shown_by(runs: Sequence[Run], assembled: Assembled) -> Shown:
    """What the runs would show."""
    found: dict[int, frozenset[Key]] = {}
    texts: dict[Key, dict[str, _Part]] = defaultdict(dict)
    parts: set[str] = set()
    for at, run in enumerate(runs):
        try:
            assembly, described = assembled(run)
        except ScenarioError:
            continue
        shown = texts_shown(assembly, described)
        found[at] = frozenset(shown)
        for key, own in shown.items():
            texts[key]["".join([each.text for each in own])] = own
        parts.update(section.id for section in assembly.sections if section.present)
        parts.update(f"tools.{tool.name}" for tool in assembly.tools if tool.present)
    return Shown(found, texts, frozenset(parts))


_GENERAL = (
    ("a hook that prints something", "flag:hooks.*"),
    ("an MCP server that offers it", "mcp:*"),
    ("another version", "*:agent_version"),
    ("another version", "version:*"),
    ("a file of yours", "file:*"),
    ("another model", "model:*"),
    ("an input that is not flipped", "flag:*"),
    ("an input that is not flipped", "tool:*"),
)
"""Causes, each with a pattern of an operator and a name: the first that fits, where learn.toml names none."""
SEVERAL, REST = "several inputs at once", "nothing that is known"


def by_cause(parts: Iterable[tuple[str, Reason]], script: Script) -> Mapping[str, tuple[str, ...]]:
    """The parts by what would bring them, each with its reason to be absent."""
    found: dict[str, list[str]] = defaultdict(list)
    for name, why in parts:
        found[_cause(why, script)].append(name)
    return {cause: tuple(names) for cause, names in found.items()}


def _cause(why: Reason, script: Script) -> str:
    named = dict.fromkeys(_asked_for(why))
    own = [(cause, pattern) for cause, patterns in script.unseen.items() for pattern in patterns]
    for cause, pattern in own:
        if any(fnmatchcase(name.partition(":")[2], pattern) for name in named):
            return cause
    if len(why.levers) > 1:
        return SEVERAL
    return next((c for c, pattern in _GENERAL if any(fnmatchcase(name, pattern) for name in named)), REST)


def _asked_for(why: Reason) -> Iterator[str]:
    """What decides: the levers, or the leaves where no lever is known; each as `operator:name`."""
    if why.levers:
        for lever in why.levers:
            yield f"{lever.param if lever.param == 'model' else 'flag'}:{lever.param}"
    elif why.condition:
        yield from (f"{leaf.op}:{leaf.name}" for leaf in deciding(why.condition))
