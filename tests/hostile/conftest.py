"""What every hostile run has: empty folders, and an end."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.limit import limited

SECONDS = 60
"""A hang is endless; the slowest of these takes a few seconds on a busy machine."""


@pytest.fixture(autouse=True)
def in_time() -> Iterator[None]:
    """Whatever hangs fails."""
    with limited(SECONDS):
        yield


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
