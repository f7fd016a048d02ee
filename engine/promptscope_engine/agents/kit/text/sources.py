"""The files of an agent's folder, read into plain data, and one's own corrections that are laid over them.

    agent.toml              its versions, which sections in which order, groups of tools
    sections/NAME.md        a section, its id the file's path: sections/a/b.md is `a.b`
    tools/NAME.md           a tool's description
    tools/NAME.json         its schema; NAME@VERSION.json is that up to this version
    bundled/KIND/NAME.md    what comes with the agent: skills, agents, modes

What was read is kept as JSON until a file changes, as Python keeps its bytecode.

    <config folder>/agents/ID     a person's own, for every command but `check` and `diff`
    --agent-dir DIR               the folder of an agent; its id is that in its agent.toml, else its name

A layer over the folder has the files that an agent's folder has, and only those that it changes. agent.toml is laid
over key by key, everything else file by file. Python in it is never looked at.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, lru_cache
from hashlib import sha256
from itertools import chain, islice
from pathlib import Path
from typing import Any, Literal, NamedTuple

from msgspec import Struct
from msgspec.json import decode, encode

from promptscope_engine.agents.kit.text import template
from promptscope_engine.agents.schema.former import former_keys
from promptscope_engine.agents.schema.heads import CHOICES, ITEM_KEYS, NESTED, SECTION_KEYS, TEXTS, TOOL_KEYS
from promptscope_engine.app_dirs import own_folder
from promptscope_engine.formats.document import toml
from promptscope_engine.inputs.errors import ScenarioError, nearest, unknown
from promptscope_engine.prompt.model import Diagnostic, SettingSource
from promptscope_engine.workspace.paths import real

from .template import Nodes, TemplateError, read_template

Kind = Literal["learned", "own", "given"]

MAX_FILES = 2_000
MAX_BYTES = 1_000_000
"""Of a layer, and of each of its files: a prompt has some two hundred texts of a few kB."""

WORDS: Mapping[Kind, str] = {
    "learned": "texts learned on this machine",
    "own": "your own corrections",
    "given": "the corrections of --agent-dir",
}
_FOLDERS = ("sections", "tools", "bundled")


class Layer(Struct, frozen=True):
    """A folder that is laid over the agent `id`."""

    id: str
    kind: Kind
    folder: Path

    def files(self) -> list[str]:
        """The paths of its files inside it, sorted.

        Raises ScenarioError for more than a layer may have, and for a link out of one that may be a stranger's.
        """
        found = sorted(name for name, _ in islice(files_in(self.folder), MAX_FILES + 1))
        if len(found) > MAX_FILES:
            raise ScenarioError(f"more than {MAX_FILES:,} files: this is not an agent folder", where=str(self.folder))
        root = real(str(self.folder))
        for name in found if self.kind == "given" else ():
            if not real(str(self.folder / name)).startswith(f"{root}/"):
                raise ScenarioError("a link that leads out of the folder", where=str(self.folder / name))
        return found


def files_in(folder: Path, inside: str = "") -> Iterator[tuple[str, os.DirEntry[str]]]:
    """The files of an agent's folder by their paths in it. Of links to folders only those of its own are followed."""
    with os.scandir(folder / inside) as entries:
        for entry in entries:
            name = f"{inside}{entry.name}"
            if (inside or name in _FOLDERS) and entry.is_dir(follow_symlinks=not inside):
                yield from files_in(folder, f"{name}/")
            elif name == "agent.toml" or (inside and name.endswith((".md", ".json"))):
                yield name, entry


_LAID: tuple[Layer, ...] = ()


def laid() -> tuple[Layer, ...]:
    """Everything that is laid over the agents; the same object until `lay_over`."""
    return _LAID


def layers_of(agent_id: str) -> tuple[Layer, ...]:
    """The layers over an agent, the last one counting most."""
    return tuple(layer for layer in _LAID if layer.id == agent_id)


def lay_over(layers: Iterable[Layer]) -> None:
    """Lay these over the built-in agents, in this process, instead of those before."""
    global _LAID
    _LAID = tuple(layers)


def lay_also(layer: Layer) -> None:
    """Lay one more over its agent, in the order in which the kinds count; one that is laid already stays."""
    if layer not in _LAID:
        lay_over(sorted((*_LAID, layer), key=lambda each: list(WORDS).index(each.kind)))


