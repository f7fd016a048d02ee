"""What the machine tells: the status of git, and the shell that commands run in.

Submodules are looked at without entering them. Git's answers are kept in the workspace's memory until it forgets
anything; HEAD, index and refs are read through the workspace, which has them watched.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import TYPE_CHECKING

from msgspec import Struct

from promptscope_engine.agents.claude_code.materials import STATUS_LIMIT, GitStatus
from promptscope_engine.agents.claude_code.versions import V100
from promptscope_engine.inputs.machine import search_path
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.text import utf16_len, utf16_slice
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.paths import path_in
from promptscope_engine.workspace.repository import repository_root

if TYPE_CHECKING:
    from promptscope_engine.workspace.git import Git


_COMMITS = 5
_ORIGIN = "refs/remotes/origin/"
_TRACKED = tuple(f"{_ORIGIN}{name}" for name in ("HEAD", "main", "master"))


class Repository(Struct, frozen=True):
    """Where a working directory belongs: `root` holds `.git`; `main_root` differs in a linked worktree."""

    root: str
    main_root: str
    git_dir: str
    """The worktree's own git directory (HEAD, index)."""

    @property
    def linked(self) -> bool:
        """Whether it is a linked worktree."""
        return self.root != self.main_root

    @property
    def common(self) -> str:
        """Where the refs lie: a submodule has no `.git` folder of its own, they are beside its HEAD."""
        return f"{self.main_root}/.git" if self.linked else self.git_dir

    def waits_on(self, workspace: Workspace) -> str | None:
        """What is in the place of one of git's files and would never answer."""
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
    git_dir = path_in(folder, target) if target else f"{folder}/.git"
    main, marker, _ = git_dir.rpartition("/.git/worktrees/")
    return Repository(folder, main if marker else folder, git_dir)


def git_status(repository: Repository | None, inputs: Inputs, workspace: Workspace) -> GitStatus | None:
    """What is sent of the repository, or None where there is none, or git is not there or does not answer."""
    version, facts = inputs.agent_version, inputs.environment.git
    if repository is None:
        return None
    if facts is None:
        return _asked(repository, inputs, workspace)
    shown, cut = _shown(facts.status, version)
    commits = tuple(facts.commits[:_COMMITS])
    return GitStatus(facts.branch, facts.main_branch, facts.user, commits, shown, cut)


def _asked(repository: Repository, inputs: Inputs, workspace: Workspace) -> GitStatus | None:
    _watch(repository, workspace)
    from promptscope_engine.workspace.git import find_git

    cwd, home, version = inputs.workspace, inputs.home, inputs.agent_version
    git = None if repository.waits_on(workspace) else find_git(cwd, home, inputs.env)
    if git is None:
        return None
    refs = _Refs(repository, workspace)
    return workspace.memo(("claude-code.git", git.command, cwd, home, version), lambda: _ask(git, refs, version))


class _Refs(Struct, frozen=True):
    """Which refs git's own files rule out: git need not be asked for those."""

    repository: Repository
    workspace: Workspace

    def lack(self, *names: str) -> bool:
        """Whether none of these refs is there for certain."""
        common = self.repository.common
        if self.workspace.kind(f"{common}/reftable") is not None:
            return False
        packed = self.workspace.read(f"{common}/packed-refs")
        known = packed.problem in (None, "missing") and not any(name in packed.text for name in names)
        return known and all(self.workspace.read(f"{common}/{name}").problem == "missing" for name in names)

    @property
    def are_without_commit(self) -> bool:
        """Whether the branch has no commit for certain."""
        head = _head(self.repository, self.workspace)
        return head is not None and self.lack(head)


def _head(repository: Repository, workspace: Workspace) -> str | None:
    """The ref of the branch that is checked out."""
    head = workspace.read(f"{repository.git_dir}/HEAD").text.removeprefix("ref:").strip()
    return head if head.startswith("refs/heads/") and ".." not in head else None


