"""One recording: the server, the command, and when it is over."""

from __future__ import annotations

import asyncio
import errno
import shlex
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from datetime import datetime
from typing import Literal

from msgspec import Struct

from promptscope_engine.captures.exchange import Masker, secrets_of
from promptscope_engine.captures.labels import has_come, labelled
from promptscope_engine.captures.model import Capture, End, Header, Recorded
from promptscope_engine.captures.protocols import agent_from_user_agents
from promptscope_engine.captures.recipes import agent_name, fidelity_of, typed_prompt

from .plan import Plan
from .running import Command, terminal_of
from .server import RecordingServer

GRACE = 3.0
"""Seconds without traffic after the main request's answer, after which a command that should end is ended."""

_TICK = 0.1

Ended = Literal["by itself", "after the answer", "time-out", "interrupted"]


class Recording(Struct, frozen=True):
    """What came of it."""

    capture: Capture
    ended: Ended


async def record(
    plan: Plan,
    *,
    ready: Callable[[str], bool],
    seen: Callable[[Recorded], None],
    full: Callable[[], None],
    interrupted: asyncio.Event | None = None,
) -> Recording | None:
    """Serve and run until it is over. `ready` gets the server's address before anything is started; None if it
    says no. `interrupted` ends it; without one the signals of the process do.

    Raises OSError for a port that is taken or a command that does not start.
    """
    touched = asyncio.get_running_loop().time()

    def noted(request: Recorded) -> None:
        nonlocal touched
        touched = asyncio.get_running_loop().time()
        seen(request)

    server = RecordingServer(upstream=plan.upstream, secrets=secrets_of(plan.env), seen=noted, full=full)
    await server.start(plan.port)
    loop = asyncio.get_running_loop()
    started = datetime.now().astimezone()
    prompt = typed_prompt(plan.recipe, plan.command) if plan.command else None
    command: Command | None = None
    with _signals(loop) if interrupted is None else nullcontext(interrupted) as over:
        try:
            if not ready(server.url):
                return None
            begun = touched = loop.time()
            if plan.command:
                command = await Command.start(plan, server.url)
            with terminal_of(command) if command and plan.log is None else nullcontext():
                ended = await _until_over(plan, command, server, prompt, over, begun, lambda: touched)
        finally:
            if command:
                await command.end()
            await server.close()
    return Recording(_capture(plan, server, prompt, started, command, ended), ended)


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


async def _until_over(
    plan: Plan,
    command: Command | None,
    server: RecordingServer,
    prompt: str | None,
    interrupted: asyncio.Event,
    begun: float,
    touched: Callable[[], float],
) -> Ended:
    loop = asyncio.get_running_loop()
    exited = asyncio.create_task(command.wait()) if command else None
    asked, has_main = -1, False
    try:
        while True:
            waiting = [task for task in (exited,) if task]
            if waiting:
                await asyncio.wait(waiting, timeout=_TICK)
            else:
                with suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(interrupted.wait(), _TICK)
            if interrupted.is_set():
                return "interrupted"
            if exited and exited.done():
                # ctrl-c went to the command, whose terminal it is
                return "interrupted" if exited.result() == -signal.SIGINT else "by itself"
            now = loop.time()
            since = begun if plan.upstream is None else touched()
            if plan.timeout is not None and now - since > plan.timeout and not server.under_way:
                return "time-out"
            if len(server.requests) != asked:
                asked = len(server.requests)
                has_main = has_come(server.requests, prompt)
            quiet = now - touched() > GRACE and not server.under_way
            if command and plan.ends_itself and plan.upstream is None and has_main and quiet:
                return "after the answer"
    finally:
        if exited and not exited.done():
            exited.cancel()
            with suppress(asyncio.CancelledError):
                await exited


def _capture(
    plan: Plan, server: RecordingServer, prompt: str | None, started: datetime, command: Command | None, ended: Ended
) -> Capture:
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
        agent_version=told[1] if told else None,
        started=started.isoformat(timespec="seconds"),
        command=tuple(map(masker.text, plan.command)),
        cwd=plan.folder,
        home=plan.env.get("HOME"),
        prompt=None if prompt is None else masker.text(prompt),
        upstream=plan.upstream,
        login="kept" if own else "dummy" if plan.recipe.keys else None,
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
        seen: Callable[[Recorded], None],
        full: Callable[[], None],
        done: Callable[[Recording | str], None],
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
