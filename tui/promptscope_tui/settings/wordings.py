"""What was learned of agents' wording on this machine: files in the state folder that only their owner may read."""

import re
from collections.abc import Iterable
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from promptscope_engine.learned.model import (
    MAX_BYTES,
    Learned,
    LearnedError,
    LearnedVersion,
    Wording,
    as_bytes,
    from_bytes,
)

from .paths import state_folder, write_whole

_ENDING = ".json"
_MAX_FILES = 200


def folder() -> Path:
    """Where the files are; it need not exist."""
    return state_folder() / "learned"


def load() -> Learned | None:
    """Everything that was learned; None if nothing was. A file that cannot be read is left out."""
    found = versions()
    return Learned(tuple(found)) if found else None


def is_any() -> bool:
    """Whether anything was learned, without a look into the files."""
    try:
        return any(path.suffix == _ENDING for path in folder().iterdir())
    except OSError:
        return False


def versions() -> list[LearnedVersion]:
    """What was learned, by agent and version."""
    try:
        paths = sorted(path for path in folder().iterdir() if path.suffix == _ENDING)[:_MAX_FILES]
    except OSError:
        return []
    found = (_read(path) for path in paths)
    return sorted((each for each in found if each), key=lambda each: (each.agent, each.agent_version))


def _read(path: Path) -> LearnedVersion | None:
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:
            return from_bytes(file.read(MAX_BYTES + 1))
    except (OSError, LearnedError):
        return None


def add(agent: str, version: str, wordings: Iterable[Wording], now: datetime) -> LearnedVersion:
    """Keep more wordings of a version, in one step. Raises OSError, and LearnedError for more than may be kept."""
    path = _path(agent, version)
    before = _read(path) or LearnedVersion(agent, version, ())
    after = before.with_more(wordings, now.astimezone().isoformat(timespec="seconds"))
    data = as_bytes(after)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_whole(path, data, durable=True)
    return after


def keep(later: LearnedVersion) -> LearnedVersion:
    """Keep what runs taught, with what is known of that version, in one step. Raises OSError, and LearnedError."""
    path = _path(later.agent, later.agent_version)
    before = _read(path)
    after = before.merged(later) if before else later
    data = as_bytes(after)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_whole(path, data, durable=True)
    return after


def size(version: LearnedVersion) -> int:
    """The bytes that it takes on the disk."""
    try:
        return _path(version.agent, version.agent_version).stat().st_size
    except OSError:
        return 0


def forget(agent: str, version: str | None = None) -> list[LearnedVersion]:
    """Delete what was learned of an agent, or of one version; what is gone. Raises OSError."""
    gone = [each for each in versions() if each.agent == agent and version in (None, each.agent_version)]
    for each in gone:
        _path(each.agent, each.agent_version).unlink(missing_ok=True)
    return gone


def _path(agent: str, version: str) -> Path:
    """A name that is safe whatever an agent calls its version; others of the same safe name have a digest."""
    name = f"{agent}-{version}"
    safe = re.sub(r"[^A-Za-z0-9.-]+", "_", name)[:80]
    if safe != name or safe.startswith("."):
        safe = f"v{safe}-{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"
    return folder() / f"{safe}{_ENDING}"
