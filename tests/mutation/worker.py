"""A process that has collected every test once, and forks for each mutant: what starts again is only the tests."""

from __future__ import annotations

import builtins
import math
import multiprocessing
import os
import pickle
import resource
import select
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from enum import Enum, auto
from functools import cached_property
from importlib import import_module
from itertools import pairwise
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple, NoReturn, cast

import pytest
from hypothesis import Phase, settings

from mutation.live import Live
from mutation.places import Mutant, modules
from mutation.probes import SEEN, Finder

ENGINE = Path("engine/promptscope_engine")
TESTS = ("tests/engine", "tests/conformance", "tests/oracle")
MEMORY = 4 << 30  # bytes of address space
LONGEST = 10.0  # processor seconds of a test; what takes longer without a mutant is left out
SLOWER = 10  # than without a mutant: hangs
WAIT = 600.0  # seconds of a test that does not work, but waits
_PASSED, _FAILED = 0, 1  # exit statuses
_NOWHERE = -1  # number of a test: none was begun


class Verdict(Enum):
    """What came of a mutant."""

    NOTICED = auto()
    SURVIVED = auto()
    ELSEWHERE = auto()  # it cannot be put in place in a process that has imported the engine


class Watched(NamedTuple):
    """What was seen of a test without a mutant."""

    test: str
    seconds: float
    ran: bytes  # a bit for each number of a probe


class Worker:
    """The other end of a process that has collected the tests of this folder."""

    def __init__(self, tree: Path, log: Path, *, probes: bool) -> None:
        """`probes`: what tests run can be watched."""
        context = multiprocessing.get_context("spawn")
        self._log = log
        self._connection, far = context.Pipe()
        context.Process(target=_work, args=(far, tree, log, probes), daemon=True).start()
        far.close()

    @cached_property
    def tests(self) -> list[str]:
        """What was collected."""
        return cast("list[str]", self._answer())

    def try_out(self, mutant: Mutant, tests: Sequence[tuple[str, float]]) -> Verdict:
        """Whether one of these tests, which take so many seconds, notices the mutant."""
        return cast(Verdict, self._ask("_verdict", tests, mutant))

    def passing(self, tests: Sequence[str]) -> list[str]:
        """Those that pass without a mutant."""
        return cast("list[str]", self._ask("_passing", [(test, 0.0) for test in tests]))

    def watch(self, tests: Sequence[str]) -> list[Watched]:
        """What these tests run, without those that fail or take too long."""
        return cast("list[Watched]", self._ask("_watch", [(test, 0.0) for test in tests]))

    def imported(self) -> bytes:
        """What ran before any test did, as of a watched test."""
        return cast(bytes, self._ask("_imported", []))

    def _ask(self, what: str, tests: Sequence[tuple[str, float]], *more: object) -> object:
        assert self.tests  # what comes first
        self._connection.send((what, tests, more))
        return self._answer()

    def _answer(self) -> object:
        try:
            return self._connection.recv()
        except EOFError:
            raise RuntimeError(f"a process that runs tests has ended: see {self._log}") from None


class Workers:
    """As many of them as are to work at once."""

    def __init__(self, tree: Path, jobs: int, *, probes: bool = False) -> None:
        every = [Worker(tree, tree.parent / f"worker-{number}.log", probes=probes) for number in range(jobs)]
        self._idle: SimpleQueue[Worker] = SimpleQueue()
        self.tests = every[0].tests
        for worker in every:
            self._idle.put(worker)

    @contextmanager
    def one(self) -> Iterator[Worker]:
        """One that has nothing to do."""
        worker = self._idle.get()
        try:
            yield worker
        finally:
            self._idle.put(worker)


def _work(connection: Connection, tree: Path, log: Path, probes: bool) -> None:
    os.chdir(tree)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(out, 1)
    os.dup2(out, 2)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # each start would take seconds longer
    sys.dont_write_bytecode = False
    os.environ["PYTHONPATH"] = str((tree / ENGINE).parent)
    sys.path[:0] = [str((tree / ENGINE).parent), str(tree)]
    seen: set[int] = set()
    if probes:
        setattr(builtins, SEEN, seen.add)
        sys.meta_path.insert(0, Finder(tree / ENGINE))
    # Nobody reads why a test failed; and forked processes must not share a file in which output is captured.
    pytest.main(["-n0", "--assert=plain", "--tb=no", "--capture=no", *TESTS], plugins=[_Plugin(connection, tree, seen)])


def _spent() -> float:
    """Processor seconds of this process and of those that it waited for: a busy machine does not change them."""
    return time.process_time() + sum(os.times()[2:4])


