"""`promptscope report`, and `why` of a truncated file: what OpenClaw's own report says, and what it does not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.tui.support.openclaw_workspace import write

from promptscope_tui.output import exits

from .test_cli import AGENT, run


@pytest.fixture(autouse=True)
def openclaw_workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the commands run in: an OpenClaw workspace; home and cache are empty."""
    folder = tmp_path / "den"
    write(folder / "AGENTS.md", "Rule: be careful.\n" * 2000)
    write(folder / "USER.md", " \n")
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PROMPTSCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(folder)
    return folder


CLAW = ["--agent", "openclaw", "--agent-version", "2026.2.24", "--set", "environment.node=v22"]


def test_report_prints_what_the_agent_would_with_remarks_under_the_lines() -> None:
    result = run("report", *CLAW)
    lines = result.stdout.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("- USER.md: OK | raw 0 chars"))
    assert lines[at + 1] == "    ◂ USER.md shows OK with 0: it is blank and not injected"
    assert any(line.startswith("- AGENTS.md: TRUNCATED | raw 35,999 chars") for line in lines)
    assert "On the whole report:" in lines


def test_report_views() -> None:
    plain = run("report", "detail", *CLAW, "--format", "plain").stdout
    assert "Largest tools by schema:" in plain
    assert "◂" not in plain
    result = run("report", "json", *CLAW)
    assert json.loads(result.stdout)["report"]["bootstrapMaxChars"] == 20_000
    assert "promptscope: /context: USER.md shows OK with 0" in result.stderr
    assert run("report", *CLAW, "--format", "markdown").stdout.startswith("```text\n")


def test_report_takes_a_path_with_or_without_a_view(openclaw_workspace: Path) -> None:
    for words in ((str(openclaw_workspace),), ("list", str(openclaw_workspace))):
        assert "TRUNCATED" in run("report", *words, *CLAW).stdout
    wrong = run("report", "lists", str(openclaw_workspace), *CLAW, code=exits.WRONG_USE)
    assert "list, detail, json" in wrong.stderr


def test_an_agent_without_a_report_says_so_in_one_line() -> None:
    result = run("report", *AGENT, code=exits.WRONG_USE)
    assert result.stdout == ""
    assert result.stderr.splitlines()[-1] == "promptscope: Roo Code has no context report"


def test_why_of_a_cut_file_has_limits_and_lines() -> None:
    text = run("why", "project_context.AGENTS.md", *CLAW).stdout + run("why", "AGENTS.md", *CLAW).stdout
    assert "AGENTS.md:778-1778': cut, 17,999 characters: over bootstrapMaxChars" in text
    assert "✗ bootstrapMaxChars: 20,000 allowed, 35,999 wanted" in text
    assert "cut  lines 778-1778, 17,999 characters" in text
