"""Paths as Node's `path` module treats them on a POSIX system: by their text alone, nothing is looked up."""

import posixpath


def to_posix(path: str) -> str:
    r"""`path` with slashes for backslashes, as Roo shows one on every platform, escapes included; `\\?\…` stays."""
    return path if path.startswith("\\\\?\\") else path.replace("\\", "/")


def resolve(base: str, path: str) -> str:
    """`path` as an absolute, normalised path; `base` is absolute. A final slash is lost."""
    # POSIX lets two leading slashes mean something else and Python keeps them; Node does not.
    return "/" + posixpath.normpath(posixpath.join(base, path)).lstrip("/")


def relative(base: str, path: str) -> str:
    """The way from `base` to `path`, both absolute; the empty text (not `.`) where they are the same."""
    way = posixpath.relpath(resolve("/", path), resolve("/", base))
    return "" if way == "." else way


def join(folder: str, name: str) -> str:
    """`name` below `folder`, normalised, neither need be absolute."""
    return posixpath.normpath(f"{folder}/{name}" if folder else name)
