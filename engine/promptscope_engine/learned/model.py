"""Learned wording: what an agent really says where promptscope has a stand-in.

A stand-in is known by its part (a section's id, or `tools.NAME`) and its variant: the digest of our own text, which
differs with every bullet that is there or not. So a wording only ever takes the place of the very text beside which it
was learned, and a part in a variant that was never seen stays a stand-in.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any, Literal, get_args

from msgspec import MsgspecError, Struct, ValidationError, convert, to_builtins
from msgspec.json import decode
from msgspec.structs import replace

Hole = Literal["workspace", "workspace-name", "home", "home-name"]
"""A value of the scenario within a wording: a folder, or the folder as the name of another one (`-home-me-project`)."""

Key = tuple[str, str]
"""A part and a variant of it."""


Earlier = Mapping[str, Mapping[str, str]]
"""By part, the variants that it had before our own text of it was changed, each with today's."""


class Wording(Struct, frozen=True):
    """The text of one stretch of a part. `text` holds literals at even places and the names of holes at odd ones.

    `ids` are those of the stand-ins whose place it takes; `schema` for a tool's schema, whose text is JSON. `only`: the
    inputs, by dotted name, with which it was seen, where it is another one without them.
    """

    part: str
    variant: str
    ids: tuple[str, ...]
    text: tuple[str, ...]
    only: Mapping[str, Any] = {}

    @property
    def key(self) -> Key:
        """What it is looked up by."""
        return self.part, self.variant

    def filled(self, values: Mapping[str, str]) -> str:
        """The text with the scenario's values in its holes."""
        return filled(self.text, values)


SCHEMA = ("schema",)
"""The ids of a wording that is a tool's schema."""


LABEL = ("label",)
"""The ids of a wording that is a label of ours, which was sent otherwise: in its part it counts as fixed prose."""


LINES = ("lines",)
"""How the ids of a wording begin that takes the place of whole lines of ours: those follow, cut like `text`.

An empty text takes the lines away.
"""


class Holes:
    """Folders of a run within its wording: in another run they are others."""

    def __init__(self, workspace: str, home: str) -> None:
        # A folder at the root (`/root`) may be any word of the prose.
        found = values_of(workspace, home)
        values = {name: value for name, value in found.items() if len(re.findall(r"[/-][^/-]", value)) > 1}
        self._names = {value: name for name, value in values.items()}
        names = "|".join(rf"(?<![\w-]){re.escape(value)}(?![\w-])" for value in values.values())
        self._pattern = re.compile(f"({names})") if names else None

    def cut(self, text: str) -> tuple[str, ...]:
        """Literals at even places, the names of holes at odd ones."""
        parts = self._pattern.split(text) if self._pattern else [text]
        return tuple(self._names[part] if place % 2 else part for place, part in enumerate(parts))


CHANCE = "chance:"
"""How a hole's name begins for a word that is another one in each run; a word that was seen follows."""


def filled(text: Sequence[str], values: Mapping[str, str]) -> str:
    """A text that was cut, with values in its holes."""
    return "".join([value_of(each, values) if place % 2 else each for place, each in enumerate(text)])


def value_of(hole: str, values: Mapping[str, str]) -> str:
    """What is put into a hole."""
    return hole.removeprefix(CHANCE) if hole.startswith(CHANCE) else values[hole]


class AddedTool(Struct, frozen=True):
    """A tool that the client sends and the model does not know. `schema` is JSON; it follows the tool `after`.

    `only`: inputs, by dotted name, with any of which it was sent; none: always. `seen` says in how many runs.
    """

    name: str
    description: tuple[str, ...]
    schema: tuple[str, ...]
    after: str = ""
    only: tuple[Mapping[str, Any], ...] = ()
    seen: str = ""


class AddedSection(Struct, frozen=True):
    """A text of its own that the client sends and the model does not know, in a block behind those of the part `after`.

    `only` and `seen` as of a tool.
    """

    text: tuple[str, ...]
    after: str
    only: tuple[Mapping[str, Any], ...] = ()
    seen: str = ""


class Ended(Struct, frozen=True):
    """A part that the model predicts and no run had; `only`: with these inputs, others have it."""

    part: str
    why: str
    only: Mapping[str, Any] = {}


