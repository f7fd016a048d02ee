"""`capture --isolated`: the command may write, and nothing it writes reaches the disk."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.engine.captures.bodies import ANTHROPIC

from promptscope_tui.capturing import recording
from promptscope_tui.capturing import running as isolation
from promptscope_tui.cli import cli
from promptscope_tui.output import exits

AGENT = """
import json, os, sys, urllib.request
from pathlib import Path
seen = {}
for name, path in (("repository", "new"), ("file", "CLAUDE.md"), ("home", os.environ["HOME"] + "/.claude.json"),
                   ("elsewhere", os.environ["ELSEWHERE"] + "/x")):
    try:
        Path(path).write_text("written")
        seen[name] = Path(path).read_text()
    except OSError as error:
        seen[name] = error.strerror
os.remove("kept")
os.mkdir("kept")
seen["cwd"] = os.getcwd()
seen["rights"] = [line.split()[1] for line in open("/proc/self/status") if line.startswith("CapEff")]
body = json.loads(os.environ["BODY"])
body["messages"][0]["content"][0]["text"] = json.dumps(seen)
request = urllib.request.Request(os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages", json.dumps(body).encode())
urllib.request.urlopen(request).read()
"""


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository, a home, and a program called `claude` that writes to both and tells what came of it."""
    folder, programs, home = tmp_path / "shop", tmp_path / "bin", tmp_path / "home"
    for made in (folder / ".git", folder / "docs", programs, home):
        made.mkdir(parents=True)
    for name in ("CLAUDE.md", "kept"):
        (folder / name).write_text("Use pnpm.\n")
    (programs / "claude").write_text(f"#!{sys.executable}\n{AGENT}")
    (programs / "claude").chmod(0o755)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    monkeypatch.setenv("PROMPTSCOPE_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("BODY", json.dumps(ANTHROPIC))
    monkeypatch.setattr(recording, "GRACE", 60.0)  # a busy machine takes long to end a program
    monkeypatch.chdir(folder)
    return folder


def capture(*args: str, code: int = exits.OK) -> Result:
    result = CliRunner().invoke(cli, ["capture", "--yes", "--isolated", *args])
    assert result.exit_code == code, result.output
    return result


def listed(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.fixture
def _permitted(tmp_path: Path) -> None:
    if reason := isolation.why_not((str(tmp_path),)):
        pytest.skip(reason)


@pytest.mark.usefixtures("_permitted")
def test_what_it_writes_reaches_no_disk(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ELSEWHERE", "/var")
    before = listed(shop.parent)
    result = capture("--to", str(shop.parent / "run.jsonl"), "--", "claude", "-p", "x")
    assert "reaches no disk; all else is read-only" in result.stderr
    requests = [json.loads(line) for line in (shop.parent / "run.jsonl").read_text().splitlines()]
    seen = json.loads(requests[1]["body"]["messages"][0]["content"][0]["text"])
    assert (seen["repository"], seen["file"], seen["home"]) == ("written",) * 3
    assert seen["elsewhere"] == "Read-only file system"
    assert seen["cwd"] == str(shop)
    assert seen["rights"] == ["0000000000000000"]
    assert listed(shop.parent) == sorted([*before, "run.jsonl"])
    assert (shop / "CLAUDE.md").read_text() == "Use pnpm.\n"
    assert not list(Path(tempfile.gettempdir()).glob("promptscope-isolated-*"))


@pytest.mark.slow
@pytest.mark.usefixtures("_permitted")
def test_an_isolated_command_that_hangs_is_ended(shop: Path) -> None:
    mark = f"{60 + os.getpid() / 1e7:.7f}"
    (shop.parent / "bin" / "claude").write_text(f"#!/bin/sh\nexec sleep {mark}\n")
    result = capture("--timeout", "0.5", "--", "claude", "-p", "x", code=exits.CHECK_FAILED)
    assert "no end after 0.5 seconds" in result.stderr
    assert not [number for number in Path("/proc").iterdir() if mark.encode() in command_of(number)]


def command_of(process: Path) -> bytes:
    try:
        return (process / "cmdline").read_bytes()
    except OSError:
        return b""


def test_the_repository_home_and_what_is_moved_out_of_it(shop: Path) -> None:
    env = {"HOME": str(shop.parent / "home"), "CODEX_HOME": str(shop.parent / "bin"), "XDG_CACHE_HOME": "/no/such"}
    found = isolation.writable_folders(shop / "docs", env)
    assert found[:3] == (str(shop), str(shop.parent / "home"), str(shop.parent / "bin"))
    assert set(found[3:]) <= {os.path.realpath(tempfile.gettempdir()), "/tmp"}


@pytest.mark.usefixtures("shop")
def test_where_it_is_not_permitted_nothing_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    refusing = [sys.executable, "-c", "import sys; sys.exit('no user namespace: Operation not permitted')"]
    monkeypatch.setattr(isolation, "isolated", lambda *_, **__: refusing)
    result = capture("--", "claude", "-p", "x", code=exits.WRONG_USE)
    assert "--isolated is not possible here: no user namespace: Operation not permitted" in result.stderr
    monkeypatch.setattr(sys, "platform", "darwin")
    assert "--isolated is not possible here: it takes Linux" in capture("--", "claude", code=exits.WRONG_USE).stderr


@pytest.mark.usefixtures("shop")
def test_it_takes_a_command() -> None:
    assert "--isolated runs a COMMAND" in capture("--agent", "claude-code", code=exits.WRONG_USE).stderr
