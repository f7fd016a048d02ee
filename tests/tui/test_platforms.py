"""promptscope on platforms that this one is not, as far as they can be pretended."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from types import SimpleNamespace
from typing import Any

import pytest

from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.git import find_git
from promptscope_tui.settings import paths
from promptscope_tui.watching.watcher import Watcher
from promptscope_tui.widgets.editor import editor_command

POSIX_ONLY = ("fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty")

WITHOUT_POSIX = """
import asyncio, json, os, platform, signal, sys
import textual.app  # Textual's own imports follow sys.platform, which cannot be pretended

for name in json.loads(sys.argv[1]):
    sys.modules[name] = None
for name in ("fork", "getuid", "geteuid", "setsid", "uname", "getpgid", "killpg", "mkfifo", "O_NONBLOCK", "O_CLOEXEC"):
    vars(os).pop(name, None)
for name in ("SIGHUP", "SIGWINCH", "SIGTSTP", "SIGCONT", "SIGUSR1"):
    vars(signal).pop(name, None)
platform.system = lambda: "Windows"
platform.release = lambda: "11"

from promptscope_tui.__main__ import main
for words in (["--version"], ["--help"], ["locate"], ["show", "--agent", "roo"], ["tokens", "--agent", "claude-code"],
              ["files", "--agent", "codex"], ["show", "--agent", "openclaw"], ["show", "--agent", "gemini"]):
    sys.argv = ["promptscope", *words]
    try:
        main()
    except SystemExit as end:
        assert not end.code, words

sys.argv = ["promptscope", "capture", "--yes", "--", "git"]
try:
    main()
except SystemExit as end:
    assert end.code == 2

from promptscope_engine import Scenario
from promptscope_tui.app import PromptscopeApp

async def run():
    app = PromptscopeApp(Scenario(agent="roo", workspace="."))
    async with app.run_test() as pilot:
        await pilot.press("2", "3", "4", "q")
    assert app.return_code == 0
asyncio.run(run())
print("the end")
"""


@pytest.mark.slow
def test_nothing_that_only_posix_has_is_needed(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "AGENTS.md").write_text("Use pnpm.\n")
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_POSIX, json.dumps(POSIX_ONLY)],
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(tmp_path),
            "PROMPTSCOPE_CACHE": str(tmp_path / "cache"),
            "TEXTUAL_DRIVER": "textual.drivers.headless_driver:HeadlessDriver",
        },
        cwd=tmp_path / "shop",
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode().endswith("the end\n")
    assert b"Operating System: Windows 11" in done.stdout
    assert b"cannot run git: running a client takes" in done.stderr


@pytest.mark.parametrize(
    ("system", "folders"),
    [
        ("unix.Unix", (".cache/promptscope", ".config/promptscope", ".local/state/promptscope")),
        (
            "macos.MacOS",
            (
                "Library/Caches/promptscope",
                "Library/Application Support/promptscope",
                "Library/Application Support/promptscope/state",
            ),
        ),
        ("windows.Windows", ("promptscope/Cache", "promptscope", "promptscope/state")),
    ],
)
def test_its_own_folders_follow_the_platform(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, system: str, folders: tuple[str, str, str]
) -> None:
    for use in ("CACHE", "CONFIG", "STATE"):
        monkeypatch.delenv(f"XDG_{use}_HOME", raising=False)
        monkeypatch.delenv(f"PROMPTSCOPE_{use}", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("promptscope_engine.app_dirs.sys", SimpleNamespace(platform=""))  # ask platformdirs
    monkeypatch.setattr("platformdirs.windows.get_win_folder", lambda _: str(tmp_path))
    module, _, name = system.partition(".")
    monkeypatch.setattr(
        "platformdirs.PlatformDirs", getattr(__import__(f"platformdirs.{module}", fromlist=[name]), name)
    )
    found = paths.cache_folder(), paths.config_folder(), paths.state_folder()
    assert found == tuple(tmp_path / folder for folder in folders)


@pytest.mark.usefixtures("drives")
def test_an_editor_and_git_are_given_paths_of_windows() -> None:
    assert editor_command(["code"], "/C:/work/CLAUDE.md", 3) == ["code", "--goto", r"C:\work\CLAUDE.md:3"]
    git = find_git("/C:/work", "/C:/Users/ada", {"PATH": os.environ["PATH"]})
    assert git is not None
    assert (git.cwd, git.env["HOME"]) == (r"C:\work", r"C:\Users\ada")


def test_a_save_on_a_drive_of_windows_is_seen(drives: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = drives / "C/work/CLAUDE.md"
    file.parent.mkdir(parents=True)
    file.write_text("one")
    workspace = Workspace()
    workspace.allow(["/C:/work"])
    assert workspace.read("/C:/work/CLAUDE.md").text == "one"
    watched: set[str] = set()
    changed: Queue[frozenset[str]] = Queue()

    def watch(*folders: str, stop_event: Any, **_: object) -> Iterator[set[tuple[int, str]]]:
        watched.update(folders)
        stop_event.is_set()  # what changed before is compared here
        file.write_text("two")
        yield {(2, r"C:\work\CLAUDE.md")}

    monkeypatch.setattr("watchfiles.watch", watch)
    watcher = Watcher(workspace, changed.put, lambda _: None)
    watcher.start()
    assert changed.get(timeout=60) == {"/C:/work/CLAUDE.md"}
    watcher.stop()
    assert watched == {"C:\\", r"C:\work"}
