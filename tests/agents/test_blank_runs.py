"""Each real agent, run blank: it ends well, and its request opens with every instruction file located."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from promptscope_tui.capturing import running as isolation

from .installing import Package, programs

pytestmark = pytest.mark.agents


@dataclass(frozen=True)
class Agent:
    """`id` as the recipe has it, its command, and the instruction files that it takes (`~/`: below home)."""

    id: str
    package: Package
    command: tuple[str, ...]
    files: tuple[str, ...]


CLAUDE_FILES = ("CLAUDE.md", ".claude/rules/commits.md", "docs/prices.md", "~/.claude/CLAUDE.md")
AGENTS = {
    "claude-code 2.1.329": Agent(
        "claude-code", Package("@anthropic-ai/claude-code", "2.1.329"), ("claude", "-p", "hi"), CLAUDE_FILES
    ),
    "claude-code, the newest": Agent(
        "claude-code", Package("@anthropic-ai/claude-code", "latest"), ("claude", "-p", "hi"), CLAUDE_FILES
    ),
    "codex": Agent(
        "codex", Package("@openai/codex", "0.171.0"), ("codex", "exec", "hi"), ("AGENTS.md", "~/.codex/AGENTS.md")
    ),
    "gemini": Agent(
        "gemini", Package("@google/gemini-cli", "0.61.0"), ("gemini", "-p", "hi"), ("GEMINI.md", "~/.gemini/GEMINI.md")
    ),
    "opencode": Agent(
        "opencode",
        Package("opencode-ai", "1.18.33"),
        ("opencode", "run", "hi"),
        ("AGENTS.md", "~/.config/opencode/AGENTS.md"),
    ),
    "qwen": Agent(
        "qwen",
        Package("@qwen-code/qwen-code", "0.24.4"),
        ("qwen", "-p", "hi"),
        ("QWEN.md", "AGENTS.md", "~/.qwen/QWEN.md"),
    ),
}

TEXTS = {
    "CLAUDE.md": "# Shop\n\nUse pnpm for everything, and never npm.\n\n@docs/prices.md\n",
    "docs/prices.md": "Prices are integers in cents, and never floating-point numbers.\n",
    ".claude/rules/commits.md": "# Commits\n\nEvery commit names the reason for which it was made.\n",
    "AGENTS.md": "# Agents\n\nWrite the tests first; the word of the day is marmalade.\n",
    "GEMINI.md": "# Gemini\n\nAnswer in short sentences, and mention quinces.\n",
    "QWEN.md": "# Qwen\n\nPrefer tabs to spaces when you write about walnuts.\n",
    "~/.claude/CLAUDE.md": "# Mine\n\nI read everything twice before I answer anything.\n",
    "~/.codex/AGENTS.md": "# Mine\n\nCodex may call me by my first name in comments.\n",
    "~/.gemini/GEMINI.md": "# Mine\n\nGemini may call me by my first name in comments.\n",
    "~/.qwen/QWEN.md": "# Mine\n\nQwen may call me by my first name in comments.\n",
    "~/.config/opencode/AGENTS.md": "# Mine\n\nOpencode may call me by my first name in comments.\n",
}


@dataclass(frozen=True)
class Place:
    """A repository and a home folder with instruction files for every agent, and nothing of the developer's own."""

    repository: Path
    home: Path
    folder: Path

    def run(self, agent: Agent, *options: str) -> subprocess.CompletedProcess[str]:
        """`promptscope capture` of an agent into `run.jsonl`."""
        command = ["capture", "--yes", "--timeout", "120", "--to", str(self.folder / "run.jsonl"), *options]
        return self._promptscope(agent, *command, "--", *agent.command)

    def shown(self, agent: Agent) -> Any:
        """The recorded request as an assembly."""
        ran = self._promptscope(agent, "show", "--capture", str(self.folder / "run.jsonl"), "--format", "json")
        assert ran.returncode == 0, ran.stderr
        return json.loads(ran.stdout)

    def _promptscope(self, agent: Agent, *arguments: str) -> subprocess.CompletedProcess[str]:
        env = {
            "PATH": f"{programs(agent.package)}:{os.environ['PATH']}",
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "PROMPTSCOPE_STATE": str(self.folder / "state"),
            "PROMPTSCOPE_CACHE": str(self.folder / "cache"),
            "PROMPTSCOPE_CONFIG": str(self.folder / "config"),
        }
        return subprocess.run(
            [sys.executable, "-m", "promptscope_tui", *arguments],
            cwd=self.repository,
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=240,
        )

    def path(self, name: str) -> Path:
        return self.home / name[2:] if name.startswith("~/") else self.repository / name


@pytest.fixture
def place(tmp_path: Path) -> Place:
    found = Place(tmp_path / "shop", tmp_path / "home", tmp_path)
    for name, text in TEXTS.items():
        path = found.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for words in (("init", "-q"), ("add", "-A"), ("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "All")):
        subprocess.run(["git", *words], cwd=found.repository, check=True)
    return found


@pytest.mark.parametrize("name", AGENTS)
def test_a_blank_run_opens_with_every_instruction_file(name: str, place: Place) -> None:
    agent = AGENTS[name]
    ran = place.run(agent)
    assert ran.returncode == 0, ran.stderr
    shown = place.shown(agent)
    assert shown["agent"] == f"observed/{agent.id}"
    assert shown["tools"]
    real = {file["real_path"] for file in shown["files"] if file["present"]}
    assert real >= {str(place.path(each)) for each in agent.files}, ran.stderr
    fragments = [fragment for section in shown["sections"] for fragment in section["fragments"]]
    origins = {each["origin"]["path"] for each in fragments if each["origin"]["kind"] == "file"}
    assert len(origins) >= len(agent.files)


def test_an_isolated_run_writes_nothing(place: Place) -> None:
    agent = AGENTS["qwen"]
    env = {"HOME": str(place.home)}
    if reason := isolation.why_not(isolation.writable_folders(place.repository, env)):
        pytest.skip(reason)
    before = _everything(place)
    ran = place.run(agent, "--isolated")
    assert ran.returncode == 0, ran.stderr
    assert "reaches no disk" in ran.stderr
    assert _everything(place) == before


def _everything(place: Place) -> dict[str, bytes]:
    files = [path for base in (place.repository, place.home) for path in base.rglob("*") if path.is_file()]
    return {str(path): path.read_bytes() for path in files}
