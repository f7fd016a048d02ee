"""What an answer of git may be: whole, in time, and not too long."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.git import Git, find_git, waits_on


@pytest.mark.parametrize(("limit", "answer"), [(4, None), (5, b"12345"), (6, b"12345")])
def test_an_answer_has_a_largest_size(limit: int, answer: bytes | None) -> None:
    git = Git(("/bin/sh", "-c", "printf 12345; exec >&-; sleep 0.1"), "/", os.environ)
    assert git.ask(limit=limit) == answer


@pytest.mark.parametrize("more", [0, 1])
def test_an_answer_may_have_4_mebibytes(more: int) -> None:
    size = 4 * 1024 * 1024 + more
    git = Git(("/bin/sh", "-c", f"head -c {size} /dev/zero"), "/", os.environ)
    assert [len(answer or b"") for answer in (git.ask(), (git.text() or "").encode())] == [0 if more else size] * 2
    assert [answer is None for answer in git.texts((), ())] == [bool(more)] * 2


def test_git_that_fails_has_no_answer() -> None:
    assert Git(("/bin/sh", "-c", "printf 12345; exit 1"), "/", {}).ask() is None
    assert Git(("/no/such/program",), "/", {}).ask() is None


@pytest.mark.parametrize(
    ("script", "refuses"), [("exit 1", True), ("exit 128", True), ("exit 0", False), ("kill -KILL $$", False)]
)
def test_git_refuses_with_an_error_of_its_own(script: str, refuses: bool) -> None:
    assert Git(("/bin/sh", "-c", script), "/", {}).refuses() is refuses


def test_no_git_refuses_nothing() -> None:
    assert not Git(("/no/such/program",), "/", {}).refuses()


def test_an_answer_is_read_no_further_than_it_may_be_long() -> None:
    """A git that has said too much and stops there is stopped at once: to wait for it would end all further calls."""
    script = "test $0 = wait || exec printf 12345; printf 123456; kill -STOP $$"
    git = Git(("/bin/sh", "-c", script), "/", os.environ)
    assert git.ask("wait", limit=5) is None
    assert git.ask("go", limit=5) == b"12345"


def test_every_filter_is_switched_off_by_name() -> None:
    git = Git(("git",), "/", {})
    settings = {"filter.b.clean": "x", "Filter.a.c.PROCESS": "x", "filter.b.smudge": "x", "filter.b.other": "x"}
    off = git.without_filters(settings)
    assert off is not None
    assert off.command == (
        "git",
        *("-c", "filter.a.c.clean=", "-c", "filter.a.c.smudge=", "-c", "filter.a.c.process="),
        *("-c", "filter.a.c.required=false", "-c", "filter.b.clean=", "-c", "filter.b.smudge="),
        *("-c", "filter.b.process=", "-c", "filter.b.required=false"),
    )
    assert git.without_filters({"filter.a=b.clean": "x"}) is None, "-c cannot name it"
    none = git.without_filters({"core.pager": "x"})
    assert none is not None
    assert none.command == ("git",)


@pytest.mark.parametrize(
    ("head", "pipe", "waits"),
    [
        ("ref: refs/heads/main\n", "refs/heads/main", True),
        ("ref: refs/heads/main\n", "refs/heads/other", False),
        ("ref: refs/heads/main\n", "config", True),
        ("ref: refs/heads/main\n", "index", True),
        ("ref: refs/heads/../../pipe\n", "pipe", False),  # git takes no such name
        ("pipe\n", "pipe", False),
    ],
)
def test_git_waits_on_a_pipe_in_the_place_of_a_file_that_it_opens(
    tmp_path: Path, head: str, pipe: str, waits: bool
) -> None:
    (tmp_path / "refs/heads").mkdir(parents=True)
    (tmp_path / "HEAD").write_text(head)
    os.mkfifo(tmp_path / pipe)
    assert waits_on(str(tmp_path), str(tmp_path), Workspace()) == (f"{tmp_path}/{pipe}" if waits else None)


def test_the_users_settings_of_git_may_lie_in_a_folder_that_a_variable_names(tmp_path: Path) -> None:
    (tmp_path / "xdg/git").mkdir(parents=True)
    (tmp_path / "xdg/git/config").write_text("[status]\n\tbranch = true\n")
    env, place = {"PATH": os.environ["PATH"]}, str(tmp_path)
    asked = [find_git(place, place, each) for each in (env, {**env, "XDG_CONFIG_HOME": f"{place}/xdg"})]
    assert [(git.settings() or {}).get("status.branch") for git in asked if git] == [None, "true"]
