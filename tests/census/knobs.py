"""The knobs that an agent publicly has, and the turns that they can take: one knob with one value."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any

from tests.oracle.situation import Json

KNOBS = Path(__file__).parent / "knobs"
"""A file of JSON lines for each agent, a knob a line."""

ABSENT = ("<absent>", "<unset>", "<del>")
"""Values that take a key, a file or a variable away; the second and third are other drivers' spellings."""

_HOW = {"env": "env", "env?": "env", "flag": "flag", "prompt": "prompt", "cwd": "cwd", "place": "file"}
"""How a kind of knob is turned; every other kind is a key of a file."""


@dataclass(frozen=True)
class Knob:
    """One knob at one place.

    `kind` is the column of the tables, `where` the place as a person says it, `at` the file if that isn't one, `path`
    the keys within it (the name, at its dots, if empty), `how` one of key, file, files, env, flag, prompt, cwd, and
    `world` the variant of the base world in which it is turned. `also` are more turns that it needs, as
    `[{"at", "path", "value"}]`; `servers` the servers that its value configures as a text. promptscope is told of a
    flag by `arg`, of anything else by `tell`, `{dotted key of a scenario: value}`, in which `<value>` and `<list>`
    stand for the knob's own. `files` writes several at once: those of an object, `{path: content}`, or one for each
    text of a list, which is put into `template` at `<value>`, with its number for `<n>` there and in the place; with a
    `path` the text is JSON.
    """

    knob: str
    kind: str
    where: str = ""
    values: tuple[Any, ...] = ()
    at: str = ""
    path: tuple[str | int, ...] = ()
    how: str = ""
    world: str = "base"
    also: tuple[Json, ...] = ()
    servers: tuple[str, ...] = ()
    arg: str = ""
    template: str = "<value>"
    as_list: bool = False
    tell: Json = field(default_factory=dict)

    @classmethod
    def of_json(cls, row: Json) -> Knob:
        """The knob of a line. Other drivers' lines say `name`, and `as_list` without a value."""
        row = {("knob" if key == "name" else key): value for key, value in row.items()}
        known = {one.name for one in fields(cls)}
        row["as_list"] = "as_list" in row and row["as_list"] is not False
        return cls(**{key: _held(value) for key, value in row.items() if key in known})

    @property
    def turned_as(self) -> str:
        """`how`, or what its kind says."""
        return self.how or _HOW.get(self.kind, "key")

    @property
    def file(self) -> str:
        """The file that it is a key of, or that it is."""
        return self.at or self.where

    @property
    def keys(self) -> tuple[str | int, ...]:
        """The path of its key."""
        return self.path or tuple(self.knob.split("."))

    @property
    def names(self) -> tuple[str, str, str]:
        """What tells it from others in a table: one knob may be turned in several worlds."""
        return self.kind, self.knob, self.where


def _held(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


@dataclass(frozen=True)
class Turn:
    """A knob with a value."""

    knob: Knob
    value: Any

    @property
    def key(self) -> str:
        """What tells it from every other turn."""
        return json.dumps([*self.knob.names, self.knob.world, self.value], sort_keys=True, ensure_ascii=False)

    @property
    def spot(self) -> tuple[Any, ...]:
        """What it writes to: two turns with the same one can't be made together."""
        how = self.knob.turned_as
        if how == "key":
            return self.knob.file, *self.knob.keys[:2]
        return (how,) if how in ("prompt", "cwd") else (how, self.knob.file if how == "file" else self.knob.knob)

    @property
    def paths(self) -> list[str]:
        """The files that it writes whole."""
        own = {"file": [self.knob.file], "files": list(self.value) if isinstance(self.value, dict) else []}
        whole = [more["at"] for more in self.knob.also if not more.get("path")]
        return [*own.get(self.knob.turned_as, []), *whole]

    def meets(self, other: Turn) -> bool:
        """Whether the two write to one spot, or one of them to a key within the other's or below its file."""
        whole = [[f"{path}/" for path in turn.paths] for turn in (self, other)]
        if any(one.startswith(two) or two.startswith(one) for one in whole[0] for two in whole[1]):
            return True
        if self.knob.turned_as != "key" or other.knob.turned_as != "key":
            return self.spot == other.spot
        mine, yours = ((turn.knob.file, *turn.knob.keys) for turn in (self, other))
        return all(one == two for one, two in zip(mine, yours, strict=False))


@cache
def knobs_of(agent: str) -> tuple[Knob, ...]:
    """An agent's knobs, in the order of its file; none where there is no file."""
    path = KNOBS / f"{agent}.jsonl"
    lines = path.read_text().split("\n") if path.exists() else []
    return tuple(Knob.of_json(json.loads(line)) for line in lines if line.strip())


@cache
def _by_names(agent: str) -> dict[tuple[str, str, str], list[Knob]]:
    found: dict[tuple[str, str, str], list[Knob]] = {}
    for knob in knobs_of(agent):
        found.setdefault(knob.names, []).append(knob)
    return found


def turns_of(agent: str) -> Iterator[Turn]:
    """Every value of every knob."""
    for knob in knobs_of(agent):
        for value in knob.values:
            yield Turn(knob, value)


def turn_of(agent: str, row: Json) -> Turn:
    """The turn that a row of a store speaks of: with what the knob's own line says, if there is one."""
    said = Knob.of_json(row)
    same = _by_names(agent).get(said.names, [])
    worlds = [knob for knob in same if knob.world == said.world] or same
    exact = [knob for knob in worlds if row["value"] in knob.values]
    return Turn((exact or worlds or [said])[0], row["value"])
