"""Files that change between two looks at them: they vanish, shrink, grow, become something else."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from promptscope_engine.workspace.disk import Entry, RealDisk

from .runs import AGENTS, TARGETS, hold, put, scenario

pytestmark = pytest.mark.slow


class Vanishing(RealDisk):
    """Everything is there to the eye and gone to the hand."""

    def read(self, path: str, limit: int) -> bytes:  # noqa: ARG002
        raise FileNotFoundError(errno.ENOENT, "gone", path)


class Forbidding(RealDisk):
    def read(self, path: str, limit: int) -> bytes:  # noqa: ARG002
        raise PermissionError(errno.EACCES, "denied", path)

    def scan(self, path: str) -> list[Entry]:
        raise PermissionError(errno.EACCES, "denied", path)


class Shrinking(RealDisk):
    def read(self, path: str, limit: int) -> bytes:
        return super().read(path, limit)[:3]


class Growing(RealDisk):
    def read(self, path: str, limit: int) -> bytes:
        return (super().read(path, limit) * 50_000)[: min(limit, 200_000)]

    def chunks(self, path: str, size: int) -> Iterator[bytes]:
        for _ in range(3):
            yield from super().chunks(path, size)


class Lying(RealDisk):
    """The listing says that files are folders, and folders files."""

    def scan(self, path: str) -> list[Entry]:
        swapped = {"file": "directory", "directory": "file"}
        return [Entry(e.name, swapped.get(e.kind, e.kind)) for e in super().scan(path)]  # type: ignore[arg-type]


class Failing(RealDisk):
    """A network drive that is cut off."""

    def _cut_off(self, path: str) -> OSError:
        return OSError(errno.EIO, os.strerror(errno.EIO), path)

    def read(self, path: str, limit: int) -> bytes:  # noqa: ARG002
        raise self._cut_off(path)

    def scan(self, path: str) -> list[Entry]:
        raise self._cut_off(path)

    def readlink(self, path: str) -> str:
        raise self._cut_off(path)

    def realpath(self, path: str) -> str:
        raise self._cut_off(path)


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("disk", [Vanishing, Forbidding, Shrinking, Growing, Lying, Failing])
def test_between_two_looks(place: Path, agent: str, disk: type[RealDisk]) -> None:
    for name in TARGETS[agent]:
        put(place, name, "---\nname: a\ndescription: d\n---\nText of it.\n")
    put(place, ".roo/rules/sub/b.md", "More.")
    put(place, ".claude/rules/sub/b.md", "More.")
    hold(scenario(agent, place), disk(), twice=True)
