"""The versions of an agent with what each sends, and what one changed."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from msgspec import MsgspecError, Struct, json
from msgspec.structs import replace

from promptscope_engine.agents.adapter import Describes
from promptscope_engine.agents.kit.disk.servers import some
from promptscope_engine.agents.registry import agent_ids, load_agent
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.learned import Learned
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.tokens.measured import version_numbers
from promptscope_tui.settings.paths import state_folder, write_whole
from promptscope_tui.text.words import many

from .versions import known_versions, learned_versions

Assemble = Callable[[str, bool], Assembly]
"""Assembles a version, in the client's own words or in ours."""


class Part(Struct, frozen=True):
    """A section or tool: its tokens, and a digest of its text."""

    tokens: int
    digest: str


class Release(Struct, frozen=True):
    """A version and its expected tokens by part of the request.

    `known` says how it is known; `modelled` and `learned` are when (ISO 8601), "" where it was not, or nobody knows.
    `parts` are its sections and tools by their names, the client's own in brackets.
    """

    agent: str
    version: str
    known: str
    total: int
    system: int
    messages: int
    tools: int
    tool_count: int
    modelled: str = ""
    learned: str = ""
    parts: dict[str, Part] = {}

    @property
    def is_imported(self) -> bool:
        """Whether nothing but these sizes is known."""
        return self.known == _IMPORTED


_IMPORTED = "imported"
_SHOWN = 12
"""Changed parts that are named."""


def releases_of(agent: str, learned: Learned | None, made: Assemble) -> Iterator[Release]:
    """Its versions, modelled, learned and imported, the oldest first. Raises ScenarioError."""
    model = load_agent(agent) if agent in agent_ids() else None
    own = known_versions(model, learned) if model else ()
    imported = {each.version: each for each in imported_releases() if each.agent == agent}
    for version in sorted({*own, *imported}, key=version_numbers):
        yield _release(model, version, learned, made) if model and version in own else imported[version]


def _release(agent: Describes, version: str, learned: Learned | None, made: Assemble) -> Release:
    own = next((each for each in learned_versions(agent, learned) if each.agent_version == version), None)
    ways = {"modelled": version in agent.versions, "learned": own is not None}
    words = ", ".join(way for way, holds in ways.items() if holds)
    assembly = made(version, own is not None)
    sizes, parts = _sized(agent.id, version, words, assembly), dict(_parts(assembly))
    modelled = agent.about.modelled.get(version, "")
    return replace(sizes, modelled=modelled, learned=own.learned if own else "", parts=parts)


def _parts(assembly: Assembly) -> Iterator[tuple[str, Part]]:
    """What the request is made of; the second of one name has its id behind it, too."""
    named = Counter[str]()
    for section in assembly.sections:
        if section.present and section.parent is None:
            called = f" [{', '.join(section.names)}]" if section.names else ""
            named[name := f"{section.title}{called}"] += 1
            name += f" ({section.id})" if named[name] > 1 else ""
            yield name, Part(section.expected_tokens or 0, _digest(section.text, assembly))
    for tool in assembly.tools:
        if tool.present:
            text = tool.description + json.encode(tool.input_schema, order="sorted").decode()
            yield tool.name, Part(tool.tokens.expected or 0, _digest(text, assembly))


def _digest(text: str, assembly: Assembly) -> str:
    """Of the text without the version's number, and what follows it in a word."""
    plain = re.sub(rf"{re.escape(assembly.agent_version)}\S*", "", text)
    return sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def changed_parts(release: Release, before: Release) -> str:
    """`+ Artifact, − Notes, Bash −4`: what is new, gone, and another text, with the tokens."""
    parts, old = release.parts, before.parts
    new, gone = parts.keys() - old.keys(), old.keys() - parts.keys()
    changed = [name for name in parts if name in old and parts[name].digest != old[name].digest]
    found = [f"+ {name}" for name in parts if name in new]
    found += [f"− {name}" for name in old if name in gone]
    return some([*found, *(f"{name} {parts[name].tokens - old[name].tokens:+,}" for name in changed)], _SHOWN)


