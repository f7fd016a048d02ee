"""Mutates the engine, one place at a time, and names the mutants that no test notices.

    uv run --with coverage python tests/mutants.py                300 places at random, seed 1
    uv run --with coverage python tests/mutants.py --sample 50 --seed 7 --only agents/roo
    uv run --with coverage python tests/mutants.py --data /tmp/found --line agents/roo/window.py:40

Comparisons are flipped, `and` and `or` swapped, whole numbers are off by one. In a copy of the engine each mutant meets
the tests that run its line (found out with coverage, which takes minutes): quick ones first, then recordings, then slow
ones. All of it happens in a copy of the repository, so go on editing. Exit status 1 if more than 5 % survive.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path

import coverage
import pytest

ROOT = Path(__file__).resolve().parents[1]
ENGINE = Path("engine/promptscope_engine")
UNIT_TESTS = Path("tests/engine")
RECORDINGS = "tests/conformance"
RESULTS = "PROMPTSCOPE_TEST_RESULTS"
BRIEF = 0.2  # seconds of a test
NEAR = 3  # folders and names in common with a module: its own tests
WRONG_ARGUMENTS = 4  # pytest's exit status
MOST_SURVIVORS = 0.05
TIME_OUT = 1200  # seconds for the tests of one mutant; one that hangs is noticed
ENDLESS = ("-o", "faulthandler_timeout=90", "-o", "faulthandler_exit_on_timeout=true")  # and one that hangs in a test
FLIPPED: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """One change of one line. `number` counts the places of its module in the order of `ast.walk`."""

    module: Path  # below the engine
    line: int
    number: int
    what: str

    def __str__(self) -> str:
        return f"{self.module}:{self.line}: {self.what}"


def places(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """The nodes that can be mutated, each with what the mutation does. Numbers in annotations do not count."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare(ops=[op]) if type(op) in FLIPPED:
                yield node, f"{type(op).__name__} becomes {FLIPPED[type(op)].__name__}"
            case ast.BoolOp(op=op):
                yield node, "and becomes or" if isinstance(op, ast.And) else "or becomes and"
            case ast.Constant(value=int(value)) if not isinstance(value, bool):
                yield node, f"{value} becomes {value + 1}"


def mutants(engine: Path) -> list[Mutant]:
    """Every mutant of every module."""
    return [
        Mutant(path.relative_to(engine), getattr(node, "lineno", 1), number, what)
        for path in sorted(engine.rglob("*.py"))
        for number, (node, what) in enumerate(places(ast.parse(path.read_text(encoding="utf-8"))))
    ]


def mutated(code: str, mutant: Mutant) -> str:
    """The module's code with the one change."""
    tree = ast.parse(code)
    node = next(node for n, (node, _) in enumerate(places(tree)) if n == mutant.number)
    match node:
        case ast.Compare(ops=[op]):
            node.ops = [FLIPPED[type(op)]()]
        case ast.BoolOp(op=op):
            node.op = ast.Or() if isinstance(op, ast.And) else ast.And()
        case ast.Constant(value=int(value)):
            node.value = value + 1
    return ast.unparse(tree)


def pytest_runtest_protocol(item: pytest.Item) -> None:
    """Note which test is running. This file is a plug-in of the run that coverage looks at."""
    if running := coverage.Coverage.current():
        running.switch_context(item.nodeid)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Write down how long a test takes, and whether it fails without any mutant: then it would notice every one."""
    if (report.when == "call" or report.failed) and RESULTS in os.environ:
        with Path(os.environ[RESULTS]).open("a", encoding="utf-8") as file:
            file.write(f"{report.outcome} {report.duration:.3f} {report.nodeid}\n")


def environment(engine: Path) -> dict[str, str]:
    """In which tests import this copy of the engine."""
    paths = [str(engine.parent), str(Path(__file__).parent)]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": ""}  # it costs seconds


def prepare(data: Path) -> None:
    """Copy the repository into this folder, run every test of the engine there and write down which lines it runs."""
    shutil.copytree(ROOT, data / "tree", ignore=shutil.ignore_patterns(".*", "__pycache__"))
    engine = data / "tree" / ENGINE
    compileall.compile_dir(engine, quiet=1)
    settings = data / "coverage.ini"
    settings.write_text(f"[run]\nsource = {engine}\ndata_file = {data / 'coverage'}\n")
    run = [sys.executable, "-m", "coverage", "run", f"--rcfile={settings}", "-m"]
    command = [*run, "pytest", "-n", "0", "-p", Path(__file__).stem, str(UNIT_TESTS), RECORDINGS]
    with (data / "tests.out").open("w") as out:
        env = {**environment(engine), RESULTS: str(data / "results")}
        subprocess.run(command, cwd=data / "tree", env=env, check=False, stdout=out, stderr=out)


class Tests:
    """Which tests run a line, in the order in which a mutant of it meets them."""

    def __init__(self, data: Path) -> None:
        self._engine = data / "tree" / ENGINE
        self._found = coverage.CoverageData(str(data / "coverage"))
        self._found.read()
        results = (line.split(" ", 2) for line in (data / "results").read_text(encoding="utf-8").splitlines())
        self._seconds = {name: float(seconds) for outcome, seconds, name in results if outcome == "passed"}
        self._lines = cache(lambda module: self._found.contexts_by_lineno(str(self._engine / module)))
        self._around = cache(self._of_folder)

    def of(self, mutant: Mutant, seconds: float) -> list[str]:
        """Tests that run the line: first those near its module, then quicker ones first; what is in their files.

        Those that do not fit into `seconds` are left out: a mutant of what everything uses would meet every test.
        """
        names = set(filter(None, self._lines(mutant.module).get(mutant.line, ()))) or self._around(mutant.module.parent)
        names &= self._seconds.keys()
        near = {name: shared(mutant.module, Path(name.partition("::")[0])) for name in self._seconds}
        # A fixture, a cache or an import may have run the line for other tests of a file, or for those of its module.
        files = {name.partition("::")[0] for name in names if not name.startswith(RECORDINGS)}
        files |= {name.partition("::")[0] for name, common in near.items() if common >= NEAR}
        beside = {name for name, took in self._seconds.items() if name.partition("::")[0] in files and took < BRIEF}

        def rank(name: str) -> tuple[int, bool, float]:
            return -near[name], name not in names, self._seconds[name]

        found = sorted(names | beside, key=rank)
        so_far = accumulate(self._seconds[name] for name in found)
        return [name for name, took in zip(found, so_far, strict=True) if took <= seconds]

    def _of_folder(self, folder: Path) -> set[str]:
        """The tests of a folder's modules: lines that run during an import belong to no test, and any may notice."""
        modules = (path.relative_to(self._engine) for path in (self._engine / folder).glob("*.py"))
        return {name for module in modules for names in self._lines(module).values() for name in names}


