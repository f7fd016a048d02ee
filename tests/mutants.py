"""Mutates the engine, one place at a time, and names the mutants that no test notices.

    uv run --with coverage python tests/mutants.py                300 places at random, seed 1
    uv run --with coverage python tests/mutants.py --sample 50 --seed 7 --only agents/roo

Comparisons are flipped, `and` and `or` swapped, whole numbers are off by one. In a copy of the engine each mutant meets
the quick tests that run its line (found out with coverage), then the recordings of its agent, or a fifth of all, and
the slow tests of its package. Exit status 1 if more than 5 % survive.
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
UNIT_TESTS = "tests/engine"
QUICK = ("-m", "not slow")
NONE_SELECTED = 5  # pytest's exit status
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


def find_tests(data: Path) -> None:
    """Run the quick tests and write down which lines each of them runs."""
    settings = data.with_suffix(".ini")
    settings.write_text(f"[run]\ndynamic_context = test_function\nsource = {ENGINE}\ndata_file = {data}\n")
    coverage = [sys.executable, "-m", "coverage", "run", f"--rcfile={settings}", "-m"]
    command = [*coverage, "pytest", "-n", "0", *QUICK, UNIT_TESTS]
    subprocess.run(command, cwd=ROOT, check=False, stdout=subprocess.DEVNULL)


def tests_by_line(data: Path) -> dict[tuple[str, int], list[str]]:
    """The quick tests that run each line, as pytest names them; those at the module's own place come first."""
    from coverage import CoverageData

    found = CoverageData(str(data))
    found.read()
    tests: dict[tuple[str, int], list[str]] = {}
    for file in found.measured_files():
        place = ROOT / UNIT_TESTS / Path(file).relative_to(ENGINE)
        mirror = place.with_name(f"test_{place.name}")
        for line, contexts in found.contexts_by_lineno(file).items():
            tests[file, line] = _near_first(filter(None, map(_node_id, contexts)), mirror)
        # Lines that run while a module is imported belong to no test: any test of the module may notice them.
        names = {name for (other, _), each in tests.items() if other == file for name in each}
        whole = _near_first(names, mirror)
        if mirror.is_file():  # it may look at the module's constants without calling it
            whole.insert(0, str(mirror.relative_to(ROOT)))
        tests |= {(file, line): whole for line in found.lines(file) or () if not tests.get((file, line))}
    return tests


def _near_first(names: Iterable[str], mirror: Path) -> list[str]:
    """The tests in the file that mirrors the module, then those in its folder, then the others."""
    near = [str(path.relative_to(ROOT)) for path in (mirror, mirror.parent)]
    return sorted(names, key=lambda name: ([not name.startswith(path) for path in near], name))


def _node_id(context: str) -> str | None:
    """`tests.engine.test_x.test_y` as `tests/engine/test_x.py::test_y`."""
    module, _, test = context.rpartition(".")
    path = f"{module.replace('.', '/')}.py"
    return f"{path}::{test}" if test.startswith("test_") and (ROOT / path).is_file() else None


def recordings(module: Path) -> list[str]:
    """The recordings that a mutant meets which no quick test noticed: those of its agent, or a fifth of all."""
    parts = module.relative_to(ENGINE).parts
    agent = parts[1] if parts[0] == "agents" and len(parts) > 2 else None
    every = sorted((ROOT / "tests/conformance/cases").glob("*/*.json"))
    chosen = [path for path in every if path.parent.name.replace("-", "_") == agent] or every[::5]
    ids = [f"tests/conformance/test_conformance.py::test_recorded_case[{p.parent.name}/{p.stem}]" for p in chosen]
    return [*ids, "tests/conformance/test_roo_responses.py"] if agent == "roo" else ids


def survives(mutant: Mutant, tests: list[str]) -> bool:
    """Whether every test passes with the mutant in place."""
    with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
        copy = Path(folder) / ENGINE.name
        shutil.copytree(ENGINE, copy, ignore=shutil.ignore_patterns("__pycache__"))
        (copy / mutant.path.relative_to(ENGINE)).write_text(mutated(mutant), encoding="utf-8")
        env = {**os.environ, "PYTHONPATH": folder, "PYTHONDONTWRITEBYTECODE": "1"}
        parts = mutant.path.relative_to(ENGINE).parts
        package = f"{UNIT_TESTS}/{'/'.join(parts[: 2 if parts[0] == 'agents' else 1])}"
        steps = [[*QUICK, *tests]] if tests else []
        steps += [recordings(mutant.path), *([["-m", "slow", package]] if (ROOT / package).is_dir() else [])]
        return all(_pass(step, env) for step in steps)


def _pass(tests: list[str], env: Mapping[str, str]) -> bool:
    """Whether these tests pass; that none is selected is as good."""
    command = [sys.executable, "-m", "pytest", "-n", "0", "-x", "-q", "-p", "no:cacheprovider", *tests]
    quiet = subprocess.DEVNULL
    try:
        done = subprocess.run(command, cwd=ROOT, env=env, timeout=TIME_OUT, stdout=quiet, stderr=quiet, check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode in (0, NONE_SELECTED)


def main() -> int:
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--sample", type=int, default=300)
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--only", default="", help="a part of the path below the engine")
    args.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    args.add_argument("--data", type=Path, help="keep in this file which test runs which line, or read it there")
    given = args.parse_args()
    paths = [path for path in sorted(ENGINE.rglob("*.py")) if given.only in str(path.relative_to(ENGINE))]
    every = [mutant for path in paths for mutant in mutants(path)]
    sample = random.Random(given.seed).sample(every, min(given.sample, len(every)))
    print(f"{len(sample)} of {len(every)} mutants", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        data = given.data or Path(folder) / "coverage.data"
        if not data.exists():
            print("finding out which test runs which line", file=sys.stderr)
            find_tests(data)
        tests = tests_by_line(data)
    print("running them", file=sys.stderr)
    with ThreadPoolExecutor(given.jobs) as pool:
        verdicts = pool.map(lambda m: survives(m, tests.get((str(m.path), m.line), [])), sample)
        left = []
        for number, (mutant, alive) in enumerate(zip(sample, verdicts, strict=True), 1):
            if alive:
                left.append(mutant)
                print(f"{number:4} {mutant}", flush=True)
    print(f"{len(sample) - len(left)} of {len(sample)} mutants were noticed, {len(left)} were not")
    return int(len(left) > len(sample) * MOST_SURVIVORS)


if __name__ == "__main__":
    sys.exit(main())