def _watch(repository: Repository, workspace: Workspace) -> None:
    """Read what changes with a commit, a checkout or a staged file, so that it is watched."""
    for name in ("HEAD", "index", "config", "packed-refs"):
        workspace.kind(f"{repository.git_dir}/{name}")
    common = repository.common
    for name in ("config", "packed-refs", *_TRACKED):
        workspace.read(f"{common}/{name}")
    workspace.read(f"{repository.git_dir}/index")
    if head := _head(repository, workspace):
        workspace.read(f"{common}/{head}")


def _ask(git: Git, refs: _Refs, version: str) -> GitStatus | None:
    settings = git.settings()
    safe = None if settings is None else git.without_filters(settings)
    if settings is None or safe is None:
        return None
    of_status = (*_coloured(settings, "status"), "status", "--short", "--ignore-submodules=dirty")
    of_log = (*_coloured(settings, "diff"), "log", "--oneline", "--no-show-signature", _decoration(settings))
    # HEAD for a detached one; without a commit only symbolic-ref knows the branch.
    calls = {"status": of_status, "branch": ("symbolic-ref", "--quiet", "--short", "HEAD")}
    if not refs.are_without_commit:
        calls["log"] = (*of_log, f"-{_COMMITS}")
    if not refs.lack(*_TRACKED):
        calls["head"] = ("symbolic-ref", "--quiet", f"{_ORIGIN}HEAD")
        calls["tracked"] = ("for-each-ref", "--format=%(refname)", *_TRACKED)
    answers = dict(zip(calls, safe.texts(*calls.values()), strict=True))
    status = answers["status"]
    if status is None and not safe.refuses(*of_status):
        return None
    main = _main_branch((answers.get("head") or "").strip(), set((answers.get("tracked") or "").split()), version)
    commits = tuple(line for line in (answers.get("log") or "").splitlines() if line)
    shown, cut = _shown(status or "", version)
    user = settings.get("user.name", "").strip()
    branch = (answers["branch"] or "HEAD").strip()
    return GitStatus(branch, main, user, commits, shown, cut, failed=status is None)


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


def _main_branch(head: str, tracked: Set[str], version: str) -> str:
    """The target of origin's HEAD, else origin's main or master, else `main`, whatever branches there are here.

    `tracked` are the refs in question that there are; HEAD is one if what it points to exists. A target that does not
    exist is printed by 2.1.100 all the same.
    """
    if head.startswith(_ORIGIN) and (version == V100 or head in tracked or f"{_ORIGIN}HEAD" in tracked):
        return head.removeprefix(_ORIGIN)
    return next((name for name in ("main", "master") if f"{_ORIGIN}{name}" in tracked), "main")


def _shown(status: str, version: str) -> tuple[str, bool]:
    """The part of a status that is sent, and whether it was cut. 2.1.100 trims the whole output, its start too."""
    text = status.strip() if version == V100 else status.rstrip()
    cut = utf16_len(text) > STATUS_LIMIT
    return utf16_slice(text, 0, STATUS_LIMIT) if cut else text, cut


_KINDS = ("zsh", "bash")
_FOLDERS = ("/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin")


def shells(inputs: Inputs, workspace: Workspace) -> tuple[str, str]:
    """The path of the shell that commands run in, and of the login shell.

    CLAUDE_CODE_SHELL or else SHELL, if it names a bash or zsh that can be run; else one on PATH, of SHELL's kind first.
    The machine's login shell stands in for SHELL where no variable says, and is there. Where nothing can be seen, SHELL
    is taken at its word.
    """
    env = inputs.env
    login = env.get("SHELL", inputs.environment.shell) or ""
    named = [path for path in (env.get("CLAUDE_CODE_SHELL", ""), login) if any(kind in path for kind in _KINDS)]
    if named == [login] and "SHELL" not in env:
        return login, login
    kinds = reversed(_KINDS) if "bash" in login else _KINDS
    folders = (*search_path(env), *_FOLDERS)
    paths = (*named, *(f"{folder}/{kind}" for kind in kinds for folder in folders))
    absolute = (path if path.startswith("/") else f"{inputs.workspace}/{path}" for path in paths)
    return next(filter(workspace.is_executable, absolute), (*named, "bash")[0]), login
