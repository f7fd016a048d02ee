"""Has a worker carry out runs of a client, offline where it can be: what comes of each, as it ends."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from msgspec import Struct, json

from promptscope_tui.capturing.running import isolated


class Job(Struct, frozen=True):
    """One run. `dialogs` is None for a run without a terminal; `log` takes all that such a one prints.

    `most_said`: the characters at its end that are handed back. `reads`: a file that the run writes, which is handed
    back as well; "" for none. The run is stopped once it has its answer, unless it `ends_itself`.
    """

    number: int
    agent: str
    command: tuple[str, ...]
    env: dict[str, str]
    cwd: str
    log: str
    timeout: float
    dialogs: Mapping[str, str] | None = None
    most_said: int = 2_000
    reads: str = ""
    ends_itself: bool = False


class Result(Struct, frozen=True):
    """What came of it: a capture's lines, how it ended, what the client said last, and the file that it wrote."""

    number: int
    ended: str
    capture: str = ""
    said: str = ""
    written: str = ""


def carried_out(jobs: Sequence[Job], *roots: str, offline: bool) -> Iterator[Result]:
    """The results in the order in which they come; the folders of all jobs are below the roots. Raises OSError."""
    if not jobs:
        return
    words = [sys.executable, "-m", "promptscope_tui.learning.worker"]
    command = isolated(roots, words, offline=True) if offline else words
    worker = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    )
    assert worker.stdin is not None
    assert worker.stdout is not None
    try:
        with worker.stdin as pipe:
            pipe.write(json.encode(jobs))
        for line in worker.stdout:
            yield json.decode(line, type=Result)
    finally:
        _end(worker)


def _end(worker: subprocess.Popen[bytes]) -> None:
    """End the worker with everything that it started."""
    with suppress(ProcessLookupError):
        os.killpg(worker.pid, signal.SIGKILL)
    worker.wait()
    if worker.stdout:
        worker.stdout.close()
