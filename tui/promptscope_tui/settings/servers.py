"""What MCP servers answered, as kept in the state folder: a file for each folder and server, for their owner alone."""

import json
import os
from collections.abc import Iterator, Mapping
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

import msgspec

from promptscope_engine.learned import ServerAnswer
from promptscope_engine.workspace.paths import absolute, real

from .paths import state_folder, write_whole

SCHEMA = "promptscope.server.v1"
_MAX_BYTES = 32 * 1024 * 1024
_MOST = 200
"""Servers of one folder that are looked at."""


class _Kept(msgspec.Struct, frozen=True):
    schema: str
    workspace: str
    answer: ServerAnswer


def load(workspace: str) -> Mapping[str, ServerAnswer]:
    """What the servers of a folder answered, by name. A file that is none is passed over."""
    return {each.name: each for each in _answers(workspace)}


def keep(workspace: str, answer: ServerAnswer) -> Path:
    """Keep an answer in the place of an earlier one of that server; where it is. Raises OSError."""
    folder, path = _folder(workspace), _file(workspace, answer.name)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for each in (folder.parent, folder):
        each.chmod(0o700)
    kept = _Kept(SCHEMA, _real(workspace), answer)
    text = json.dumps(msgspec.to_builtins(kept), indent=1, ensure_ascii=False) + "\n"
    write_whole(path, text.encode("utf-8"), durable=True)
    return path


def forget(workspace: str, name: str) -> bool:
    """Delete what is kept of a server; whether anything was. Raises OSError."""
    path = _file(workspace, name)
    try:
        path.unlink()
    except FileNotFoundError:
        return False
    return True


def _answers(workspace: str) -> Iterator[ServerAnswer]:
    try:
        with os.scandir(_folder(workspace)) as entries:
            paths = sorted(entry.path for entry in entries if entry.name.endswith(".json") and entry.is_file())
    except OSError:
        return
    for path in paths[:_MOST]:
        try:
            state = os.stat(path)  # noqa: PTH116 - os.scandir gave a text
        except OSError:
            continue
        kept = _read(path, state.st_mtime_ns, state.st_size)
        if kept is not None and kept.workspace == _real(workspace):
            yield kept.answer


@lru_cache(maxsize=64)  # an app asks again for every assembly
def _read(path: str, _changed: int, size: int) -> _Kept | None:
    try:
        data = Path(path).read_bytes() if size <= _MAX_BYTES else b""
        kept = msgspec.json.decode(data, type=_Kept)
    except (OSError, ValueError, RecursionError):
        return None
    return kept if kept.schema == SCHEMA else None


def _folder(workspace: str) -> Path:
    return state_folder() / "servers" / _digest(_real(workspace))


def _file(workspace: str, name: str) -> Path:
    return _folder(workspace) / f"{_digest(name)}.json"


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def _real(workspace: str) -> str:
    return real(absolute(workspace))
