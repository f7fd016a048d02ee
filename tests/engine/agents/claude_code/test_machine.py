from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from promptscope_engine.agents.claude_code.gather.machine import STATUS_LIMIT, find_repository
from promptscope_engine.workspace import Workspace

if TYPE_CHECKING:
    from .conftest import Project

V100, V329 = "2.1.100", "2.1.329"


def git_text(project: Project, version: str = V329) -> str:
    section = project.assemble(version).section("git_status")
    assert section is not None
    text = section.text
    commits = text.index("Recent commits:")
    return text[text.index("Current branch:") : commits] + text[commits:].partition("\n\n")[0].rstrip("\n")


def test_the_whole_text(repository: Project) -> None:
    commit = repository.git("rev-parse", "--short", "HEAD").strip()
    assert git_text(repository) == (
        "Current branch: main\n\nMain branch (you will usually use this for PRs): main\n\n"
        f"Status:\n(clean)\n\nRecent commits:\n{commit} first commit"
    )


def test_five_commits_and_the_leading_space(repository: Project) -> None:
    for number in range(6):
        repository.git("commit", "--allow-empty", "-qm", f"number {number}")
    repository.write({"workspace/a.txt": "changed\n", "workspace/b.txt": "new"})
    assert "Status:\n M a.txt\n?? b.txt\n\n" in git_text(repository)
    # The older version trims the whole output, first space included.
    assert "Status:\nM a.txt\n?? b.txt\n\n" in git_text(repository, V100)
    assert [line[8:] for line in git_text(repository).splitlines()[-5:]] == [f"number {n}" for n in (5, 4, 3, 2, 1)]


def test_user_and_main_branch(repository: Project) -> None:
    repository.git("config", "user.name", "Ada Fixture")
    repository.git("update-ref", "refs/remotes/origin/develop", "HEAD")
    repository.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/develop")
    assert "PRs): develop\n\nGit user: Ada Fixture\n\nStatus:" in git_text(repository)


@pytest.mark.parametrize(
    ("lines", "is_named"),
    [
        ("decorate", True),
        ("decorate = 2", True),
        ("decorate = 0", False),
        ("decorate =", False),
        ("decorate = auto", False),
    ],
)
def test_branches_beside_the_commits_by_a_switch_as_git_takes_one(
    repository: Project, lines: str, is_named: bool
) -> None:
    repository.write({"home/.gitconfig": f"[log]\n\t{lines}\n"})
    assert ("(HEAD -> main)" in git_text(repository)) == is_named


def test_a_setting_that_git_does_not_take_leaves_the_status_out(repository: Project) -> None:
    repository.write({"home/.gitconfig": "[core]\n\tcommentChar = ;\n"})
    assert git_text(repository).endswith("Status:\n(unavailable)\n\nRecent commits:")


def test_an_interactive_run_keeps_it_with_another_prompt(repository: Project) -> None:
    section = repository.assemble(params={"args": {"systemPrompt": "x"}}).section("git_status")
    assert section is not None
    assert section.present


@pytest.mark.parametrize(
    ("refs", "head", "older", "newer"),
    [
        ([], None, "main", "main"),
        (["main", "master"], None, "main", "main"),
        (["master"], None, "master", "master"),
        (["develop"], None, "main", "main"),
        (["release/1.x"], "release/1.x", "release/1.x", "release/1.x"),
        (["develop", "main"], "develop", "develop", "develop"),
        (["master"], "gone", "gone", "master"),
        ([], "gone", "gone", "main"),
    ],
)
@pytest.mark.slow
def test_the_main_branch(repository: Project, refs: list[str], head: str | None, older: str, newer: str) -> None:
    for ref in refs:
        repository.git("update-ref", f"refs/remotes/origin/{ref}", "HEAD")
    if head:
        repository.git("symbolic-ref", "refs/remotes/origin/HEAD", f"refs/remotes/origin/{head}")
    repository.git("pack-refs", "--all")
    repository.git("update-ref", "refs/remotes/upstream/trunk", "HEAD")
    repository.git("config", "init.defaultBranch", "trunk")
    assert f"PRs): {older}\n" in git_text(repository, V100)
    assert f"PRs): {newer}\n" in git_text(repository)


def test_a_hash_in_origin_s_head_counts_for_nothing(repository: Project) -> None:
    repository.git("update-ref", "refs/remotes/origin/master", "HEAD")
    repository.git("update-ref", "--no-deref", "refs/remotes/origin/HEAD", "HEAD")
    assert "PRs): master\n" in git_text(repository, V100)


def test_detached_and_unborn(repository: Project) -> None:
    repository.git("checkout", "-q", "--detach")
    assert git_text(repository).startswith("Current branch: HEAD\n")
    repository.write({"workspace/inner/x": "x"})
    repository.git("init", "-q", "-b", "trunk", at="workspace/inner")
    section = repository.assemble(workspace=str(repository.cwd / "inner")).section("git_status")
    assert section is not None
    assert "Current branch: trunk\n" in section.text
    assert "Recent commits:\n\n" in section.text


@pytest.mark.parametrize(("version", "tool"), [(V100, "BashTool"), (V329, "Bash")])
def test_a_long_status_is_cut(repository: Project, version: str, tool: str) -> None:
    repository.write({f"workspace/{'x' * 30}-{n:03}": "" for n in range(100)})
    text = git_text(repository, version)
    status = text.partition("Status:\n")[2].partition("\n\nRecent commits:")[0]
    assert status[STATUS_LIMIT] == "\n"
    assert tool in status[STATUS_LIMIT:]
    assert "\n" not in status[STATUS_LIMIT + 1 :]


