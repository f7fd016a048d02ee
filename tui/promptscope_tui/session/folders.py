"""The folders to go to: packages of the repository, folders opened before, and the sample."""

import atexit
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from msgspec import Struct

from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.repository import list_files

from .agents import DEMO

MOST_PACKAGES = 500
"""Packages that are offered."""

_MANIFESTS = frozenset(
    {
        *("package.json", "pyproject.toml", "setup.py", "Cargo.toml", "go.mod", "pom.xml", "build.gradle"),
        *("build.gradle.kts", "composer.json", "Gemfile", "mix.exs", "deno.json", "pubspec.yaml"),
    }
)
"""Files that make a folder a package."""


class Folder(Struct, frozen=True):
    """A folder to go to, absolute; `what` says what it is."""

    path: str
    what: str


def folders(here: str, home: str, env: Mapping[str, str], recent: Iterable[str], names: Iterable[str]) -> list[Folder]:
    """The packages of the repository, its root first, then the recent folders that still exist.

    A package holds a manifest, or one of `names`: files of an agent. Lists the repository, which takes 50 ms in a
    large one.
    """
    workspace = Workspace()
    workspace.allow([here], shallow=map(str, PurePosixPath(here).parents))
    found = list_files(here, home, env, workspace)
    wanted = _MANIFESTS | set(names)
    inside = {_package(file, wanted) for file in found.files} - {None}
    packages = [
        f"{found.root.rstrip('/')}/{folder}" if folder else found.root
        for folder in sorted(inside, key=str)
        if folder is not None
    ]
    offered = {found.root: Folder(found.root, "the repository" if found.source == "git" else "this folder")}
    for path in packages[:MOST_PACKAGES]:
        offered.setdefault(path, Folder(path, "package"))
    for path in recent:
        if path not in offered and _is_folder(path):
            offered[path] = Folder(path, "opened before")
    return list(offered.values())


def _package(file: str, wanted: frozenset[str]) -> str | None:
    """The folder that a file makes a package."""
    parts = file.split("/")
    at = next((number for number, part in enumerate(parts) if part in wanted), None)
    return None if at is None else "/".join(parts[:at])


def _is_folder(path: str) -> bool:
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        return False


_SAMPLE = Path(__file__).parent / "demo_shop"


def demo_folder() -> str:
    """A copy of the sample in a temporary folder, where anything may be tried; it goes when the process ends."""
    place = tempfile.mkdtemp(prefix=DEMO)
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    return shutil.copytree(_SAMPLE, f"{place}/shop")
