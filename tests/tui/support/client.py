"""A client of Claude Code that tells in its request what it finds, and a person's home that is full of things."""

from __future__ import annotations

import json
import sys
from itertools import islice
from pathlib import Path

import pytest
from tests.engine.captures.bodies import ANTHROPIC

from promptscope_engine.learning.plan import candidates

POISON = "poison-of-the-person"
"""Stands in everything that is the person's own."""

CLIENT = f"""
import json, os, sys, time, urllib.request
from pathlib import Path
if "--version" in sys.argv:
    print("2.1.332 (Claude Code)")
    sys.exit()
home = Path(os.environ["HOME"])
found = {{"env": dict(os.environ), "files": [str(p) for p in home.rglob("*")], "cwd": os.getcwd(), "argv": sys.argv}}
body = json.loads({json.dumps(json.dumps(ANTHROPIC))})
body["system"] = [{{"type": "text", "text": json.dumps(found)}}]
asked = next(word for word in sys.argv if "folder" in word)
body["messages"] = [{{"role": "user", "content": [{{"type": "text", "text": asked}}]}}]
headers = {{"x-api-key": os.environ["ANTHROPIC_API_KEY"], "user-agent": "claude-cli/2.1.332 (external, sdk-cli)"}}
url = os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages?beta=true"
urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), headers)).read()
"""


def client_in(folder: Path) -> Path:
    """The client, as npm would install it."""
    package = folder / "lib/node_modules/@anthropic-ai/claude-code"
    package.mkdir(parents=True)
    (package / "package.json").write_text(json.dumps({"name": "@anthropic-ai/claude-code", "version": "2.1.332"}))
    return program(package / "claude", CLIENT)


def program(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!{sys.executable}\n{text}")
    path.chmod(0o755)
    return path


def poison(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home and an environment of a person, all with a mark."""
    home = tmp_path / "home"
    for name in (".claude/settings.json", ".claude/CLAUDE.md", ".claude.json", ".npmrc", ".netrc"):
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'{{"env": {{"ANTHROPIC_BASE_URL": "https://{POISON}"}}}}')
    monkeypatch.setenv("HOME", str(home))
    for name in (
        "ANTHROPIC_AUTH_TOKEN",
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_BASE_URL",
        "HTTPS_PROXY",
        "CLAUDE_CONFIG_DIR",
        "X",
    ):
        monkeypatch.setenv(name, POISON)
    monkeypatch.setenv("PROMPTSCOPE_STATE", str(tmp_path / "state"))
    return home


def plan_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plan with few of the runs that could be made: to assemble all of them takes seconds."""
    monkeypatch.setattr("promptscope_tui.learning.learner.candidates", lambda *given: islice(candidates(*given), _FEW))


_FEW = 4
