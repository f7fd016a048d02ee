"""Which tests run what, and which of them a mutant meets."""

from __future__ import annotations

import compileall
import pickle
import shutil
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import accumulate
from pathlib import Path

from mutation.places import Mutant
from mutation.probes import Probes
from mutation.worker import ENGINE, Watched, Workers

ROOT = Path(__file__).resolve().parents[2]
RECORDINGS = "tests/conformance"
BRIEF = 0.2  # seconds of a test
NEAR = 3  # folders and names in common with a module: its own tests
AT_ONCE = 50  # tests of a file that are watched in one process


def prepare(data: Path, jobs: int) -> None:
    """Copy the repository into this folder, run the engine's tests there and write down what each of them runs."""
    tree, begun = data / "tree", time.monotonic()
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(".*", "__pycache__"))
    compileall.compile_dir(tree / ENGINE, quiet=1)
    workers = Workers(tree, jobs, probes=True)
    files = defaultdict(list)
    for test in workers.tests:
        files[test.partition("::")[0]].append(test)
    parts = [part for tests in files.values() for part in batched(tests, AT_ONCE)]

    def watch(part: Sequence[str]) -> list[Watched]:
        with workers.one() as worker:
            return worker.watch(part)

    found: list[Watched] = []
    with ThreadPoolExecutor(jobs) as pool:
        for number, watched in enumerate(pool.map(watch, sorted(parts, key=len, reverse=True)), 1):
            found += watched
            if not number % 50 or number == len(parts):
                took = time.monotonic() - begun
                print(f"{number:4} of {len(parts)} groups of tests, {took:.0f} s", file=sys.stderr, flush=True)
    left_out = set(workers.tests) - {watched.test for watched in found}
    (data / "left-out").write_text("".join(f"{test}\n" for test in sorted(left_out)), encoding="utf-8")
    with workers.one() as worker:
        (data / "imported").write_bytes(worker.imported())
    with (data / "found").open("wb") as file:
        pickle.dump([tuple(watched) for watched in found], file)


def batched(tests: Sequence[str], size: int) -> list[Sequence[str]]:
    """These tests, so many at once."""
    return [tests[start : start + size] for start in range(0, len(tests), size)]


class Tests:
    """Which tests run a place, in the order in which a mutant of it meets them."""

    def __init__(self, data: Path, first: Sequence[str] = ()) -> None:
        """`first`: tests that every mutant meets before all others."""
        with (data / "found").open("rb") as file:
            found = [Watched(*watched) for watched in pickle.load(file)]
        self.seconds = {watched.test: watched.seconds for watched in found}
        self._ran = {watched.test: int.from_bytes(watched.ran, "little") for watched in found}
        self._imported = int.from_bytes((data / "imported").read_bytes(), "little")
        self._probes = Probes(data / "tree" / ENGINE)
        self._engine = data / "tree" / ENGINE
        self._first = sorted(first, key=lambda name: self.seconds.get(name, BRIEF))
        self._around = cache(self._of_folder)

    def of(self, mutant: Mutant, seconds: float) -> list[tuple[str, float]]:
        """Tests that run the place: first those near its module, then quicker ones first; what is in their files.

        Those that do not fit into `seconds` are left out: a mutant of what everything uses would meet every test.
        """
        names = self._running(mutant) or self._around(mutant.module.parent)
        near = {name: _shared(mutant.module, Path(name.partition("::")[0])) for name in self.seconds}
        # A fixture, a cache or an import may have run the line for other tests of a file, or for those of its module.
        files = {name.partition("::")[0] for name in names if not name.startswith(RECORDINGS)}
        files |= {name.partition("::")[0] for name, common in near.items() if common >= NEAR}
        beside = {name for name, took in self.seconds.items() if name.partition("::")[0] in files and took < BRIEF}

        def rank(name: str) -> tuple[int, bool, float]:
            return -near[name], name not in names, self.seconds[name]

        found = sorted(names | beside, key=rank)
        so_far = accumulate(self.seconds[name] for name in found)
        fitting = [name for name, took in zip(found, so_far, strict=True) if took <= seconds]
        return [(name, self.seconds.get(name, BRIEF)) for name in dict.fromkeys([*self._first, *fitting])]

    def is_run(self, mutant: Mutant) -> bool:
        """Whether a test, or an import, runs the place."""
        return self._running(mutant) != set() or self.is_imported(mutant)

    def is_imported(self, mutant: Mutant) -> bool:
        """Whether the place has run before any test does: what it made may be in use."""
        probe = self._probes.number(mutant.module, mutant.number)
        return probe is None or bool(self._imported >> probe & 1)

    def _running(self, mutant: Mutant) -> set[str] | None:
        probe = self._probes.number(mutant.module, mutant.number)
        return None if probe is None else {name for name, ran in self._ran.items() if ran >> probe & 1}

    def _of_folder(self, folder: Path) -> set[str]:
        """The tests of a folder's modules: lines that run during an import belong to no test, and any may notice."""
        numbers = [
            self._probes.numbers(path.relative_to(self._engine)) for path in (self._engine / folder).glob("*.py")
        ]
        mask = sum(((1 << len(n)) - 1) << n.start for n in numbers)
        return {name for name, ran in self._ran.items() if ran & mask}


@cache
def _shared(module: Path, file: Path) -> int:
    """How many folders and names a module and a test file have in common: the most for tests of the module itself."""
    return len({*module.parts, module.stem, module.parent.name} & {*file.parent.parts, file.stem.removeprefix("test_")})
