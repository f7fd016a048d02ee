"""Asking an MCP server: one that answers, and those that hang, print, crash, never stop, or leave a child behind."""

import os
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from textwrap import dedent

import pytest

from promptscope_engine.agents.kit.disk.servers import USUAL, Configured
from promptscope_engine.inputs.answers import read_answer
from promptscope_tui.learning.servers import ServerError, ask, environment

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="it ends a process group")

ANSWERS = dedent("""
    import json, os, sys
    print(BEFORE, flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        if "id" not in asked or "method" not in asked:
            continue
        if asked["method"] == "initialize":
            print(json.dumps({"jsonrpc": "2.0", "id": 77, "method": "roots/list"}))
            result = {"protocolVersion": "1", "instructions": os.getcwd() + " " + os.environ.get("OWN", "")}
        elif "cursor" in asked.get("params", {}):
            result = {"tools": [{"name": "look", "description": "\\x1b[31m"}], **AGAIN}
        else:
            result = {"tools": [{"name": "find"}], "nextCursor": "2"}
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
""")
ENV = {"PATH": os.environ["PATH"], "HOME": "/home/you", "API_TOKEN": "secret"}


def server(folder: Path, code: str, own: Mapping[str, str] | None = None, **names: object) -> Configured:
    for name, value in {"BEFORE": "", "AGAIN": {}, **names}.items():
        code = code.replace(name, repr(value))
    config = {"command": sys.executable, "args": ["-S", "-c", code], "env": own or {}}
    return Configured("docs", config, str(folder), inherits=USUAL.__contains__)


def test_a_server_is_asked_in_its_folder_with_its_variables(tmp_path: Path) -> None:
    told = read_answer(ask(server(tmp_path, ANSWERS, {"OWN": "mine"}, BEFORE="listening"), ENV))
    assert told.instructions == f"{tmp_path.resolve()} mine"
    assert [tool["name"] for tool in told.tools or ()] == ["find", "look"]


def test_a_server_gets_what_its_agent_passes_on(tmp_path: Path) -> None:
    assert environment(server(tmp_path, "", {"OWN": "mine"}), ENV) == {
        "PATH": ENV["PATH"],
        "HOME": "/home/you",
        "OWN": "mine",
    }


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import time; print('ready', flush=True); time.sleep(60)", "no answer to initialize within 0.5 s; it printed"),
        ("import sys; sys.exit('no key: \\x1b[31m')", r"ended before it answered initialize \(exit code 1\); its last"),
        ("while True: print('x' * 65536)", "sent more than 8,388,608 bytes"),
        ('print(\'{"jsonrpc": "2.0", "id": 1, "error": {"message": "go"}}\')', "it refused initialize: go"),
        (ANSWERS.replace("AGAIN", "{'nextCursor': '3'}"), "its list of tools has no end"),
    ],
)
def test_a_server_that_gives_no_answer_is_ended_with_clear_words(tmp_path: Path, code: str, words: str) -> None:
    seconds = 0.5 if "sleep" in code else 20
    with pytest.raises(ServerError, match=words):
        ask(server(tmp_path, code), ENV, seconds)


def test_one_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(ServerError, match="cannot be started: No such file or directory: nothing-like-it"):
        ask(Configured("docs", {"command": "nothing-like-it"}, str(tmp_path)), ENV)


def test_what_it_started_ends_with_it(tmp_path: Path) -> None:
    child = "import subprocess, sys; print(subprocess.Popen(['sleep', '60'], stdout=sys.stderr).pid, file=FILE)"
    pid = tmp_path / "pid"
    code = child.replace("FILE", f"open({str(pid)!r}, 'w')")
    with pytest.raises(ServerError, match="ended before"):
        ask(server(tmp_path, code), ENV)
    for _ in range(100):  # the kernel takes a moment to end it
        if not is_running(int(pid.read_text())):
            break
        time.sleep(0.01)
    assert not is_running(int(pid.read_text()))


def is_running(pid: int) -> bool:
    with suppress(OSError):
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        return state != "Z"
    return False
