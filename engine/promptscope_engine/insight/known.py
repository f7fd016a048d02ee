"""What an agent knows by name, set or not: settings, variables, options, keys of front matter, hook events, models.

The names are those of the agent's own data: its inputs, the shapes of its settings, `[front_matter]`, `[hook_events]`,
`[command_line]`; and of `asked.json`, the knobs that the real client was asked about. What a value would change is
found out by setting it.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from itertools import islice
from pathlib import Path as FilePath

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.adapter import Describes, inputs_of
from promptscope_engine.agents.features import WrittenAsText
from promptscope_engine.agents.kit.disk.settings_schema import Schema, load_schema
from promptscope_engine.agents.kit.text.sources import Table
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.assembly.knowledge import NO_KNOWLEDGE, Knowledge
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.params import ParamField
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.nearest import nearest
from promptscope_engine.prompt.model import Assembly, Lever, Verdict, to_json
from promptscope_engine.workspace import Workspace

from .comparison import compare
from .set_keys import changes_of

_MOST, _SHORTEST = 4, 3
"""Things of one name that are answered, and values of each that are tried; letters of a name that is found though it
is spelled otherwise."""
_OVERLAYS = ("settings", "configOverlay")
"""The inputs that are laid over an agent's settings files."""


class Trial(Struct, frozen=True):
    """A value that it could have, what would be added, missing or otherwise with it, and why it would not start."""

    lever: Lever
    changes: tuple[str, ...] = ()
    refused: str = ""


class Known(Struct, frozen=True):
    """Something of this name. `now` says what it is now; `takes`, `says` and `asked` what is known of it.

    `levers` are the values to try, and `trials` what came of it, None before it was tried. `decides`: the parts of the
    prompt whose reasons name it.
    """

    kind: str
    name: str
    now: str = ""
    says: str = ""
    takes: Callable[[], str] = str
    asked: str = ""
    levers: tuple[Lever, ...] = ()
    trials: tuple[Trial, ...] | None = None
    decides: tuple[str, ...] = ()
    spellings: frozenset[str] = frozenset()

    def to_dict(self) -> dict[str, Json]:
        """As JSON: what is said of it, and what each value would change."""
        said = {key: getattr(self, key) for key in ("name", "now", "says", "asked")}
        return {**said, "takes": self.takes(), "trials": to_json(self.trials or ()), "decides": list(self.decides)}


def known(
    name: str, assembly: Assembly, scenario: Scenario, workspace: Workspace, knowledge: Knowledge = NO_KNOWLEDGE
) -> tuple[Known, ...]:
    """What has this name: exactly, else as the end of a dotted one, else without regard to dashes and capitals."""
    agent, found = load_agent(assembly.agent), list[Known]()
    everything = _known_of(agent, assembly)
    for fits in (_is_exact, _fits_pattern, _is_end, _is_alike):
        if found := [each for each in everything if fits(name, each)]:
            break
    found = found or [*_other_model(name, assembly)]
    before = cache(lambda: assemble(scenario, workspace.snapshot(), knowledge=knowledge, cached_only=True))
    tried = (_tried(_as_typed(name, each), before, scenario, workspace, knowledge) for each in found[:_MOST])
    return tuple(replace(each, decides=_decided_by(each.name, assembly)) for each in tried)


def near(name: str, assembly: Assembly, more: Iterable[str] = (), limit: int = 3) -> tuple[str, ...]:
    """The names closest to one that nothing has, best first; `more` are names of parts of the prompt."""
    names = dict.fromkeys((*more, *(each.name for each in _known_of(load_agent(assembly.agent), assembly))))
    ends = {each.rpartition(".")[2]: each for each in reversed(names) if "." in each and "/" not in each}
    found = nearest(name, (*names, *ends), limit, 0.7) or nearest(name, names, limit)
    return tuple(dict.fromkeys(each if each in names else ends[each] for each in found))


def _is_exact(name: str, each: Known) -> bool:
    return name in (each.name, *each.spellings)


