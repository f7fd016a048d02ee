"""`capture`, `captures` and `import` as a person or a script meets them; what is captured are small scripts."""

from __future__ import annotations

import json
import os
import pty
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from tests.engine.captures.bodies import ANTHROPIC

from promptscope_tui.capturing import recording, store
from promptscope_tui.cli import cli
from promptscope_tui.output import exits

AGENT = """
import json, os, sys, urllib.request
body = json.loads(os.environ["BODY"])
body["messages"][0]["content"][0]["text"] = open("CLAUDE.md").read() + sys.argv[-1]
headers = {"x-api-key": os.environ["ANTHROPIC_API_KEY"], "user-agent": "claude-cli/2.1.329 (external, cli)"}
url = os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages?beta=true"
reply = urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), headers)).read()
print(json.loads(reply)["content"][0]["text"])
"""


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose CLAUDE.md is sent, and a program called `claude` that sends it."""
    folder, programs = tmp_path / "shop", tmp_path / "bin"
    for made in (folder, programs, tmp_path / "home"):
        made.mkdir()
    (folder / "CLAUDE.md").write_text("# Shop\n\nUse pnpm for everything, and never npm.\n")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    monkeypatch.setenv("PROMPTSCOPE_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("PROMPTSCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("BODY", json.dumps(ANTHROPIC))
    monkeypatch.setenv("ANTHROPIC_API_KEY", "the-persons-own-key-1")
    monkeypatch.setattr(recording, "GRACE", 60.0)  # a busy machine takes long to end a program
    monkeypatch.chdir(folder)
    program(programs / "claude", AGENT)
    return folder


def program(path: Path, text: str) -> None:
    path.write_text(f"#!{sys.executable}\n{text}")
    path.chmod(0o755)


def run(*args: str, code: int = exits.OK) -> Result:
    result = CliRunner().invoke(cli, list(args))
    assert result.exit_code == code, result.output
    return result


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_blank_run_is_recorded(shop: Path) -> None:
    result = run("capture", "--yes", "--", "claude", "-p", "hi")
    path = Path(result.stdout.strip())
    assert path.parent == shop.parent / "state" / "captures"
    assert path.stat().st_mode & 0o777 == 0o600
    header, request, end = lines(path)
    assert (header["agent"], header["agent_version"], header["prompt"]) == ("claude-code", "2.1.329", "hi")
    assert (header["command"], header["cwd"], header["login"]) == (["claude", "-p", "hi"], str(shop), "dummy")
    assert (request["label"], request["protocol"], request["response"]["status"]) == ("main", "anthropic", 200)
    assert (end["main"], end["exit"], end["outcome"]) == (1, 0, "by itself")
    assert "the-persons-own-key-1" not in path.read_text()
    for words in ("SessionStart hooks", "your own rights", "ignores those could still connect", "logged out"):
        assert words in result.stderr


@pytest.mark.usefixtures("shop")
def test_the_hooks_that_a_run_starts_are_named_before_it_runs() -> None:
    hook = {"hooks": [{"type": "command", "command": "echo \x1b[31mhi"}]}
    settings = Path(os.environ["HOME"], ".claude/settings.json")
    settings.parent.mkdir()
    settings.write_text(json.dumps({"hooks": {"SessionStart": [hook] * 10, "Stop": [hook]}}))
    result = run("capture", "claude", "hi", code=exits.WRONG_USE)  # nobody can be asked here
    assert "it runs the hook SessionStart: echo" in result.stderr
    assert "\x1b" not in result.stderr
    assert "settings.json:1)" in result.stderr
    assert "--isolated keeps what they write from the disk" in result.stderr


@pytest.mark.slow
def test_a_client_that_is_newer_than_all_that_are_known_says_so(shop: Path) -> None:
    program(shop.parent / "bin" / "claude", AGENT.replace("2.1.329", "2.1.999"))
    said = "Claude Code 2.1.999 is newer than what is known here: the model is "
    result = run("capture", "--yes", "--", "claude", "-p", "hi")
    assert said in result.stderr
    assert "`promptscope learn claude-code` asks the installed client for its own words" in result.stderr
    assert json.loads(run("captures", "--format", "json").stdout)[0]["newer"] is True
    assert said in run("captures").stderr
    program(shop.parent / "bin" / "claude", AGENT)
    assert "newer" not in run("capture", "--yes", "--", "claude", "-p", "hi").stderr


@pytest.mark.slow
def test_what_was_recorded_is_shown_with_its_files(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("capture", "--yes", "--to", "run.jsonl", "--", "claude", "-p", "hi")
    path = str(shop / "run.jsonl")
    monkeypatch.chdir(shop.parent)  # the folder is the one it was recorded in
    found = json.loads(run("show", "--capture", path, "--format", "json").stdout)
    assert (found["agent"], found["agent_version"], found["workspace"]) == (
        "observed/claude-code",
        "2.1.329",
        str(shop),
    )
    origins = [f["origin"] for s in found["sections"] for f in s["fragments"] if f["origin"]["kind"] == "file"]
    assert [(o["path"], o["start_line"], o["end_line"]) for o in origins] == [(f"{shop}/CLAUDE.md", 1, 3)]
    for command in ("files", "tools", "tokens", "window", "why CLAUDE.md", "open"):
        name, *more = command.split()
        assert run(name, *more, "--capture", path).stdout
    assert "in the request: all of it" in run("files", "--capture", path).stdout
    assert json.loads(run("check", str(shop), "--capture", path, "--format", "json").stdout)
    named = json.loads(run("show", "--capture", path, "--agent", "mine", "--format", "json").stdout)
    assert named["agent"] == "observed/mine"


def test_two_turns_of_a_capture_are_compared(shop: Path) -> None:
    later = {**ANTHROPIC, "messages": [*ANTHROPIC["messages"], {"role": "assistant", "content": "A new turn."}]}
    requests = [{"method": "POST", "path": "/v1/messages", "headers": {}, "body": each} for each in (ANTHROPIC, later)]
    (shop / "tap.jsonl").write_text("".join(f"{json.dumps({'turn': 1, 'request': each})}\n" for each in requests))
    same = run("diff", "tap.jsonl", "tap.jsonl:1", "--format", "json")
    assert not json.loads(same.stdout)["differs"]
    result = run("diff", "tap.jsonl:1", "tap.jsonl:2", "--format", "json")
    assert "messages.1.0" in result.stdout


@pytest.mark.slow
def test_a_command_that_lingers_is_ended_with_all_it_started(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "GRACE", 0.2)
    lingering = f"{AGENT}\nimport subprocess\nchild = subprocess.Popen(['sleep', '60'])\n"
    program(shop.parent / "bin" / "claude", f"{lingering}open('pid', 'w').write(str(child.pid))\nchild.wait()\n")
    run("capture", "--yes", "--to", "run.jsonl", "--", "claude", "-p", "hi")
    assert lines(shop / "run.jsonl")[-1]["outcome"] == "after the answer"
    assert ended(int((shop / "pid").read_text()))


def ended(pid: int) -> bool:
    try:
        return "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return True


def test_a_login_that_is_kept_reaches_the_server_only(shop: Path) -> None:
    run("capture", "--yes", "--keep-login", "--to", "run.jsonl", "--", "claude", "-p", "hi")
    header = lines(shop / "run.jsonl")[0]
    assert (header["login"], header["fidelity"]["notes"]) == ("kept", [])
    assert "the-persons-own-key-1" not in (shop / "run.jsonl").read_text()


@pytest.mark.usefixtures("shop")
def test_no_request_is_an_error_that_says_what_was_tried() -> None:
    result = run("capture", "--yes", "--", "false", code=exits.CHECK_FAILED)
    assert "no request came from false; the command ended with exit code 1; tried ANTHROPIC_API_KEY" in result.stderr
    assert "no recipe for this agent" in result.stderr
    assert not store.folder().exists()


@pytest.mark.slow
@pytest.mark.usefixtures("shop")
def test_a_command_that_hangs_is_ended() -> None:
    result = run("capture", "--yes", "--timeout", "0.3", "--", "sleep", "60", code=exits.CHECK_FAILED)
    assert "no end after 0.3 seconds" in result.stderr


def test_exit_0_whatever_the_command_returned(shop: Path) -> None:
    program(shop.parent / "bin" / "claude", f"{AGENT}\nsys.exit(7)\n")
    run("capture", "--yes", "--to", "run.jsonl", "--", "claude", "-p", "hi")
    assert lines(shop / "run.jsonl")[-1]["exit"] == 7


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("--yes", "--", "no-such-agent"), "no such command: no-such-agent"),
        (("--yes", "--", "./CLAUDE.md"), "./CLAUDE.md is not a program"),
        (("--", "claude", "-p", "hi"), "nobody can be asked here: --yes"),
        (("--yes", "--upstream", "anthropic", "--", "claude"), "--upstream takes an address"),
        (("--yes", "--to", "no/such/folder/x", "--", "claude"), "no such folder"),
        (("--yes", "--", "claude", "--settings", "{broken", "-p", "hi"), "--settings cannot be read"),
        (("--yes", "--timeout", "0", "--", "claude"), "timeout"),
    ],
)
@pytest.mark.usefixtures("shop")
def test_wrong_use(args: tuple[str, ...], says: str) -> None:
    assert says in run("capture", *args, code=exits.WRONG_USE).stderr


@pytest.mark.usefixtures("shop")
def test_a_taken_port_is_wrong_use() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        result = run("capture", "--yes", "--port", port, "--", "claude", "-p", "hi", code=exits.WRONG_USE)
    assert f"port {port} is taken" in result.stderr


def test_what_cannot_be_written_loses_nothing(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = shop / "run.jsonl"
    target.write_text("before")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    args = ("capture", "--yes", "--to", str(target), "--", "claude", "-p", "hi")
    result = run(*args, code=exits.CANNOT_ASSEMBLE)
    assert "No space left on device" in result.stderr
    assert target.read_text() == "before"
    assert sorted(path.name for path in shop.iterdir()) == ["CLAUDE.md", "run.jsonl"]


# --- the list, and what other tools recorded -------------------------------------------------------------------------


def test_captures_are_listed_and_pruned(shop: Path) -> None:
    assert "no captures yet" in run("captures").stderr
    body = shop / "body.json"
    body.write_text(json.dumps(ANTHROPIC))
    old, new = (Path(run("import", str(body)).stdout.strip()) for _ in range(2))
    os.utime(old, (time.time() - 40 * 86_400,) * 2)
    listed = json.loads(run("captures", "--format", "json").stdout)
    assert [(each["path"], each["requests"], each["main"]) for each in listed] == [(str(new), 1, 1), (str(old), 1, 1)]
    assert "deleted 1 of 2 captures" in run("captures", "--prune", "30d").stderr
    assert (old.exists(), new.exists()) == (False, True)
    assert "not an age" in run("captures", "--prune", "soon", code=exits.WRONG_USE).stderr


@pytest.mark.usefixtures("shop")
def test_the_list_tells_what_the_service_reported() -> None:
    request = {"method": "POST", "path": "/v1/messages", "headers": {}, "body": ANTHROPIC}
    usage = {"input_tokens": 2, "cache_read_input_tokens": 3_000, "output_tokens": 1}
    record = {"turn": 1, "request": request, "response": {"status": 200, "headers": {}, "body": {"usage": usage}}}
    Path("tap.jsonl").write_text(json.dumps(record) + "\n")
    run("import", "tap.jsonl")
    assert json.loads(run("captures", "--format", "json").stdout)[0]["reported"] == 3_002
    assert "3,002 tok" in run("captures").stdout


@pytest.mark.usefixtures("shop")
def test_a_broken_file_says_which_line_and_what_was_kept() -> None:
    request = {"method": "POST", "path": "/v1/messages", "headers": {}, "body": ANTHROPIC}
    Path("tap.jsonl").write_text(f"{json.dumps({'turn': 1, 'request': request, 'response': {}})}\n{{broken\n")
    result = run("import", "tap.jsonl", "--to", "out.jsonl")
    assert "tap.jsonl: line 2: " in result.stderr
    assert "recorded 1 request: 1 main" in result.stderr
    assert lines(Path("out.jsonl"))[0]["source"] == "claude-tap"
    Path("broken.json").write_text('{\n"messages": [\n')
    result = run("import", "broken.json", code=exits.CANNOT_ASSEMBLE)
    assert "broken.json:3: error: " in result.stderr


# --- with a terminal -------------------------------------------------------------------------------------------------

ASKING = f"{AGENT}\nprint('name?', flush=True); open('answer', 'w').write(input())\n"


def on_terminal(*args: str, typed: tuple[tuple[str, str], ...]) -> tuple[int, str]:
    """The exit code and what was shown; each text is typed once its cue was shown."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "promptscope_tui", *args]
    child = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True, preexec_fn=_own_terminal
    )
    os.close(theirs)
    shown = ""
    waiting = list(typed)
    while True:
        try:
            shown += os.read(ours, 4096).decode("utf-8", "replace")
        except OSError:
            break
        while waiting and waiting[0][0] in shown:
            os.write(ours, waiting.pop(0)[1].encode())
    code = child.wait(30)
    os.close(ours)
    return code, shown


