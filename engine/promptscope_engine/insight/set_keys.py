"""Keys that a person has set, by their names: where each is, and how the prompt would be without it.

It takes no table of what an agent knows: the file is taken without the key, and the agent's own steps are gone through
again.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from functools import partial
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.kit.disk.heads import Heads
from promptscope_engine.agents.kit.disk.settings import mapping
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.assembly.knowledge import NO_KNOWLEDGE, Knowledge
from promptscope_engine.formats.document import FormatError, Json, Notation, Path, toml
from promptscope_engine.formats.key_lines import key_line
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.javascript.json import parse_json5
from promptscope_engine.prompt.model import Assembly, SourceFile
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.disk import Rewritten

from .comparison import Comparison, compare

_MOST_FILES = 200
_MOST_LINES = 200
_MOST_KEYS = 4
_MOST_NAMING = 2
_MOST_CHANGES = 8


class SetKey(Struct, frozen=True):
    """A key in a file that the agent looks at.

    `without`: what the prompt would have, lack or say otherwise without it, None where that cannot be told. `said` is
    what promptscope says only because it is set.
    """

    path: str
    key: str
    line: int | None
    without: tuple[str, ...] | None
    said: tuple[str, ...] = ()
    refused: str = ""
    """Why the agent would not start without it."""

    @property
    def effect(self) -> str:
        """What it does to the prompt, in a sentence; "" where that cannot be told."""
        if self.refused:
            return f"without it: {self.refused}"
        if self.without is None:
            return ""
        if not self.without:
            return "without it the prompt would be the same"
        return f"without it the prompt would differ: {some_changes(self.without)}"


def some_changes(changes: tuple[str, ...]) -> str:
    """The first ones, and how many more there are."""
    more = f", and {len(changes) - _MOST_CHANGES} more" if len(changes) > _MOST_CHANGES else ""
    return f"{', '.join(changes[:_MOST_CHANGES])}{more}"


def set_keys(
    name: str, assembly: Assembly, scenario: Scenario, workspace: Workspace, knowledge: Knowledge = NO_KNOWLEDGE
) -> tuple[SetKey, ...]:
    """Where a key of this name is set, dotted or its last part, in the files that the agent looks at."""
    found = [*_places(partial(_has_name, name), assembly, workspace)]
    if not found:
        return ()
    before = assemble(scenario, workspace.snapshot(), knowledge=knowledge, cached_only=True)
    return tuple(_explained(each, before, scenario, workspace, knowledge) for each in found[:_MOST_KEYS])


def naming(
    name: str,
    assembly: Assembly,
    scenario: Scenario,
    workspace: Workspace,
    knowledge: Knowledge = NO_KNOWLEDGE,
    *,
    path: bool = False,
) -> tuple[SetKey, ...]:
    """The lists in those files that have this very name, with what the prompt would be without it there.

    Of a `path`: all texts that end with it, or have it before a blank or a bracket.
    """
    pattern = re.compile(rf"(?:^|[/:]){re.escape(name)}(?=[\s}}]|$)")
    wanted = partial(_is_path, pattern) if path else partial(_is_named, name)
    found = [*islice(_places(wanted, assembly, workspace, name), _MOST_NAMING)]
    if not found:
        return ()
    before = assemble(scenario, workspace.snapshot(), knowledge=knowledge, cached_only=True)
    return tuple(_explained(each, before, scenario, workspace, knowledge) for each in found)


def set_unread(
    keys: Iterable[str], assembly: Assembly, workspace: Workspace
) -> Iterator[tuple[str, SourceFile, int | None]]:
    """The keys that are set in a file of settings that does not count, with the file and the line."""
    for key in keys:
        for place in _places(partial(_has_name, key), assembly, workspace):
            if not place.file.present and place.file.kind == "settings":
                yield key, place.file, place.line


def _places(
    wanted: Callable[[Path, Json], bool], assembly: Assembly, workspace: Workspace, words: str = ""
) -> Iterator["_Place"]:
    """What is wanted of the files that the agent looks at; `words`: only of those that have them."""
    copy = workspace.snapshot()
    for file in assembly.files[:_MOST_FILES]:
        form = _FORMS.get(file.path.rpartition(".")[2].lower())
        source = copy.read(file.path) if form and file.bytes else None
        if form and source and source.found and words in source.text:
            yield from _in_text(wanted, file, source.text, form)


def _has_name(name: str, path: Path, _: Json) -> bool:
    dotted = ".".join(map(str, path))
    return isinstance(path[-1], str) and (dotted == name or path[-1] == name or dotted.endswith(f".{name}"))


def _is_path(pattern: re.Pattern[str], _: Path, value: Json) -> bool:
    return isinstance(value, str) and bool(pattern.search(value))


def _is_named(name: str, path: Path, value: Json) -> bool:
    return value == name and isinstance(path[-1], int)


class _Place(Struct, frozen=True):
    """A key in a file, and the file's text without it, None where it cannot be taken out."""

    file: SourceFile
    key: str
    line: int | None
    text: str | None


def _explained(
    place: _Place, before: Assembly, scenario: Scenario, workspace: Workspace, knowledge: Knowledge
) -> SetKey:
    if place.text is None:
        return SetKey(place.file.path, place.key, place.line, None)
    paths = frozenset({place.file.path, place.file.real_path})
    changed = workspace.over(Rewritten(workspace.disk, paths, place.text.encode("utf-8", "surrogatepass")))
    key = SetKey(place.file.path, place.key, place.line, None)
    try:
        return _held(key, before, assemble(scenario, changed, knowledge=knowledge, cached_only=True))
    except ScenarioError as error:  # of an agent that a file defines
        return replace(key, refused=str(error))


