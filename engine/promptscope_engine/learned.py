"""Learned wording: what an agent really says where promptscope has a stand-in.

A stand-in is known by its part (a section's id, or `tools.NAME`) and its variant: the digest of our own text, which
differs with every bullet that is there or not. So a wording only ever takes the place of the very text beside which it
was learned, and a part in a variant that was never seen stays a stand-in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Literal, TypeVar, get_args

from msgspec import Struct
from msgspec.structs import replace


class ServerAnswer(Struct, frozen=True):
    """What a server answered. `tools` as MCP has them; `said` is who told it, `at` when (ISO 8601, "" if unknown)."""

    name: str
    tools: tuple[dict[str, Any], ...]
    instructions: str | None = None
    said: str = ""
    at: str = ""

    @property
    def known(self) -> str:
        """Who told it, and on which day."""
        return " ".join(filter(None, (self.said, self.at[:10] and f"on {self.at[:10]}")))


Hole = Literal["workspace", "workspace-name", "home", "home-name"]
"""A value of the scenario within a wording: a folder, or the folder as the name of another one (`-home-me-project`)."""

Key = tuple[str, str]
"""A part and a variant of it."""


Earlier = Mapping[str, Mapping[str, str]]
"""By part, the variants that it had before our own text of it was changed, each with today's."""


class Wording(Struct, frozen=True, omit_defaults=True):
    """The text of one stretch of a part. `text` holds literals at even places and the names of holes at odd ones.

    `ids` are those of the stand-ins whose place it takes; `schema` for a tool's schema, whose text is JSON. `only`: the
    inputs, by dotted name, with which it was seen, where it is another one without them. `runs`: those in which it was
    seen, by their places in the version's, from 1.
    """

    part: str
    variant: str
    ids: tuple[str, ...]
    text: tuple[str, ...]
    only: Mapping[str, Any] = {}
    runs: tuple[int, ...] = ()

    @property
    def key(self) -> Key:
        """What it is looked up by."""
        return self.part, self.variant

    @property
    def is_of_lines(self) -> bool:
        """Whether it is about whole lines of ours."""
        return self.ids[:1] in (LINES, ROWS, BEFORE, BEHIND)

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


ROWS = ("rows",)
"""The same for lines of which others have the form: they come first, and the other lines follow in what they left."""


BEFORE, BEHIND = ("before",), ("behind",)
"""How the ids of a wording begin whose lines are elsewhere in the list than ours: before the first row of a form that
follows, or behind the last one. Where no row has that form, they stay."""


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

PIECE = "piece:"
"""How a hole's name begins for a value in lines of ours: the value's name follows, in the wording of these lines its
number, with `.path` behind it where the path of the file is meant that the value names."""


LISTED = f"{PIECE}0"
"""The hole of a schema in the place of the names of the scenario that an enum lists."""


def filled(text: Sequence[str], values: Mapping[str, str]) -> str:
    """A text that was cut, with values in its holes."""
    return "".join([value_of(each, values) if place % 2 else each for place, each in enumerate(text)])


def value_of(hole: str, values: Mapping[str, str]) -> str:
    """What is put into a hole."""
    return hole.removeprefix(CHANCE) if hole.startswith(CHANCE) else values[hole]


class AddedTool(Struct, frozen=True, omit_defaults=True):
    """A tool that the client sends and the model does not know. `schema` is JSON; it follows the tool `after`.

    `only`: inputs, by dotted name, with any of which it was sent; none: always. `runs` as of a wording; `seen` says in
    how many of them, where it was learned before runs were kept.
    """

    name: str
    description: tuple[str, ...]
    schema: tuple[str, ...]
    after: str = ""
    only: tuple[Mapping[str, Any], ...] = ()
    runs: tuple[int, ...] = ()
    seen: str = ""


