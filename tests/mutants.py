"""Mutates the engine, one place at a time, and names the mutants that no test notices.

    uv run --group test python tests/mutants.py                                     300 places at random, seed 1
    uv run --group test python tests/mutants.py --sample 50 --seed 7 --only agents/roo
    uv run --group test python tests/mutants.py --data /tmp/found --line agents/roo/agent.py:40
    uv run --group test python tests/mutants.py --data /tmp/found --only agents/roo \\
        --tests tests/engine/agents/roo/test_window.py

Comparisons are flipped, `and` and `or` swapped, whole numbers are off by one. Each mutant meets the tests that run its
line (found out once, which takes minutes; `--data` keeps it): those near its module first, quick ones before slow ones.
A process that has collected every test forks for each mutant and puts it in place there. Where an import has run the
place and no test notices, the mutant gets a process and a copy of the engine of its own. What only a Python that a test
starts would notice is named as well. All of it happens in a copy of the repository, so go on editing. Exit status 1 if
more than 5 % survive.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path

from mutation import anew
from mutation.found import ROOT, Tests, prepare
from mutation.places import Mutant, mutants
from mutation.worker import ENGINE, Verdict, Workers

MOST_SURVIVORS = 0.05


@contextmanager
def tree_with(tests: list[Path], data: Path) -> Iterator[Path]:
    """The copy that the data belong to; with the tests of this checkout if some of them are to be met first."""
    if not tests:
        yield data / "tree"
        return
    with tempfile.TemporaryDirectory(prefix="tests-", dir=data) as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(data / "tree", tree, copy_function=os.link, ignore=shutil.ignore_patterns("tests"))
        shutil.copytree(ROOT / "tests", tree / "tests", ignore=shutil.ignore_patterns("__pycache__"))
        yield tree


def main() -> int:
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--sample", type=int, default=300)
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--only", default="", help="a part of the path below the engine")
    args.add_argument("--line", default="", help="every mutant of this line of a module below the engine: path:number")
    args.add_argument("--start", type=int, default=1, help="the number of the first mutant of the sample to try")
    args.add_argument("--seconds", type=float, default=20, help="of tests that a mutant meets; default: 20")
    args.add_argument("--tests", type=Path, nargs="+", default=[], help="test files of this checkout to be met first")
    args.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    args.add_argument("--anew", action="store_true", help="a process and a copy for every mutant: to compare")
    args.add_argument("--data", type=Path, help="keep the copy and what its tests run here, or find it here")
    given = args.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = (given.data or Path(folder) / "data").resolve()
        if not data.exists():
            print("finding out which test runs which line", file=sys.stderr, flush=True)
            prepare(data, given.jobs)
        every = [mutant for mutant in mutants(data / "tree" / ENGINE) if given.only in str(mutant.module)]
        sample = random.Random(given.seed).sample(every, min(given.sample, len(every)))
        if given.line:
            sample = [mutant for mutant in every if f"{mutant.module}:{mutant.line}" == given.line]
        print(f"{len(sample)} of {len(every)} mutants", file=sys.stderr, flush=True)
        with tree_with(given.tests, data) as tree:
            return report(sample, tree, data, given)


def report(sample: list[Mutant], tree: Path, data: Path, given: argparse.Namespace) -> int:
    """Try each mutant and name those that survive."""
    begun = time.monotonic()
    workers = Workers(tree, given.jobs)
    files = {file.resolve().relative_to(ROOT).as_posix() for file in given.tests}
    first = [name for name in workers.tests if name.partition("::")[0] in files]
    with workers.one() as worker:
        passing = worker.passing(first)
    if given.tests:
        print(
            f"{len(passing)} tests are met first, {len(first) - len(passing)} others fail", file=sys.stderr, flush=True
        )
    tests = Tests(data, passing)

    def survives(mutant: Mutant) -> tuple[bool, bool]:
        """Whether it does, and whether that took a process of its own."""
        met = tests.of(mutant, given.seconds)
        if not given.anew:
            with workers.one() as worker:
                verdict = worker.try_out(mutant, met)
            if verdict is Verdict.NOTICED:
                return False, False
            if verdict is Verdict.SURVIVED and not tests.is_imported(mutant):
                return True, False
        return anew.survives(mutant, [name for name, _ in met], tree), True

    tried = sample[given.start - 1 :]
    left = slow = 0
    with ThreadPoolExecutor(given.jobs) as pool:
        verdicts = {pool.submit(survives, mutant): at for at, mutant in enumerate(tried, given.start)}
        for done, verdict in enumerate(as_completed(verdicts), 1):
            number, (alive, alone) = verdicts[verdict], verdict.result()
            left += alive
            slow += alone
            if alive:
                mutant = sample[number - 1]
                line = (tree / ENGINE / mutant.module).read_text(encoding="utf-8").splitlines()[mutant.line - 1]
                unrun = "" if tests.is_run(mutant) else " (no test runs it)"
                print(f"{number:4} {mutant}{unrun}\n         {line.strip()}", flush=True)
            if not done % 50:
                took = time.monotonic() - begun
                print(f"{done:4} of {len(tried)} done, {took:.0f} s", file=sys.stderr, flush=True)
    took = time.monotonic() - begun
    print(f"{len(tried) - left} of {len(tried)} mutants were noticed, {left} were not")
    print(f"{took:.0f} s; {slow} took a process of their own", file=sys.stderr)
    return int(left > len(tried) * MOST_SURVIVORS)


if __name__ == "__main__":
    sys.exit(main())
