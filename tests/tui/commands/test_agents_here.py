"""`promptscope agents PATH`: the app's table of agents and files, for people and for programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.support.repository import write
from tests.tui.support.linked_repo import FILES, SKILLS

from promptscope_tui.cli import cli
from promptscope_tui.output import exits

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which commands are run; home, config and state are empty folders."""
    write(tmp_path / "repo", FILES)
    monkeypatch.chdir(tmp_path / "repo")
    for name in ("HOME", "PROMPTSCOPE_CONFIG", "PROMPTSCOPE_STATE", "PROMPTSCOPE_CACHE"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    return tmp_path / "repo"


def run(*args: str, code: int = exits.OK) -> str:
    result = CliRunner().invoke(cli, ["agents", *args])
    assert result.exit_code == code, result.output
    return result.output if code else result.stdout


def test_it_is_the_apps_table(repository: Path) -> None:
    lines = run(str(repository)).splitlines()
    assert lines[0].split()[:3] == ["file", "Claude", "Code"]
    assert any(line.startswith("  CLAUDE.md = AGENTS.md = .agents/AGENTS.md ") for line in lines)
    assert any(line.startswith("▸ .claude/skills/  12 files = .agents/skills/ ") for line in lines)
    assert not any("turborepo" in line for line in lines)
    assert {"from", "whole"} <= {line.split()[0] for line in lines if line}
    assert "--format plain has each" in lines[-1]
    assert run(".").splitlines() == lines


def test_a_program_gets_each_file() -> None:
    rows = [line.split("\t") for line in run(".", "--format", "plain").splitlines()]
    assert len({len(row) for row in rows}) == 1
    names = [row[0] for row in rows]
    assert all(f".claude/skills/{name}/SKILL.md = .agents/skills/{name}/SKILL.md" in names for name in SKILLS)
    found = json.loads(run(".", "--format", "json"))
    assert {agent["id"] for agent in found["agents"]} >= {"claude-code", "codex", "openclaw"}
    file = next(each for each in found["files"] if each["path"] == "CLAUDE.md")
    assert file["names"] == ["CLAUDE.md", "AGENTS.md", ".agents/AGENTS.md"]
    assert file["uses"]["codex"]["taken"] == "taken"
    assert file["uses"]["openclaw"]["taken"] == "left"
    costs = [sum(use["tokens"] or 0 for use in each["uses"].values()) for each in found["files"]]
    assert costs == sorted(costs, reverse=True)
    assert "| file | Claude Code |" in run(".", "--format", "markdown")


def test_an_agent_comes_before_a_folder_of_its_name(repository: Path) -> None:
    write(repository, {"codex/AGENTS.md": "Be brief.\n"})
    assert "Codex (codex)" in run("codex")
    assert "from files" in run("./codex")
    assert "unknown agent 'codx' (did you mean codex" in run("codx", code=exits.CANNOT_ASSEMBLE)


def test_each_value_of_an_input_has_a_column(tmp_path: Path) -> None:
    write(tmp_path / "four", {"AGENTS.md": "Use tabs, always and everywhere.\n", "CLAUDE.md": "Use pnpm.\n"})
    where = str(tmp_path / "four")
    title, _, heads, *lines = run("claude-code", where, "--each", "instructionFiles").splitlines()
    assert title.startswith("Claude Code by settings.pluginConfigs.")
    modes = ["claude-md-or-agents-md", "claude-md-and-agents-md", "claude-md", "managed-only"]
    assert heads.split() == ["file", *modes, "not", "set"]
    cells = {line.split()[0]: line.split()[1:] for line in lines if line}
    assert [cell.isdigit() for cell in cells["CLAUDE.md"]] == [True, True, True, False, True]
    assert [cell.isdigit() for cell in cells["AGENTS.md"]] == [False, True, False, False, False]
    assert int(cells["whole"][1].replace(",", "")) > 1000
    assert "architect" in run("roo", where, "--each", "mode")


def test_an_input_that_has_no_few_values_is_refused_with_a_near_one() -> None:
    said = run("claude-code", "--each", "instructionFile", code=exits.WRONG_USE)
    assert "has no input 'instructionFile' with a few values" in said
    assert "instructionFiles" in said
    assert "--each goes with an AGENT" in run(".", "--each", "mode", code=exits.WRONG_USE)
