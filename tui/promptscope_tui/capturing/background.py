"""A recording beside the app: in a thread with a loop of its own, so that the app goes on answering keys."""

from __future__ import annotations

import asyncio
import errno
import shlex
import threading
from collections.abc import Callable
from contextlib import suppress

from promptscope_engine.captures.model import Recorded

from .plan import Plan
from .recording import Recording, record

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