def _own_terminal() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@pytest.mark.slow
def test_the_person_is_asked_and_the_command_may_ask_too(shop: Path) -> None:
    program(shop.parent / "bin" / "claude", ASKING)
    args = ("capture", "--to", "run.jsonl", "--", "claude", "hi")
    after = (("for this machine only?", "n\n"), ("Open the comparison", "n\n"))
    code, shown = on_terminal(*args, typed=(("Run it?", "y\n"), ("name?", "Ada\n"), *after))
    assert code == 0, shown
    assert (shop / "answer").read_text() == "Ada"
    assert lines(shop / "run.jsonl")[-1]["main"] == 1


@pytest.mark.slow
@pytest.mark.usefixtures("shop")
def test_a_no_runs_nothing() -> None:
    code, shown = on_terminal("capture", "--", "claude", "-p", "hi", typed=(("Run it?", "n\n"),))
    assert code == exits.CHECK_FAILED
    assert "nothing was run" in shown
    assert not store.folder().exists()


@pytest.mark.slow
def test_without_a_command_it_records_until_ctrl_c(shop: Path) -> None:
    command = [sys.executable, "-m", "promptscope_tui", "capture", "--agent", "claude-code", "--to", "run.jsonl"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as child:
        assert child.stdout is not None
        pasted = [child.stdout.readline() for _ in range(12)]
        exports = [line.removeprefix("export ").strip() for line in pasted if line.startswith("export ANTHROPIC")]
        exported = dict(line.split("=", 1) for line in exports)
        subprocess.run(["claude", "-p", "hi"], env={**os.environ, **exported}, check=True, stdout=subprocess.DEVNULL)
        child.send_signal(signal.SIGINT)
        rest = child.stdout.read()
        assert child.wait(20) == 0
    assert str(shop / "run.jsonl") in rest
    assert lines(shop / "run.jsonl")[-1]["outcome"] == "interrupted"
