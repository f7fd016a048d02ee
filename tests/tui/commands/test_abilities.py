"""The commands that ask for abilities: waiting and dead files, the window, transcripts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from tests.tui.support.monorepo import monorepo_at

from promptscope_tui.cli import cli
from promptscope_tui.output import exits

AGENT = ("--agent", "claude-code", "--agent-version", "2.1.100")


@pytest.fixture
def monorepo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The monorepo, with a home of its own."""
    (tmp_path / "home").mkdir()
    monorepo_at(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PROMPTSCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path / "mono")
    return tmp_path / "mono"


def run(*args: str, code: int = exits.OK) -> Result:
    result = CliRunner().invoke(cli, list(args))
    assert result.exit_code == code, result.output
    return result


def data(*args: str) -> Any:
    return json.loads(run(*args, "--format", "json").stdout)


def line_of(text: str, name: str) -> str:
    return next(line for line in text.splitlines() if f" {name} " in line)


@pytest.mark.usefixtures("monorepo")
def test_files_says_what_waits_and_what_never_fires() -> None:
    text = run("files", *AGENT).stdout
    assert line_of(text, ".claude/rules/ts.md").startswith("◐ later")
    assert "packages/web/src/main.ts" in line_of(text, ".claude/rules/ts.md")
    assert line_of(text, ".claude/rules/scala.md").startswith("✗ never")
    assert line_of(text, "packages/web/CLAUDE.md").startswith("○ later")


@pytest.mark.usefixtures("monorepo")
def test_reads_wake() -> None:
    text = run("files", *AGENT, "--reads", "packages/web/src/main.ts", "--reads", "docs/style.md").stdout
    assert line_of(text, ".claude/rules/ts.md").startswith("◐ conditional")
    assert line_of(text, "packages/web/src/CLAUDE.md").startswith("○ on-demand")
    assert line_of(text, "packages/web/src/ui/CLAUDE.md").startswith("○ later")
    found = {file["path"]: file for file in data("files", *AGENT, "--reads", "packages/web/x.ts")}
    assert "loaded by reading" in found[str(Path.cwd() / ".claude/rules/ts.md")]["why"]["text"]


@pytest.mark.slow
def test_dead_rules_alone(monorepo: Path) -> None:
    assert [line.split()[0] for line in run("files", *AGENT, "--dead").stdout.splitlines()[1:]] == [
        ".claude/rules/scala.md"
    ]
    (found,) = data("files", *AGENT, "--dead")
    assert (found["path"], found["patterns"]) == (str(monorepo / ".claude/rules/scala.md"), ["*.scala"])
    assert found["complete"]
    (monorepo / "a.scala").write_text("x")
    assert data("files", *AGENT, "--dead") == []
    done = run("files", "--agent", "roo", "--dead")
    assert "has no files that load when another one is read" in done.stderr


@pytest.mark.usefixtures("monorepo")
def test_window_in_the_categories_of_the_agent() -> None:
    text = run("window", *AGENT, "--set", "usage.lastTotal=150000").stdout
    assert "≈150,000 of 200,000 tokens used (75.0%)" in text
    names = [c["name"] for c in data("window", *AGENT)["categories"]]
    assert names[:2] == ["System prompt", "System tools"]
    assert names[-2:] == ["Free space", "Autocompact buffer"]
    other = run("window", "--agent", "roo")
    assert "no categories of its own" in other.stderr
    assert "your files" in other.stdout or "tools" in other.stdout


def test_transcript_with_totals_and_compaction(monorepo: Path) -> None:
    path = next((monorepo.parent / "home").rglob("session-1.jsonl"))
    text = run("transcript", str(path), *AGENT).stdout
    assert "121 turns" in text
    assert "it would compact at line" in text
    assert "compaction" in text
    found = data("transcript", str(path), *AGENT)
    assert len(found["turns"]) == 121
    assert found["broken"] == 1
    crossing = next(turn for turn in found["turns"] if turn["fill"] >= 167_000)
    assert found["compacts_at_line"] == crossing["line"]
    assert found["fill"] == found["turns"][-1]["fill"]


def test_a_transcript_is_read_by_the_agent_that_wrote_it(monorepo: Path) -> None:
    path = str(next((monorepo.parent / "home").rglob("session-1.jsonl")))
    done = run("transcript", path, "--agent", "roo", code=exits.CANNOT_ASSEMBLE)
    assert "it was written by Claude Code: leave out --agent, or name claude-code" in done.stderr
    assert "session of Claude Code" in run("transcript", path).stdout
    run("transcript", f"{path}.none", code=exits.WRONG_USE)


def test_without_a_terminal_the_app_prints_the_transcript(monorepo: Path) -> None:
    path = str(next((monorepo.parent / "home").rglob("session-1.jsonl")))
    assert "121 turns" in run("--transcript", path, *AGENT).stdout