def _sized(agent: str, version: str, known: str, assembly: Assembly) -> Release:
    tokens = assembly.tokens
    system, messages, tools = (tokens.expected_by_channel.get(name) or 0 for name in ("system", "messages", "tools"))
    count = sum(tool.present for tool in assembly.tools)
    return Release(agent, version, known, tokens.expected or 0, system, messages, tools, count)


def with_earlier(found: Iterable[Release]) -> Iterator[tuple[Release, Release | None]]:
    """Each with the one of its agent before it whose words are the same: sizes of others are not comparable."""
    before: dict[tuple[str, str], Release] = {}
    for each in found:
        words = each.agent, "learned" if "learned" in each.known else each.known
        yield each, before.get(words)
        before[words] = each


# --- recordings of others ---------------------------------------------------------------------------------------------


class Archived(NamedTuple):
    """A file of an archive: whose it is, which version's, and which of its variants."""

    agent: str
    version: str
    variant: str
    path: Path


def archived(folder: Path) -> list[Archived]:
    """The recordings below a folder, by agent and rising version.

    They are `captures/AGENT/VERSION/variants/NAME/trace.jsonl`, as in the repository WEIFENG2333/phistory, or any files
    below AGENT/VERSION.
    """
    root = folder / "captures" if (folder / "captures").is_dir() else folder
    found = []
    for path in root.rglob("*.jsonl"):
        agent, *inner = path.relative_to(root).parts
        if len(inner) > 1:
            found.append(Archived(agent, inner[0], "/".join(inner[1:]), path))
    return sorted(found, key=lambda each: (each.agent, version_numbers(each.version), each.version, each.variant))


def first_of_versions(found: Iterable[Archived]) -> Iterator[Archived]:
    """The first variant of each version."""
    for _, variants in groupby(found, key=lambda each: each[:2]):
        yield next(variants)


def take_archive(folder: Path) -> str:
    """Keep the sizes of an archive's recordings; what is said of it. Raises OSError."""
    found: dict[tuple[str, str], Release] = {(each.agent, each.version): each for each in imported_releases()}
    new = failed = 0
    for each in first_of_versions(archived(folder)):
        release = _recorded(each)
        if release is None:
            failed += 1
        else:
            new += 1
            found[each.agent, each.version] = release
    if not new:
        return f"no recording of a version was found below {folder}: AGENT/VERSION/…/trace.jsonl is looked for"
    keep_imported(found.values())
    more = f"; {failed:,} could not be read" if failed else ""
    return f"{many(new, 'version')} kept for `promptscope releases`{more}"


def _recorded(archived: Archived) -> Release | None:
    """The sizes of a recording's main request; None where there is none."""
    path = archived.path.absolute()
    try:
        assembly = assemble(Scenario.of({"capture": str(path), "workspace": str(path.parent), "env": {}}))
    except ScenarioError:
        return None
    return _sized(archived.agent, archived.version, _IMPORTED, assembly)


def _kept() -> Path:
    return state_folder() / "releases.json"


def keep_imported(releases: Iterable[Release]) -> None:
    """Keep these alone. Raises OSError."""
    path = _kept()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_whole(path, json.encode(list(releases)), durable=True)


def imported_releases() -> list[Release]:
    """What was kept of archives."""
    with suppress(OSError, MsgspecError):
        return json.decode(_kept().read_bytes(), type=list[Release])
    return []


def sizes_alone(agent: str | None, version: str | None, learned: Learned | None) -> str:
    """Why an agent, or a version of one (None: of any), cannot be shown: it was imported; "" of any other."""
    for each in imported_releases():
        if agent in (None, each.agent) and version in (None, each.version):
            model = load_agent(each.agent) if each.agent in agent_ids() else None
            if model is None or each.version not in known_versions(model, learned):
                name = f"{each.agent} {version or ''}".rstrip()
                return f"of {name} only sizes are known, from an import: `promptscope releases {each.agent}` lists them"
    return ""


def refuse_sizes_alone(side: str, learned: Learned | None) -> None:
    """Raises ScenarioError for AGENT@VERSION that was only imported: there is no prompt to compare."""
    agent, at, version = side.partition("@")
    if at and (words := sizes_alone(agent, version, learned)):
        raise ScenarioError(words)
