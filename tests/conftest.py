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


OPT_IN = ("browser", "agents", "mcp", "pre-commit")
"""Markers of tests that need what most machines lack: left out unless -m names them."""

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


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what nobody asked for."""
    unasked = [name for name in OPT_IN if name not in config.option.markexpr]
    left_out = [item for item in items if any(map(item.get_closest_marker, unasked))]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def pytest_collection() -> None:
    """Thousands of tests are made, and all of them stay: the collector would walk them for nothing."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Leave thousands of collected tests to themselves: the garbage collector took a quarter of the suite's time."""
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 20, 50)


@pytest.fixture(scope="session", autouse=True)
def _no_settings_of_ones_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What a developer has set for himself decides no test, nor what was recorded and learned."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PROMPTSCOPE_CONFIG", str(tmp_path_factory.getbasetemp() / "no-config"))
        patched.setenv("PROMPTSCOPE_STATE", str(tmp_path_factory.getbasetemp() / "no-state"))
        yield
