"""Which paths differ on the disk from what was seen: content, not times."""

from __future__ import annotations

from hashlib import sha256

from .reader import FileText, Reader, Seen


def differing(seen: Seen, now: Reader) -> frozenset[str]:
    """The paths of which a reader that has seen nothing sees something else than was seen."""
    return frozenset(path for path in seen.paths if _differs(path, seen, now))


def _differs(path: str, seen: Seen, now: Reader) -> bool:
    for follow in (True, False):
        if (path, follow) in seen.kinds and seen.kinds[path, follow] != now.kind(path, follow=follow):
            return True
    if path in seen.links and seen.links[path] != now.readlink(path):
        return True
    if path in seen.listings and seen.listings[path] != now.list(path):
        return True
    return path in seen.files and _is_other_file(seen.files[path], now.read(path))


def _is_other_file(before: FileText, now: FileText) -> bool:
    if before.problem == "too-large":  # only its size counts: whether there is room depends on the other files
        return (before.real_path, before.size) != (now.real_path, now.size)
    return _signature(before) != _signature(now)


def _signature(file: FileText) -> tuple[object, ...]:
    return file.problem, file.real_path, file.size, sha256(file.data).digest()
