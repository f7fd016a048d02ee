"""A command in a process group of its own, ended with all that it started."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
from asyncio.subprocess import DEVNULL, Process, create_subprocess_exec
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from .plan import Plan

try:
    import fcntl
    import pty
    import termios
except ImportError:  # Windows
    LACKING = "running a client takes process groups and terminals that Windows does not have; in WSL it works"
else:
    LACKING = ""
"""Why no client can be run on this system, or ""."""

_PATIENCE = 2.0
"""Seconds between asking a process group to end and ending it."""


class Command:
    """A command under way, with the person's terminal or with none."""

    def __init__(self, process: Process, terminal: Terminal | None = None, *, is_ours: bool = False) -> None:
        self.process, self._terminal, self.is_ours = process, terminal, is_ours
        self.group = process.pid
        self.listener: socket.socket | None = None
        """The port of its own network on which it expects the server; None on the network of all."""

    @classmethod
    async def start(cls, plan: Plan, url: str, *, observed: int | None = None) -> Command:
        """Start it. Raises OSError where it cannot be started. `observed`: the file that the observing mod writes."""
        words, env = plan.words(url), plan.environment(url)
        passed = () if observed is None else (observed,)
        if plan.observing and observed is not None:
            env[plan.observing.variable] = f"/proc/self/fd/{observed}"
        if not plan.isolated:
            return await cls._start(plan, words, env, passed)
        if plan.upstream:
            return await cls._start(plan, isolated(plan.isolated, words), env, passed)
        ours, theirs = socket.socketpair()
        with ours:
            with theirs:
                run = isolated(plan.isolated, words, listen=(theirs.fileno(), int(url.rpartition(":")[2])))
                command = await cls._start(plan, run, env, (*passed, theirs.fileno()))
            _, handed, _, _ = await asyncio.to_thread(socket.recv_fds, ours, 1, 1)
        command.listener = socket.socket(fileno=handed[0]) if handed else None
        return command

    @classmethod
    async def _start(cls, plan: Plan, run: Sequence[str], env: Mapping[str, str], passed: Sequence[int]) -> Command:
        """Start a command line.

        Its standard output is ours on a terminal; otherwise ours is data, and it goes where messages go. With a log it
        is in a session of its own: even who asks for the terminal by name has none, or a pseudo-terminal.
        """
        start = partial(create_subprocess_exec, *run, env=env, cwd=plan.folder, pass_fds=passed)
        if plan.dialogs is not None:
            terminal = Terminal(plan.dialogs)
            end = terminal.slave
            try:
                process = await start(
                    stdin=end, stdout=end, stderr=end, start_new_session=True, preexec_fn=terminal.take
                )
                return cls(process, terminal)
            finally:
                terminal.started()
        if plan.log is None:
            return cls(await start(stdout=None if os.isatty(1) else 2, process_group=0), is_ours=True)
        plan.log.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        log = os.open(plan.log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            return cls(await start(stdin=DEVNULL, stdout=log, stderr=log, start_new_session=True))
        finally:
            os.close(log)

    @property
    def code(self) -> int | None:
        """The exit code; None while it runs."""
        return self.process.returncode

    @property
    def said(self) -> str:
        """What it printed last on its pseudo-terminal."""
        return self._terminal.said if self._terminal else ""

    async def wait(self) -> int:
        """Its exit code, once it has ended by itself."""
        return await self.process.wait()

    async def end(self, *, in_haste: bool = False) -> None:
        """End it and everything of its group: first asked, unless `in_haste`, then made to."""
        for number in (signal.SIGKILL,) if in_haste else (signal.SIGTERM, signal.SIGKILL):
            if not self._signal(number):
                break
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._gone(), _PATIENCE)
        with suppress(ProcessLookupError):
            await self.process.wait()
        if self._terminal:
            self._terminal.close()

    async def _gone(self) -> None:
        while self._signal(0):
            await asyncio.sleep(0.02)

    def _signal(self, number: int) -> bool:
        """Whether there was still someone to receive it."""
        try:
            os.killpg(self.group, number)
            # A stopped one (it wanted to read from the terminal) must run to take notice.
            if number:
                os.killpg(self.group, signal.SIGCONT)
        except (ProcessLookupError, PermissionError):
            return False
        return True


@contextmanager
def terminal_of(command: Command) -> Iterator[None]:
    """The terminal is the command's while it runs: it may ask, and ctrl-c reaches it."""
    try:
        ours = os.tcgetpgrp(0) if os.isatty(0) else None
    except OSError:
        ours = None
    if ours is None or ours != os.getpgrp():
        yield
        return
    # Anyone who changes the terminal's group from outside of it is stopped by this signal.
    before = signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    try:
        with suppress(OSError):
            os.tcsetpgrp(0, command.group)
            os.killpg(command.group, signal.SIGCONT)  # it may have asked before the terminal was its own
        yield
    finally:
        with suppress(OSError):
            os.tcsetpgrp(0, ours)
        signal.signal(signal.SIGTTOU, before)
        sys.stderr.flush()


_PROGRAM = Path(__file__).with_name("isolated_run.py")
"""Run, and never imported: it is for Linux alone."""

