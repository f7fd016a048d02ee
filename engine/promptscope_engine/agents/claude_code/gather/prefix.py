"""CLAUDE_CODE_SHELL_PREFIX: the program that is given hooks' commands and servers' command lines to run.

Each is passed as one argument; of a server the whole text is the program's name [asked of 2.1.332]. promptscope runs
nothing, so two cases are known: a program that isn't there, and one that does something else with its argument.
"""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from promptscope_engine.agents.claude_code.texts import FOLDER
from promptscope_engine.agents.claude_code.versions import V100
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.machine import search_path
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Setting
from promptscope_engine.prompt.model import Diagnostic, Lever
from promptscope_engine.prompt.sourced import Sourced
from promptscope_engine.workspace.paths import path_in

from .session import Session

DEAF = ("true", "false", "env", "cat", "printf", "test")
"""Programs that run nothing of a command that is passed to them as one argument, and print no JSON."""
_NAME = "CLAUDE_CODE_SHELL_PREFIX"


class Prefix(Struct, frozen=True):
    """What it does to servers that are commands, "" for nothing that is known (code and text); and to hooks."""

    variable: Sourced[str]
    code: str = ""
    error: str = ""
    silences: bool = False

    @property
    def hooks(self) -> Condition:
        """Hooks are run as they are configured."""
        return self._harmless("runs no hook") if self.silences else ALWAYS

    @property
    def servers(self) -> Condition:
        """Servers that are commands are started as they are configured."""
        return self._harmless("starts no server") if self.code else ALWAYS

    def _harmless(self, no: str) -> Condition:
        source = self.variable.source
        off = Lever(source.overlay, "") if source.overlay else None
        return Setting(source, True, "is", False, "", f"`{_NAME}` {no}: {self.variable.value}", on=off)

    def notes(self) -> Iterator[Diagnostic]:
        """That it isn't known what becomes of hooks and servers."""
        if self.variable.value and not (self.silences and self.code):
            yield FOLDER.note("shell-prefix", self.variable.source, program=self.variable.value)


def prefix_of(session: Session) -> Prefix:
    """The prefix, and what is known of it."""
    variable = session.variable(_NAME)
    text = variable.value
    if not text or session.version == V100:
        return Prefix(Sourced("", variable.source))
    if "/" in text and not session.workspace.is_executable(path_in(session.cwd, text)):
        # with arguments behind it the shell still finds the program for hooks
        return Prefix(variable, "ENOENT", f"ENOENT: no such file or directory, posix_spawn '{text}'", " " not in text)
    if "/" not in text and not _on_path(text, session):
        return Prefix(variable, "ENOENT", f"Executable not found in $PATH: {text}", " " not in text)
    deaf = text.rpartition("/")[2] in DEAF
    return Prefix(variable, "CONNECTION_CLOSED" if deaf else "", "Connection closed" if deaf else "", deaf)


def _on_path(name: str, session: Session) -> bool:
    return any(session.workspace.is_executable(f"{folder}/{name}") for folder in search_path(session.inputs.env))


def failing(config: Mapping[str, Json], session: Session) -> str:
    """Why the program of a server's path can't be started, as the client says it [asked of 2.1.332].

    A check sees no disk but the repository's, where nothing is known of other paths.
    """
    command = config.get("command")
    if not isinstance(command, str) or "/" not in command or "$" in command or session.version == V100:
        return ""
    if session.workspace.kind(session.home) is None:
        return ""
    kind = session.workspace.kind(path_in(session.cwd, command))
    whys = {None: "ENOENT: no such file or directory", "directory": "EACCES: permission denied"}
    return f"{whys[kind]}, posix_spawn '{command}'" if kind in whys else ""
