"""Git: the only program that is run here, and only to read.

Git is called with a fixed environment in which it neither writes nor runs anything of the repository's choosing: no
locks, pager, hooks, fsmonitor, external diff, textconv, signature check, lazy fetch; configured clean filters are
switched off by name. Every call has a time-out and a bounded answer, and after one that was too slow there is no
other. A pipe or a device among git's own files would make every call wait: `waits_on` finds it before.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from msgspec import Struct

from .paths import to_system
from .workspace import Workspace

TIMEOUT = 5.0
"""Seconds for one call; a status of a very large cold tree takes longer and is then given up."""

MAX_OUTPUT = 4 * 1024 * 1024
"""Bytes of an answer; more is no answer unless a call says otherwise."""

_SAFE = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.sshCommand=false",
    "protocol.allow=never",
    "diff.external=",
    "log.showSignature=false",
    "status.submoduleSummary=false",
    "color.ui=false",
)
_OWN = ("HEAD", "index", "config.worktree", "commondir")
_COMMON = ("config", "packed-refs", "shallow", "info/exclude", "info/attributes", "objects/info/alternates")
_FILTER = r"(?i)filter\.(.+)\.(?:clean|smudge|process|required)\Z"


@dataclass(slots=True, eq=False)
class Git:
    """Git in one directory. Once a call was too slow, no other is made."""

    command: tuple[str, ...]
    cwd: str
    env: Mapping[str, str]
    _slow: threading.Event = field(default_factory=threading.Event)

    def ask(self, *arguments: str, limit: int = MAX_OUTPUT) -> bytes | None:
        """The standard output, or None if git failed, was too slow or said more than `limit` bytes."""
        return _answer(_start(self, arguments), limit)

    def text(self, *arguments: str) -> str | None:
        """`ask`, decoded."""
        return _decoded(self.ask(*arguments))

    def texts(self, *calls: tuple[str, ...]) -> list[str | None]:
        """`text` of several calls, which run at the same time."""
        started = [_start(self, arguments) for arguments in calls]
        return [_decoded(_answer(each, MAX_OUTPUT)) for each in started]

    def refuses(self, *arguments: str) -> bool:
        """Whether git ends such a call with an error of its own, and not for being too slow or saying too much."""
        started = _start(self, arguments)
        if started is None or _answer(started, MAX_OUTPUT) is not None:
            return False
        return started.process.returncode > 0  # below 0: killed

    def open(self, *arguments: str) -> subprocess.Popen[bytes]:
        """A git that is asked many times through its standard input. Raises OSError. Who opens it ends it."""
        return subprocess.Popen(
            [*self.command, *arguments], cwd=self.cwd, env=dict(self.env),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def settings(self) -> dict[str, str] | None:
        """Every configured value by its name, the last one given; None if git does not tell.

        What is given here to keep it safe comes last, and is no setting of anybody's.
        """
        listed = self.text("config", "--null", "--list")
        if listed is None:
            return None
        own = [each for each in listed.split("\0") if each][: -len(_SAFE)]
        return dict(_setting(each) for each in own)

    def without_filters(self, settings: Mapping[str, str]) -> Git | None:
        """The same, with every filter of its settings switched off by name; None if that cannot be done."""
        drivers = {found[1] for name in settings if (found := re.match(_FILTER, name))}
        if any("=" in driver for driver in drivers):
            return None  # such a name cannot be given with -c, so its filter could not be switched off
        off: list[str] = []
        for driver in sorted(drivers):
            # Git takes an empty filter command for none: nothing of the repository's choosing is run.
            for setting in ("clean=", "smudge=", "process=", "required=false"):
                off += ["-c", f"filter.{driver}.{setting}"]
        return replace(self, command=(*self.command, *off))


def waits_on(git_dir: str, common: str, workspace: Workspace) -> str | None:
    """The pipe or device in the place of a file that git opens, whose own and shared folder these are.

    Nothing here counts as looked at: a folder of objects is not to be watched.
    """
    workspace = Workspace(workspace.disk)
    workspace.allow((git_dir, common))  # a workspace in which nothing was allowed yet would not read HEAD
    head = workspace.read(f"{git_dir}/HEAD").text.removeprefix("ref:").strip()
    refs = (head,) if head.startswith("refs/heads/") and ".." not in head else ()
    paths = (*(f"{git_dir}/{name}" for name in _OWN), *(f"{common}/{name}" for name in (*_COMMON, *refs)))
    return next((path for path in paths if workspace.kind(path) == "other"), None)


def _setting(listed: str) -> tuple[str, str]:
    """A name and its value; a name without a value is a switch that is on."""
    name, has_value, value = listed.partition("\n")
    return name, value if has_value else "true"


def _decoded(data: bytes | None) -> str | None:
    return None if data is None else data.decode("utf-8", "replace")


def find_git(cwd: str, home: str, env: Mapping[str, str]) -> Git | None:
    """Git for a directory, or None where there is none on the PATH."""
    path = env.get("PATH") or os.environ.get("PATH") or ""
    program = shutil.which("git", path=path)
    if program is None:
        return None
    fixed = {
        "PATH": path,
        "HOME": to_system(home),
        "LC_ALL": "C",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_PAGER": "cat",
        "GIT_ASKPASS": "",
    }
    if folder := env.get("XDG_CONFIG_HOME"):
        fixed["XDG_CONFIG_HOME"] = to_system(folder)  # where the user's own settings of git are, too
    options = [part for setting in _SAFE for part in ("-c", setting)]
    return Git((program, "--no-pager", "--no-optional-locks", *options), to_system(cwd), fixed)


class _Started(Struct, frozen=True):
    process: subprocess.Popen[bytes]
    timer: threading.Timer


def _start(git: Git, arguments: tuple[str, ...]) -> _Started | None:
    if git._slow.is_set():
        return None
    try:
        process = subprocess.Popen(
            [*git.command, *arguments], cwd=git.cwd, env=dict(git.env),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
    except (OSError, ValueError):
        return None

    def give_up() -> None:
        git._slow.set()
        process.kill()

    timer = threading.Timer(TIMEOUT, give_up)
    timer.start()
    return _Started(process, timer)


def _answer(started: _Started | None, limit: int) -> bytes | None:
    if started is None:
        return None
    process = started.process
    assert process.stdout is not None
    try:
        data = process.stdout.read(limit + 1)
        if len(data) > limit:
            process.kill()
        code = process.wait()
    finally:
        started.timer.cancel()
        process.stdout.close()
        with contextlib.suppress(OSError):
            process.kill()
    # a git that ended by itself before it was killed has said too much all the same
    return data if code == 0 and len(data) <= limit else None
