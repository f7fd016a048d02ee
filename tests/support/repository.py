"""Repositories of git, made by git."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

_SETTINGS = (
    "user.name=a", "user.email=a@b", "commit.gpgsign=false", "protocol.file.allow=always", "init.defaultBranch=main",
    "advice.detachedHead=false",
)  # fmt: skip


def git(folder: Path, *arguments: str) -> str:
    """What git prints, without the runner's own settings. Raises if it fails."""
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
    dates = {"GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z"}
    options = [part for setting in _SETTINGS for part in ("-c", setting)]
    command = ["git", *options, *arguments]
    done = subprocess.run(command, cwd=folder, env=env | dates, check=True, capture_output=True)
    return done.stdout.decode()


def write(folder: Path, files: dict[str, str]) -> None:
    """Write files by their paths; a text that begins with `-> ` is a link."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        if text.startswith("-> "):
            path.symlink_to(text.removeprefix("-> "))
        else:
            path.write_text(text, encoding="utf-8")


def write_in_turn(folder: Path, files: dict[str, str]) -> None:
    """Write files, each of them a second newer than the one before."""
    write(folder, files)
    for number, name in enumerate(files):
        os.utime(folder / name, (1_000_000 + number, 1_000_000 + number))


def commit(folder: Path, files: dict[str, str], message: str = "more") -> str:
    """Write files and commit all there is; a new repository if there is none. The commit's id."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / ".git").exists():
        git(folder, "init", "-q")
    write(folder, files)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", message)
    return git(folder, "rev-parse", "HEAD").strip()
