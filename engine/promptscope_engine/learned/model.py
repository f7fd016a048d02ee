"""Learned wording: what an agent really says where promptscope has a stand-in.

A stand-in is known by its part (a section's id, or `tools.NAME`) and its variant: the digest of our own text, which
differs with every bullet that is there or not. So a wording only ever takes the place of the very text beside which it
was learned, and a part in a variant that was never seen stays a stand-in.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, Literal, get_args

from msgspec import Struct, ValidationError, convert
from msgspec.structs import asdict

Hole = Literal["workspace", "workspace-name", "home", "home-name"]
"""A value of the scenario within a wording: a folder, or the folder as the name of another one (`-home-me-project`)."""

Key = tuple[str, str]
"""A part and a variant of it."""


Earlier = Mapping[str, Mapping[str, str]]
"""By part, the variants that it had before our own text of it was changed, each with today's."""


class Wording(Struct, frozen=True):
    """The text of one stretch of a part. `text` holds literals at even places and the names of holes at odd ones.

    `ids` are those of the stand-ins whose place it takes; `schema` for a tool's schema, whose text is JSON.
    """

    part: str
    variant: str
    ids: tuple[str, ...]
    text: tuple[str, ...]

    @property
    def key(self) -> Key:
        """What it is looked up by."""
        return self.part, self.variant

    def filled(self, values: Mapping[str, str]) -> str:
        """The text with the scenario's values in its holes."""
        return "".join([values[each] if place % 2 else each for place, each in enumerate(self.text)])


SCHEMA = ("schema",)
"""The ids of a wording that is a tool's schema."""


LABEL = ("label",)
"""The ids of a wording that is a label of ours, which was sent otherwise: in its part it counts as fixed prose."""


class LearnedVersion(Struct, frozen=True):
    """What was learned of one version of an agent. `learned` is when (ISO 8601), `agent_version` the agent's own."""

    agent: str
    agent_version: str
    wordings: tuple[Wording, ...]
    learned: str = ""

    def with_more(self, others: Iterable[Wording], when: str) -> LearnedVersion:
        """With the wordings of another run: of one key, the new one counts."""
        found = {wording.key: wording for wording in (*self.wordings, *others)}
        return LearnedVersion(self.agent, self.agent_version, tuple(found.values()), when)


class Learned(Struct, frozen=True, eq=False):
    """Everything that a scenario with `learned` may be assembled with."""

    versions: tuple[LearnedVersion, ...] = ()
    _by_key: dict[tuple[str, str], Mapping[Key, Wording]] = {}

    def latest(self, agent: str) -> str | None:
        """The version of an agent that was learned last: the one that is installed here."""
        found = [each for each in self.versions if each.agent == agent]
        return max(found, key=lambda each: each.learned).agent_version if found else None

    def of(
        self, agent: str, version: str, earlier: Callable[[], Mapping[str, Mapping[str, str]]] = dict
    ) -> Mapping[Key, Wording]:
        """The wordings of an agent's version; the same object each time.

        What was learned beside an `earlier` text of ours counts until today's is learned.
        """
        found = self._by_key.get((agent, version))
        if found is None:
            known = [each for each in self.versions if (each.agent, each.agent_version) == (agent, version)]
            found = {wording.key: wording for each in known for wording in each.wordings}
            renamed = ((part, *names) for part, each in (earlier() if found else {}).items() for names in each.items())
            for part, before, today in renamed:
                if (part, before) in found:
                    found.setdefault((part, today), found[part, before])
            self._by_key[agent, version] = found
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

_HOLES = frozenset(get_args(Hole))


class LearnedError(Exception):
    """A file that holds no learned wording; the message says why."""


def as_bytes(version: LearnedVersion) -> bytes:
    """The file of a version. Raises LearnedError for more than one may hold."""
    if len(version.wordings) > MAX_WORDINGS:
        raise LearnedError(f"more than {MAX_WORDINGS:,} wordings of {version.agent} {version.agent_version}")
    plain = {
        "format": FORMAT,
        "agent": version.agent,
        "agent_version": version.agent_version,
        "learned": version.learned,
        "wordings": list(map(asdict, version.wordings)),
    }
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
        plain = json.loads(data)
    except (ValueError, RecursionError):
        raise LearnedError("it is not JSON") from None
    if not isinstance(plain, dict) or plain.get("format") != FORMAT:
        raise LearnedError(f"it is not a {FORMAT}")
    agent, version, learned = (plain.get(key) for key in ("agent", "agent_version", "learned"))
    if not (isinstance(agent, str) and isinstance(version, str)):
        raise LearnedError("it names no agent and version")
    wordings = tuple(_wordings(plain.get("wordings")))
    return LearnedVersion(agent, version, wordings, learned if isinstance(learned, str) else "")


def _wordings(value: Any) -> Iterator[Wording]:
    for each in value[:MAX_WORDINGS] if isinstance(value, list) else ():
        try:
            wording = convert(each, Wording)
        except ValidationError:
            continue
        text = wording.text
        if len(text) % 2 and _HOLES.issuperset(text[1::2]) and sum(map(len, text)) <= MAX_TEXT:
            yield wording