class Moved(Struct, frozen=True):
    """A section that is sent behind another part than the model has it, or before one.

    `beside` is an id; with a colon at its end, that of all parts whose ids begin so, as those of files do.
    """

    part: str
    beside: str
    is_before: bool = False


class LearnedVersion(Struct, frozen=True):
    """What was learned of one version of an agent. `learned` is when (ISO 8601), `agent_version` the agent's own.

    `base` is the modelled version whose parts it has, "" for the nearest by its number; `runs` are the titles of the
    runs that were asked.
    """

    agent: str
    agent_version: str
    wordings: tuple[Wording, ...]
    learned: str = ""
    base: str = ""
    ended: tuple[Ended, ...] = ()
    moved: tuple[Moved, ...] = ()
    added: tuple[AddedTool, ...] = ()
    sections: tuple[AddedSection, ...] = ()
    runs: tuple[str, ...] = ()

    @property
    def keys(self) -> frozenset[Key]:
        """The texts whose wording is known."""
        return frozenset(each.key for each in self.wordings)

    def merged(self, later: LearnedVersion) -> LearnedVersion:
        """With what was learned later. A part that either of them has did not end."""
        seen = {each.part for each in (*self.wordings, *later.wordings)}
        both = _with_later(self.wordings, later.wordings)
        added = {each.name: each for each in (*self.added, *later.added)}
        sections = {each.text: each for each in (*self.sections, *later.sections)}
        ended = {each.part: each for each in (*self.ended, *later.ended) if each.only or each.part not in seen}
        moved = {each.part: each for each in (*self.moved, *later.moved)}
        return replace(
            later,
            wordings=both,
            ended=tuple(ended.values()),
            moved=tuple(moved.values()),
            added=tuple(added.values()),
            sections=tuple(sections.values()),
            runs=self.runs + later.runs,
        )

    def with_more(self, others: Iterable[Wording], when: str) -> LearnedVersion:
        """With the wordings of another run: of one key, the new one counts."""
        return replace(self, wordings=_with_later(self.wordings, others), learned=when)


def _with_later(before: Iterable[Wording], later: Iterable[Wording]) -> tuple[Wording, ...]:
    """Wordings of two times: of one text with the same inputs, the later one counts."""
    found = {(each.key, repr(sorted(each.only.items()))): each for each in (*before, *later)}
    return tuple(found.values())


class Learned(Struct, frozen=True, eq=False):
    """Everything that a scenario with `learned` may be assembled with."""

    versions: tuple[LearnedVersion, ...] = ()
    _by_key: dict[tuple[str, ...], Mapping[Key, Wording]] = {}

    def latest(self, agent: str) -> str | None:
        """The version of an agent that was learned last: the one that is installed here."""
        found = [each for each in self.versions if each.agent == agent]
        return max(found, key=lambda each: each.learned).agent_version if found else None

    def version(self, agent: str, version: str) -> LearnedVersion | None:
        """What was learned of one version."""
        return next((each for each in self.versions if (each.agent, each.agent_version) == (agent, version)), None)

    def of(
        self,
        agent: str,
        version: str,
        earlier: Callable[[], Mapping[str, Mapping[str, str]]] = dict,
        given: Callable[[str], Any] = lambda _: None,
    ) -> Mapping[Key, Wording]:
        """The wordings of an agent's version under the inputs that `given` has; the same object each time.

        What was learned beside an `earlier` text of ours counts until today's is learned.
        """
        known = self.version(agent, version)
        if known is None:
            return {}
        asked = sorted({name for wording in known.wordings for name in wording.only})
        place = (agent, version, *(f"{given(name)!r}" for name in asked))
        found = self._by_key.get(place)
        if found is None:
            fits = [each for each in known.wordings if all(given(name) == each.only[name] for name in each.only)]
            found = {wording.key: wording for wording in sorted(fits, key=lambda each: len(each.only))}
            renamed = ((part, *names) for part, each in (earlier() if found else {}).items() for names in each.items())
            for part, before, today in renamed:
                if (part, before) in found:
                    found.setdefault((part, today), found[part, before])
            self._by_key[place] = found
        return found