class AddedSection(Struct, frozen=True, omit_defaults=True):
    """A text of its own that the client sends and the model does not know, in a block behind those of the part `after`.

    `only`, `runs` and `seen` as of a tool. With a `name`, the client's own, it is in the block of that part, and
    `is_before` it if it comes first there.
    """

    text: tuple[str, ...]
    after: str
    only: tuple[Mapping[str, Any], ...] = ()
    runs: tuple[int, ...] = ()
    seen: str = ""
    name: str = ""
    is_before: bool = False


class Ended(Struct, frozen=True, omit_defaults=True):
    """A part that the model predicts and no run had; `only`: with these inputs, others have it."""

    part: str
    why: str
    only: Mapping[str, Any] = {}


class Moved(Struct, frozen=True, omit_defaults=True):
    """A section that is sent behind another part than the model has it, or before one.

    `beside` is an id; with a colon at its end, that of all parts whose ids begin so, as those of files do.
    """

    part: str
    beside: str
    is_before: bool = False


ADDED = "learned."
"""How the id of a section begins that the model does not know; its number or the client's name of it follows."""

OPTION = "option."
"""How an input of an `only` begins that is an option unknown to the model."""


class OptionEffect(Struct, frozen=True, omit_defaults=True):
    """What an option that the model does not know changes in a request, against the same run without it.

    `tools` are new, `gone` and `changed` other ones; texts are stretches of lines. `problem`: why nothing was sent.
    """

    option: str
    tokens: int = 0
    tools: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    new_texts: int = 0
    gone_texts: int = 0
    changed_texts: int = 0
    problem: str = ""

    @property
    def words(self) -> str:
        """`+212 tokens, 1 new text, 2 tools gone (Edit, Write)`."""
        counts = (
            (self.new_texts, "new text", ""),
            (self.changed_texts, "text", " changed"),
            (self.gone_texts, "text", " gone"),
        )
        found = [f"{count} {noun}{'s' * (count != 1)}{how}" for count, noun, how in counts if count]
        for names, noun, how in (
            (self.tools, "new tool", ""),
            (self.changed, "tool", " changed"),
            (self.gone, "tool", " gone"),
        ):
            if names:
                found.append(f"{len(names)} {noun}{'s' * (len(names) != 1)}{how} ({', '.join(names)})")
        return self.problem or (", ".join([f"{self.tokens:+,} tokens", *found]) if found else "nothing changed")


class Flaw(Struct, frozen=True):
    """What cannot be used of a version's folder: a file and a line."""

    path: str
    line: int
    message: str


class LearnedVersion(Struct, frozen=True, omit_defaults=True):
    """What was learned of one version of an agent. `learned` is when (ISO 8601), `agent_version` the agent's own.

    `base` is the modelled version whose parts it has, "" for the nearest by its number; `runs` are the titles of the
    runs that were asked; `options` are those that were tried since the model does not know them; `names` are the
    client's own names of the system's sections, by our ids.
    """

    agent: str
    agent_version: str
    wordings: tuple[Wording, ...] = ()
    learned: str = ""
    base: str = ""
    ended: tuple[Ended, ...] = ()
    moved: tuple[Moved, ...] = ()
    added: tuple[AddedTool, ...] = ()
    sections: tuple[AddedSection, ...] = ()
    runs: tuple[str, ...] = ()
    options: tuple[OptionEffect, ...] = ()
    names: Mapping[str, tuple[str, ...]] = {}
    flaws: tuple[Flaw, ...] = ()

    def sent_in(self, new: AddedTool | AddedSection) -> str:
        """In how many runs a part was sent that is new."""
        many = f"{len(self.runs):,} run{'s' * (len(self.runs) != 1)}"
        return new.seen or f"it was sent in {len(new.runs):,} of {many}"

    def merged(self, later: LearnedVersion) -> LearnedVersion:
        """With what was learned later. A part that either of them has did not end."""
        seen = {each.part for each in (*self.wordings, *later.wordings)}
        all_ended = [each for each in (*self.ended, *later.ended) if each.only or each.part not in seen]
        ended = {(each.part, repr(sorted(each.only.items()))): each for each in all_ended}
        moved = {each.part: each for each in (*self.moved, *later.moved)}
        options = {each.option: each for each in (*self.options, *later.options)}
        before = len(self.runs)
        return replace(
            later,
            base=later.base or self.base,
            wordings=_both(self.wordings, later.wordings, before, lambda w: (w.key, repr(sorted(w.only.items())))),
            ended=tuple(ended.values()),
            moved=tuple(moved.values()),
            added=_both(self.added, later.added, before, lambda tool: tool.name),
            sections=_both(self.sections, later.sections, before, lambda section: (section.name, section.text)),
            runs=self.runs + later.runs,
            options=tuple(options.values()),
            names={**self.names, **later.names},
            flaws=(),
        )


