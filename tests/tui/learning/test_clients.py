"""Installed clients and their versions, found without running them."""

from __future__ import annotations

import json
import pwd
from pathlib import Path

import pytest
from tests.tui.support.client import program

from promptscope_engine.learning.script import Script, Start
from promptscope_tui.learning.clients import client_at, installed

SCRIPT = Script("@x/agent", ("agent",), ("hi",), {"headless": Start(())}, {}, places=("~/.editor/ext-*/agent",))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return tmp_path


def test_the_one_on_path_comes_first_and_each_once(home: Path) -> None:
    real = program(home / "lib/agent", "")
    (home / "bin").mkdir()
    (home / "bin/agent").symlink_to(real)
    (home / ".npm-global/bin").mkdir(parents=True)
    (home / ".npm-global/bin/agent").symlink_to(real)
    other = program(home / ".editor/ext-2/agent", "")
    assert [each.path for each in installed(SCRIPT)] == [str(home / "bin/agent"), str(other)]


def test_the_version_is_that_of_the_package(home: Path) -> None:
    path = program(home / "lib/@x/agent-linux-x64/bin/agent", "")
    (home / "lib/@x/agent-linux-x64/package.json").write_text(
        json.dumps({"name": "@x/agent-linux-x64", "version": "0.9.1-linux-x64"})
    )
    assert client_at(str(path), SCRIPT).version == "0.9.1-linux" or client_at(str(path), SCRIPT).version.startswith(
        "0.9.1"
    )


def test_the_version_may_be_in_the_path(home: Path) -> None:
    assert client_at(str(program(home / "versions/2.1.333/agent", "")), SCRIPT).version == "2.1.333"


@pytest.mark.parametrize("text", ["", "[]", '{"name": 3}', '{"name": "@x/agent", "version": []}', "[" * 100_000])
def test_a_package_that_is_none_is_passed_over(home: Path, text: str) -> None:
    (home / "lib").mkdir()
    (home / "lib/package.json").write_text(text)
    assert client_at(str(program(home / "lib/agent", "")), SCRIPT).version == ""


def test_what_cannot_be_run_is_no_client(home: Path) -> None:
    (home / "bin").mkdir()
    (home / "bin/agent").write_text("")
    assert list(installed(SCRIPT)) == []


def test_without_a_home_the_one_on_path_is_found(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = program(home / "bin/agent", "")
    monkeypatch.delenv("HOME")
    monkeypatch.setattr(pwd, "getpwuid", lambda _: {}["nobody"])
    assert [each.path for each in installed(SCRIPT)] == [str(path)]