def shared(module: Path, file: Path) -> int:
    """How many folders and names a module and a test file have in common: the most for tests of the module itself."""
    return len({*module.parts, module.stem, module.parent.name} & {*file.parent.parts, file.stem.removeprefix("test_")})


def survives(mutant: Mutant, tests: list[str], data: Path) -> bool:
    """Whether every test passes with the mutant in place."""
    with tempfile.TemporaryDirectory(prefix="mutant-", dir=data) as folder:
        engine = Path(folder) / ENGINE.name
        shutil.copytree(data / "tree" / ENGINE, engine, copy_function=os.link)
        code = (engine / mutant.module).read_text(encoding="utf-8")
        (engine / mutant.module).unlink()
        (engine / mutant.module).write_text(mutated(code, mutant), encoding="utf-8")
        status = run(tests, engine, data)
        if status == WRONG_ARGUMENTS:  # a test of this name is gone, because it is named by what was mutated
            status = run(list(dict.fromkeys(name.partition("::")[0] for name in tests)), engine, data)
        return status == 0


def run(tests: list[str], engine: Path, data: Path) -> int:
    """The exit status of pytest for these tests and this copy of the engine."""
    names = engine.with_name("tests")
    names.write_text("\n".join(tests), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-n", "0", "-x", *ENDLESS, f"@{names}"]
    env, quiet = environment(engine), subprocess.DEVNULL
    try:
        done = subprocess.run(
            command, cwd=data / "tree", env=env, timeout=TIME_OUT, stdout=quiet, stderr=quiet, check=False
        )
    except subprocess.TimeoutExpired:
        return 1
    return done.returncode


def main() -> int:
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--sample", type=int, default=300)
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--only", default="", help="a part of the path below the engine")
    args.add_argument("--line", default="", help="every mutant of this line of a module below the engine: path:number")
    args.add_argument("--start", type=int, default=1, help="the number of the first mutant of the sample to try")
    args.add_argument("--seconds", type=float, default=math.inf, help="of tests that a mutant meets; default: all")
    args.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    args.add_argument("--data", type=Path, help="keep the copy and what coverage found here, or find it here")
    given = args.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = (given.data or Path(folder) / "data").resolve()
        if not data.exists():
            print("finding out which test runs which line", file=sys.stderr, flush=True)
            prepare(data)
        tests = Tests(data)
        every = [mutant for mutant in mutants(data / "tree" / ENGINE) if given.only in str(mutant.module)]
        sample = random.Random(given.seed).sample(every, min(given.sample, len(every)))
        if given.line:
            sample = [mutant for mutant in every if f"{mutant.module}:{mutant.line}" == given.line]
        print(f"{len(sample)} of {len(every)} mutants", file=sys.stderr, flush=True)
        with ThreadPoolExecutor(given.jobs) as pool:
            tried = sample[given.start - 1 :]
            met = [tests.of(mutant, given.seconds) for mutant in tried]
            verdicts = pool.map(survives, tried, met, [data] * len(tried))
            left = []
            for number, (mutant, alive) in enumerate(zip(tried, verdicts, strict=True), given.start):
                if alive:
                    left.append(mutant)
                    print(f"{number:4} {mutant}", flush=True)
                if not number % 10:
                    print(f"{number:4} of {len(sample)} done", file=sys.stderr, flush=True)
    print(f"{len(tried) - len(left)} of {len(tried)} mutants were noticed, {len(left)} were not")
    return int(len(left) > len(tried) * MOST_SURVIVORS)


if __name__ == "__main__":
    sys.exit(main())