def _fits_pattern(name: str, each: Known) -> bool:
    parts, pattern = name.split("."), each.name.split(".")
    return (
        "*" in pattern
        and len(parts) == len(pattern)
        and all(want in ("*", part) for part, want in zip(parts, pattern, strict=True))
    )


def _is_end(name: str, each: Known) -> bool:
    return each.kind == "setting" and each.says != NO_INPUT and each.name.endswith(f".{name}")


def _is_alike(name: str, each: Known) -> bool:
    return len(_plain(name)) >= _SHORTEST and _plain(name) in (_plain(each.name), *map(_plain, each.spellings))


def _plain(name: str) -> str:
    return re.sub(r"[-_]", "", name.removeprefix("args.")).lower()


def _decided_by(name: str, assembly: Assembly) -> tuple[str, ...]:
    """The titles of the parts whose reasons name a setting or a variable."""
    titled = (
        *((each.title, each.why) for each in assembly.sections),
        *((each.name, each.why) for each in assembly.tools),
        *((each.path, each.why) for each in assembly.files),
    )
    keys = {name, f"env.{name}"}
    return tuple(dict.fromkeys(title for title, why in titled if why.condition and keys & set(_keys_in(why.condition))))


def _keys_in(verdict: Verdict) -> Iterator[str]:
    if verdict.source is not None:
        yield verdict.source.key
    for each in verdict.children:
        yield from _keys_in(each)


def _as_typed(name: str, each: Known) -> Known:
    return replace(each, name=name) if _fits_pattern(name, each) else each


# --- what would change ------------------------------------------------------------------------------------------------


def _tried(
    each: Known, before: Callable[[], Assembly], scenario: Scenario, workspace: Workspace, knowledge: Knowledge
) -> Known:
    if not each.levers:
        return each
    trials = (_trial(lever, before(), scenario, workspace, knowledge) for lever in each.levers[:_MOST])
    return replace(each, trials=tuple(filter(None, trials)))


def _trial(
    lever: Lever, before: Assembly, scenario: Scenario, workspace: Workspace, knowledge: Knowledge
) -> Trial | None:
    """What came of a value; None where the scenario cannot have it."""
    try:
        after = assemble(
            scenario.with_value(lever.param, lever.value), workspace.snapshot(), knowledge=knowledge, cached_only=True
        )
    except ScenarioError:
        return None
    found = compare(before, after)
    stops = (each.message for each in found.problems if each.change == "added" and each.code == "agent-refuses")
    return Trial(lever, tuple(dict.fromkeys(changes_of(found))), next(stops, ""))


# --- what there is ----------------------------------------------------------------------------------------------------


def _known_of(agent: Describes, assembly: Assembly) -> tuple[Known, ...]:
    """Everything that the agent knows by name, what is set from outside first."""
    table = agent.folder.agent if isinstance(agent, WrittenAsText) else {}
    asked = _asked(agent)
    inputs = {field.name: field for field in inputs_of(agent)}
    made = [
        *_inputs(inputs, table, assembly),
        *_settings(agent, inputs, assembly),
        *_head_keys(agent),
        *_events(table, assembly),
        *_models(agent, assembly),
        *_brought_along(agent, assembly),
        *_values(inputs, assembly),
    ]
    names = {(each.kind, name) for each in made for name in (each.name, *each.spellings)}
    patterns = [each for each in made if "*" in each.name]
    for key, each in asked.items():
        if key not in names and not any(_fits_pattern(each.name, pattern) for pattern in patterns):
            made.append(each)
    told = {key: each.asked for key, each in asked.items()}
    return tuple(replace(each, asked=told.get((each.kind, each.name), "")) for each in made)


