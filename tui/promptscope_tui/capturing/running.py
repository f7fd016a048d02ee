"""A command in a process group of its own, ended with all that it started."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, Process, create_subprocess_exec
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial

from .isolation import isolated
from .plan import Plan

_PATIENCE = 2.0
"""Seconds between asking a process group to end and ending it."""


class Command:
    """A command under way, with the person's terminal or with none."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.group = process.pid

    @classmethod
    async def start(cls, plan: Plan, url: str) -> Command:
        """Start it. Raises OSError where it cannot be started.

        Its standard output is ours on a terminal; otherwise ours is data, and it goes where messages go. With a log it
        is in a session of its own: even who asks for the terminal by name has none.
        """
        words = plan.words(url)
        run = isolated(plan.isolated, words) if plan.isolated else words
        start = partial(create_subprocess_exec, *run, env=plan.environment(url), cwd=plan.folder)
        if plan.log is None:
            return cls(await start(stdout=None if os.isatty(1) else 2, process_group=0))
        plan.log.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        log = os.open(plan.log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            return cls(await start(stdin=DEVNULL, stdout=log, stderr=log, start_new_session=True))
        finally:
            os.close(log)

    @property
    def code(self) -> int | None:
        """The exit code; None while it runs."""
        return self.process.returncode

    async def wait(self) -> int:
        """Its exit code, once it has ended by itself."""
        return await self.process.wait()

    async def end(self) -> None:
        """End it and everything of its group: first asked, then made to."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            if not self._signal(number):
                break
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._gone(), _PATIENCE)
        with suppress(ProcessLookupError):
            await self.process.wait()

    async def _gone(self) -> None:
        while self._signal(0):
            await asyncio.sleep(0.02)

    def _signal(self, number: int) -> bool:
        """Whether there was still someone to receive it."""
        try:
            os.killpg(self.group, number)
            # A stopped one (it wanted to read from the terminal) must run to take notice.
            if number:
                os.killpg(self.group, signal.SIGCONT)
        except (ProcessLookupError, PermissionError):
            return False
        return True


@contextmanager
def terminal_of(command: Command) -> Iterator[None]:
    """The terminal is the command's while it runs: it may ask, and ctrl-c reaches it."""
    try:
        ours = os.tcgetpgrp(0) if os.isatty(0) else None
    except OSError:
        ours = None
    if ours is None or ours != os.getpgrp():
        yield
        return
    # Whoever changes the terminal's group from outside of it is stopped by this signal.
    before = signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    try:
        with suppress(OSError):
            os.tcsetpgrp(0, command.group)
            os.killpg(command.group, signal.SIGCONT)  # it may have asked before the terminal was its own
        yield
    finally:
        with suppress(OSError):
            os.tcsetpgrp(0, ours)
        signal.signal(signal.SIGTTOU, before)
        sys.stderr.flush()
