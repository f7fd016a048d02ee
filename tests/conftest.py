"""What holds for every test."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings

# The same examples in every run, and as long as they take: a busy machine or a lucky draw decides nothing. Long random
# runs have a marker of their own (`-m fuzz`).
settings.register_profile("promptscope", deadline=None, derandomize=True, max_examples=30)
settings.load_profile("promptscope")


_NUMBERS = count()


@pytest.fixture
def tmp_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder. pytest's own looks through all those before it to number a new one."""
    path = tmp_path_factory.getbasetemp() / str(next(_NUMBERS))
    path.mkdir()
    return path


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: tests that wait for a terminal or a watcher leave theirs idle."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_finish() -> None:
    """Leave thousands of collected tests to themselves: the garbage collector took a quarter of the suite's time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


@pytest.fixture(scope="session", autouse=True)
def _no_settings_of_ones_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What a developer has set for himself decides no test."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PROMPTSCOPE_CONFIG", str(tmp_path_factory.getbasetemp() / "no-config"))
        yield
