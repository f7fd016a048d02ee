"""The store: what turning a knob changed in a real client's request, a JSON line for each.

README.md describes a row. Rows of the drivers that the census began with are read, too: theirs have `dr` or `real`.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.oracle.situation import Json

from .changes import prompt_part
from .knobs import Turn, turn_of

STORE = Path(__file__).parent / "store"


@dataclass(frozen=True)
class Row:
    """Some turns made together, one as a rule, and the client's change; None where it asked nothing.

    `coarse` is a row whose roles are only `system` and `messages`, as one of the older drivers counts.
    """

    agent: str
    turns: tuple[Turn, ...]
    world: str
    change: Json | None
    coarse: bool = False

    @property
    def key(self) -> str:
        """What tells it from every other row."""
        return "\n".join([self.world, *sorted(turn.key for turn in self.turns)])

    @property
    def matters(self) -> bool:
        """Whether the client's prompt changes, or the client refuses to start."""
        return self.change is None or bool(prompt_part(self.change))

    def to_json(self) -> Json:
        """The line."""
        turns = [
            {"knob": turn.knob.knob, "kind": turn.knob.kind, "where": turn.knob.where, "value": turn.value}
            for turn in self.turns
        ]
        said: Json = turns[0] if len(turns) == 1 else {"turns": turns}
        return {**said, "world": self.world, **({"refused": True} if self.change is None else {"change": self.change})}


def rows(agent: str, store: Path = STORE) -> list[Row]:
    """An agent's rows: of `AGENT.jsonl` and any file beside it whose name begins so (`AGENT-pairs.jsonl`)."""
    paths = sorted({*store.glob(f"{agent}.jsonl"), *store.glob(f"{agent}-*.jsonl")})
    found = {row.key: row for path in paths for row in _read(agent, path)}
    return list(found.values())


def append(agent: str, new: Iterable[Row], store: Path = STORE, suffix: str = "") -> None:
    """Write rows at the end of a file."""
    store.mkdir(parents=True, exist_ok=True)
    with (store / f"{agent}{suffix}.jsonl").open("a") as file:
        for row in new:
            file.write(json.dumps(row.to_json(), ensure_ascii=False) + "\n")


def _read(agent: str, path: Path) -> Iterator[Row]:
    for line in filter(None, path.read_text().split("\n")):  # a line may hold other ends of lines
        row = json.loads(line)
        if row.get("unstable") or row.get("hung"):
            continue
        turns = tuple(turn_of(agent, one) for one in row.get("turns", [row]))
        world = row.get("world", turns[0].knob.world)
        if "change" in row or "refused" in row:
            yield Row(agent, turns, world, row.get("change"))
        elif "dr" in row:
            yield Row(agent, turns, world, row["dr"] if row["real"].get("started") else None)
        elif row.get("verdict") not in (None, "tool error", "crash"):
            yield Row(agent, turns, world, _of_places(row), coarse=True)


def _of_places(row: Json) -> Json | None:
    """The change of a row that tells it by places: `{place: {"chars", "marks", "tool"}}`."""
    if row["verdict"].startswith("refused"):
        return None
    found: dict[str, Any] = defaultdict(dict)
    for place, said in (row.get("real") or {}).items():
        kind, _, name = place.rpartition(":")
        gone, came = said["chars"]
        if "tool" in said:
            found[f"tools{said['tool']}"][name] = True
        elif kind == "tool":
            found["tools~"][name] = gone + came
        elif place != "model":
            found["text-"] |= {name: -gone} if gone else {}
            found["text+"] |= {name: came} if came else {}
        for key, marks in zip(("marks-", "marks+"), said["marks"], strict=True):
            found[key] |= Counter(f"{kind or name} {mark}" for mark in marks)
        if said.get("order"):
            found["order"] = True
    names = {key: sorted(value) for key, value in found.items() if key in ("tools+", "tools-")}
    return {key: names.get(key, value) for key, value in found.items() if value}
