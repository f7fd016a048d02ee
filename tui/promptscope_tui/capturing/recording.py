"""One recording: the server, the command, and when it is over."""

import asyncio
import errno
import os
import shlex
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from datetime import datetime
from typing import Literal

from msgspec import Struct

from promptscope_engine.captures.exchange import Masker, has_come, labelled, secrets_of
from promptscope_engine.captures.model import Capture, End, Header, Recorded
from promptscope_engine.captures.protocols import agent_from_user_agents
from promptscope_engine.captures.recipes import agent_name, fidelity_of, typed_prompt
from promptscope_engine.insight.captured_scenario import variables_of_run

from .plan import Plan
from .running import LACKING, Command, terminal_of
from .server import RecordingServer

GRACE = 3.0
"""Seconds without traffic after the main request's answer, after which a command that should end is stopped."""

_HASTE = 0.3
"""The same for a command that is stopped in haste."""

_TICK = 0.1
_MOST_OBSERVED = 1 << 23
"""Characters."""

Ended = Literal["by itself", "after the answer", "time-out", "interrupted"]


class Recording(Struct, frozen=True):
    """What came of it.

    `said`: what a command on a pseudo-terminal printed last. `observed`: what the observing mod wrote.
    """

    capture: Capture
    ended: Ended
    said: str = ""
    observed: str = ""


async def record(
    plan: Plan,
    *,
    ready: Callable[[str], bool],
    seen: Callable[[Recorded], object],
    full: Callable[[], object],
    interrupted: asyncio.Event | None = None,
) -> Recording | None:
    """Serve and run until it is over.

    `ready` gets the server's address before anything is started; None if it says no. `interrupted` ends it; without
    one the signals of the process do.

    Raises OSError for a port that is taken or a command that does not start, and on Windows.
    """
    if LACKING:
        raise OSError(errno.ENOTSUP, LACKING)
    loop = asyncio.get_running_loop()
    run = _Run(plan, seen, full)
    await run.server.start(plan.port)
    with _signals(loop) if interrupted is None else nullcontext(interrupted) as over:
        try:
            if not ready(run.server.url):
                return None
            await run.start()
            command = run.command
            with terminal_of(command) if command and command.is_ours else nullcontext():
                ended = await run.until_over(over)
        finally:
            if run.command:
                await run.command.end(in_haste=plan.in_haste)
            await run.server.close()
            observed = run.observed()
    return Recording(run.capture(ended), ended, run.command.said if run.command else "", observed)