def read_layers_again() -> None:
    """Have what is laid over the agents read again when it is next asked for: somebody has edited it."""
    if _LAID:
        _laid.cache_clear()
        _notes.cache_clear()
        lay_over([*_LAID])  # another object: what was made of the files is made again


@contextmanager
def laid_over(*layers: Layer) -> Iterator[None]:
    """The same for a while."""
    before = _LAID
    lay_over(layers)
    try:
        yield
    finally:
        lay_over(before)


def layers_in(folder: Path, kind: Kind, ids: Iterable[str]) -> list[Layer]:
    """The layers below a folder: `folder/ID` for each agent that has one."""
    return [Layer(each, kind, folder / each) for each in ids if (folder / each).is_dir()]


def given_layer(folder: Path, ids: Iterable[str]) -> Layer:
    """The layer that a person names. Raises ScenarioError where it is for no agent that is known."""
    name = folder.name
    try:
        name = str(toml((folder / "agent.toml").read_text("utf-8")).get("id", name))
    except OSError:
        pass  # it changes no list
    except ValueError as error:
        raise ScenarioError(str(error), where=str(folder / "agent.toml")) from None
    if name not in ids:
        raise unknown("agent", name, ids, where=str(folder))
    return Layer(name, "given", folder)


def laid_over_notes(agent_id: str) -> Iterator[Diagnostic]:
    """Anyone who sees a prompt with corrections in it is told about them."""
    return chain.from_iterable(map(_notes, layers_of(agent_id)))


@cache  # a screen assembles many prompts
def _notes(layer: Layer) -> tuple[Diagnostic, ...]:
    count = len(layer.files())
    words = f"{WORDS[layer.kind]} ({count} file{'s' * (count != 1)}) are laid over the built-in {layer.id}"
    main = layer.folder / "agent.toml"
    former = former_keys(_toml(main, needed=False))
    told = (Diagnostic("warning", "former-key", each.says, str(main)) for each in former)
    return Diagnostic("info", "laid-over", words, str(layer.folder)), *told


# --- what is read -----------------------------------------------------------------------------------------------------


Table = Mapping[str, Any]
"""Values by key, as front matter and agent.toml hold them."""


class FolderError(ScenarioError):
    """What is wrong with a file of an agent's folder: `path:line: message`."""

    def __init__(self, path: Path | str, line: int | None, message: str, near: Iterable[str] = ()) -> None:
        self.path, self.line = str(path), line
        super().__init__(message, where=f"{path}:{line}" if line else str(path), nearest=near)


def front_matter(source: str) -> tuple[dict[str, Any], str, int]:
    """The keys between `---` lines at the start, the text behind them, and the line on which that begins.

    The part of YAML with one value a line, nested once. Raises TemplateError.
    """
    lines = source.split("\n")
    if lines[0] != "---":
        return {}, source, 1
    if "---" not in lines[1:]:
        raise TemplateError("the front matter has no end", 1)
    end = lines.index("---", 1)
    found: dict[str, Any] = {}
    inner: dict[str, Any] | None = None
    for number, line in enumerate(lines[1:end], start=2):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        key, colon, value = line.strip().partition(": ") if ": " in line else line.strip().partition(":")
        if not colon or (line[0] == " " and inner is None):
            raise TemplateError("expected `key: value`", number)
        if line[0] == " " and inner is not None:
            inner[key] = _scalar(value.strip(), number)
        elif value.strip():
            found[key], inner = _scalar(value.strip(), number), None
        else:
            found[key] = inner = {}
    return found, "\n".join(lines[end + 1 :]), end + 2


def _scalar(text: str, line: int) -> str | bool:
    if text[0] == '"':
        try:
            return str(json.loads(text))
        except ValueError:
            raise TemplateError("a text in quotes must be as JSON has it", line) from None
    return text == "true" if text in ("true", "false") else text


class Source(NamedTuple):
    """A text file as it was read: `head` is its front matter, `line` that of the text's first line."""

    file: str
    head: Table
    nodes: Nodes


