"""The folder that pictures are taken of."""

from __future__ import annotations

import fcntl
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

PLACE = Path("/tmp/promptscope-shop")


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder for the shop that has the same name on every machine; workers and other runs take turns."""
    with PLACE.with_suffix(".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        shutil.rmtree(PLACE, ignore_errors=True)
        PLACE.mkdir()
        yield PLACE
        shutil.rmtree(PLACE, ignore_errors=True)
