"""What every hostile run has: empty folders, and an end."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest

SECONDS = 60
"""A hang is endless; the slowest of these takes a few seconds on a busy machine."""


class Hang(BaseException):
    """Not an Exception: nothing that is tested may swallow it."""


@pytest.fixture(autouse=True)
def limited() -> Iterator[None]:
    """Whatever hangs fails."""

    def stop(signum: int, frame: FrameType | None) -> None:  # noqa: ARG001 - a handler's shape
        raise Hang(f"not done after {SECONDS} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def unlimited() -> None:
    """For a run that is meant to take long."""
    signal.alarm(0)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with an empty workspace, home and folder of managed files."""
    for folder in ("workspace", "home", "managed"):
        (tmp_path / folder).mkdir()
    return tmp_path
