"""One recording: the server, the command, and when it is over."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Mapping
from contextlib import nullcontext, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Literal

from promptscope_engine.captures.agents import told_by
from promptscope_engine.captures.labels import has_come, labelled
from promptscope_engine.captures.masking import Masker, secrets_of
from promptscope_engine.captures.model import Capture, End, Header, Recorded
from promptscope_engine.captures.recipes import Recipe, agent_name, command_line, environment, fidelity_of, typed_prompt
from promptscope_engine.formats.document import Json
from promptscope_engine.frozen import frozen

from .isolation import isolated
from .running import Command, terminal_of
from .server import RecordingServer

GRACE = 3.0
"""Seconds without traffic after the main request's answer, after which a command that should end is ended."""

_TICK = 0.1

Ended = Literal["by itself", "after the answer", "time-out", "interrupted"]


@frozen
class Plan:
    """What is recorded. `command` is empty where the person starts the agent. `overlay` as in `command_line`.

    `timeout` in seconds: of the whole run, with an upstream since the last traffic; None: as long as it takes.
    `isolated`: the folders that the command may write to, of which nothing reaches the disk; (): it runs as it is.
    """

    agent: str | None
    recipe: Recipe
    command: tuple[str, ...]
    env: Mapping[str, str]
    upstream: str | None = None
    port: int = 0
    timeout: float | None = None
    keep_login: bool = False
    ends_itself: bool = True
    overlay: Callable[[str], Json] | None = None
    isolated: tuple[str, ...] = ()

    def words(self, url: str) -> list[str]:
        """The command that is run."""
        overlay = self.overlay(url) if self.overlay else None
        return command_line(self.recipe, url, self.command, overlay) if self.command else []

    def environment(self, url: str) -> dict[str, str]:
        """The environment it is run in."""
        own = self.keep_login or self.upstream is not None
        return environment(self.recipe, url, self.env, keep_login=own, proxied=self.upstream is None)


@frozen
class Recording:
    """What came of it."""

    capture: Capture
    ended: Ended


async def record(
    plan: Plan, *, ready: Callable[[str], bool], seen: Callable[[Recorded], None], full: Callable[[], None]
) -> Recording | None:
    """Serve and run until it is over. `ready` gets the server's address before anything is started; None if it
    says no. Raises OSError for a port that is taken or a command that does not start."""
    touched = asyncio.get_running_loop().time()

    def noted(request: Recorded) -> None:
        nonlocal touched
        touched = asyncio.get_running_loop().time()
        seen(request)

    server = RecordingServer(upstream=plan.upstream, secrets=secrets_of(plan.env), seen=noted, full=full)
    await server.start(plan.port)
    interrupted = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, interrupted.set)
    started = datetime.now().astimezone()
    prompt = typed_prompt(plan.recipe, plan.command) if plan.command else None
    command: Command | None = None
    try:
        if not ready(server.url):
            return None
        begun = touched = loop.time()
        if plan.command:
            words = plan.words(server.url)
            run = isolated(plan.isolated, words) if plan.isolated else words
            command = await Command.start(run, plan.environment(server.url))
        with terminal_of(command) if command else nullcontext():
            ended = await _until_over(plan, command, server, prompt, interrupted, begun, lambda: touched)
    finally:
        if command:
            await command.end()
        await server.close()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.remove_signal_handler(number)
    return Recording(_capture(plan, server, prompt, started, command, ended), ended)


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
    told = told_by(request.headers.get("user-agent", "") for request in ((main,) if main else ()) + requests)
    agent = agent_name(plan.agent, plan.command)
    masker = Masker(secrets_of(plan.env))
    header = Header(
        agent=told[0] if agent == "unknown" and told else agent,
        agent_version=told[1] if told else None,
        started=started.isoformat(timespec="seconds"),
        command=tuple(map(masker.text, plan.command)),
        cwd=str(Path.cwd()),
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
