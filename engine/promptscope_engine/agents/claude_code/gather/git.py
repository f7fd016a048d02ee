"""Git status, the "system context" (4).

Submodules are looked at without entering them. The answers are kept in the workspace's memory until it forgets
anything; HEAD, index and refs are read through the workspace, which has them watched.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from promptscope_engine.agents.claude_code.materials import STATUS_LIMIT, GitStatus
from promptscope_engine.agents.claude_code.versions import V100
from promptscope_engine.frozen import frozen
from promptscope_engine.inputs.scenario import GitFacts
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.repository import repository_root

if TYPE_CHECKING:
    from promptscope_engine.workspace.git import Git

_COMMITS = 5
_LOG = ("log", "--oneline", "--no-show-signature")
_ORIGIN = "refs/remotes/origin/"


@frozen
class Repository:
    """Where a working directory belongs: `root` holds `.git`; `main_root` differs in a linked worktree."""

    root: str
    main_root: str
    git_dir: str
    """The worktree's own git directory (HEAD, index)."""

    @property
    def linked(self) -> bool:
        return self.root != self.main_root

    @property
    def common(self) -> str:
        """Where the refs lie: a submodule has no `.git` folder of its own, they are beside its HEAD."""
        return f"{self.main_root}/.git" if self.linked else self.git_dir

    def waits_on(self, workspace: Workspace) -> str | None:
        """What stands in the place of one of git's files and would never answer."""
        from promptscope_engine.workspace.git import waits_on  # with subprocess: only where there is a repository

        return waits_on(self.git_dir, self.common, workspace)


def find_repository(cwd: str, workspace: Workspace) -> Repository | None:
    """The repository around a directory, from `.git` alone; git is not asked."""
    root = repository_root(cwd, workspace, kinds=("directory", "file"))
    if root is None:
        return None
    dot_git = f"{root.rstrip('/')}/.git"
    if workspace.is_dir(dot_git):
        return Repository(root, root, dot_git)
    return _linked(root, workspace.read(dot_git).text)


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
    from promptscope_engine.workspace.git import find_git

    git = None if repository.waits_on(workspace) else find_git(cwd, home, env)
    if git is None:
        return None
    answers = workspace.memo(("claude-code.git", git.command, cwd, home), lambda: _ask(git))
    return None if answers is None else _status(answers, version)


def given_status(facts: GitFacts, version: str) -> GitStatus:
    """What is sent of a repository whose facts the scenario gives."""
    shown, cut = _cut(_trimmed(facts.status, version))
    return GitStatus(
        branch=facts.branch,
        main_branch=facts.main_branch,
        user=facts.user,
        commits=tuple(facts.commits[:_COMMITS]),
        status_shown=shown,
        cut=cut,
    )


def _watch(repository: Repository, workspace: Workspace) -> None:
    """Read what changes with a commit, a checkout or a staged file, so that it is watched."""
    for name in ("HEAD", "index", "config", "packed-refs"):
        workspace.kind(f"{repository.git_dir}/{name}")
    workspace.read(f"{repository.git_dir}/HEAD")
    common = repository.common
    for name in ("config", "packed-refs", *(f"{_ORIGIN}{name}" for name in ("HEAD", "main", "master"))):
        workspace.read(f"{common}/{name}")
    workspace.read(f"{repository.git_dir}/index")
    head = workspace.read(f"{repository.git_dir}/HEAD").text.removeprefix("ref:").strip()
    if head.startswith("refs/heads/") and ".." not in head:
        workspace.read(f"{common}/{head}")


@frozen
class _Answers:
    branch: str
    origin_head: str
    """Where `refs/remotes/origin/HEAD` points, "" for a hash or nothing."""
    tracked: frozenset[str]
    """Those of the refs in question that there are."""
    user: str
    status: str | None
    """None where git fails at it, for one over a setting that it does not take."""
    log: str


def _ask(git: Git) -> _Answers | None:
    settings = git.settings()
    safe = None if settings is None else git.without_filters(settings)
    if settings is None or safe is None:
        return None
    of_status = (*_coloured(settings, "status"), "status", "--short", "--ignore-submodules=dirty")
    status, branch, head, refs, log = safe.texts(
        of_status,
        # HEAD for a detached one; without a commit only symbolic-ref knows the branch.
        ("symbolic-ref", "--quiet", "--short", "HEAD"),
        ("symbolic-ref", "--quiet", f"{_ORIGIN}HEAD"),
        ("for-each-ref", "--format=%(refname)", *(f"{_ORIGIN}{name}" for name in ("HEAD", "main", "master"))),
        (
            *_coloured(settings, "diff"),
            "log",
            "--oneline",
            "--no-show-signature",
            _decoration(settings),
            f"-{_COMMITS}",
        ),
    )
    if status is None and not safe.refuses(*of_status):
        return None
    tracked = set((refs or "").split())
    origin_head = (head or "").strip()
    if f"{_ORIGIN}HEAD" in tracked:  # listed only if what it points to exists
        tracked.add(origin_head)
    return _Answers(
        branch=(branch or "HEAD").strip(),
        origin_head=origin_head,
        tracked=frozenset(tracked),
        user=settings.get("user.name", "").strip(),
        status=status,
        log=log or "",
    )


def _coloured(settings: Mapping[str, str], kind: str) -> tuple[str, ...]:
    """Colours as they are set up: `always` is what counts where no terminal reads along."""
    word = settings.get(f"color.{kind}", settings.get("color.ui", ""))
    return ("-c", f"color.{kind}={'always' if word.lower() == 'always' else 'never'}")


def _decoration(settings: Mapping[str, str]) -> str:
    """Names of branches and tags beside the commits, as `log.decorate` has it."""
    word = settings.get("log.decorate", "").lower()
    if word == "full":
        return "--decorate=full"
    is_on = word in ("short", "true", "yes", "on") or word.strip("+-").strip("0").rstrip("kmg").isdecimal()
    return "--decorate=short" if is_on else "--no-decorate"


def _status(answers: _Answers, version: str) -> GitStatus:
    shown, cut = _cut(_trimmed(answers.status or "", version))
    return GitStatus(
        failed=answers.status is None,
        branch=answers.branch,
        main_branch=_main_branch(answers, version),
        user=answers.user,
        commits=tuple(line for line in answers.log.splitlines() if line),
        status_shown=shown,
        cut=cut,
    )


def _trimmed(status: str, version: str) -> str:
    # 2.1.100 trims the whole output: the first line loses its leading space (4).
    return status.strip() if version == V100 else status.rstrip()


def _main_branch(answers: _Answers, version: str) -> str:
    """The target of origin's HEAD, else origin's main or master, else `main`, whatever branches there are here.

    A target that does not exist is printed by 2.1.100 all the same (claude-code-new-facts.md).
    """
    head = answers.origin_head
    if head.startswith(_ORIGIN) and (version == V100 or head in answers.tracked):
        return head.removeprefix(_ORIGIN)
    return next((name for name in ("main", "master") if f"{_ORIGIN}{name}" in answers.tracked), "main")


def _cut(status: str) -> tuple[str, bool]:
    """The first 2,000 UTF-16 units."""
    units = status.encode("utf-16-le", "surrogatepass")
    if len(units) <= 2 * STATUS_LIMIT:
        return status, False
    return units[: 2 * STATUS_LIMIT].decode("utf-16-le", "replace"), True
