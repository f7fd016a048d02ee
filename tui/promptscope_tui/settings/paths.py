"""The folders that promptscope uses: the platform's (XDG on Linux), or those that the environment names.

A kept frame is found through them before anything else is loaded: they import next to nothing.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from promptscope_engine.app_dirs import own_folder

SETTINGS, LOOK = "settings.toml", "look.json"
"""The files that decide how the app looks at its start: in the config folder, and in the state folder."""


def cache_folder() -> Path:
    """Token counts and last frames; safe to delete."""
    return own_folder("cache")


def config_folder() -> Path:
    """The settings, `settings.toml`, and corrections of agents; it need not exist."""
    return own_folder("config")


def state_folder() -> Path:
    """Screenshots, scenarios, captures, and what is remembered from one start to the next; it need not exist."""
    return own_folder("state")


def write_whole(target: Path, data: bytes, *, mode: int = 0o600, durable: bool = False) -> None:
    """Write a file in one step, readable by its owner only; where that fails, what was there before stays.

    `mode` are other permissions. With `durable` it is on the disk afterwards. Raises OSError.
    """
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with open(draft, "xb", opener=lambda path, flags: os.open(path, flags, mode)) as file:
            file.write(data)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        draft.replace(target)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise


@contextmanager
def locked(place: Path, *, waits: bool = True) -> Iterator[bool]:
    """Whether this process alone has the lock of a file or folder meanwhile: always, if it `waits`. Raises OSError.

    Windows has no such lock: there it is as if nobody else were at work.
    """
    try:
        import fcntl
    except ImportError:
        yield True
        return
    opened = os.open(place, os.O_RDONLY)
    try:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX if waits else fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_ours = True
        except BlockingIOError:
            is_ours = False
        yield is_ours
    finally:
        os.close(opened)
