"""Which folders an isolated run may write to, and whether this machine permits one."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

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

_PATIENCE = 20
"""Seconds that the attempt may take."""


def writable_folders(cwd: Path, env: Mapping[str, str]) -> tuple[str, ...]:
    """The repository around `cwd`, home with what is moved out of it, and temporary files: each is overlaid."""
    repository = next((folder for folder in (cwd, *cwd.parents) if (folder / ".git").exists()), cwd)
    moved = [env.get(name, "") for name in _OWN_FOLDERS]
    wanted = (str(repository), env.get("HOME", ""), *moved, tempfile.gettempdir(), "/tmp")
    real = [os.path.realpath(path) for path in wanted if path.startswith("/") and Path(path).is_dir()]
    return tuple(dict.fromkeys(path for path in real if path != "/"))


def isolated(folders: Sequence[str], command: Sequence[str]) -> list[str]:
    """The command line that runs a command isolated."""
    return [sys.executable, "-I", str(_PROGRAM), *folders, "--", *command]


def why_not(folders: Sequence[str]) -> str:
    """Why no command can be run isolated here; "" if one can. Tries it, without a command."""
    if not sys.platform.startswith("linux"):
        return "it takes Linux"
    if not folders:
        return "the repository and home are the root folder"
    try:
        tried = subprocess.run(
            isolated(folders, ()), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_PATIENCE
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if tried.returncode == 0:
        return ""
    said = tried.stderr.strip().splitlines()
    return said[-1] if said else f"the attempt ended with exit code {tried.returncode}"
