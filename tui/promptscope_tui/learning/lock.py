"""One `learn` at a time on a machine."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager

from promptscope_tui.settings import wordings


@contextmanager
def alone() -> Iterator[bool]:
    """Whether nobody else on this machine learns meanwhile. Raises OSError."""
    folder = wordings.folder()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (folder / ".lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True
