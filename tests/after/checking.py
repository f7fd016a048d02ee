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
from .comparing import Block, Known, differences, marks_of, predicted_blocks, recorded_blocks
from .sessions import Asked, Session
from .worlds import world_of

Json = Any


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
            if asked.scenario is not None:
                yield from (f"step {asked.step}: {each}" for each in self._request(asked, real))
        if self.left:
            yield f"step {self.left[0]['step']}: recorded {self.left[0]['kind']}, predicted nothing"

    def _request(self, asked: Asked, real: Json) -> list[str]:
        assembly = assemble(Scenario.model_validate(asked.scenario))
        ours, theirs = predicted_blocks(to_json(assembly.request)), recorded_blocks(real)
        after = asked.scenario.get("after")
        self.session.restored = [
            str(self.session.world.cwd / s.id.partition(":")[2])
            for s in assembly.sections
            if s.present and s.id.startswith("after.file:")
        ]
        if self.first is None:
            self.first = (ours, theirs)
            return []
        if self.session.unsure:
            ours, theirs = (_without(each, self.session.unsure) for each in (ours, theirs))
        ours = ours[real.get("messages_from", 0) :] if not (after and after["event"] in ("resume", "turn")) else ours
        if after and after["event"] in ("resume", "turn"):  # what was sent before is replayed
            ours, theirs = _last_turn(ours), _last_turn(theirs)
        return differences(ours, theirs, Known(*self.first, _pool(assembly, self.session.world.cwd)))


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
