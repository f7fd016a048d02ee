"""Repositories whose configuration would run programs, whose index is broken, or whose files point elsewhere."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from promptscope_engine import ScenarioError
from promptscope_engine.insight.sides import assemble_pinned, assemble_side, at_revision, between
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.repository import list_files
from promptscope_engine.workspace.revision import RevisionDisk, find_revision

from .runs import AGENTS, COUNTER, hold, put, scenario

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed"),
]


def _git(folder: Path, *arguments: str) -> None:
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
    names = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *names, *arguments], cwd=folder, env=env, check=True, capture_output=True)


def _config(text: str) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        with (folder / ".git" / "config").open("a") as file:
            file.write(text.replace("TRAP", str(folder.parent / "trap")))

    return write


def _attributes(folder: Path) -> None:
    put(folder.parent, ".gitattributes", "* filter=f diff=d merge=m\n")
    (folder / "CLAUDE.md").write_text("Changed, so that a filter would run.\n")


def _hooks(folder: Path) -> None:
    hooks = folder / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("post-index-change", "pre-commit", "post-checkout", "fsmonitor-watchman", "reference-transaction"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {folder.parent / 'sprung'}\n")
        (hooks / name).chmod(0o755)


def _worktree(folder: Path) -> None:
    _git(folder, "worktree", "add", "-q", "-b", "other", "inner")
    put(folder.parent, "inner/CLAUDE.md", "In there.\n")


def _replace(name: str, content: bytes) -> Callable[[Path], None]:
    return lambda folder: (folder / ".git" / name).write_bytes(content) and None


def _submodule(folder: Path) -> None:
    put(
        folder.parent,
        ".gitmodules",
        '[submodule "a"]\n\tpath = a\n\turl = ext::sh -c "touch sprung"\n\tupdate = !trap\n',
    )
    put(folder.parent, "a/.git", "gitdir: ../../../../etc\n")


def _instead(content: str) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        shutil.rmtree(folder / ".git")
        (folder / ".git").write_text(content)

    return write


def _bare(folder: Path) -> None:
    shutil.rmtree(folder / ".git")
    _git(folder, "init", "-q", "--bare", ".")


KINDS: dict[str, Callable[[Path], None]] = {
    "fsmonitor": _config('[core]\n\tfsmonitor = "TRAP"\n'),
    "hooks": _hooks,
    "hooksPath": _config('[core]\n\thooksPath = "/"\n'),
    "textconv": _config('[diff "d"]\n\ttextconv = "TRAP"\n\tcommand = "TRAP"\n[diff]\n\texternal = "TRAP"\n'),
    "filter": _config('[filter "f"]\n\tclean = "TRAP"\n\tsmudge = "TRAP"\n\tprocess = "TRAP"\n\trequired = true\n'),
    "filter with a name that is none": _config('[filter "a=b"]\n\tclean = "TRAP"\n'),
    "alias": _config('[alias]\n\tstatus = "!TRAP"\n\tlog = "!TRAP"\n\tls-files = "!TRAP"\n\tconfig = "!TRAP"\n'),
    "pager": _config('[core]\n\tpager = "TRAP"\n\teditor = "TRAP"\n\taskPass = "TRAP"\n[pager]\n\tstatus = "TRAP"\n'),
    "include": _config('[include]\n\tpath = /dev/zero\n[includeIf "gitdir:/"]\n\tpath = ../../../../etc/passwd\n'),
    "include of itself": _config("[include]\n\tpath = config\n"),
    "worktree outside": _config("[core]\n\tworktree = /etc\n"),
    "signatures": _config('[log]\n\tshowSignature = true\n[gpg]\n\tprogram = "TRAP"\n'),
    "credentials": _config('[credential]\n\thelper = "!TRAP"\n[remote "o"]\n\tpromisor = true\n\turl = ext::TRAP\n'),
    "broken config": _config("[core\n\x00\x1b[2J = = =\n"),
    "attributes": _attributes,
    "broken index": _replace("index", b"DIRC" + b"\xff" * 500),
    "broken head": _replace("HEAD", b"ref: refs/heads/\x1b[2J../../../../etc/passwd\n"),
    "no head": lambda folder: (folder / ".git" / "HEAD").unlink(),
    "alternates": _replace("objects/info/alternates", b"/dev/zero\n/etc\n../../../..\n"),
    "packed refs": _replace("packed-refs", b"\xff" * 5_000),
    "worktree": _worktree,
    "submodules": _submodule,
    "gitdir outside": _instead("gitdir: /etc\n"),
    "gitdir of itself": _instead("gitdir: .git\n"),
    "gitdir of zeros": _instead("gitdir: /dev/zero\n" + "\0" * 1_000),
    "link to itself": lambda folder: (shutil.rmtree(folder / ".git"), (folder / ".git").symlink_to(".git"))[1],
    "bare": _bare,
}


@pytest.fixture
def repository(place: Path) -> Path:
    """A repository with one commit, and a program beside it that leaves a trace when it is run."""
    folder = place / "workspace"
    _git(folder, "init", "-q", "-b", "main")
    put(place, "CLAUDE.md", "Be kind.\n")
    _git(folder, "add", ".")
    _git(folder, "commit", "-q", "-m", "First \x1b[2J")
    trap = place / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {place / 'sprung'}\ncat\n")
    trap.chmod(0o755)
    return folder


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_of_it_is_run(place: Path, repository: Path, kind: str) -> None:
    KINDS[kind](repository)
    (place / "workspace" / "CLAUDE.md").write_text("Be kind, and changed.\n")
    before = _state(place)
    env = {"PATH": os.environ["PATH"]}
    for agent in AGENTS:
        hold(scenario(agent, place, env=env))
    list_files(str(repository), str(place / "home"), env, Workspace())
    assert not (place / "sprung").exists()
    assert _state(place) == before, "nothing is written"


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_run_for_a_revision(place: Path, repository: Path, kind: str) -> None:
    KINDS[kind](repository)
    before = _state(place)
    asked = scenario("claude-code", place, env={"PATH": os.environ["PATH"]})
    with suppress(ScenarioError):  # of a broken repository, in words
        before_it, _ = between("main...HEAD", asked)
        assert "Be kind." in str(assemble_pinned(before_it, COUNTER).request.messages)
    assert not (place / "sprung").exists()
    assert _state(place) == before, "nothing is written"


def test_a_tree_with_names_that_lead_elsewhere(place: Path, repository: Path) -> None:
    blob = bytes.fromhex(_told(repository, "rev-parse", "HEAD:CLAUDE.md"))
    tree = bytes.fromhex(_told(repository, "rev-parse", "HEAD^{tree}"))
    odd = b"".join(
        mode + b" " + name + b"\0" + oid
        for mode, name, oid in (
            (b"40000", b"..", tree), (b"40000", b".git", tree), (b"100644", b"/etc/passwd", blob),
            (b"100644", b"CLAUDE.md", blob), (b"120000", b"AGENTS.md", blob), (b"160000", b".claude", b"\1" * 20),
        )
    )  # fmt: skip
    written = _told(repository, "hash-object", "-w", "-t", "tree", "--literally", "--stdin", data=odd)
    commit = _told(repository, "commit-tree", written, "-m", "odd")
    for agent in AGENTS:
        text = assemble_side(at_revision(commit, scenario(agent, place)), COUNTER).to_dict()
        assert "Be kind." in str(text) or agent != "claude-code"
    folder = RevisionDisk(find_revision(commit, str(repository), str(place), os.environ))
    with closing(folder):
        assert {entry.name for entry in folder.scan(str(repository))} == {".git", "CLAUDE.md", "AGENTS.md", ".claude"}


def _told(folder: Path, *arguments: str, data: bytes = b"") -> str:
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, input=data).stdout.decode().strip()


def _state(folder: Path) -> dict[str, tuple[int, int]]:
    """Every file with its size and time."""
    found = {}
    for top, folders, files in os.walk(folder):
        for name in (*folders, *files):
            seen = os.lstat(f"{top}/{name}")
            found[f"{top}/{name}"] = (seen.st_size, seen.st_mtime_ns)
    return found


@pytest.mark.parametrize("branch", ["b\u202ex", "é", "a;b", "$(id)", "-x", "{a}", "x" * 200])
def test_branches_with_odd_names(place: Path, repository: Path, branch: str) -> None:
    (repository / ".git" / "HEAD").write_text(f"ref: refs/heads/{branch}\n")
    hold(scenario("claude-code", place, env={"PATH": os.environ["PATH"]}))
