"""Records situations with the real clients."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import SubprocessError
from typing import TypedDict, Unpack

from .comparing import unstable_in
from .composing import composed
from .recordings import Recording
from .running import asked
from .sketch import ClashError


def recorded(client: str, seed: int, only: str | None = None, *, twice: bool) -> Recording:
    """A seed's situation and what the client sends; `twice` notes what two runs do not share."""
    situation = composed(client, seed, only)
    recording = Recording(client, situation, asked(situation), only=only)
    if twice:
        repeat(recording)
    return recording


def repeat(recording: Recording) -> None:
    """Ask once more, with the files created in the reverse order: what differs now is not compared later."""
    recording.unstable |= unstable_in(recording.facts, asked(recording.situation, backwards=True))
    recording.repeated = True


class How(TypedDict):
    """`only` one trait, each `twice`, and `again` what is stored."""

    only: str | None
    twice: bool
    again: bool


def record(client: str, seeds: Iterable[int], store: Path, **how: Unpack[How]) -> int:
    """Record these seeds into a store, two at a time; returns how many could not be."""

    def one(seed: int) -> bool:
        path = store / client / f"{seed:04d}.json"
        if path.exists() and not how["again"]:
            return True
        began = time.monotonic()
        try:
            recording = recorded(client, seed, how["only"], twice=how["twice"])
        except (OSError, ValueError, SubprocessError, ClashError) as error:
            sys.stderr.write(f"{client}/{seed}: {type(error).__name__}: {error}\n")
            return False
        recording.write(store)
        seconds = time.monotonic() - began
        sys.stdout.write(f"{_line(recording)}  {seconds:.1f} s\n")
        sys.stdout.flush()
        return True

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(one, seeds)).count(False)


def _line(recording: Recording) -> str:
    facts, unstable = recording.facts, recording.unstable
    said = f"{len(facts['marks'])} marks" if facts["started"] else f"did not start {facts['exit']} {facts['stderr']}"
    rest = f", unstable {json.dumps(unstable)}" if unstable else ""
    return f"{recording.name} {'+'.join(recording.situation.traits)}: {said}{rest}"
