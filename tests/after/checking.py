"""A recorded run, step by step: which requests were predicted as they were made, and what differs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from promptscope_engine import Scenario, assemble
from promptscope_engine.prompt.model import Assembly, to_json

from .clients import client_of, requests_of
from .comparing import Block, Known, differences, lines_of, marks_of, predicted_blocks, recorded_blocks, system_of
from .sessions import Asked, Session
from .worlds import world_of

Json = Any
_KEPT = ("after.answer:", "after.followed:")


def check(recording: Json) -> list[str]:
    """What was predicted otherwise than it was recorded, each with its step; nothing for a run that agrees."""
    with world_of(recording["situation"]) as world:
        return list(_Check(recording, Session(client_of(recording), world)).differences())


class _Check:
    def __init__(self, recording: Json, session: Session) -> None:
        self.session = session
        self.left = list(requests_of(recording))
        self.first: Any = None

    def differences(self) -> Iterator[str]:
        for asked in self.session.run():
            real = self.left.pop(0) if self.left else None
            if real is None or (real["step"], real["kind"]) != (asked.step, asked.kind):
                what = f"{real['kind']} of step {real['step']}" if real else "nothing"
                yield f"step {asked.step}: predicted {asked.kind}, recorded {what}"
                return
            if asked.kind == "main":
                self.session.seen(real)
            if asked.scenario is not None:
                yield from (f"step {asked.step}: {each}" for each in self._request(asked, real))
        if self.left:
            yield f"step {self.left[0]['step']}: recorded {self.left[0]['kind']}, predicted nothing"

    def _request(self, asked: Asked, real: Json) -> list[str]:
        assembly = assemble(Scenario.model_validate(asked.scenario))
        body = to_json(assembly.request)
        ours, theirs = predicted_blocks(body), recorded_blocks(real)
        after = asked.scenario.get("after")
        self.session.restored = [
            str(self.session.world.cwd / s.id.partition(":")[2])
            for s in assembly.sections
            if s.present and s.id.startswith("after.file:")
        ]
        system = _system(body, real)
        self.session.kept = self._kept(assembly)
        if self.first is None:
            self.first = (ours, theirs)
            return system
        if self.session.unsure:
            ours, theirs = (_without(each, self.session.unsure) for each in (ours, theirs))
        ours = ours[real.get("messages_from", 0) :] if not (after and after["event"] in ("resume", "turn")) else ours
        if after and after["event"] in ("resume", "turn"):  # what was sent before is replayed
            ours, theirs = _last_turn(ours), _last_turn(theirs)
        return [*system, *differences(ours, theirs, Known(*self.first, _pool(assembly, self.session.world.cwd)))]

    def _kept(self, assembly: Assembly) -> list[Json]:
        """The exchanges that are in the request: the first perhaps without its answer."""
        shown = [s.id for s in assembly.sections if s.present and s.id.startswith(_KEPT)]
        numbers = {name.split(":")[1].partition(".")[0] for name in shown}
        kept = self.session.exchanges[len(self.session.exchanges) - len(numbers) :]
        if kept and "after.answer:0" not in shown:
            kept = [{"said": kept[0].get("said", "")}, *kept[1:]]
        return kept


def _system(body: Json, real: Json) -> list[str]:
    """Our marks in the system text, where they are not those that were recorded."""
    ours, theirs = ({*lines_of(system_of(body))}, {*real["system"]["marks"]})
    return [] if ours == theirs else [f"system: marks {sorted(ours)}, recorded {sorted(theirs)}"]


def _without(messages: list[list[Block]], marks: set[str]) -> list[list[Block]]:
    """The messages without what nobody can tell: marks that come or not."""
    return [[replace(b, marks=tuple(m for m in b.marks if m[0] not in marks)) for b in each] for each in messages]


def _last_turn(messages: list[list[Block]]) -> list[list[Block]]:
    """From behind the last answer."""
    at = max(
        (n for n, message in enumerate(messages) if message and message[0].role in ("assistant", "model")), default=-1
    )
    return messages[at + 1 :]


def _pool(assembly: Assembly, cwd: Path) -> list[tuple[Block, Block]]:
    """The report and the result of each file that changed at the time of another: nobody can tell their order."""
    found: dict[str, dict[str, Block]] = {}
    for section in assembly.sections:
        kind, _, path = section.id.partition(":")
        if kind in ("after.call", "after.file"):
            found.setdefault(path, {})[kind] = Block("user", section.chars, marks_of(section.text), section.text)
    files = {path: cwd / path for path in found if (cwd / path).is_file()}
    times = Counter(file.stat().st_mtime for file in files.values())
    tied = [path for path, file in files.items() if times[file.stat().st_mtime] > 1]
    shown = next((path for path in tied if found[path]["after.file"].text), None)
    return [_pair(found[shown], files[shown], files[path]) for path in tied] if shown else []


def _pair(shown: dict[str, Block], like: Path, file: Path) -> tuple[Block, Block]:
    """The report and the result of a file, after those of another one: what is absent has no text."""
    call = shown["after.call"].text.replace(str(like), str(file))
    head = shown["after.file"].text.partition("\n1\t")[0]
    lines = "".join(f"\n{n}\t{line}" for n, line in enumerate(file.read_text().split("\n"), 1))
    result = f"{head}{lines}\n</system-reminder>"
    return Block("user", len(call), (), call), Block("user", len(result), marks_of(result), result)
