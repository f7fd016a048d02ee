"""promptscope on platforms that this one is not, as far as they can be pretended."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from promptscope_tui.settings import paths

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
