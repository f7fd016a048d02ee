"""Runs a client in its scratch folders and prints what it sent: a process of its own, offline where it can be.

    python -m promptscope_tui.learning.worker < JOBS

JOBS is JSON, a list of `Job`; printed is a line of JSON, a `Result`, for each as it ends.
"""

import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from msgspec import json

from promptscope_engine.captures.files import as_lines
from promptscope_engine.captures.recipes import recipe_for
from promptscope_tui.capturing.plan import Plan, overlay_of
from promptscope_tui.capturing.recording import record

from .work import Job, Result

_MOST = 1 << 23
"""Characters that are read of a file."""


async def run(job: Job) -> Result:
    """Run one."""
    recipe = recipe_for(job.agent, ())
    plan = Plan(
        agent=job.agent,
        recipe=recipe,
        command=job.command,
        env=job.env,
        timeout=job.timeout,
        overlay=overlay_of(recipe, job.command, job.cwd),
        cwd=job.cwd,
        log=Path(job.log),
        dialogs=job.dialogs,
        in_haste=not job.ends_itself,
    )
    try:
        found = await record(
            plan, ready=lambda _: True, seen=lambda _: None, full=lambda: None, interrupted=asyncio.Event()
        )
    except OSError as error:
        return Result(job.number, "not started", said=str(error))
    assert found is not None
    said = found.said if job.dialogs is not None else _text(job.log)
    lines = b"".join(as_lines(found.capture)).decode()
    return Result(job.number, found.ended, lines, said[-job.most_said :], _text(job.reads) if job.reads else "")


def _text(path: str) -> str:
    try:
        with Path(path).open(errors="replace") as file:
            return file.read(_MOST)
    except OSError:
        return ""


async def run_all(jobs: Sequence[Job], at_once: int) -> None:
    """Run them, some at a time, and print each result as a line."""
    free = asyncio.Semaphore(at_once)

    async def one(job: Job) -> None:
        async with free:
            result = await run(job)
        sys.stdout.buffer.write(json.encode(result) + b"\n")
        sys.stdout.buffer.flush()

    await asyncio.gather(*map(one, jobs))


if __name__ == "__main__":
    asyncio.run(run_all(json.decode(sys.stdin.buffer.read(), type=list[Job]), max(2, os.cpu_count() or 1)))
