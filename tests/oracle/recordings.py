"""The store: what the real clients sent in recorded situations, a file for each, in a folder for each client."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from .clients import NAMES, named
from .comparing import Blank, Difference, differences
from .predicting import predicted
from .situation import Facts, Json, Situation

STORE = Path(__file__).parent / "store"


@dataclass
class Recording:
    """A situation and the facts of its client. `only` is the trait that its seed was composed with, if alone."""

    client: str
    situation: Situation
    facts: Facts
    unstable: dict[str, str] = field(default_factory=dict)
    repeated: bool = False
    only: str | None = None

    @property
    def name(self) -> str:
        """Such as `codex/0035`."""
        return f"{self.client}/{self.situation.seed:04d}"

    @property
    def is_comparable(self) -> bool:
        """Whether the client starts alike each time, and promptscope models its version."""
        return "started" not in self.unstable and named(self.client).modelled

    def write(self, store: Path = STORE) -> None:
        """Into a store: a line for each part of the situation and each kind of fact."""
        path = store / f"{self.name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        rest: Json = {"unstable": self.unstable}
        if self.repeated:
            rest["repeated"] = True
        if self.only:
            rest["only"] = self.only
        parts = [f'"situation": {_object(self.situation.to_json())}', f'"facts": {_object(dict(self.facts))}']
        parts += [f'"{key}": {_plain(value)}' for key, value in rest.items()]
        path.write_text("{\n" + ",\n".join(parts) + "\n}\n")


def stored(clients: Iterable[str] = NAMES, store: Path = STORE) -> list[Recording]:
    """All of these clients, in the order of their seeds."""
    return [read(path) for client in clients for path in sorted((store / client).glob("*.json"))]


def read(path: Path) -> Recording:
    """A recording of a store."""
    row = json.loads(path.read_text())
    return Recording(
        client=path.parent.name,
        situation=Situation.of_json(row["situation"]),
        facts=row["facts"],
        unstable=row.get("unstable", {}),
        repeated=row.get("repeated", False),
        only=row.get("only"),
    )


def found_in(recording: Recording) -> list[Difference]:
    """How promptscope's prediction for a recording differs from it."""
    situation = recording.situation
    blank = blank_of(recording.client) if situation.seed else None
    return differences(situation, recording.facts, predicted(situation), blank, recording.unstable)


@cache
def blank_of(client: str) -> Blank | None:
    """The empty workspace of a client, seed 0; None where it is not recorded."""
    path = STORE / client / "0000.json"
    if not path.exists():
        return None
    empty = read(path)
    return Blank(empty.facts, predicted(empty.situation))


def _object(value: Json) -> str:
    return "{\n" + ",\n".join(f'"{key}": {_plain(one)}' for key, one in value.items()) + "\n}"


def _plain(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ": "))
