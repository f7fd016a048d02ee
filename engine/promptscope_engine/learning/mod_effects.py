"""What mods did to a request when they were run: told from what an observing mod, the outermost one, wrote down.

It has the client's own names of all that is asked for, each with the length and a digest of the answer, from a run
without any mod, one with all of them, and one more per mod without that one. What a mod is said to have done is what
differs, of the events that it hooks. Format: docs/learn.md#mods.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal, NamedTuple

from msgspec import DecodeError, Struct, ValidationError, json
from msgspec.structs import replace

from promptscope_engine.agents.kit.disk.settings import below
from promptscope_engine.app_dirs import own_folder
from promptscope_engine.formats.document import Json
from promptscope_engine.insight.client_sections import ClientSection
from promptscope_engine.prompt.model import Program

FORMAT = "promptscope-observe/1"
Deed = Literal["wrote", "changed", "removed"]


class Part(NamedTuple):
    """A part of the request by the client's own name: a section, file, tool and so on."""

    kind: str
    name: str


class Answer(NamedTuple):
    """The characters of a part, all of its answer by which two runs are compared, and its text if that was written."""

    length: int
    whole: str
    text: str = ""


Observation = Mapping[Part, Answer]
"""The parts that a run had; what came out empty is not among them."""


class Noted(NamedTuple):
    """What the observing mod noted in a run.

    `sections`: the characters of each section that was asked for, 0 for one that came out empty. `files`: the client's
    kind of each instruction file by its path. `traced`: mods and the events whose answer they changed, as far as the
    client's own trace tells: never for sections, tools and agents.
    """

    parts: Observation
    sections: dict[str, int]
    files: dict[str, str]
    traced: tuple[tuple[str, str], ...]


class _Kind(NamedTuple):
    """Where the observing mod has the parts of a kind, what names one there, and the event that asks for it."""

    lists: str
    name: str
    text: str
    event: str


_KINDS: Mapping[str, _Kind] = {
    "section": _Kind("sections", "name", "text", "prompt.section"),
    "composed section": _Kind("compose.sections", "id", "text", "prompt.compose"),
    "block": _Kind("context.blocks", "name", "text", "prompt.context"),
    "file": _Kind("context.files", "path", "text", "prompt.context"),
    "reminder": _Kind("attachments", "type", "text", "prompt.attachment"),
    "tool": _Kind("tools", "name", "text", "tool.describe"),
    "deferred tool": _Kind("tools", "name", "text", "tool.describe"),
    "agent": _Kind("agents", "agent", "description", "agent.offer"),
    "message": _Kind("trace", "event", "received.text", "prompt.submit"),
}
_SUBMIT = "prompt.submit"
"""Of this event the observing mod sees the message as it comes in; what the client itself received is in its trace."""
_JOINED = Part("block", "claudeMd")
"""The files in one text: each of them is a part by itself."""


class Effect(Struct, frozen=True, omit_defaults=True):
    """What a mod did to a part, with the characters before and after, and the texts of both."""

    mod: str
    did: Deed
    kind: str
    name: str
    before: int
    after: int
    texts: tuple[str, str] = ("", "")

    @property
    def plain(self) -> Effect:
        """It without the texts."""
        return replace(self, texts=("", ""))


class ModRun(Struct, frozen=True):
    """What is kept of the runs. `mods` has the digest of each mod's text by its id.

    `sections` are those that were asked for by the client's own names, with their characters: 0 came out empty. `held`
    are the mods that were in every run, so that nothing is known of them alone.
    """

    date: str
    client: str
    mods: dict[str, str]
    effects: tuple[Effect, ...]
    sections: dict[str, int]
    held: tuple[str, ...] = ()


# --- what a run had ---------------------------------------------------------------------------------------------------


def observed(text: str) -> Noted:
    """What the observing mod noted. Raises ValueError for what it did not write."""
    value = _read(text)
    parts: dict[Part, Answer] = {}
    for kind, where in _KINDS.items():
        for each in _below(value, where.lists.split(".")):
            part, answer = Part(kind, str(each.get(where.name))), _answer(each, where.text)
            if answer.length and part != _JOINED and _counts(kind, each):
                parts.setdefault(part, answer)
    for part in [each for each in parts if each.kind == "composed section"]:
        if parts.get(Part("section", part.name)) == parts[part]:  # composed as it was given
            del parts[part]
    sections = {str(each.get("name")): _answer(each, "text").length for each in _below(value, ["sections"])}
    files = {str(each.get("path")): str(each.get("kind")) for each in _below(value, ["context", "files"])}
    links = [each for each in _below(value, ["trace"]) if each.get("tier") != "core" and each.get("isChanged") is True]
    traced = dict.fromkeys((str(each.get("plugin")), str(each.get("event"))) for each in links)
    return Noted(parts, sections, files, tuple(traced))


