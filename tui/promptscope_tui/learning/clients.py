"""The clients that are installed on this machine, and their versions, found without a network."""

import json
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path

from msgspec import Struct

from promptscope_engine.agents.adapter import Agent, Describes
from promptscope_engine.agents.features import package_of
from promptscope_engine.agents.registry import built_in_ids, load_agent
from promptscope_engine.learning.script import Script, script_of

_USUAL = (
    "~/.npm-global/bin/{program}",
    "~/.local/bin/{program}",
    "~/.volta/bin/{program}",
    "~/.bun/bin/{program}",
    "~/.nvm/versions/node/*/bin/{program}",
    "/usr/local/bin/{program}",
    "/opt/homebrew/bin/{program}",
    "/home/linuxbrew/.linuxbrew/bin/{program}",
)
"""Where npm, Homebrew and their like put a program that is not on PATH."""
_VERSION = re.compile(r"\d+\.\d+\.\d+(?:-[\w.]+)?")
_MOST_LEVELS = 6


class Client(Struct, frozen=True):
    """A program, and its version as its package or its path tells; "" where only a run can tell."""

    path: str
    version: str


def script_for(agent: Describes) -> Script | None:
    """How an agent's client is asked; None for one that cannot be."""
    package = package_of(agent)
    return script_of(Path(import_module(package).__path__[0])) if package else None


def learnable() -> Iterator[tuple[Agent, Script]]:
    """The agents whose clients can be asked."""
    for name in built_in_ids():
        agent = load_agent(name)
        if script := script_for(agent):
            yield agent, script


def client_of(script: Script, path: str | None) -> Client | None:
    """The client at a path, or the first one that is installed."""
    return client_at(path, script) if path is not None else next(installed(script), None)


def learnable_client(agent: Describes) -> tuple[Script, Client] | None:
    """How an agent's client is asked, and the one that is installed."""
    script = script_for(agent)
    client = client_of(script, None) if script else None
    return (script, client) if script and client else None


def installed(script: Script) -> Iterator[Client]:
    """The clients of an agent: the one on PATH first, each program once."""
    seen: set[str] = set()
    for path in _paths(script):
        real = os.path.realpath(path)
        if real not in seen and os.access(real, os.X_OK) and Path(real).is_file():
            seen.add(real)
            yield client_at(path, script)


def _paths(script: Script) -> Iterator[str]:
    for program in script.programs:
        if found := shutil.which(program):
            yield found
        for pattern in (*(each.replace("{program}", program) for each in _USUAL), *script.places):
            below = pattern.replace("~", _home(), 1).lstrip("/")
            yield from sorted(map(str, Path("/").glob(below)), reverse=True)


def _home() -> str:
    return os.path.expanduser("~")  # noqa: PTH111 - Path.home() raises where nobody knows it


def version_of(agent: str, command: Sequence[str]) -> str:
    """The version of the client that a command starts, as its package or its path tells; "" where neither does."""
    script = script_for(load_agent(agent)) if agent in built_in_ids() else None
    path = shutil.which(command[0]) if command else None
    return client_at(path, script).version if script and path else ""


def client_at(path: str, script: Script) -> Client:
    """The client of a path."""
    real = Path(os.path.realpath(path))
    for folder in [*real.parents][:_MOST_LEVELS]:
        version = _of_package(folder / "package.json", script.package)
        if version:
            return Client(path, version)
    named = _VERSION.findall(str(real))
    return Client(path, named[-1] if named else "")


def _of_package(file: Path, package: str) -> str:
    """The version of a package, or of its part for this system; "" for another one."""
    try:
        found = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return ""
    name, version = (found.get(key) for key in ("name", "version")) if isinstance(found, dict) else ("", "")
    if not (isinstance(name, str) and isinstance(version, str) and (name == package or name.startswith(f"{package}-"))):
        return ""
    found_version = _VERSION.match(version)
    return found_version[0] if found_version else ""