def variant_of(stretch: Sequence[tuple[str, str]]) -> str:
    """The digest of a stretch of our own: the ids of its parts and their texts."""
    plain = "\x1e".join([f"{name}\x1f{text}" for name, text in stretch])
    return sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def values_of(workspace: str, home: str) -> dict[str, str]:
    """What is in the holes under a scenario, the longer folder first: one may be in the other."""
    folders: dict[str, str] = {"workspace": workspace.rstrip("/"), "home": home.rstrip("/")}
    names: dict[str, str] = {"workspace-name": as_name(folders["workspace"]), "home-name": as_name(folders["home"])}
    both = {**folders, **names}
    return dict(sorted(both.items(), key=lambda each: -len(each[1])))


def as_name(folder: str) -> str:
    """A folder's path as the name of a folder, as agents keep things by project."""
    return "".join(char if char.isascii() and char.isalnum() else "-" for char in folder)


# --- in a file, under limits: the capture it was learned from may be a stranger's -------------------------------------


FORMAT = "promptscope.learned.v1"
MAX_BYTES = 16 * 1024 * 1024
"""Of a file: a version of an agent has some hundred kilobytes of prose in all its variants."""
MAX_WORDINGS = 20_000
MAX_TEXT = 400_000
"""Characters of one wording."""

HOLES = frozenset(get_args(Hole))


class LearnedError(Exception):
    """A file that holds no learned wording; the message says why."""


def as_bytes(version: LearnedVersion) -> bytes:
    """The file of a version. Raises LearnedError for more than one may hold."""
    if len(version.wordings) > MAX_WORDINGS:
        raise LearnedError(f"more than {MAX_WORDINGS:,} wordings of {version.agent} {version.agent_version}")
    plain = {"format": FORMAT, **to_builtins(version)}
    data = json.dumps(plain, ensure_ascii=True, indent=1).encode("ascii")
    if len(data) > MAX_BYTES:
        raise LearnedError(
            f"the wording of {version.agent} {version.agent_version} takes more than {MAX_BYTES:,} bytes"
        )
    return data


def from_bytes(data: bytes) -> LearnedVersion:
    """A version from its file; wordings of another shape are left out. Raises LearnedError."""
    if len(data) > MAX_BYTES:
        raise LearnedError(f"it is larger than {MAX_BYTES:,} bytes")
    try:
        plain = decode(data)  # at every start: json takes three times as long
    except (MsgspecError, UnicodeDecodeError, RecursionError):
        raise LearnedError("it is not JSON") from None
    if not isinstance(plain, dict) or plain.get("format") != FORMAT:
        raise LearnedError(f"it is not a {FORMAT}")
    rows = {name: tuple(_fitting(plain.pop(name, None), kind)) for name, kind in _ROWS.items()}
    try:
        return convert({**plain, **rows}, LearnedVersion)
    except ValidationError as error:
        raise LearnedError(f"it names no agent and version: {error}") from None


_Row = Wording | AddedTool | AddedSection
_ROWS: Mapping[str, type[_Row]] = {"wordings": Wording, "added": AddedTool, "sections": AddedSection}


def _fitting(value: Any, kind: type[_Row]) -> Iterator[_Row]:
    """The rows of a list that can be used."""
    for each in value[:MAX_WORDINGS] if isinstance(value, list) else ():
        with suppress(ValidationError, ValueError, KeyError, RecursionError):
            row = convert(each, kind)
            if all(map(_is_cut, _texts(row))):
                yield row


def _texts(row: _Row) -> Iterator[Sequence[str]]:
    """The texts of a row that were cut. Raises ValueError for a schema that is not JSON."""
    if isinstance(row, AddedTool):
        yield row.description
        yield row.schema
        json.loads(filled(row.schema, dict.fromkeys(HOLES, "")))
        return
    yield row.text
    if isinstance(row, Wording) and row.ids[:1] == LINES:
        yield row.ids[1:]


def _is_cut(text: Sequence[str]) -> bool:
    """Whether it has literals at even places and known holes at odd ones, and is no longer than it may be."""
    holes = {hole for hole in text[1::2] if not hole.startswith(CHANCE)}
    return len(text) % 2 == 1 and holes <= HOLES and sum(map(len, text)) <= MAX_TEXT