def _held(key: SetKey, before: Assembly, after: Assembly) -> SetKey:
    """With what differs without it."""
    found = compare(before, after)
    said = tuple(each.message for each in found.problems if each.change == "removed")
    stops = (each.message for each in found.problems if each.change == "added" and each.code == "agent-refuses")
    changes = tuple(dict.fromkeys(changes_of(found, key.path)))
    return replace(key, without=changes, said=said, refused=next(stops, ""))


def given_arguments(
    name: str, scenario: Scenario, workspace: Workspace, knowledge: Knowledge = NO_KNOWLEDGE
) -> tuple[SetKey, ...]:
    """The arguments of the command line that the scenario gives under this name: `denyTool`, `--deny-tool`."""
    given = mapping(scenario.params.get("args"))
    wanted = name.removeprefix("args.").replace("-", "").lower()
    keys = [key for key in given if key.lower() == wanted]
    if not keys:
        return ()
    params = {**scenario.params, "args": {key: value for key, value in given.items() if key not in keys}}
    without = scenario.model_copy(update={"params": params})
    before, after = (
        assemble(each, workspace.snapshot(), knowledge=knowledge, cached_only=True) for each in (scenario, without)
    )
    return tuple(_held(SetKey("", f"args.{key}", None, None), before, after) for key in keys)


_SIGNS = {"added": "+", "removed": "−", "changed": "±"}


def changes_of(found: Comparison, path: str = "") -> Iterator[str]:
    """Each with its sign; the file itself is another one in any case."""
    yield from (f"{_SIGNS[each.change]} {each.title}" for each in found.sections if each.change in _SIGNS)
    yield from (f"{_SIGNS[each.change]} {each.name}" for each in found.tools if each.change in _SIGNS)
    short = (each for each in found.files if each.change in _SIGNS and not _is_at(each.path, path))
    yield from (f"{_SIGNS[each.change]} {each.path}" for each in short)


def _is_at(short: str, path: str) -> bool:
    return bool(path) and path.endswith(short.removeprefix("~"))


class _Form(Struct, frozen=True):
    notation: Notation
    parse: Callable[[str], Json]


def _json(text: str) -> Json:
    return parse_json5(text.removeprefix("\ufeff")).value


def _head(text: str) -> Json:
    return Heads().read(text).values


_FORMS = {
    "json": _Form("json", _json),
    "jsonc": _Form("json", _json),
    "json5": _Form("json", _json),
    "toml": _Form("toml", toml),
    "md": _Form("yaml", _head),
}


def _in_text(wanted: Callable[[Path, Json], bool], file: SourceFile, text: str, form: _Form) -> Iterator[_Place]:
    try:
        values = form.parse(text)
    except (FormatError, ValueError, RecursionError):
        return
    for path, value in _parts(values):
        if wanted(path, value):
            line = Heads().read(text).lines.get(path) if form.notation == "yaml" else None
            line = line or (key_line(text, path, form.notation) if form.notation != "yaml" else None)
            line = line or _line_of_item(text, path, value)
            cut = _cut(text, values, path, line, form)
            named = path if isinstance(path[-1], str) else path[:-1]
            yield _Place(file, ".".join(map(str, named)), line, cut)


def _line_of_item(text: str, path: Path, value: Json) -> int | None:
    """The line of an item of a list, where only one has it."""
    has = [at for at, line in enumerate(text.split("\n"), 1) if isinstance(path[-1], int) and str(value) in line]
    return has[0] if len(has) == 1 else None


def _parts(value: Json, above: Path = ()) -> Iterator[tuple[Path, Json]]:
    """All parts with the way to each, those of objects before those in them."""
    parts = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in parts:
        yield (*above, key), inner
        yield from _parts(inner, (*above, key))


def _cut(text: str, value: Json, path: Path, line: int | None, form: _Form) -> str | None:
    """The text without the part: as JSON of its own, or else without the fewest lines that make the difference."""
    wanted = deepcopy(value)
    inner = wanted
    for part in path[:-1]:
        inner = inner[part]
    del inner[path[-1]]
    if form.notation == "json":
        return json.dumps(wanted, ensure_ascii=False, indent=2)
    lines = text.split("\n")
    for count in range(1, _MOST_LINES) if line else ():
        shorter = "\n".join((*lines[: line - 1], *lines[line - 1 + count :])) if line else ""
        try:
            if _filled(form.parse(shorter)) == _filled(wanted):
                return shorter
        except (FormatError, ValueError):
            continue
    return _as_toml(wanted) if form.notation == "toml" else None


def _as_toml(value: Mapping[str, Json]) -> str:
    """The values as TOML, a line for each key of the top."""
    return "".join(f"{json.dumps(key)} = {_inline(inner)}\n" for key, inner in value.items())


def _inline(value: Json) -> str:
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{json.dumps(key)} = {_inline(inner)}' for key, inner in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_inline, value))}]"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str | bool) else str(value)


def _filled(value: Json) -> Json:
    """The value without what goes with a line that is taken out: an empty table, the break at the end of a text."""
    if isinstance(value, str):
        return value.rstrip("\n")
    if not isinstance(value, Mapping):
        return value
    inner = {key: _filled(each) for key, each in value.items()}
    return {key: each for key, each in inner.items() if each not in ({}, [], None)}