class Sources(NamedTuple):
    """Everything in a folder, by name. As JSON it is kept as it is."""

    agent: Table
    sections: Mapping[str, Source]
    tools: Mapping[str, Source]
    schemas: Mapping[str, Any]
    bundled: Mapping[str, Mapping[str, Source]]


def read_sources(folder: Path, under: Table | None = None) -> Sources:
    """The files of a folder. `under`: the agent.toml that it is laid over. Raises FolderError."""
    agent = _toml(folder / "agent.toml", needed=under is None)
    known = over(under or {}, agent)
    return Sources(
        agent,
        sections=_texts(folder, "sections", known),
        tools=_texts(folder, "tools", known),
        schemas={file.stem: _json(file) for file in sorted((folder / "tools").glob("*.json"))},
        bundled={kind: _texts(folder, f"bundled/{kind}", known) for kind in known.get("bundled", ())},
    )


def over(low: Table, high: Table) -> dict[str, Any]:
    """Tables key by key, the second one counting more."""
    both = {
        key: over(low[key], high[key]) for key in low if isinstance(low[key], dict) and isinstance(high.get(key), dict)
    }
    return {**low, **high, **both}


def _toml(path: Path, *, needed: bool) -> dict[str, Any]:
    if not needed and not path.is_file():
        return {}
    try:
        return toml(read_words(path))
    except ValueError as error:
        raise FolderError(path, None, str(error)) from None


