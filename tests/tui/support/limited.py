"""A watcher in a process that the system allows only so many watches; run as a program, it is that process."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from queue import Queue
from typing import Any

import msgspec
import pytest

from promptscope_engine.workspace import Workspace
from promptscope_tui.watching.status import WatchStatus
from promptscope_tui.watching.watcher import Watcher

PATIENCE = 60.0
"""Seconds after which something that did not come is a failure."""

LIMITS = Path("/proc/sys/user")
"""The limits of a user namespace. They act in addition to those of fs.inotify."""


class Limited:
    """Watches files in a process that may have so many watches and instances of inotify."""

    def __init__(self, folder: Path, *names: str, **limits: int) -> None:
        """`limits` by the end of their names: `watches`, `instances`."""
        self.folder = folder
        self.changes: set[str] = set()
        self.status: WatchStatus | None = None
        self.watches = 0
        """How many the kernel counts."""
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        command = limited(sys.executable, __file__, str(folder), *names, **limits)
        self._process = subprocess.Popen(command, text=True, **pipes)  # type: ignore[call-overload]
        self._lines: Queue[str] = Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self._process.stdout:
            self._lines.put(line)

    def until(self, holds: Callable[[], bool]) -> None:
        """Wait until this holds."""
        while not holds():
            found = json.loads(self._lines.get(timeout=PATIENCE))
            self.changes.update(found["changed"])
            self.status, self.watches = msgspec.convert(found["status"], WatchStatus | None), found["watches"]

    def expect(self, *names: str) -> None:
        """Wait until these are noticed."""
        wanted = {str(self.folder / name) for name in names}
        self.until(lambda: wanted <= self.changes)
        self.changes.clear()

    def allow(self, **limits: int) -> None:
        """Change limits of the system."""
        self._process.stdin.write(json.dumps(limits) + "\n")
        self._process.stdin.flush()

    def close(self) -> None:
        """End the process, which ends with its input."""
        self._process.communicate(timeout=PATIENCE)


def limited(*command: str, **limits: int) -> list[str]:
    """The command that runs a command in a namespace with limits."""
    set_limits = "".join(f"echo {most} > {LIMITS}/max_inotify_{name} && " for name, most in limits.items())
    return [*_NAMESPACE, "sh", "-c", f'{set_limits}exec "$@"', "sh", *command]


_NAMESPACE = ("unshare", "--user", "--map-root-user")


def need_namespaces() -> None:
    """Skip the test where no namespace with limits of its own can be made."""
    if shutil.which("unshare") is None:
        pytest.skip("there is no unshare on the PATH: only Linux limits watches")
    script = f"echo 5 > {LIMITS}/max_inotify_watches"
    tried = subprocess.run([*_NAMESPACE, "sh", "-c", script], capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"no namespace with limits of its own can be made here: {tried.stderr.strip()}")


def _main(folder: Path, names: list[str]) -> None:
    """Watch, say what is noticed as a line of JSON, and take limits from stdin until it ends."""
    workspace, noticed = Workspace(), Queue[frozenset[str]]()
    workspace.allow([str(folder)])
    last: list[WatchStatus] = []
    lock = threading.Lock()

    def read(paths: list[str]) -> None:
        for path in paths:
            workspace.read(path)

    def say(changed: frozenset[str] = frozenset()) -> None:
        line: dict[str, Any] = {"changed": sorted(changed), "watches": _watches()}
        with lock:
            print(msgspec.json.encode(line | {"status": last[-1] if last else None}).decode(), flush=True)  # noqa: T201

    def told(status: WatchStatus) -> None:
        last.append(status)
        say()

    def follow() -> None:
        while paths := noticed.get():
            workspace.forget(paths)
            read(sorted(paths))
            watcher.update()
            say(paths)

    read([str(folder / name) for name in names])
    watcher = Watcher(workspace, noticed.put, told)
    watcher.seconds = 0.05
    threading.Thread(target=follow, daemon=True).start()
    watcher.start()
    for line in sys.stdin:
        for name, most in json.loads(line).items():
            (LIMITS / f"max_inotify_{name}").write_text(str(most))
    watcher.stop()
    noticed.put(frozenset())


def _watches() -> int:
    """How many the kernel counts for this process."""
    found = 0
    for opened in Path("/proc/self/fdinfo").iterdir():
        try:
            found += len(re.findall("^inotify wd:", opened.read_text(), re.MULTILINE))
        except FileNotFoundError:  # the one that listed them
            continue
    return found


if __name__ == "__main__":
    _main(Path(sys.argv[1]), sys.argv[2:])