_OWN_FOLDERS = (
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "XDG_STATE_HOME",
    "XDG_DATA_HOME",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
)
"""Variables that move a part of home elsewhere."""

_ATTEMPT = 20
"""Seconds that the attempt may take."""


def writable_folders(cwd: Path, env: Mapping[str, str]) -> tuple[str, ...]:
    """The repository around `cwd`, home with what is moved out of it, and temporary files: each is overlaid."""
    repository = next((folder for folder in (cwd, *cwd.parents) if (folder / ".git").exists()), cwd)
    moved = [env.get(name, "") for name in _OWN_FOLDERS]
    wanted = (str(repository), env.get("HOME", ""), *moved, tempfile.gettempdir(), "/tmp")
    real = [os.path.realpath(path) for path in wanted if path.startswith("/") and Path(path).is_dir()]
    return tuple(dict.fromkeys(path for path in real if path != "/"))


def isolated(
    folders: Sequence[str], command: Sequence[str], *, offline: bool = False, listen: tuple[int, int] | None = None
) -> list[str]:
    """The command line that runs a command isolated; `offline`: on a network of the loopback alone, too.

    `listen`: so, with one port on which it can be answered: a Unix socket through which the listening one comes, and
    the port's number.
    """
    options = ["--listen", *map(str, listen)] if listen else ["--offline"] * offline
    return [sys.executable, "-I", str(_PROGRAM), *options, *folders, "--", *command]


def why_not(folders: Sequence[str], *, offline: bool = False) -> str:
    """Why no command can be run isolated here; "" if one can. Tries it, without a command."""
    if not sys.platform.startswith("linux"):
        return "it takes Linux"
    if not folders:
        return "the repository and home are the root folder"
    try:
        tried = subprocess.run(
            isolated(folders, (), offline=offline),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_ATTEMPT,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if tried.returncode == 0:
        return ""
    said = tried.stderr.strip().splitlines()
    return said[-1] if said else f"the attempt ended with exit code {tried.returncode}"


_ROWS, _COLUMNS = 40, 120
_KEPT = 20_000
"""Bytes of what it printed last that are looked at for a dialog."""
_ASKED = (
    (re.compile(rb"\x1b\[6n"), b"\x1b[1;1R"),
    (re.compile(rb"\x1b\[0?c"), b"\x1b[?62;22c"),
    (re.compile(rb"\x1b\](1[01]);\?(?:\x07|\x1b\\)"), b"\x1b]\\1;rgb:0000/0000/0000\x1b\\\\"),
)
"""What is asked of a terminal (where the cursor is, what it can do, its colours), and what a plain one says."""
SETTLED = 0.3
"""Seconds in which nothing more is printed once a dialog is there: keys that come before it takes any are lost."""
_RIGHT = re.compile(r"\x1b\[\d*C")
_CONTROL = re.compile(
    r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[@-Z\\-_]|[\x00-\x09\x0b-\x1f\x7f]"
)


class Terminal:
    """Its two ends. `slave` is for the program's three streams; the other is read until it is closed."""

    def __init__(self, answers: Mapping[str, str]) -> None:
        self.master, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", _ROWS, _COLUMNS, 0, 0))
        os.set_blocking(self.master, False)
        self._left = [(re.compile(shows.replace(" ", r"\s*")), keys.encode()) for shows, keys in answers.items()]
        self._printed = b""
        self._unread = b""
        self._due: asyncio.TimerHandle | None = None
        asyncio.get_running_loop().add_reader(self.master, self._read)

    def take(self) -> None:
        """In the program's process, before it starts: this is its terminal."""
        with suppress(OSError):
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def started(self) -> None:
        """The program has its end."""
        os.close(self.slave)

    @property
    def said(self) -> str:
        """What it printed last, as a person would read it."""
        return plain(self._printed)

    def close(self) -> None:
        """Hang up."""
        if self._due:
            self._due.cancel()
        asyncio.get_running_loop().remove_reader(self.master)
        with suppress(OSError):
            os.close(self.master)

    def _read(self) -> None:
        try:
            piece = os.read(self.master, 65_536)
        except BlockingIOError:
            return
        except OSError:
            piece = b""
        if not piece:
            asyncio.get_running_loop().remove_reader(self.master)
            return
        for asked, answer in _ASKED:
            for found in asked.finditer(piece):
                self._type(found.expand(answer))
        self._printed = (self._printed + piece)[-_KEPT:]
        self._unread = (self._unread + piece)[-_KEPT:]
        if self._due:
            self._due.cancel()
        self._due = asyncio.get_running_loop().call_later(SETTLED, self._answer)

    def _answer(self) -> None:
        """Answer the dialog that is shown, if it is one that is known."""
        for number, (shows, keys) in enumerate(self._left):
            if shows.search(plain(self._unread)):
                del self._left[number]
                self._unread = b""
                self._type(keys)
                return

    def _type(self, keys: bytes) -> None:
        with suppress(OSError):
            os.write(self.master, keys)


def plain(printed: bytes) -> str:
    """Text without control sequences; a move to the right is a blank, as programs that draw write it."""
    return _CONTROL.sub("", _RIGHT.sub(" ", printed.decode("utf-8", "replace")))
