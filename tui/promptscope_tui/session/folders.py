"""The folder that is shown, with the agents that have files in it; and the folders to go to."""

import atexit
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePath, PurePosixPath

from msgspec import Struct

from promptscope_engine.agents.adapter import Describes
from promptscope_engine.agents.features import LoadsLazily
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.model import SourceFile
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.paths import is_folder
from promptscope_engine.workspace.repository import list_files

from .snapshot import Snapshot

_DEMO = "promptscope-demo-"
"""How the name of the folder begins in which a copy of the sample is."""


def is_demo(workspace: str) -> bool:
    """Whether a folder is a copy of the sample."""
    return PurePath(workspace).parent.name.startswith(_DEMO)


class AgentHere(Struct, frozen=True):
    """An agent in a folder: `files` of its own there, and all that it `looks` for, present or not.

    `tokens` are those expected of its whole prompt, None until they are counted.
    """

    id: str
    name: str
    files: tuple[SourceFile, ...]
    looks: tuple[SourceFile, ...]
    tokens: int | None


def situated(snapshot: Snapshot) -> Scenario:
    """The scenario with its folders as they were resolved, once something was assembled."""
    shown = snapshot.assembly
    folders = {"workspace": shown.workspace, "home": shown.home} if shown else {}
    return snapshot.scenario.model_copy(update=folders)


def files_here(agent: Describes, files: Iterable[SourceFile], workspace: str) -> tuple[SourceFile, ...]:
    """The files that exist below the workspace, whether they load at once or later; git's own files belong to no agent.

    Of a file and the links to it, the first one counts. A file that waits for another one to be read is nothing to an
    agent that loads none that way: it never loads.
    """
    base = workspace.rstrip("/") + "/"
    later = ("on-demand", "conditional") if isinstance(agent, LoadsLazily) else ()
    there = (file for file in files if file.present or (file.bytes and file.load in later))
    below = {file.real_path: file for file in reversed(list(there)) if file.real_path.startswith(base)}
    found = (file for file in reversed(below.values()) if not file.real_path.endswith("/.gitignore"))
    return tuple(file for file in found if not file.real_path.startswith(f"{base}.git/"))


def agents_here(snapshot: Snapshot) -> Iterator[AgentHere]:
    """The agent that is shown, then the others as far as they are known."""
    assembly = snapshot.assembly
    if assembly is None:
        return
    agent = load_agent(assembly.agent)
    yield AgentHere(assembly.agent, agent.name, own_files(snapshot), assembly.files, assembly.tokens.expected)
    for other in snapshot.other_agents or ():
        looks = tuple(other.files.values())
        tokens = snapshot.agent_tokens.get(other.agent)
        here = files_here(load_agent(other.agent), looks, assembly.workspace)
        yield AgentHere(other.agent, other.name, here, looks, tokens)


def others_here(snapshot: Snapshot) -> int:
    """How many other agents have files in the folder."""
    assembly = snapshot.assembly
    if assembly is None:
        return 0
    others = ((load_agent(other.agent), other.files.values()) for other in snapshot.other_agents or ())
    return sum(bool(files_here(agent, files, assembly.workspace)) for agent, files in others)


def own_files(snapshot: Snapshot) -> tuple[SourceFile, ...]:
    """The files in the folder of the agent that is shown."""
    assembly = snapshot.assembly
    return files_here(load_agent(assembly.agent), assembly.files, assembly.workspace) if assembly else ()


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
        if path not in offered and is_folder(path):
            offered[path] = Folder(path, "opened before")
    return list(offered.values())


def _package(file: str, wanted: frozenset[str]) -> str | None:
    """The folder that a file makes a package."""
    parts = file.split("/")
    at = next((number for number, part in enumerate(parts) if part in wanted), None)
    return None if at is None else "/".join(parts[:at])


_SAMPLE = Path(__file__).parent / "demo_shop"


def demo_folder() -> str:
    """A copy of the sample in a temporary folder, where anything may be tried; it goes when the process ends."""
    place = tempfile.mkdtemp(prefix=_DEMO)
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    return shutil.copytree(_SAMPLE, f"{place}/shop")
