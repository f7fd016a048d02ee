"""Which instruction files each agent reads, found by assembling it over a repository that has them."""

import errno
import posixpath
import stat
from collections.abc import Iterable, Iterator
from typing import Any

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.inputs.params import with_value
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.disk import Entry, made_stat

FILES = ("AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md")

_REPOSITORY = "/shop"
_KINDS = {True: stat.S_IFDIR | 0o755, False: stat.S_IFREG | 0o644}


class _Repository:
    """A disk with one repository, each of whose files has its own text: an agent may leave out what it has read."""

    def __init__(self, files: Iterable[str]) -> None:
        self._files = {f"{_REPOSITORY}/{name}" for name in files}
        self._folders = {above for path in [*self._files, f"{_REPOSITORY}/.git/x"] for above in _above(path)}

    def lstat(self, path: str) -> Any:
        """Of a file or a folder. Raises OSError where there is neither."""
        if path not in self._files | self._folders:
            raise FileNotFoundError(errno.ENOENT, "nothing here", path)
        return made_stat(_KINDS[path in self._folders], len(_text(path)))

    stat = lstat

    def read(self, path: str, limit: int) -> bytes:
        """The text of a file."""
        if path not in self._files:
            self.lstat(path)
            raise OSError(errno.EINVAL, "not a regular file", path)
        return _text(path)[:limit]

    def chunks(self, path: str, size: int) -> Iterator[bytes]:
        """The same, in one piece."""
        yield self.read(path, size)

    def scan(self, path: str) -> list[Entry]:
        """What is in a folder."""
        self.lstat(path)
        below = {each for each in self._files | self._folders if each.rpartition("/")[0] == path and each != path}
        return [Entry(each.rpartition("/")[2], "directory" if each in self._folders else "file") for each in below]

    def readlink(self, path: str) -> str:
        """There is no link."""
        raise OSError(errno.EINVAL, "no link", path)

    def realpath(self, path: str) -> str:
        """The path itself."""
        return path


def _text(path: str) -> bytes:
    return f"Answer as {path} says.\n".encode()


def _above(path: str) -> Iterator[str]:
    while path := path.rpartition("/")[0]:
        yield path


def read_by(agent: Agent) -> dict[str, str]:
    """Of each file `yes`, `alone` (only in a repository without the others) or `no`."""
    together = _read(agent, FILES)
    return {name: "yes" if name in together else "alone" if name in _read(agent, [name]) else "no" for name in FILES}


def _read(agent: Agent, files: Iterable[str]) -> set[str]:
    """Those whose text a session that trusts the folder begins with."""
    params: dict[str, Any] = {}
    for name, value in agent.trusted.items():
        params = with_value(params, name, value)
    scenario = Scenario(agent=agent.id, workspace=_REPOSITORY, home="/home", managed="/managed", env={}, params=params)
    seen = assemble(scenario, Workspace(_Repository(files)), cached_only=True).files
    read = {posixpath.join(_REPOSITORY, file.path) for file in seen if file.present and file.injected_chars}
    return {name for name in FILES if f"{_REPOSITORY}/{name}" in read}
