"""What holds for every test."""

from __future__ import annotations

import gc
import ntpath
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from functools import lru_cache
from itertools import count, groupby
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import settings

from promptscope_engine.tokens import encodings
from promptscope_engine.workspace import paths

# The same examples in every run, and as long as they take: a busy machine or a lucky draw decides nothing. Long random
# runs have a marker of their own (`-m fuzz`).
settings.register_profile("promptscope", deadline=None, derandomize=True, max_examples=30)
settings.load_profile("promptscope")

OPT_IN = ("browser", "agents", "mcp", "package", "pre-commit")
"""Markers of tests that need what most machines lack: left out unless -m names them."""

TESTS = Path(__file__).resolve().parent
_NUMBERS = count()
_FAILED = pytest.StashKey[bool]()
_IN_MEMORY = Path("/dev/shm")
_ROOM = 2**30  # bytes that have to be free there: far more than the tests need


def _is_fit(folder: Path) -> bool:
    """Whether tests can write there, run what they wrote, and have room."""
    if sys.platform != "linux" or not os.access(folder, os.W_OK):
        return False
    system = os.statvfs(folder)
    return system.f_bavail * system.f_frsize > _ROOM and not system.f_flag & os.ST_NOEXEC


if "TMPDIR" not in os.environ and _is_fit(_IN_MEMORY):  # a tenth of the suite's time went into folders on a disk
    os.environ["TMPDIR"] = tempfile.tempdir = str(_IN_MEMORY)


@pytest.fixture
def tmp_path(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Path]:
    """An empty folder, which is left only by a test that fails.

    pytest numbers a new one by looking through all before it, and deletes thousands when the last test is done.
    """
    path = tmp_path_factory.getbasetemp() / str(next(_NUMBERS))
    path.mkdir()
    yield path
    if _FAILED not in request.node.stash:
        shutil.rmtree(path, ignore_errors=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note which tests fail, for what their fixtures leave."""
    report = yield
    if report.failed:
        item.stash[_FAILED] = True
    return report


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One more than there are cores: tests that wait for a terminal or a watcher leave theirs idle. None is quick."""
    return (os.cpu_count() or 1) + (not _is_quick(config))


def pytest_configure(config: pytest.Config) -> None:
    """Let each worker begin to collect elsewhere: in a new clone all of them would compile the same files at once."""
    worker = getattr(config, "workerinput", None)
    if worker is None or [Path(arg).resolve() for arg in config.args] != [TESTS]:
        return
    files = sorted(map(str, TESTS.rglob("test_*.py")))
    first = int(worker["workerid"].removeprefix("gw")) * len(files) // worker["workercount"]
    config.args[:] = [*files[first:], *files[:first]]


def _is_quick(config: pytest.Config) -> bool:
    """Whether the quick set is asked for."""
    return config.option.markexpr == "not slow"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not import a file of slow tests for the quick set: to collect took longer than to run it."""
    if not _is_quick(config) or not collection_path.name.startswith("test_"):
        return None
    return _ALL_SLOW.search(collection_path.read_text(encoding="utf-8")) is not None or None


_ALL_SLOW = re.compile(r"^pytestmark = (\[\s*)?pytest\.mark\.slow", re.MULTILINE)

SAMPLE = 4
"""The quick set has every fourth case of a table."""


def _sample(items: list[pytest.Item]) -> None:
    """Mark the other cases of each table as slow, which the quick set leaves out."""
    for _, cases in groupby(items, key=lambda item: item.nodeid.partition("[")[0]):
        for number, case in enumerate(cases):
            if number % SAMPLE:
                case.add_marker("slow")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give all workers the same order, and leave out what nobody asked for."""
    items.sort(key=lambda item: item.path)
    if _is_quick(config):
        _sample(items)
    unasked = {name for name in OPT_IN if name not in config.option.markexpr}
    left_out = {item for item in items if any(mark.name in unasked for mark in item.iter_markers())}
    if left_out:
        config.hook.pytest_deselected(items=[item for item in items if item in left_out])
        items[:] = [item for item in items if item not in left_out]


def pytest_collection() -> None:
    """Thousands of tests are made, and all of them stay: the collector would walk them for nothing."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Leave thousands of collected tests to themselves: the garbage collector took a quarter of the suite's time."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(1_000_000, 20, 50)


def pytest_sessionfinish() -> None:
    """pytest collects garbage ten times at the very end, in search of what was never closed: of what is left now."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _no_settings_of_ones_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What a developer has set for himself decides no test, nor what was recorded and learned."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PROMPTSCOPE_CONFIG", str(tmp_path_factory.getbasetemp() / "no-config"))
        patched.setenv("PROMPTSCOPE_STATE", str(tmp_path_factory.getbasetemp() / "no-state"))
        patched.setenv("TERM", "xterm-256color")  # with fewer colours the app takes the terminal's own
        yield


@pytest.fixture(scope="session", autouse=True)
def _texts_are_encoded_once() -> Iterator[None]:
    """Hundreds of tests and apps have a counter of their own, which is empty: each would encode the same prompt."""
    encode = encodings.count_tokens
    kept = lru_cache(5_000)(encode)

    def counted(name: encodings.EncodingName, text: str) -> int:
        return (kept if len(text) < _LONG else encode)(name, text)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(encodings, "count_tokens", counted)
        yield


_LONG = 50_000
"""Characters of a text that is not worth keeping."""


@pytest.fixture
def drives(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder whose `C` and `D` are the drives of a pretended Windows, which takes no path but its own."""

    def at(path: str) -> Path:
        assert re.match(r"[A-Z]:\\|\\\\", path), path
        assert "/" not in path
        return tmp_path / path.replace(":", "").replace("\\", "/").lstrip("/")

    def there(call: Callable[..., object]) -> Callable[..., object]:
        return lambda path, *how: call(at(path), *how)

    calls = {name: there(getattr(os, name)) for name in ("lstat", "stat", "open", "scandir")}
    others = {name: getattr(os, name) for name in ("read", "close", "fstat", "readlink", "stat_result", "O_RDONLY")}
    pretended = SimpleNamespace(**others, **calls)
    monkeypatch.setattr(paths, "SYSTEM", ntpath)
    monkeypatch.setattr("promptscope_engine.workspace.disk.os", pretended)
    return tmp_path