_R = TypeVar("_R", Wording, AddedTool, AddedSection)


def _both(rows: Iterable[_R], later: Iterable[_R], before: int, key: Callable[[_R], Hashable]) -> tuple[_R, ...]:
    """Rows of two times, the later one counting, whose runs are behind those `before`; what is alike has all runs."""
    found = {key(each): each for each in rows}
    for each in later:
        runs = tuple(run + before for run in each.runs)
        known = found.get(key(each))
        if known is not None and replace(known, runs=()) == replace(each, runs=()):
            runs = known.runs + runs
        found[key(each)] = replace(each, runs=runs)
    return tuple(found.values())


class Learned:
    """Everything that a scenario with `learned` may be assembled with.

    `versions` may lack their texts: `read` gives the whole of one, and is asked when it is first needed.
    """

    def __init__(
        self, versions: Iterable[LearnedVersion] = (), read: Callable[[LearnedVersion], LearnedVersion] | None = None
    ) -> None:
        self.versions = tuple(versions)
        self._heads = {(each.agent, each.agent_version): each for each in self.versions}
        self._read = read
        self._whole: dict[Key, LearnedVersion] = {} if read else self._heads
        self._asked: dict[Key, list[str]] = {}
        self._by_inputs: dict[tuple[str, ...], Mapping[Key, Wording]] = {}

    def __contains__(self, version: object) -> bool:
        """Whether an agent's version was learned: its id, its version."""
        return version in self._heads

    def latest(self, agent: str) -> str | None:
        """The version of an agent that was learned last: the one that is installed here."""
        found = [each for each in self.versions if each.agent == agent]
        return max(found, key=lambda each: each.learned).agent_version if found else None

    def version(self, agent: str, version: str) -> LearnedVersion | None:
        """What was learned of one version."""
        name = agent, version
        if name not in self._whole and self._read and name in self._heads:
            self._whole[name] = self._read(self._heads[name])
        return self._whole.get(name)

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
        if (agent, version) not in self._asked:
            self._asked[agent, version] = sorted({name for wording in known.wordings for name in wording.only})
        place = (agent, version, *(f"{given(name)!r}" for name in self._asked[agent, version]))
        found = self._by_inputs.get(place)
        if found is None:
            fits = [each for each in known.wordings if all(given(name) == each.only[name] for name in each.only)]
            found = {wording.key: wording for wording in sorted(fits, key=lambda each: len(each.only))}
            renamed = ((part, *names) for part, each in (earlier() if found else {}).items() for names in each.items())
            for part, before, today in renamed:
                if (part, before) in found:
                    found.setdefault((part, today), found[part, before])
            self._by_inputs[place] = found
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


HOLES = frozenset(get_args(Hole))

MAX_TEXT = 400_000
"""Characters of one text: the capture that it was learned from may be a stranger's."""


class LearnedError(Exception):
    """What can't be kept, or is no learned version; the message says why, `line` where in a file."""

    def __init__(self, message: str, line: int = 1) -> None:
        super().__init__(message)
        self.line = line
