"""The folders that pictures are taken of."""

from __future__ import annotations

import fcntl
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def place(request: pytest.FixtureRequest) -> Iterator[Path]:
    """A folder that has the same name on every machine: the file's `PLACE`, or by its own name. Workers and other runs
    take turns."""
    name = getattr(request.module, "PLACE", request.path.stem.replace("test_", "promptscope-"))
    folder = Path("/tmp") / name
    with folder.with_suffix(".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        yield folder
        shutil.rmtree(folder, ignore_errors=True)
