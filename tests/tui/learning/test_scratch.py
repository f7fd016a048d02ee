"""The folders that a client is started in, and the server that it finds there."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.learning.plan import Run
from promptscope_engine.learning.script import Folder, Script, Start
from promptscope_tui.learning.scratch import scratch_for

BOXES = {"name": "boxes", "instructions": "Count twice.", "tools": [{"name": "count", "inputSchema": {}}]}
COMMAND = '["{python}", "-I", "{server}", "{home}/boxes.json"]'
FOLDER = Folder(files={"repo/command.json": COMMAND}, servers=(BOXES,))
GIT = Script("x", ("x",), ("hi",), {"headless": Start(())}, {"plain": Folder(git=True)})
SCRIPT = Script("x", ("x",), ("hi",), {"headless": Start(())}, {"plain": FOLDER})


def repo(folder: Path) -> Path:
    return Path(scratch_for(SCRIPT, Run("headless", "plain"), folder / "scratch").repo)


def test_a_server_offers_what_the_script_says(tmp_path: Path) -> None:
    command = json.loads((repo(tmp_path) / "command.json").read_text())
    asked = [{"id": number, "method": method} for number, method in enumerate(("initialize", "tools/list", "ping"))]
    asked.insert(1, {"method": "notifications/initialized"})
    ran = subprocess.run(command, input="\n".join(map(json.dumps, asked)), capture_output=True, text=True, timeout=20)
    start, tools, pong = (json.loads(line)["result"] for line in ran.stdout.splitlines())
    assert start["instructions"] == "Count twice."
    assert tools == {"tools": BOXES["tools"]}
    assert pong == {}


def test_a_machine_without_git_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(ScenarioError, match="git is not on PATH: the client is run in a repository made for it"):
        scratch_for(GIT, Run("headless", "plain"), tmp_path / "scratch")