def _inputs(inputs: Mapping[str, ParamField], table: Table, assembly: Assembly) -> Iterator[Known]:
    said = table.get("command_line", {})
    short: dict[str, set[str]] = {}
    for alias, option in said.get("aliases", {}).items():
        short.setdefault(option, set()).add(alias)
    held = {each.name: each for each in assembly.variables}
    for field in inputs.values():
        head, _, name = field.name.partition(".")
        if head == "env":
            now = f"set{_place_of(held[name].source.shown, held[name].source.line)}" if name in held else "not set"
            unset = (Lever(field.name, None),) if name in held else ()
            yield Known("variable", name, now, field.help, levers=unset or _levers(field))
        elif field.title.startswith("-") or head == "args":
            also = short.get(field.title, set())
            yield Known(
                "option", field.title, says=field.help, levers=_levers(field), spellings=frozenset({field.name, *also})
            )
        elif head not in _OVERLAYS:
            yield Known("input", field.name, says=field.help, levers=_levers(field), spellings=frozenset({field.title}))
    for option, param in said.get("also", {}).items():
        if param in ("mode", "model"):
            values = (each.slug for each in assembly.modes) if param == "mode" else ()
            levers = tuple(Lever(param, value) for value in values if value != assembly.mode)
            yield Known("option", option, f"the {param} is {getattr(assembly, param)}", f"the {param}", levers=levers)
    for option, values in said.get("sets", {}).items():
        yield Known("option", option, levers=tuple(Lever(param, value) for param, value in values.items()))


def _place_of(shown: str, line: int | None) -> str:
    return f" in {shown}{f':{line}' if line else ''}" if shown else ""


def _levers(field: ParamField) -> tuple[Lever, ...]:
    """The values to try: those that are others than the default."""
    values = (value for _, value in field.choices) if field.is_flag else ()
    return tuple(Lever(field.name, value) for value in values if value not in (None, field.default))


def _schema(agent: Describes, version: str) -> Schema | None:
    """The shapes of its settings, in an older version those that were kept for it."""
    if not isinstance(agent, WrittenAsText):
        return None
    folder = agent.folder.path
    older = sorted(name for file in folder.glob("settings@*.json") if (name := file.stem.partition("@")[2]) >= version)
    file = folder / (f"settings@{older[0]}.json" if older else "settings.json")
    return load_schema(file) if file.exists() else None


def _settings(agent: Describes, inputs: Mapping[str, ParamField], assembly: Assembly) -> Iterator[Known]:
    overlay = next((name for name in _OVERLAYS if name in agent.params.model_fields), "")
    files = (f"{each.path}" for each in assembly.files if each.kind == "settings" and each.path)
    now = f"not set in {', '.join(islice(files, _MOST))}"
    schema, listed = _schema(agent, assembly.agent_version), set[str]()
    if schema and overlay:
        for path, shape in schema.keys.items():
            name = ".".join(map(str, path))
            field = inputs.get(f"{overlay}.{name}")
            listed.add(f"{overlay}.{name}")
            can_set = "*" not in path and not any("." in str(part) for part in path)
            choices = schema.values(shape) or (
                value for _, value in (field.choices if field else ()) if value is not None
            )
            levers = tuple(Lever(f"{overlay}.{name}", value) for value in choices) if can_set else ()
            yield Known(
                "setting", name, now, field.help if field else "", partial(schema.described, shape), levers=levers
            )
    for field in inputs.values():
        if field.name.partition(".")[0] in _OVERLAYS and field.name not in listed and "." in field.name:
            yield Known("setting", field.name.partition(".")[2], now, field.help, levers=_levers(field))


def _head_keys(agent: Describes) -> Iterator[Known]:
    for kind, table in agent.about.front_matter.items():
        for key in (*table["keys"], *table.get("types", ())):
            takes = partial(_types, tuple(table.get("types", {}).get(key, ())))
            yield Known("key", key, f"in no file of kind {kind}", f"of the front matter of {kind} files", takes)
        for key, instead in table.get("meant", {}).items():
            says = f"not known in the front matter of {kind} files: {instead}"
            yield Known("key", key, says=f"{says} counts" if instead in table["keys"] else says)


def _types(words: Iterable[str]) -> str:
    return " or ".join(dict.fromkeys(_TYPES.get(word, word) for word in words))