def composed(text: str) -> Iterator[ClientSection]:
    """The sections that the system prompt was put together of, of a run that wrote their texts. Raises ValueError."""
    for each in _below({"compose": _list(_read(text).get("compose"))[:1]}, ["compose", "sections"]):
        name, said = each.get("id"), each.get("text")
        if isinstance(name, str) and isinstance(said, str) and _NAME.fullmatch(name):
            yield ClientSection(name, said)


_NAME = re.compile(r"[\w.:-]{1,80}")


def _read(text: str) -> Mapping[str, Json]:
    try:
        value = json.decode(text)
    except DecodeError as error:
        raise ValueError(f"what the observing mod wrote cannot be read: {error}") from None
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise ValueError("what the observing mod wrote has another format")
    return value


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _below(value: Mapping[str, Json], keys: Sequence[str]) -> Iterator[Mapping[str, Json]]:
    """The objects of a list, and of the lists in these."""
    found = value.get(keys[0])
    for each in found if isinstance(found, list) else ():
        if isinstance(each, dict):
            yield from _below(each, keys[1:]) if len(keys) > 1 else (each,)


def _counts(kind: str, each: Mapping[str, Json]) -> bool:
    """Whether it is one of that kind, and reaches the model."""
    if kind == "message":
        return each.get("event") == _SUBMIT and each.get("tier") == "core"
    if kind in ("tool", "deferred tool"):
        return (each.get("isDeferred") is True) is (kind == "deferred tool")
    return each.get("isOffered") is not False


def _answer(each: Mapping[str, Json], text: str) -> Answer:
    said = below(each, text.split("."))
    if isinstance(said, str):
        return Answer(len(said), json.encode(said).decode(), said)
    length = said[0] if isinstance(said, list) and said and isinstance(said[0], int) else 0
    return Answer(length, json.encode(said).decode())


# --- what mods did ----------------------------------------------------------------------------------------------------


def effects_of(
    bare: Observation, whole: Observation, without: Mapping[str, Observation], events: Mapping[str, Iterable[str]]
) -> tuple[Effect, ...]:
    """What each mod did. `without`: the run without each; `events`: those that it hooks, by its id.

    A part that several mods changed alike differs in no run without one of them: it counts as the work of each mod that
    hooks its event. One that differs without a mod which does not hook its event follows from that mod's other work.
    """
    found: list[Effect] = []
    for part in dict.fromkeys((*bare, *whole)):
        before, after = bare.get(part), whole.get(part)
        if before == after:
            continue
        event = _KINDS[part.kind].event
        hooking = [mod for mod in without if any(fnmatchcase(event, on) for on in events.get(mod, ()))]
        needed = [mod for mod in without if without[mod].get(part) != after]
        found += [_effect(mod, part, before, after) for mod in hooking if mod in needed or not needed]
    return tuple(found)


def _effect(mod: str, part: Part, before: Answer | None, after: Answer | None) -> Effect:
    did: Deed = "changed" if before and after else "wrote" if after else "removed"
    one, other = before or _NOTHING, after or _NOTHING
    return Effect(mod, did, part.kind, part.name, one.length, other.length, (one.text, other.text))


_NOTHING = Answer(0, "")


# --- what is kept -----------------------------------------------------------------------------------------------------


def folder() -> Path:
    """Where the runs are kept on this machine."""
    return own_folder("state") / "mods"


def file_for(mods: Mapping[str, str]) -> Path:
    """The file for these mods, by the digests of their texts."""
    return folder() / f"{hashlib.sha256(json.encode(sorted(mods.items()))).hexdigest()[:16]}.json"


def last_run(programs: Iterable[Program]) -> ModRun | None:
    """What is known of the mods that load among these programs; None if they never ran together as they are now."""
    return kept({each.id: each.digest for each in programs if each.kind == "mod" and each.present and each.path})


def kept(mods: Mapping[str, str], read: Callable[[Path], bytes] = Path.read_bytes) -> ModRun | None:
    """What is known of these very mods; None if they were never run, or if the file is broken."""
    try:
        return json.decode(read(file_for(mods)), type=ModRun) if mods else None
    except (OSError, DecodeError, ValidationError):
        return None
