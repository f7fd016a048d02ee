"""Mutates the engine, one place at a time, and names the mutants that no test notices.

    uv run --with coverage python tests/mutants.py                300 places at random, seed 1
    uv run --with coverage python tests/mutants.py --sample 50 --seed 7 --only agents/roo

Comparisons are flipped, `and` and `or` swapped, whole numbers are off by one. Each mutant meets only the tests that
run its line (found out once, with coverage), unit tests first, in a copy of the engine. Exit status 1 if more than
5 % survive.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENGINE = ROOT / "engine" / "promptscope_engine"
TESTS = ("tests/engine", "tests/conformance")
MOST_SURVIVORS = 0.05
TIME_OUT = 1200  # seconds for the tests of one mutant, several times what all of them take; one that hangs is noticed
FLIPPED: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """One change of one line. `number` counts the places of its module in the order of `ast.walk`."""

    path: Path
    line: int
    number: int
    what: str

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}: {self.what}"


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


def mutants(path: Path) -> list[Mutant]:
    """Every mutant of a module."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [Mutant(path, getattr(node, "lineno", 1), n, what) for n, (node, what) in enumerate(places(tree))]


def mutated(mutant: Mutant) -> str:
    """The module's code with the one change."""
    tree = ast.parse(mutant.path.read_text(encoding="utf-8"))
    node = next(node for n, (node, _) in enumerate(places(tree)) if n == mutant.number)
    match node:
        case ast.Compare(ops=[op]):
            node.ops = [FLIPPED[type(op)]()]
        case ast.BoolOp(op=op):
            node.op = ast.Or() if isinstance(op, ast.And) else ast.And()
        case ast.Constant(value=int(value)):
            node.value = value + 1
    return ast.unparse(tree)


def tests_by_line(folder: Path) -> dict[tuple[str, int], list[str]]:
    """The tests that run each line, as pytest names them, unit tests before recordings."""
    from coverage import CoverageData

    settings = folder / "coveragerc"
    data = folder / "coverage.data"
    settings.write_text(f"[run]\ndynamic_context = test_function\nsource = {ENGINE}\ndata_file = {data}\n")
    command = [sys.executable, "-m", "coverage", "run", f"--rcfile={settings}", "-m", "pytest", "-n", "0", *TESTS]
    subprocess.run(command, cwd=ROOT, check=False, stdout=subprocess.DEVNULL)
    found = CoverageData(str(data))
    found.read()
    tests: dict[tuple[str, int], list[str]] = {}
    for file in found.measured_files():
        for line, contexts in found.contexts_by_lineno(file).items():
            tests[file, line] = _in_order(filter(None, map(_node_id, contexts)))
        # Lines that run while a module is imported belong to no test: any test of the module may notice them.
        whole = _in_order({name for (other, _), names in tests.items() if other == file for name in names})
        whole = [*_own_tests(Path(file)), *whole]
        tests |= {(file, line): whole for line in found.lines(file) or () if not tests.get((file, line))}
    return tests


def _own_tests(module: Path) -> list[str]:
    """The file of tests at the module's place, which may look at its constants without calling it."""
    place = ROOT / "tests/engine" / module.relative_to(ENGINE)
    mirror = place.with_name(f"test_{place.name}")
    return [str(mirror.relative_to(ROOT))] if mirror.is_file() else []


def _in_order(names: Iterable[str]) -> list[str]:
    return sorted(names, key=lambda name: ("conformance" in name, name))


def _node_id(context: str) -> str | None:
    """`tests.engine.test_x.test_y` as `tests/engine/test_x.py::test_y`."""
    module, _, test = context.rpartition(".")
    path = f"{module.replace('.', '/')}.py"
    return f"{path}::{test}" if test.startswith("test_") and (ROOT / path).is_file() else None


def survives(mutant: Mutant, tests: list[str]) -> bool:
    """Whether every test passes with the mutant in place."""
    if not tests:
        return True
    with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
        copy = Path(folder) / ENGINE.name
        shutil.copytree(ENGINE, copy, ignore=shutil.ignore_patterns("__pycache__"))
        (copy / mutant.path.relative_to(ENGINE)).write_text(mutated(mutant), encoding="utf-8")
        env = {**os.environ, "PYTHONPATH": folder, "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-m", "pytest", "-n", "0", "-x", "-q", "-p", "no:cacheprovider", *tests]
        try:
            quiet = subprocess.DEVNULL
            done = subprocess.run(command, cwd=ROOT, env=env, timeout=TIME_OUT, stdout=quiet, stderr=quiet, check=False)
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0


def main() -> int:
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--sample", type=int, default=300)
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--only", default="", help="a part of the path below the engine")
    args.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = args.parse_args()
    paths = [path for path in sorted(ENGINE.rglob("*.py")) if given.only in str(path.relative_to(ENGINE))]
    every = [mutant for path in paths for mutant in mutants(path)]
    sample = random.Random(given.seed).sample(every, min(given.sample, len(every)))
    with tempfile.TemporaryDirectory() as folder:
        print(f"{len(sample)} of {len(every)} mutants; finding out which test runs which line", file=sys.stderr)
        tests = tests_by_line(Path(folder))
    print("running them", file=sys.stderr)
    with ThreadPoolExecutor(given.jobs) as pool:
        verdicts = pool.map(lambda m: survives(m, tests.get((str(m.path), m.line), [])), sample)
        left = []
        for mutant, alive in zip(sample, verdicts, strict=True):
            if alive:
                left.append(mutant)
                print(mutant, flush=True)
    print(f"{len(sample) - len(left)} of {len(sample)} mutants were noticed, {len(left)} were not")
    return int(len(left) > len(sample) * MOST_SURVIVORS)


if __name__ == "__main__":
    sys.exit(main())
