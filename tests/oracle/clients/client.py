"""What the oracle has to know of a client: how it starts, and how promptscope is asked the same."""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

from tests.oracle.situation import Content, Json, Situation

MODULES = "ORACLE_MODULES"
"""The environment variable that names the node_modules folder of the installed clients."""


class MissingClientError(Exception):
    """The client is not installed where the environment says."""


_JOINED: dict[str, Callable[[Any], list[str]]] = {
    "switch": lambda _: [],
    "text": lambda value: [value],
    "several": list,
    "comma": lambda value: [",".join(value)],
    "json": lambda value: [json.dumps(value)],
}


@dataclass(frozen=True)
class Flag:
    """A situation's argument on the command line: `each` repeats the flag, `several` and `comma` join the values."""

    name: str
    flag: str
    kind: Literal["switch", "text", "each", "several", "comma", "json"] = "text"

    def words(self, value: Any) -> list[str]:
        """The words of a value; none where it is absent or off."""
        if value is None or value is False:
            return []
        if self.kind == "each":
            return [word for one in value for word in (self.flag, one)]
        return [self.flag, *_JOINED[self.kind](value)]


@dataclass(frozen=True)
class Launch:
    """A command line and its whole environment."""

    command: list[str]
    environment: dict[str, str]


@dataclass(frozen=True)
class Client(ABC):
    """One version of an agent. `managed` is the folder below /etc that an administrator fills."""

    agent: str
    version: str

    flags: ClassVar[tuple[Flag, ...]] = ()
    managed: ClassVar[str] = ""
    asks_by: ClassVar[str] = "prompt"
    """The param that is the user's first message; none where the prompt does not hold it."""
    base: ClassVar[str] = "/media"
    """Where roots lie when it runs."""

    limit: ClassVar[float] = 45.0
    """Seconds that it may take."""

    @property
    def modelled(self) -> bool:
        """Whether promptscope models this version closely enough to compare."""
        return True

    def files(self, situation: Situation) -> dict[str, Content]:
        """The situation's files, and what it needs to start without a dialog; the situation's own ones win."""
        return dict(situation.files)

    def program(self) -> list[str]:
        """The words that start it, whatever it is asked. Raises MissingClientError."""
        raise MissingClientError(f"{self.agent} is not a program")

    def bare_command(self) -> list[str]:
        """What a person types to ask it one thing."""
        raise MissingClientError(f"{self.agent} is not a program")

    def capture_environment(self) -> dict[str, str]:
        """Variables that it needs under `promptscope capture`."""
        return {}

    @abstractmethod
    def launch(self, situation: Situation, port: int, root: Path) -> Launch:
        """How it starts against a stand-in on this port; the situation is filled in. Raises MissingClientError."""

    @abstractmethod
    def scenario(self, situation: Situation) -> Json:
        """`params`, `env` and what else promptscope is told; places are filled in later."""

    def read_calls(self, paths: list[str]) -> list[list[Json]]:
        """The replies of a stand-in that make it read these files."""
        return [[{"tool": "read_file", "input": {"file_path": path}}] for path in paths]

    def words(self, situation: Situation) -> list[str]:
        """The situation's arguments on the command line."""
        return [word for flag in self.flags for word in flag.words(situation.args.get(flag.name))]


def plain_environment(root: Path) -> dict[str, str]:
    """The variables that every client gets."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(root / "home"),
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "SHELL": "/bin/bash",
        "TZ": "UTC",
        "GIT_CONFIG_NOSYSTEM": "1",
    }


def completed(files: dict[str, Content], path: str, own: Json) -> dict[str, Content]:
    """The files, with keys of our own in one that is JSON or missing, where it does not say otherwise."""
    content = files.get(path, "{}")
    try:
        value = json.loads(content) if isinstance(content, str) else None
    except ValueError:
        value = None
    if not isinstance(value, dict):
        return dict(files)
    return {**files, path: json.dumps(_laid_under(value, own), ensure_ascii=False)}


def _laid_under(value: Json, own: Json) -> Json:
    found = dict(value)
    for key, below in own.items():
        old = found.get(key)
        if isinstance(old, dict) and isinstance(below, dict):
            found[key] = _laid_under(old, below)
        elif key not in found:
            found[key] = below
    return found


def program(variable: str, below: str) -> str:
    """A client's program: what the variable names, else that path below ORACLE_MODULES. Raises MissingClientError."""
    named = os.environ.get(variable)
    path = Path(named) if named else Path(os.environ.get(MODULES, "node_modules"), below)
    if not path.exists():
        raise MissingClientError(f"no client at {path}: set {MODULES} or {variable}")
    return str(path)
