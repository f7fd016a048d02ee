"""Git status, the "system context": the only thing that is executed, and the only look past the workspace door.

Git is asked with a fixed environment in which it neither writes nor runs anything of the repository's choosing: no
locks, pager, hooks, fsmonitor, external diff, textconv, signature check, lazy fetch; configured clean filters are
switched off by name; submodules are looked at without entering them. Every call has a time-out and a bounded answer.
The answers are kept in the door's memory until it forgets anything; HEAD, index and refs are asked of the door, so
that they are watched.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import IO

from promptscope_engine.workspace import Workspace

from .materials import GitStatus
from .models import V100

STATUS_LIMIT = 2_000
"""UTF-16 units of the status that are sent (4)."""

_TIMEOUT = 5.0
"""Seconds for one call; a status of a very large cold tree takes longer and is then given up."""
_MAX_OUTPUT = 4 * 1024 * 1024
_COMMITS = 5

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
_FILTER = re.compile(r"filter\.(.+)\.(?:clean|smudge|process|required)\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Repository:
    """Where a working directory belongs: `root` holds `.git`; `main_root` differs in a linked worktree."""

    root: str
    main_root: str
    git_dir: str
    """The worktree's own git directory (HEAD, index)."""

    @property
    def linked(self) -> bool:
        return self.root != self.main_root


def find_repository(cwd: str, workspace: Workspace) -> Repository | None:
    """The repository around a directory, from `.git` alone; git is not asked."""
    for folder in (cwd, *(str(parent) for parent in PurePosixPath(cwd).parents)):
        dot_git = f"{folder.rstrip('/')}/.git"
        kind = workspace.kind(dot_git)
        if kind == "directory":
            return Repository(folder, folder, dot_git)
        if kind == "file":
            return _linked(folder, workspace.read(dot_git).text)
    return None


def _linked(folder: str, pointer: str) -> Repository:
    """A linked worktree (or a submodule): `.git` is a file that points to its git directory."""
    target = pointer.removeprefix("gitdir:").strip()
    git_dir = os.path.normpath(PurePosixPath(folder) / target) if target else f"{folder}/.git"
    main, marker, _ = git_dir.rpartition("/.git/worktrees/")
    return Repository(folder, main if marker else folder, git_dir)


def git_status(
    repository: Repository, cwd: str, home: str, env: Mapping[str, str], version: str, workspace: Workspace
) -> GitStatus | None:
    """What is sent of the repository, or None where git is not there or does not answer."""
    _watch(repository, workspace)
    git = shutil.which("git", path=env.get("PATH") or os.environ.get("PATH"))
    if git is None:
        return None
    key = ("claude-code.git", git, cwd, home)
    answers = workspace.memo(key, lambda: _ask(git, cwd, home, env))
    return None if answers is None else _status(answers, version)


def _watch(repository: Repository, workspace: Workspace) -> None:
    """Ask the door for what changes with a commit, a checkout or a staged file, so that it is watched."""
    for name in ("HEAD", "index", "config", "packed-refs"):
        workspace.kind(f"{repository.git_dir}/{name}")
    workspace.read(f"{repository.git_dir}/HEAD")
    common = f"{repository.main_root}/.git"
    for name in ("config", "packed-refs", "refs/remotes/origin/HEAD"):
        workspace.read(f"{common}/{name}")
    workspace.read(f"{repository.git_dir}/index")
    head = workspace.read(f"{repository.git_dir}/HEAD").text.removeprefix("ref:").strip()
    if head.startswith("refs/heads/") and ".." not in head:
        workspace.read(f"{common}/{head}")


@dataclass(frozen=True, slots=True)
class _Answers:
    branch: str
    origin_head: str
    user: str
    status: str
    log: str


def _ask(git: str, cwd: str, home: str, env: Mapping[str, str]) -> _Answers | None:
    path = env.get("PATH") or os.environ.get("PATH") or ""
    fixed = {
        "PATH": path,
        "HOME": home,
        "LC_ALL": "C",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_PAGER": "cat",
        "GIT_ASKPASS": "",
    }
    options = [part for setting in _SAFE for part in ("-c", setting)]
    command = [git, "--no-pager", "--no-optional-locks", *options]
    names = _run([*command, "config", "--name-only", "--list"], cwd, fixed)
    if names is None:
        return None
    drivers = {found[1] for line in names.splitlines() if (found := _FILTER.match(line))}
    if any("=" in driver for driver in drivers):
        return None  # such a name cannot be given with -c, so its filter could not be switched off
    for driver in sorted(drivers):
        # Git takes an empty filter command for none: nothing of the repository's choosing is run.
        for setting in ("clean=", "smudge=", "process=", "required=false"):
            command += ["-c", f"filter.{driver}.{setting}"]
    status = _run([*command, "status", "--short", "--ignore-submodules=dirty"], cwd, fixed)
    if status is None:
        return None
    # HEAD for a detached one; without a commit only symbolic-ref knows the branch.
    branch = _run([*command, "symbolic-ref", "--quiet", "--short", "HEAD"], cwd, fixed)
    return _Answers(
        branch=(branch or "HEAD").strip(),
        origin_head=(_run([*command, "symbolic-ref", "--quiet", "refs/remotes/origin/HEAD"], cwd, fixed) or "").strip(),
        user=(_run([*command, "config", "--get", "user.name"], cwd, fixed) or "").strip(),
        status=status,
        log=_run([*command, "log", "--oneline", "--no-show-signature", "--no-decorate", f"-{_COMMITS}"], cwd, fixed)
        or "",
    )


def _run(command: list[str], cwd: str, env: Mapping[str, str]) -> str | None:
    """The standard output, or None if git failed, was too slow or said too much."""
    try:
        process = subprocess.Popen(
            command, cwd=cwd, env=dict(env), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
    except (OSError, ValueError):
        return None
    assert process.stdout is not None
    timer = threading.Timer(_TIMEOUT, process.kill)
    timer.start()
    try:
        data = _read(process.stdout)
        if len(data) > _MAX_OUTPUT:
            process.kill()
        code = process.wait()
    finally:
        timer.cancel()
        process.stdout.close()
        with contextlib.suppress(OSError):
            process.kill()
    return data.decode("utf-8", "replace") if code == 0 else None


def _read(stream: IO[bytes]) -> bytes:
    return stream.read(_MAX_OUTPUT + 1)


def _status(answers: _Answers, version: str) -> GitStatus:
    # 2.1.100 trims the whole output: the first line loses its leading space (4).
    status = answers.status.strip() if version == V100 else answers.status.rstrip()
    shown, cut = _cut(status)
    return GitStatus(
        branch=answers.branch,
        # Without a remote's HEAD it is always called main, even where the only branch is master (4).
        main_branch=answers.origin_head.removeprefix("refs/remotes/origin/") or "main",
        user=answers.user or None,
        status=status,
        commits=tuple(line for line in answers.log.splitlines() if line),
        status_shown=shown,
        cut=cut,
    )


def _cut(status: str) -> tuple[str, bool]:
    """The first 2,000 UTF-16 units."""
    units = status.encode("utf-16-le", "surrogatepass")
    if len(units) <= 2 * STATUS_LIMIT:
        return status, False
    return units[: 2 * STATUS_LIMIT].decode("utf-16-le", "replace"), True
