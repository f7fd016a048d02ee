"""Paths: text with slashes, an absolute one begins with one. Only here they become the system's, and the system's ours.

On Windows a drive is the first folder (`/C:/Users/ada`), and a share has two slashes in front (`//server/share/docs`).
On other systems both are the same.
"""

import os
import posixpath
import re
from collections.abc import Mapping

SYSTEM = os.path  # noqa: TID251 - here they are turned into each other
"""The system's own module for paths."""

_OF_WINDOWS = re.compile(r"[A-Za-z]:[\\/]|\\\\[^\\]")
"""How an absolute path of Windows begins, as its users write it."""
_DRIVE = re.compile(r"/?([A-Za-z]:)(?=[/\\]|\Z)")
_VERBATIM = ("//?/UNC/", "//"), ("//?/", "/")
"""How Windows marks a path that it takes as it is, and what is written without the mark."""
_NAME_PATHS = ("HOME", "DIR", "CONFIG")
"""How variables end that hold one path."""


def to_system(path: str) -> str:
    """A path as the system takes it; one that is the system's already stays."""
    if SYSTEM is posixpath:
        return path
    if drive := _DRIVE.match(path):
        path = drive[1] + (path[drive.end() :] or "/")
    elif path.startswith("/") and not path.startswith("//"):
        path = f"//?{path}"  # nothing is beside the drives: Windows would look on the drive that it is on
    return path.replace("/", "\\")


def from_system(path: str) -> str:
    """A path that the system or a person gave, absolute or relative, as promptscope writes it."""
    return path if SYSTEM is posixpath else _from_windows(path)


def has_drive(path: str) -> bool:
    """Whether a path, as promptscope writes it, is on a drive of Windows."""
    return path.startswith("/") and _DRIVE.match(path) is not None


def _from_windows(path: str) -> str:
    path = path.replace("\\", "/")
    for mark, instead in _VERBATIM:
        path = instead + path.removeprefix(mark) if path.startswith(mark) else path
    if drive := _DRIVE.match(path):
        path = f"/{drive[1].upper()}{path[drive.end() :].rstrip('/')}"
    return path


def absolute(path: str) -> str:
    r"""A path that a person gave, made absolute, `~` filled in; links are not followed.

    `C:\Users\ada` is a path of Windows on any system: that of an inspected machine.
    """
    if SYSTEM is posixpath and _OF_WINDOWS.match(path):
        return posixpath.normpath(_from_windows(path))
    written = to_system(path) if _DRIVE.match(path) else path
    return from_system(SYSTEM.abspath(SYSTEM.expanduser(written)))


def real(path: str) -> str:
    """The path with every link followed."""
    return from_system(SYSTEM.realpath(to_system(path)))


def is_folder(path: str) -> bool:
    """Whether a folder is there; no for what no path can be."""
    return SYSTEM.isdir(to_system(path))


def path_in(folder: str, path: str) -> str:
    """Where a path leads that is named in a folder, by its text alone; one that is absolute leads there by itself."""
    path = _from_windows(path) if has_drive(folder) else from_system(path)
    return posixpath.normpath(posixpath.join(folder, path))


def folders_of(folders: str) -> tuple[str, ...]:
    """The folders of a PATH, each once."""
    separator = ":" if SYSTEM is posixpath else ";"
    return tuple(dict.fromkeys(from_system(folder) for folder in folders.split(separator) if folder))


def variables(env: Mapping[str, str]) -> Mapping[str, str]:
    """Environment variables, those that name a folder or a settings file with the path as promptscope writes it."""
    return {name: _named(value) if name.endswith(_NAME_PATHS) else value for name, value in env.items()}


def _named(path: str) -> str:
    return _from_windows(path) if _OF_WINDOWS.match(path) else from_system(path)


def home_short(path: str, home: str | None = None) -> str:
    """The path with the home folder as `~`: `home`, or the user's own."""
    home = (absolute("~") if home is None else home).rstrip("/")
    return f"~{path[len(home) :]}" if home and (path == home or path.startswith(home + "/")) else path