@pytest.mark.parametrize(("over", "is_cut"), [(-1, False), (0, False), (1, True)])
def test_a_status_is_cut_at_its_limit(repository: Project, over: int, is_cut: bool) -> None:
    sizes = [200] * 9 + [200 + over]  # with `?? ` in front and a line break between, 2,000 characters in all
    repository.write({f"workspace/{str(n).ljust(size - 3 - (n < 9), 'x')}": "" for n, size in enumerate(sizes)})
    status = git_text(repository).partition("Status:\n")[2].partition("\n\nRecent commits:")[0]
    assert ("Bash" in status) is is_cut
    assert (len(status) > 2_000) is is_cut


def test_nothing_that_the_repository_names_is_run(repository: Project) -> None:
    mark = repository.root / "ran"
    command = f"touch {mark}; cat"
    repository.write(
        {"workspace/.gitattributes": "* filter=evil diff=evil\n", "workspace/hook": f"#!/bin/sh\n{command}\n"}
    )
    (repository.cwd / "hook").chmod(0o755)
    for key, value in {
        "core.fsmonitor": str(repository.cwd / "hook"),
        "core.hooksPath": str(repository.cwd),
        "core.pager": command,
        "filter.evil.clean": command,
        "filter.evil.smudge": command,
        "filter.evil.required": "true",
        "diff.external": command,
        "diff.evil.textconv": command,
        "gpg.program": str(repository.cwd / "hook"),
        "log.showSignature": "true",
        "alias.status": f"!{command}",
    }.items():
        repository.git("config", key, value)
    repository.write({"workspace/a.txt": "jello\n"})
    text = git_text(repository)
    assert " M a.txt" in text
    assert not mark.exists()


def test_a_filter_that_cannot_be_switched_off_keeps_git_silent(repository: Project) -> None:
    mark = repository.root / "ran"
    repository.write({"workspace/.gitattributes": "* filter=a=b\n"})
    with (repository.cwd / ".git/config").open("a") as config:
        config.write(f'[filter "a=b"]\n\tclean = "touch {mark}; cat"\n')
    repository.write({"workspace/a.txt": "jello\n"})
    section = repository.assemble().section("git_status")
    assert section is not None
    assert not section.present
    assert not mark.exists()


def test_git_leaves_the_index_alone(repository: Project) -> None:
    index = repository.cwd / ".git/index"
    (repository.cwd / "a.txt").write_text("hello\n")  # same text, new time: git would refresh the index
    before = index.read_bytes(), index.stat().st_mtime_ns
    git_text(repository)
    assert (index.read_bytes(), index.stat().st_mtime_ns) == before
    assert not (repository.cwd / ".git/index.lock").exists()


def test_git_is_asked_once_per_state_of_the_workspace(repository: Project) -> None:
    before = git_text(repository)
    repository.write({"workspace/new.txt": "x"})
    assert git_text(repository) == before
    repository.workspace.forget([])
    assert "?? new.txt" in git_text(repository)


def test_git_is_asked_only_for_refs_that_there_may_be(repository: Project) -> None:
    program, log = repository.root / "bin/git", repository.root / "log"
    repository.write({"bin/git": f'#!/bin/sh\necho "$@" >> {log}\nexec {shutil.which("git")} "$@"\n'})
    program.chmod(0o755)

    def asked() -> str:
        log.unlink(missing_ok=True)
        repository.workspace.forget([])
        repository.assemble(env={"PATH": str(program.parent)})
        return log.read_text()

    assert "log --oneline" in asked()
    assert "origin" not in asked()
    repository.git("update-ref", "refs/remotes/origin/main", "HEAD")
    repository.git("pack-refs", "--all")
    repository.workspace.forget(repository.workspace.changed())
    assert "log --oneline" in (packed := asked())
    assert "for-each-ref" in packed
    repository.git("checkout", "-q", "--orphan", "empty")
    repository.workspace.forget(repository.workspace.changed())
    assert "log --oneline" not in asked()


def test_what_git_answers_from_is_watched(repository: Project) -> None:
    repository.assemble()
    repository.git("commit", "--allow-empty", "-qm", "second")
    changed = {repository.short(path) for path in repository.workspace.changed()}
    assert "workspace/.git/refs/heads/main" in changed


def test_a_head_that_leads_out_of_the_refs_is_not_followed(repository: Project) -> None:
    repository.write({"workspace/.git/HEAD": "ref: refs/heads/../../../a.txt\n"})
    repository.gathered()
    assert not [path for path in repository.workspace.asked if ".." in path]


def test_without_git(repository: Project) -> None:
    section = repository.assemble(env={"PATH": str(repository.root)}).section("git_status")
    assert section is not None
    assert not section.present
    assert "git is not there" in section.why.text


def test_a_folder_that_only_looks_like_a_repository(project: Project) -> None:
    project.write({"workspace/.git": "gitdir: /nowhere/.git/worktrees/x\n"})
    section = project.assemble().section("git_status")
    assert section is not None
    assert not section.present


@pytest.mark.parametrize(
    ("params", "env"),
    [
        ({"settings": {"includeGitInstructions": False}}, {}),
        ({}, {"CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS": "1"}),
        ({"args": {"systemPrompt": "x", "print": True}}, {}),
    ],
)
def test_switches(repository: Project, params: dict[str, object], env: dict[str, str]) -> None:
    for version in (V100, V329):
        section = repository.assemble(version, params=params, env=env).section("git_status")
        assert section is not None
        assert not section.present


def test_a_linked_worktree_knows_its_main_checkout(repository: Project) -> None:
    repository.git("worktree", "add", "-q", "../linked", "-b", "linked")
    workspace = Workspace()
    workspace.allow([str(repository.root)])
    found = find_repository(str(repository.root / "linked"), workspace)
    assert found is not None
    assert (found.linked, found.main_root) == (True, str(repository.cwd))
