"""What was learned of agents' wording on this machine: a folder for each version that only its owner may read."""

import os
import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, suppress
from datetime import datetime
from functools import partial
from hashlib import sha256
from pathlib import Path

from msgspec import MsgspecError, Struct, msgpack
from msgspec.structs import replace

from promptscope_engine.learned import Flaw, Learned, LearnedError, LearnedVersion
from promptscope_engine.learning.folder import (
    FOLDERS,
    HEAD,
    HEAD_BEFORE,
    MAX_BYTES,
    files_of,
    head_before,
    head_file,
    head_of,
    version_in,
    version_of,
)

from .paths import locked, state_folder, write_whole

_BEFORE = ".json"
"""How files end that hold a version of a promptscope before this one."""
_MOST = 200
"""Versions that are looked at."""
_PARSED = ".parsed"
"""The file of a version's folder that has its other files as one value: to read those costs ten times as much."""
_PARSED_HEAD = ".head"
"""The same of its head alone: a start reads one of each version."""
_FORM = 1
"""Rises when the same files are read as another value."""
_UNUSABLE = (OSError, MsgspecError, ValueError, OverflowError, RecursionError)
"""What reading or writing it raises: it may hold anything but numbers of more than 64 bits and half surrogate pairs."""

_Stamp = tuple[tuple[str, int, int], ...]
"""Files by their names, with their bytes and times."""


class _Parsed(Struct, frozen=True, array_like=True):
    """A version as it was read from files that were as `stamp` says."""

    form: int
    stamp: _Stamp
    version: LearnedVersion


def folder() -> Path:
    """Where they are; it need not exist."""
    return state_folder() / "learned"


def load() -> Learned | None:
    """Everything that was learned, each version to be read when it is asked for; None if nothing was."""
    found = versions()
    return Learned(found, lambda head: _read(head.agent, head.agent_version) or head) if found else None


def is_any() -> bool:
    """Whether anything was learned, without a look into the files."""
    return bool(_names())


def versions() -> list[LearnedVersion]:
    """What was learned, by agent and version, without the texts."""
    for name in _names():
        if name.endswith(_BEFORE):
            _carry_over(folder() / name)
        elif _head_file(folder() / name).name == HEAD_BEFORE:
            _carry_over_head(folder() / name)
    heads = ((folder() / name, _head(folder() / name)) for name in _names() if not name.endswith(_BEFORE))
    # a copy under another name is none of them
    found = [head for place, head in heads if head and place == _place(head.agent, head.agent_version)]
    return sorted(found, key=lambda each: (each.agent, each.agent_version))


def _names() -> list[str]:
    """The names of the versions' folders, and of files from before there were such."""
    try:
        names = sorted(path.name for path in folder().iterdir())
    except OSError:
        return []
    return [name for name in names if name[0] != "." or (name[-1] == "~" and name[1:-1] not in names)][:_MOST]


def _carry_over(file: Path) -> None:
    """Keep what a file of an earlier promptscope holds as a folder; where that fails it stays, and is not used."""
    with suppress(OSError, LearnedError), _one_writer():
        if file.is_file():
            _keep(version_in(_bytes(file)))
            file.unlink()


def _carry_over_head(place: Path) -> None:
    """Write the head of an earlier promptscope as this one does; where that fails it stays, and is used."""
    with suppress(OSError, LearnedError), _one_writer():
        before = place / HEAD_BEFORE
        if before.is_file() and not (place / HEAD).exists():
            write_whole(place / HEAD, head_file(head_before(_bytes(before))), durable=True)
            before.unlink()


def _head_file(place: Path) -> Path:
    """The head of a version's folder, of whichever promptscope."""
    before = place / HEAD_BEFORE
    return before if before.is_file() and not (place / HEAD).exists() else place / HEAD


def _head(place: Path) -> LearnedVersion | None:
    """What a folder is a version of; where that cannot be read, as its name says it."""
    head = _head_file(place)
    stamp = _stamp(place, (head.name,))
    if parsed := _parsed(place / _PARSED_HEAD, stamp):
        return parsed
    try:
        data = _bytes(head) if head.is_file() else b""  # a pipe would be waited for
        found = (head_before if head.name == HEAD_BEFORE else head_of)(data)
    except (OSError, LearnedError) as error:
        agent, at, version = place.name.removeprefix(".").removesuffix("~").partition("@")
        is_version = at and "~" not in version and place.is_dir()
        line = error.line if isinstance(error, LearnedError) else 1
        return LearnedVersion(agent, version, flaws=(Flaw(str(head), line, str(error)),)) if is_version else None
    _note(place / _PARSED_HEAD, stamp, found)
    return found


def _read(agent: str, version: str) -> LearnedVersion | None:
    """The whole of a version; read again where a writer put another folder in its place meanwhile."""
    place = _place(agent, version)
    before, stamp = _identity(place), _stamp(place, (_head_file(place).name, *_files(place)))
    if parsed := _parsed(place / _PARSED, stamp):
        return parsed
    head = _head(place)
    if head is None:
        return None
    found = version_of(head, {name: partial(_bytes, place / name) for name in _files(place)})
    if _identity(_place(agent, version)) != before:
        return _read(agent, version)
    if found.flaws:
        return replace(found, flaws=tuple(replace(each, path=str(place / each.path)) for each in found.flaws))
    _note(place / _PARSED, stamp, found)
    return found


