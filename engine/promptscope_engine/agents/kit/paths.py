"""Paths as people write and read them: from `~`, and in a file that imports another one."""

from __future__ import annotations

from promptscope_engine.javascript.path import resolve


def from_home(path: str, home: str) -> str:
    """A path with the home folder for a `~` that it begins with."""
    return home + path[1:] if path.partition("/")[0] == "~" else path


def absolute(path: str, cwd: str, home: str) -> str:
    """A path that a person wrote: from `~`, absolute, or relative to the working directory."""
    return resolve(cwd, from_home(path, home))


def shown(path: str, cwd: str, home: str) -> str:
    """A path as a sentence has it: relative to the working directory, or from `~`."""
    for folder, short in ((cwd, ""), (home, "~/")):
        base = folder.rstrip("/") + "/"
        if path.startswith(base):
            return short + path.removeprefix(base)
    return path


_LONGEST = 4_096
"""Characters of a path: no system opens a longer one."""


def target_of(token: str, folder: str, home: str | None = None) -> str | None:
    """The absolute path that a token in a file of `folder` names; None if it cannot be one.

    `~` stands for `home` where that is given.
    """
    if "\0" in token or len(token) > _LONGEST:
        return None
    return resolve(folder, token) if home is None else absolute(token, folder, home)
