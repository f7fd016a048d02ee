"""Pipes in the place of git's own files: git would wait on them, so it is not asked."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace import git as git_module
from promptscope_engine.workspace.git import find_git
from promptscope_engine.workspace.repository import list_files

from .runs import hold, put, scenario

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", ["HEAD", "index", "config", "packed-refs", "info/exclude", "refs/heads/main"])
def test_git_is_not_asked_where_it_would_wait(place: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: pytest.fail("a program was run"))
    put(place, ".git/HEAD", "ref: refs/heads/main\n")
    path = place / "workspace" / ".git" / name
    path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(path)
    asked = scenario("claude-code", place, env={"PATH": os.environ["PATH"]})
    status = hold(asked).section("git_status")
    assert status is not None
    assert f"git would wait on {path}" in status.why.text
    workspace = Workspace()
    workspace.allow([asked.workspace])
    assert list_files(asked.workspace, str(place / "home"), {}, workspace).source == "folders"


def test_a_git_that_was_too_slow_is_not_asked_again(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git_module, "TIMEOUT", 0.1)
    program = place / "git"
    program.write_text(f"#!/bin/sh\necho once >> {place}/started\nexec sleep 5\n")
    program.chmod(0o755)
    git = find_git(str(place), str(place), {"PATH": f"{place}:{os.environ['PATH']}"})
    assert git is not None
    started = place / "started"
    assert [git.ask("status"), git.ask("log"), git.settings(), *git.texts(("status",))] == [None] * 4
    assert started.read_text() == "once\n"