def _note(file: Path, stamp: _Stamp, found: LearnedVersion) -> None:
    """Keep a version as it was read, unless its files were not there: it only saves time."""
    with suppress(*_UNUSABLE):
        if stamp:
            write_whole(file, msgpack.encode(_Parsed(_FORM, stamp, found)), durable=False)


def _parsed(file: Path, stamp: _Stamp) -> LearnedVersion | None:
    """A version as it was read before, if its files are the same."""
    try:
        found = msgpack.decode(_bytes(file), type=_Parsed)
    except _UNUSABLE:
        return None
    return found.version if stamp and (found.form, found.stamp) == (_FORM, stamp) else None


def _stamp(place: Path, names: Iterable[str]) -> _Stamp:
    """Files of a version as they are now, without a look into them; none if one is not there."""
    with suppress(OSError):
        seen = ((name, (place / name).stat()) for name in names)
        return tuple((name, each.st_size, each.st_mtime_ns) for name, each in seen)
    return ()


def _identity(place: Path) -> int | None:
    try:
        return place.stat().st_ino
    except OSError:
        return None


def _files(place: Path) -> Iterator[str]:
    """The files of a version by their paths in its folder, but for its head."""
    for inside in FOLDERS:
        with suppress(OSError), os.scandir(place / inside) as entries:
            yield from sorted(f"{inside}/{entry.name}" for entry in entries if entry.is_file() and entry.name[0] != ".")


def _bytes(file: Path) -> bytes:
    """What is in a file, and a byte more than there may be of what is too large. Raises OSError."""
    with file.open("rb", buffering=0) as opened:  # to make room for the most would take longer than to read
        return opened.read(min(os.fstat(opened.fileno()).st_size, MAX_BYTES) + 1)


def keep(later: LearnedVersion) -> LearnedVersion:
    """Keep what was learned, by now if it doesn't say when, with what is known of that version, in one step.

    Raises OSError, and LearnedError for more than may be kept.
    """
    if not later.learned:
        later = replace(later, learned=datetime.now().astimezone().isoformat(timespec="seconds"))
    later = replace(later, agent_version=later.agent_version.encode(errors="replace").decode())  # half a surrogate pair
    with _one_writer():
        return _keep(later)


def _keep(later: LearnedVersion) -> LearnedVersion:
    before = _read(later.agent, later.agent_version)
    after = before.merged(later) if before else later
    _write(_path(later.agent, later.agent_version), files_of(after))
    return after


def _one_writer() -> AbstractContextManager[bool]:
    """Nobody else writes meanwhile. Raises OSError."""
    folder().mkdir(parents=True, exist_ok=True, mode=0o700)
    return locked(folder())


def _write(target: Path, files: dict[str, bytes]) -> None:
    """Write a new folder, which then takes the place of the one before; that stays where anything fails."""
    new, before = target.with_name(".new"), _aside(target)
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(mode=0o700)
    try:
        for name, data in files.items():
            (new / name).parent.mkdir(exist_ok=True, mode=0o700)
            write_whole(new / name, data, durable=True)
        if target.exists():
            shutil.rmtree(before, ignore_errors=True)
            target.rename(before)
        new.rename(target)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise
    shutil.rmtree(before, ignore_errors=True)


def size(version: LearnedVersion) -> int:
    """The bytes that its files have."""
    place = _place(version.agent, version.agent_version)
    with suppress(OSError):
        files = [place / name for name in (HEAD, _PARSED, *_files(place))]
        return sum(file.stat().st_size for file in files if file.exists())
    return 0


def place_of(agent: str, version: str, part: str, variant: str | None) -> tuple[Path, int] | None:
    """The file and the line of a learned text: that of a `variant` of a part, or the one of a part that is new."""
    place = _place(agent, version)
    own = part.replace(".", "/", 1) if part.startswith("tools.") else f"sections/{part}"
    sign = '"number": ' if variant is None else f'"variant": "{variant}"'
    for name in sorted(_files(place), key=lambda name: name.rpartition(".")[0] != own):  # others have it in its lines
        with suppress(OSError):
            before, found, _ = _bytes(place / name).decode("utf-8", "replace").partition(sign)
            if found and (variant or name.startswith(own)):
                return place / name, 1 + before.count("\n") + name.endswith(".md")  # a text is under what is said of it
    return None


def forget(gone: Iterable[LearnedVersion]) -> None:
    """Delete versions. Raises OSError."""
    for each in gone:
        place = _place(each.agent, each.agent_version)
        last = place.with_name(".forgotten")  # no reader finds half of it
        shutil.rmtree(last, ignore_errors=True)
        place.rename(last)
        shutil.rmtree(last)


def _place(agent: str, version: str) -> Path:
    """Where a version is now: aside, where a writer was interrupted between two renames."""
    path = _path(agent, version)
    return path if path.exists() else _aside(path)


def _aside(path: Path) -> Path:
    return path.with_name(f".{path.name}~")


def _path(agent: str, version: str) -> Path:
    """A name that is safe whatever an agent calls its version; others of the same safe name have a digest."""
    name = f"{agent}@{version}"
    safe = re.sub(r"[^A-Za-z0-9.@-]+", "_", name)[:80]
    if safe != name or safe.startswith("."):
        safe = f"v{safe}~{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"
    return folder() / safe
