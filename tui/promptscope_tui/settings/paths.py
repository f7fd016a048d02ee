"""The folders that promptscope uses: the platform's (XDG on Linux), or those that the environment names."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import promptscope_engine
from promptscope_engine.app_dirs import own_folder
from promptscope_engine.workspace.paths import real

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


@cache
def _packages() -> tuple[str, ...]:
    return real(str(Path(str(promptscope_engine.__file__)).parent)), real(str(Path(__file__).parents[1]))


def is_packaged(path: str) -> bool:
    """Whether a file, or what it is a link to, is part of promptscope as it is installed: nobody may write there."""
    try:
        return real(path).startswith(tuple(f"{package}/" for package in _packages()))
    except ValueError:  # what no path can be
        return False


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
