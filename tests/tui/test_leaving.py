"""A command ends without taking its objects apart, and loses nothing by that."""

from __future__ import annotations

import atexit
import io
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from promptscope_tui import __main__ as entry


class _Full(io.StringIO):
    def flush(self) -> None:
        raise OSError(28, "No space left on device")


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What was done at the end, in order."""
    found: list[object] = []
    monkeypatch.setattr(atexit, "_run_exitfuncs", lambda: found.append("handlers"))
    monkeypatch.setattr(os, "_exit", found.append)
    return found


def test_handlers_run_before_the_end(done: list[object]) -> None:
    entry.leave(3)
    assert done == ["handlers", 3]


def test_what_is_no_code_is_left_to_python(done: list[object]) -> None:
    entry.leave("words")
    assert done == []


def test_a_thread_that_works_on_is_waited_for(done: list[object]) -> None:
    ready = threading.Event()
    working = threading.Thread(target=ready.wait)
    working.start()
    entry.leave(0)
    ready.set()
    working.join()
    assert done == []


def test_output_that_cannot_be_written_is_left_to_python(done: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", _Full())
    entry.leave(0)
    assert done == ["handlers"]


def test_a_command_prints_everything_and_ends_with_its_code(tmp_path: Path) -> None:
    code = (
        "import atexit, sys\n"
        "from promptscope_tui.__main__ import run\n"
        "atexit.register(lambda: print('the last word'))\n"
        "sys.argv = ['promptscope', *sys.argv[1:]]\n"
        "run()"
    )
    for words, expected in ((["locate"], 0), (["show", "--agent", "nobody"], 3)):
        command = [sys.executable, "-c", code, *words]
        env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
        found = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
        assert (found.returncode, found.stdout.splitlines()[-1]) == (expected, "the last word")
