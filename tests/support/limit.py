"""An end for what may hang."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Hang(BaseException):
    """Not an Exception: nothing that is tested may swallow it."""


@contextmanager
def limited(seconds: int) -> Iterator[None]:
    """Whatever hangs fails."""

    def stop(signum: int, frame: FrameType | None) -> None:  # noqa: ARG001 - a handler's shape
        raise Hang(f"not done after {seconds} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)
