"""The folders that pictures are taken of."""

from __future__ import annotations

import fcntl
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def place(request: pytest.FixtureRequest) -> Iterator[Path]:
    """A folder of the test's file that has the same name on every machine; workers and other runs take turns."""
    folder = Path("/tmp") / request.path.stem.replace("test_", "promptscope-")
    with folder.with_suffix(".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        yield folder
        shutil.rmtree(folder, ignore_errors=True)