class _Run:
    """A recording under way: the server, the command, and when something came last."""

    def __init__(self, plan: Plan, seen: Callable[[Recorded], object], full: Callable[[], object]) -> None:
        self._plan, self._seen = plan, seen
        self._grace = _HASTE if plan.in_haste else GRACE
        self._loop = asyncio.get_running_loop()
        self._begun = self._touched = self._loop.time()
        self._started = datetime.now().astimezone()
        self._prompt = typed_prompt(plan.recipe, plan.command) if plan.command else None
        self.server = RecordingServer(upstream=plan.upstream, secrets=secrets_of(plan.env), seen=self._note, full=full)
        self.command: Command | None = None
        self._observed = os.memfd_create("observed") if plan.observing else None

    def _note(self, request: Recorded) -> None:
        self._touched = self._loop.time()
        self._seen(request)

    async def start(self) -> None:
        """Start the command, if there is one."""
        self._begun = self._touched = self._loop.time()
        if self._plan.command:
            self.command = await Command.start(self._plan, self.server.url, observed=self._observed)
            if self.command.listener:
                await self.server.listen(self.command.listener)

    def observed(self) -> str:
        """What the observing mod wrote: once, when the command has ended."""
        if self._observed is None:
            return ""
        with open(self._observed, encoding="utf-8", errors="replace") as file:  # noqa: PTH123 - no path, a descriptor
            file.seek(0)
            return file.read(_MOST_OBSERVED)

    async def until_over(self, interrupted: asyncio.Event) -> Ended:
        """Wait until the run is over, and say why."""
        exited = asyncio.create_task(self.command.wait()) if self.command else None
        asked, has_main = -1, False
        try:
            while True:
                await _tick(exited, interrupted)
                if interrupted.is_set():
                    return "interrupted"
                if exited and exited.done():
                    # ctrl-c went to the command, whose terminal it is
                    return "interrupted" if exited.result() == -signal.SIGINT else "by itself"
                if self._is_late():
                    return "time-out"
                if len(self.server.requests) != asked:
                    asked = len(self.server.requests)
                    has_main = has_come(self.server.requests, self._prompt)
                if has_main and self._has_all():
                    return "after the answer"
        finally:
            if exited and not exited.done():
                exited.cancel()
                with suppress(asyncio.CancelledError):
                    await exited

    def _is_late(self) -> bool:
        timeout = self._plan.timeout
        since = self._begun if self._plan.upstream is None else self._touched
        return timeout is not None and self._loop.time() - since > timeout and not self.server.under_way

    def _has_all(self) -> bool:
        """Whether a command that should end was quiet for long enough to be ended."""
        ends = self.command is not None and self._plan.ends_itself and self._plan.upstream is None
        return ends and self._loop.time() - self._touched > self._grace and not self.server.under_way

    def capture(self, ended: Ended) -> Capture:
        """What was recorded, labelled and masked."""
        plan, server, prompt, command = self._plan, self.server, self._prompt, self.command
        requests = labelled(server.requests, prompt)
        main = next((request for request in requests if request.label == "main"), None)
        own = plan.keep_login or plan.upstream is not None
        told = agent_from_user_agents(
            request.headers.get("user-agent", "") for request in ((main,) if main else ()) + requests
        )
        agent = agent_name(plan.agent, plan.command)
        masker = Masker(secrets_of(plan.env))
        header = Header(
            agent=told[0] if agent == "unknown" and told else agent,
            agent_version=told[1] if told else plan.version or None,
            started=self._started.isoformat(timespec="seconds"),
            command=tuple(map(masker.text, plan.command)),
            cwd=plan.folder,
            home=plan.env.get("HOME"),
            prompt=None if prompt is None else masker.text(prompt),
            upstream=plan.upstream,
            login="kept" if own else "dummy" if plan.recipe.keys else None,
            variables=variables_of_run(agent, plan.env) if plan.command else None,
            fidelity=fidelity_of(plan.recipe, keep_login=own),
        )
        end = End(
            outcome=ended,
            time=datetime.now().astimezone().isoformat(timespec="seconds"),
            exit=command.code if command and ended == "by itself" else None,
            main=main.index if main else None,
            refused=dict(server.refused),
            left_out=server.left_out,
        )
        return Capture(header, tuple(replace(r, index=n) for n, r in enumerate(requests, 1)), end)


async def _tick(exited: asyncio.Task[int] | None, interrupted: asyncio.Event) -> None:
    """Wait for a moment, or until the command has ended, or the run is interrupted without one."""
    if exited:
        await asyncio.wait([exited], timeout=_TICK)
    else:
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(interrupted.wait(), _TICK)


@contextmanager
def _signals(loop: asyncio.AbstractEventLoop) -> Iterator[asyncio.Event]:
    """An event that is set when the process should end."""
    interrupted = asyncio.Event()
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    for number in numbers:
        loop.add_signal_handler(number, interrupted.set)
    try:
        yield interrupted
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)


_PATIENCE = 8.0
"""Seconds that the end of a run may take: longer than asking a process group to end, then ending it."""


class Background:
    """Records in a thread. `seen` is called with each request, `done` once at the end, both from that thread.

    `done` gets what came of it, or words that say why nothing could be recorded.
    """

    def __init__(
        self,
        plan: Plan,
        *,
        seen: Callable[[Recorded], object],
        full: Callable[[], object],
        done: Callable[[Recording | str], object],
    ) -> None:
        self._plan, self._seen, self._full, self._done = plan, seen, full, done
        self._loop = asyncio.new_event_loop()
        self._interrupted = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="promptscope-recorder", daemon=True)

    def start(self) -> None:
        """Serve, and start the command."""
        self._thread.start()

    def cancel(self) -> None:
        """End the command with all that it started; `done` is called when it is gone."""
        with suppress(RuntimeError):  # it is over already
            self._loop.call_soon_threadsafe(self._interrupted.set)

    def stop(self) -> None:
        """Cancel, and wait until nothing is left."""
        self.cancel()
        self._thread.join(_PATIENCE)

    def _run(self) -> None:
        try:
            found = self._loop.run_until_complete(self._record())
        except OSError as error:
            found = _words(error, self._plan)
        finally:
            self._loop.close()
        self._done(found)

    async def _record(self) -> Recording | str:
        found = await record(
            self._plan, ready=lambda _: True, seen=self._seen, full=self._full, interrupted=self._interrupted
        )
        assert found is not None  # nobody said no
        return found


def _words(error: OSError, plan: Plan) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {plan.port} is taken"
    return f"cannot run {shlex.join(plan.command[:1])}: {error.strerror or error}"