_TYPES = {
    "switch": "true or false",
    "boolean": "true or false",
    "text": "a text",
    "list": "a list",
    "number": "a number",
}


def _events(table: Table, assembly: Assembly) -> Iterator[Known]:
    used = {each.event for each in assembly.programs}
    for event, row in table.get("hook_events", {}).items():
        adds = row.get("adds", "")
        now = "hooks of it are set here" if event in used else "no hook of this event is set here"
        yield Known("hook event", event, now, f"into the prompt: {adds or 'nothing'}")
        if subject := row.get("subject"):
            yield Known("value", subject, says=f"what the matchers of {event} have to fit in a new session")


def _models(agent: Describes, assembly: Assembly) -> Iterator[Known]:
    now = f"the model is {assembly.model}"
    for name, about in agent.models(assembly.agent_version).items():
        levers = (Lever("model", name),) if assembly.model not in (name, about) else ()
        says = f"stands for {about}" if about and about != name else ""
        yield Known("model", name, now, says, levers=levers)


def _brought_along(agent: Describes, assembly: Assembly) -> Iterator[Known]:
    """The skills, sub-agents and commands of the agent itself, of which the prompt may say nothing here."""
    folder = agent.folder if isinstance(agent, WrittenAsText) else None
    for kind, said in folder.agent.get("bundled", {}).items() if folder else ():
        names = folder.sources.bundled[kind] if folder else ()
        now = folder.bundled(kind, assembly.agent_version) if folder else {}
        for name in dict.fromkeys(each.partition("@")[0] for each in names):
            says = said.get("says", f"one of the {kind} that come along with {agent.name}")
            is_there = "nothing in this prompt names it" if name in now else f"not in {assembly.agent_version}"
            yield Known(f"built-in {kind.removesuffix('s')}", name, is_there, says)


_FAMILY = re.compile(r"(?:[\w.-]+/)?(?:claude|gpt|gemini|grok|o\d|kimi|glm|qwen|deepseek|llama)\b.*\d.*", re.IGNORECASE)


def _other_model(name: str, assembly: Assembly) -> Iterator[Known]:
    """A model by its maker's name that the agent has no name of its own for."""
    if _FAMILY.fullmatch(name) and name != assembly.model:
        yield Known("model", name, f"the model is {assembly.model}", levers=(Lever("model", name),))


def _values(inputs: Mapping[str, ParamField], assembly: Assembly) -> Iterator[Known]:
    """What an input may be set to, as an output style."""
    for field in inputs.values():
        for _, value in field.choices:
            if isinstance(value, str) and len(value) >= _SHORTEST:
                yield _value(field.name, value)
    for param, names in assembly.known.items():
        yield from (_value(param, name) for name in names)


def _value(param: str, value: str) -> Known:
    shown = re.sub(r"^(settings|configOverlay|env)\.", "", param)
    return Known("value", value, says=f"a value of {shown}", levers=(Lever(param, value),))


# --- what the client was asked ----------------------------------------------------------------------------------------


NO_INPUT = "promptscope has no input for it"
_KINDS = {"settings": "setting", "variables": "variable", "options": "option"}


def _asked(agent: Describes) -> Mapping[tuple[str, str], Known]:
    return _asked_in(agent.folder.path / "asked.json", agent.name) if isinstance(agent, WrittenAsText) else {}


@cache
def _asked_in(file: FilePath, agent: str) -> Mapping[tuple[str, str], Known]:
    """The knobs that the real client was asked about, in a file that the census writes."""
    if not file.exists():
        return {}
    said: dict[str, Json] = json.loads(file.read_text("utf-8"))
    version, found = said.pop("version"), dict[tuple[str, str], Known]()
    for kinds, table in said.items():
        for what, names in table.items():
            became = (
                "some value changed its prompt" if what == "changes" else "no value that was tried changed its prompt"
            )
            text = f"{agent} {version} was asked in a sample project: {became}"
            for name in names:
                found[_KINDS[kinds], name] = Known(_KINDS[kinds], name, says=NO_INPUT, asked=text)
    return found
