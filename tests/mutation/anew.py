"""The slow way: a new process for each mutant, which imports a copy of the engine that has it."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from mutation.places import Mutant
from mutation.worker import ENGINE

WRONG_ARGUMENTS = 4  # pytest's exit status
TIME_OUT = 1200  # seconds for the tests of one mutant; one that hangs is noticed
ENDLESS = ("-o", "faulthandler_timeout=90", "-o", "faulthandler_exit_on_timeout=true")  # and one that hangs in a test


def survives(mutant: Mutant, tests: list[str], tree: Path) -> bool:
    """Whether every test of this copy of the repository passes with the mutant in place."""
    with tempfile.TemporaryDirectory(prefix="mutant-", dir=tree.parent) as folder:
        engine = Path(folder) / ENGINE.name
        shutil.copytree(tree / ENGINE, engine, copy_function=os.link)
        code = (engine / mutant.module).read_text(encoding="utf-8")
        (engine / mutant.module).unlink()
        (engine / mutant.module).write_text(ast.unparse(mutant.of(code)), encoding="utf-8")
        status = _run(tests, engine, tree)
        if status == WRONG_ARGUMENTS:  # a test of this name is gone, because it is named by what was mutated
            status = _run(list(dict.fromkeys(name.partition("::")[0] for name in tests)), engine, tree)
        return status == 0


def _run(tests: list[str], engine: Path, tree: Path) -> int:
    """The exit status of pytest for these tests and this copy of the engine."""
    names = engine.with_name("tests")
    names.write_text("\n".join(tests), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-n", "0", "-x", *ENDLESS, f"@{names}"]
    # Without bytecode each start would take seconds longer.
    env, quiet = {**os.environ, "PYTHONPATH": str(engine.parent), "PYTHONDONTWRITEBYTECODE": ""}, subprocess.DEVNULL
    try:
        done = subprocess.run(command, cwd=tree, env=env, timeout=TIME_OUT, stdout=quiet, stderr=quiet, check=False)
    except subprocess.TimeoutExpired:
        return 1
    return done.returncode