def _bits(seen: set[int]) -> bytes:
    ran = bytearray(max(seen, default=0) // 8 + 1)
    for probe in seen:
        ran[probe // 8] |= 1 << probe % 8
    return bytes(ran)


class _Test(NamedTuple):
    item: pytest.Item
    seconds: float

    @property
    def name(self) -> str:
        return self.item.nodeid


class _Plugin:
    """Takes over when everything is collected."""

    def __init__(self, connection: Connection, tree: Path, seen: set[int]) -> None:
        """`seen`: numbers of probes."""
        self._connection, self._tree, self._engine, self._seen = connection, tree, tree / ENGINE, seen
        self._passes: dict[str, bool] = {}  # whether a test that failed in a fork does so without a mutant, too
        self._forked = False
        self._seconds = 0.0

    def pytest_sessionstart(self) -> None:
        """Let Hypothesis stop at the first example that fails."""
        phases = (Phase.explicit, Phase.generate)
        settings.register_profile("mutants", parent=settings.default, phases=phases, database=None)
        settings.load_profile("mutants")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Do what is asked for until nobody asks."""
        if session.testsfailed:
            return True  # and the other side finds the connection closed
        for module in modules(self._engine):
            import_module(".".join((self._engine.name, *module.with_suffix("").parts)).removesuffix(".__init__"))
        self._live = Live(self._engine, self._tree)
        items = {item.nodeid: item for item in session.items}
        self._connection.send(list(items))
        with suppress(EOFError):
            while True:
                what, tests, more = self._connection.recv()
                known = [_Test(items[name], seconds) for name, seconds in tests if name in items]
                self._connection.send(getattr(self, what)(known, *more))
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Leave at the first failure."""
        if self._forked and report.failed:
            os._exit(_FAILED)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Generator[None, None, None]:
        """Measure what the test itself takes."""
        begun = _spent()
        try:
            return (yield)
        finally:
            self._seconds = _spent() - begun

    def _verdict(self, tests: Sequence[_Test], mutant: Mutant) -> Verdict:
        tests = [test for test in tests if self._passes.get(test.name, True)]
        while True:
            stopped = self._fork(tests, mutant)
            if stopped is None:
                return Verdict.SURVIVED
            if stopped == _NOWHERE:
                return Verdict.ELSEWHERE
            if self._passing([tests[stopped]]):
                return Verdict.NOTICED
            tests = tests[stopped + 1 :]

    def _passing(self, tests: Sequence[_Test]) -> list[str]:
        for test in tests:
            if test.name not in self._passes:
                self._passes[test.name] = self._fork([test]) is None
        return [test.name for test in tests if self._passes[test.name]]

    def _imported(self, _: Sequence[_Test]) -> bytes:
        return _bits(self._seen)

    def _watch(self, tests: Sequence[_Test]) -> list[Watched]:
        found = []
        with tempfile.TemporaryFile() as file:
            while tests:
                stopped = self._fork(tests, watched=file.fileno())
                if stopped == _NOWHERE:
                    raise RuntimeError("a forked process did not begin any test")
                tests = [] if stopped is None else tests[stopped + 1 :]
            end = file.tell()
            file.seek(0)
            while file.tell() < end:
                found.append(pickle.load(file))
        return found

    def _fork(self, tests: Sequence[_Test], mutant: Mutant | None = None, watched: int | None = None) -> int | None:
        """The number of the test that failed or hung in a forked process; _NOWHERE if the mutant is not in place."""
        far, near = os.pipe()
        folder = tempfile.mkdtemp(prefix="mutant-")
        child = os.fork()
        if not child:
            try:
                os.setsid()
                os.close(far)  # or it would not notice that the other end is gone
                self._run(tests, mutant, folder, near, watched)
            finally:
                os._exit(_FAILED)
        os.close(near)
        begun = _NOWHERE
        while select.select([far], [], [], WAIT)[0] and (number := os.read(far, 4)):
            begun = int.from_bytes(number, "little")
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        os.close(far)
        shutil.rmtree(folder, ignore_errors=True)
        return None if status == _PASSED else begun

    def _run(
        self, tests: Sequence[_Test], mutant: Mutant | None, folder: str, near: int, watched: int | None
    ) -> NoReturn:
        self._forked = True
        os.environ["PYTEST_DEBUG_TEMPROOT"] = os.environ["TMPDIR"] = tempfile.tempdir = folder
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        if mutant and not self._live.put(mutant.module, mutant.of((self._engine / mutant.module).read_text("utf-8"))):
            os._exit(_FAILED)
        self._live.forget()
        for number, (test, following) in enumerate(pairwise([*tests, None])):
            assert test is not None
            os.write(near, number.to_bytes(4, "little"))
            limit = time.process_time() + LONGEST + SLOWER * test.seconds
            resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(limit), resource.RLIM_INFINITY))
            self._seen.clear()
            test.item.config.hook.pytest_runtest_protocol(item=test.item, nextitem=following and following.item)
            if watched is not None:
                os.write(watched, pickle.dumps(Watched(test.name, self._seconds, _bits(self._seen))))
        os._exit(_PASSED)
