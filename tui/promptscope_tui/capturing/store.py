"""The captures of this machine: files in the state folder that only their owner may read."""

import json
import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import fields
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from promptscope_engine.agents.registry import OBSERVED
from promptscope_engine.captures.files import as_lines
from promptscope_engine.captures.model import SCHEMA, Capture, Usage
from promptscope_engine.captures.protocols import input_tokens
from promptscope_engine.formats.document import Json
from promptscope_tui.settings.paths import state_folder, write_whole

_NAME, _ENDING = "captures", ".jsonl"
_UNITS = {"m": 60, "h": 3_600, "d": 86_400, "w": 7 * 86_400}
_MAIN = b'"label":"main"'
_HEAD = 1 << 20
"""Bytes of a file in which its first line has to end."""


def folder() -> Path:
    """Where captures are kept; it need not exist."""
    return state_folder() / _NAME


def new_path(agent: str, now: datetime) -> Path:
    """A path that no capture has yet."""
    name = re.sub(r"[^\w.-]+", "-", agent)[:40] or "unknown"
    wanted = folder() / f"{now:%Y%m%d-%H%M%S}-{name}{_ENDING}"
    number = 1
    while wanted.exists():
        number += 1
        wanted = folder() / f"{now:%Y%m%d-%H%M%S}-{name}-{number}{_ENDING}"
    return wanted


def log_path() -> Path:
    """What the last command printed that was run without a terminal."""
    return folder() / "output.log"


def save(capture: Capture, target: Path) -> None:
    """Write it in one step, for the owner only: on a disk that is full, what was there before stays. Raises OSError."""
    if target.parent == folder():
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_whole(target.resolve(), b"".join(as_lines(capture)), durable=True)


class Stored(Struct, frozen=True):
    """A capture in the state folder, as its first and its last line tell. `problem`: why it cannot be used, or "".

    `reported`: the tokens that the service said its main request took; None where nobody said it.
    """

    path: Path
    bytes: int
    modified: float
    header: dict[str, Json]
    end: dict[str, Json]
    requests: int
    reported: int | None = None
    problem: str = ""


def sender(of: Stored) -> tuple[str | None, str | None]:
    """The agent that sent it and its version, as far as they are known."""
    name, version = (of.header.get(key) for key in ("agent", "agent_version"))
    agent = name.removeprefix(OBSERVED) if isinstance(name, str) else None
    return agent, version if isinstance(version, str) else None


def stored(state: Path | None = None) -> list[Stored]:
    """All of them, newest first. `state`: another state folder than the user's."""
    try:
        paths = [
            path
            for path in (state / _NAME if state else folder()).iterdir()
            if path.suffix == _ENDING and not path.name.startswith(".")
        ]
    except OSError:
        return []
    found = [each for path in paths if (each := _looked_at(path))]
    return sorted(found, key=lambda each: (-each.modified, each.path.name))


def _looked_at(path: Path) -> Stored | None:
    try:
        if not path.is_file():
            return None
        about = path.stat()
    except OSError:
        return None
    try:
        with path.open("rb") as file:
            header = _object(file.readline(_HEAD))
            lines, last, main = 0, b"", b""
            for line in file:
                lines, last = lines + 1, line
                main = main or (line if _MAIN in line else b"")
    except OSError as error:
        return Stored(
            path, about.st_size, about.st_mtime, {}, {}, 0, problem=f"cannot be read: {error.strerror or error}"
        )
    end = _object(last)
    ended = end.get("type") == "end"
    known = header.get("schema") == SCHEMA
    problem = "" if known else "is empty" if not about.st_size else "not a capture file: its first line is not a header"
    if known and not lines - ended:
        problem = "no request in it"
    shown, told = header if known else {}, end if ended else {}
    return Stored(path, about.st_size, about.st_mtime, shown, told, lines - ended, _reported(main), problem)


def _reported(line: bytes) -> int | None:
    """What the service said of a request, from its line."""
    request = _object(line)
    response = request.get("response")
    usage = response.get("usage") if isinstance(response, dict) else None
    protocol = request.get("protocol")
    if not isinstance(usage, dict) or not isinstance(protocol, str):
        return None
    numbers = {each.name: usage.get(each.name) for each in fields(Usage)}
    known = {name: number if type(number) is int else None for name, number in numbers.items()}
    return input_tokens(Usage(**known), protocol)


def _object(line: bytes) -> dict[str, Json]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def seconds(age: str) -> int:
    """`30d` in seconds. Raises ValueError for what is no age."""
    found = re.fullmatch(r"(\d{1,6})([mhdw])", age.strip())
    if found is None:
        raise ValueError(f"{age!r} is not an age: give a number and m, h, d or w, as in 30d")
    return int(found[1]) * _UNITS[found[2]]


def prune(captures: Iterable[Stored], older_than: int) -> Iterator[Stored]:
    """Delete those that are older, in seconds; each one that is gone. Raises OSError."""
    limit = time.time() - older_than
    for each in captures:
        if each.modified < limit:
            each.path.unlink(missing_ok=True)
            yield each
