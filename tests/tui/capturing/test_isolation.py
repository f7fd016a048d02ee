"""`capture --isolated`: the command may write, and nothing it writes reaches the disk."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner
from click.testing import Result as Ended
from tests.engine.captures.bodies import ANTHROPIC

from promptscope_engine.learning.mod_effects import FORMAT
from promptscope_tui.capturing import recording
from promptscope_tui.capturing import running as isolation
from promptscope_tui.cli import cli
from promptscope_tui.learning import mod_runs
from promptscope_tui.learning.work import Job, Result
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
seen["networks"] = [
    line.split(":")[0].strip() for line in open("/proc/self/net/dev") if ":" in line]
seen["rights"] = [line.split()[1] for line in open("/proc/self/status") if line.startswith("CapEff")]
body = json.loads(os.environ["BODY"])
body["messages"][0]["content"][0]["text"] = json.dumps(seen)
if "OBSERVE_OUT" in os.environ:
    assert sys.argv[3] == "--plugin-dir" and os.path.isfile(sys.argv[4] + "/hooks/register.js"), sys.argv
    Path(os.environ["OBSERVE_OUT"]).write_text(os.environ.get("NOTED", ""))
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


def capture(*args: str, code: int = exits.OK) -> Ended:
    result = CliRunner().invoke(cli, ["capture", "--yes", "--isolated", *args])
    assert result.exit_code == code, result.output
    return result


def listed(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.fixture
def _permitted(tmp_path: Path) -> None:
    if reason := isolation.why_not((str(tmp_path),), offline=True):
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
    assert seen["networks"] == ["lo"]
    assert listed(shop.parent) == sorted([*before, "run.jsonl"])
    assert (shop / "CLAUDE.md").read_text() == "Use pnpm.\n"
    assert not list(Path(tempfile.gettempdir()).glob("promptscope-isolated-*"))


@pytest.fixture
def modded(shop: Path) -> Path:
    """The shop, with a client that loads mods and a mod at home that may drop files."""
    package = shop.parent / "claude-code"
    package.mkdir()
    (package / "package.json").write_text('{"name": "@anthropic-ai/claude-code", "version": "2.1.332"}')
    (shop.parent / "bin/claude").rename(package / "claude")
    (shop.parent / "bin/claude").symlink_to(package / "claude")
    plugin = shop.parent / "home/.claude/skills/drop"
    for name, text in {
        ".claude-plugin/plugin.json": '{"name": "drop"}',
        "hooks/hooks.json": '{"modules": ["./m.js"]}',
        "hooks/m.js": "export const register = (on) => {\n  on('prompt.context', async ($, e, next) => next(e))\n}\n",
    }.items():
        (plugin / name).parent.mkdir(parents=True, exist_ok=True)
        (plugin / name).write_text(text)
    return shop


def noted(*files: str) -> str:
    """What the observing mod writes of a run with these instruction files, which the mod may change."""
    said = [{"path": each, "kind": "project", "text": [8, "a"]} for each in files]
    return json.dumps(
        {
            "format": FORMAT,
            "sections": [{"name": "intro", "text": [3, "a"]}, {"name": "brief", "text": None}],
            "context": [{"blocks": [{"name": "currentDate", "text": [9, "b"]}], "files": said}],
            "tools": [{"tool": "Read", "name": "Read", "text": [5, "c"]}],
            "trace": [
                {"event": "prompt.context", "plugin": "drop", "tier": "user", "isChanged": True},
                {"event": "prompt.context", "plugin": "engine", "tier": "core", "isChanged": True},
            ],
        }
    )


@pytest.mark.usefixtures("_permitted")
def test_the_observing_mod_is_outermost_and_single_mods_are_told_apart(
    modded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOTED", noted())

    def carried_out(jobs: Sequence[Job], *_: str, offline: bool) -> Iterator[Result]:
        assert offline
        for job, text in zip(jobs, (noted("CLAUDE.md"), noted(), noted("CLAUDE.md")), strict=True):
            yield Result(job.number, "by itself", written=text)

    monkeypatch.setattr(mod_runs, "carried_out", carried_out)
    monkeypatch.setenv("ELSEWHERE", "/var")
    result = capture("--to", str(modded.parent / "run.jsonl"), "--", "claude", "-p", "x")
    assert result.stdout == f"{modded.parent / 'run.jsonl'}\n"
    for words in (
        "it runs the mod drop@skills-dir",
        "its network is the loopback alone",
        "observing mod is the outermost",
        "3 more runs follow",
        "2 sections were asked for, 1 of them with text; empty: brief",
        "instruction files: none",
        "the mod drop changed prompt.context",
        "the mod drop@skills-dir removed the file CLAUDE.md, 8 → 0 characters",
    ):
        assert words in result.stderr
    header = json.loads((modded.parent / "run.jsonl").read_text().splitlines()[0])
    assert header["command"] == ["claude", "-p", "x"]


@pytest.mark.usefixtures("_permitted")
def test_a_client_that_does_not_load_the_observing_mod_is_said_to_tell_nothing(
    modded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mod_runs, "carried_out", lambda *_, **__: iter(()))
    monkeypatch.setenv("ELSEWHERE", "/var")
    to = ("--to", str(modded.parent / "run.jsonl"), "--", "claude", "-p", "x")
    result = capture(*to)
    assert "the client did not load the observing mod" in result.stderr
    assert "what each mod does is not known: 3 of 3 runs gave nothing" in result.stderr
    monkeypatch.setenv("NOTED", "{")
    assert "what the observing mod wrote cannot be read" in capture(*to).stderr


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