def read_words(file: Path) -> str:
    """What is written in a file. Raises FolderError."""
    try:
        if file.stat().st_size > MAX_BYTES:
            raise FolderError(file, None, f"larger than {MAX_BYTES:,} bytes")
        return file.read_text("utf-8")
    except OSError as error:
        raise FolderError(file, None, f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise FolderError(file, file.read_bytes().count(b"\n", 0, error.start) + 1, "is not UTF-8") from None


def _texts(folder: Path, kind: str, agent: Table) -> dict[str, Source]:
    found: dict[str, Source] = {}
    for file in sorted((folder / kind).rglob("*.md")):
        name = ".".join(file.relative_to(folder / kind).with_suffix("").parts)
        found[name] = read_text(file, _keys(kind, agent), file.relative_to(folder).as_posix())
    return found


def _keys(kind: str, agent: Table) -> frozenset[str]:
    """What the front matter of a kind of texts may say: `sections`, `tools`, `bundled/KIND`."""
    if kind == "sections":
        return SECTION_KEYS
    if kind == "tools":
        return TOOL_KEYS.union(agent.get("tools", {}).get("keys", ()))
    return ITEM_KEYS.union(agent.get("bundled", {}).get(kind.partition("/")[2], {}).get("keys", ()))


def read_text(file: Path, keys: frozenset[str], shown: str) -> Source:
    """A text file, which is `shown` so. Raises FolderError."""
    return as_source(read_words(file), file, keys, shown)


def as_source(written: str, file: Path, keys: frozenset[str], shown: str) -> Source:
    """What is written in a text file. Raises FolderError."""
    try:
        head, body, line = front_matter(written)
        for key, value in head.items():
            if key not in keys:
                close = nearest(key, sorted(keys), 1)
                hint = f"did you mean `{close[0]}`?" if close else f"known: {', '.join(sorted(keys))}"
                raise TemplateError(f"unknown key `{key}`; {hint}", line_of_key(written, key))
            if isinstance(value, dict) != (key in NESTED) and not (key in CHOICES and "else" in value):
                words = "has lines of its own below it" if key in NESTED else "has one value, on its line"
                raise TemplateError(f"`{key}` {words}", line_of_key(written, key))
            if key in TEXTS and isinstance(value, bool):
                raise TemplateError(f"`{key}` is text: put it in quotes", line_of_key(written, key))
        return Source(shown, head, read_template(body, first_line=line, leading=head.get("breaks") == "leading"))
    except TemplateError as error:
        raise FolderError(file, error.line, error.message) from None


def line_of_key(written: str, key: str) -> int:
    """The line of a key of the front matter."""
    return next((n for n, text in enumerate(written.split("\n"), start=1) if text.lstrip().startswith(f"{key}:")), 1)


def read_file(folder: Path, name: str, agent: Table) -> None:
    """Read one file of a folder for what is wrong with it. Raises FolderError."""
    file, (kind, *inner) = folder / name, name.split("/")
    if name == "agent.toml":
        _toml(file, needed=True)
    elif name.endswith(".json"):
        _json(file)
    else:
        read_text(file, _keys(f"{kind}/{inner[0]}" if kind == "bundled" else kind, agent), name)


def _json(file: Path) -> Any:
    try:
        return json.loads(read_words(file))
    except ValueError as error:
        raise FolderError(file, getattr(error, "lineno", None), str(error)) from None


def sources_of(folder: Path) -> Sources:
    """The files of a built-in agent with what is laid over them. Raises FolderError."""
    layers = layers_of(_built_in(folder).agent["id"])
    return _laid(folder, layers) if layers else _built_in(folder)


@cache
def _built_in(folder: Path) -> Sources:
    """Kept beside Python's bytecode, or in the user's cache folder where that cannot be."""
    if os.access(folder, os.W_OK):
        return kept_sources(folder, folder / "__pycache__" / "texts.json")
    return kept_sources(folder, own_folder("cache") / f"{folder.name}.json")


@lru_cache(maxsize=16)
def _laid(folder: Path, layers: tuple[Layer, ...]) -> Sources:
    sources = _built_in(folder)
    for layer in layers:
        layer.files()  # raises if it is not such a folder
        kept = own_folder("cache") / f"laid-{sha256(str(layer.folder).encode()).hexdigest()[:16]}.json"
        sources = _over(sources, kept_sources(layer.folder, kept, sources.agent), layer.folder)
    return sources


def _over(low: Sources, high: Sources, folder: Path) -> Sources:
    """File by file, agent.toml key by key. Files of the upper one are named with their whole paths."""

    def named(found: Mapping[str, Source]) -> dict[str, Source]:
        return {name: each._replace(file=str(folder / each.file)) for name, each in found.items()}

    kinds = {**low.bundled, **high.bundled}
    return Sources(
        over(low.agent, high.agent),
        {**low.sections, **named(high.sections)},
        {**low.tools, **named(high.tools)},
        {**low.schemas, **high.schemas},
        {kind: {**low.bundled.get(kind, {}), **named(high.bundled.get(kind, {}))} for kind in kinds},
    )


_READERS = (Path(template.__file__), Path(__file__))
"""What is kept is read again, too, when these change."""


class _Kept(Struct):
    """What was read, and the state of the files that it was read from."""

    state: list[Any]
    sources: Sources


def kept_sources(folder: Path, kept: Path, under: Table | None = None) -> Sources:
    """The same, from the file `kept` where nothing changed. Raises FolderError."""
    keys = {name: table.get("keys") for name, table in ((under or {}).get("bundled") or {}).items()}
    state: list[Any] = [str(folder), keys, ((under or {}).get("tools") or {}).get("keys")]
    state += [*map(_stamp, _READERS), *sorted([name, *_stamp(file)] for name, file in files_in(folder))]
    with suppress(OSError, ValueError):
        found = decode(kept.read_bytes(), type=_Kept)
        if found.state == state:
            return found.sources
    sources = read_sources(folder, under)
    with suppress(OSError):  # whole or not at all: several processes may start at once
        kept.parent.mkdir(parents=True, exist_ok=True)
        fresh = kept.with_suffix(f".{os.getpid()}")
        fresh.write_bytes(encode(_Kept(state, sources)))
        fresh.replace(kept)
    return sources


def _stamp(file: Path | os.DirEntry[str]) -> list[int]:
    """What changes when a file does; of a link to nothing, nothing: who reads it is told."""
    try:
        stat = file.stat()
    except OSError:
        return []
    return [stat.st_mtime_ns, stat.st_size]


def noted(
    notes: Table, key: str, place: SettingSource | str | None, line: int | None, filled: Mapping[str, object]
) -> Diagnostic:
    """What a row of `[notes]` says: a text, or a table with `severity`, and a `code` where it is not the row's name."""
    said = notes[key] if isinstance(notes[key], dict) else {"says": notes[key]}
    path, line = (place.path, place.line) if isinstance(place, SettingSource) else (place, line)
    text = said["says"].format_map(filled)
    return Diagnostic(said.get("severity", "info"), said.get("code", key), text, path, line)
