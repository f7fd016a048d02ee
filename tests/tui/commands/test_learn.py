"""`promptscope learn` as a person or a script meets it; the client is a small script."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.tui.support.client import CLIENT, client_in, plan_few, poison, program

from promptscope_engine.learned import LearnedVersion, Wording
from promptscope_tui.cli import cli
from promptscope_tui.learning.offer import alone
from promptscope_tui.output import exits
from promptscope_tui.settings import wordings


@pytest.fixture(autouse=True)
def _person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    poison(tmp_path, monkeypatch)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")


@pytest.fixture
def client(tmp_path: Path) -> str:
    return str(client_in(tmp_path))


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    plan_few(monkeypatch)


def run(*args: str, code: int = exits.OK) -> Result:
    result = CliRunner().invoke(cli, ["learn", *args])
    assert result.exit_code == code, result.output
    return result


def test_without_a_client_it_says_where_it_looked() -> None:
    result = run("codex", code=exits.CHECK_FAILED)
    assert "no codex on PATH or where npm, Homebrew and editors put it; --client names another" in result.stderr


def test_an_agent_that_cannot_be_asked_is_named() -> None:
    assert "the client of roo cannot be asked" in run("roo", code=exits.WRONG_USE).stderr
    assert "claude-code" in run("claude-cod", code=exits.WRONG_USE).stderr


@pytest.mark.parametrize(
    "words", [["--plan", "--list"], ["--quick", "--runs", "3"], ["--client", "/bin/sh"], ["--forget", "--prune"]]
)
def test_what_excludes_each_other_is_wrong_use(words: list[str]) -> None:
    run(*words, code=exits.WRONG_USE)


@pytest.mark.usefixtures("few")
def test_nothing_is_run_where_nobody_can_be_asked(client: str) -> None:
    result = run("claude-code", "--client", client, code=exits.WRONG_USE)
    assert "--yes runs the client without asking" in result.stderr
    assert "your settings, hooks, servers, keys and repository are not there" in result.stderr


@pytest.mark.slow
def test_the_first_run_of_a_plan_shows_most(client: str) -> None:
    (plan,) = json.loads(run("claude-code", "--client", client, "--plan", "--runs", "3", "--format", "json").stdout)
    assert len(plan["runs"]) == 3
    assert plan["runs"][0]["texts"] > 50


@pytest.mark.usefixtures("few")
def test_the_plan_is_printed_and_nothing_is_run(tmp_path: Path, client: str) -> None:
    program(Path(client), f"open({str(tmp_path / 'ran')!r}, 'w')\n{CLIENT}")
    result = run("claude-code", "--client", client, "--plan")
    assert "Claude Code 2.1.332" in result.stderr
    assert "headless, project" in result.stdout
    assert re.search(r"\na hook that prints something +hook\.session_start, hook\.", result.stdout)
    assert not (tmp_path / "ran").exists()


@pytest.mark.slow
@pytest.mark.usefixtures("few")
def test_what_was_learned_is_listed_and_forgotten(client: str) -> None:
    result = run("claude-code", "--client", client, "--yes", "--runs", "2", "--format", "json")
    assert "`promptscope diff claude-code@2.1.331 claude-code@2.1.332` shows what changed" in result.stderr
    (found,) = json.loads(result.stdout)
    assert (found["version"], found["runs"], found["problems"]) == ("2.1.332", 2, [])
    (row,) = json.loads(run("--list", "--format", "json").stdout)
    assert (row["agent"], row["version"], row["runs"]) == ("claude-code", "2.1.332", 2)
    (folder,) = wordings.folder().glob("*@*")
    assert folder.name == "claude-code@2.1.332"
    texts = [path.read_text() for path in folder.rglob("*.md")]
    assert any('"runs": "1-2"' in text for text in texts), "each text says in which runs it was seen"
    assert "forgotten: claude-code 2.1.332" in run("claude-code", "--forget").stderr
    assert json.loads(run("--list", "--format", "json").stdout) == []


@pytest.mark.slow
@pytest.mark.usefixtures("few")
def test_a_client_that_sends_nothing_is_said_in_one_line(tmp_path: Path) -> None:
    broken = program(tmp_path / "2.1.332" / "claude", "print('please log in')\n")
    result = run("claude-code", "--client", str(broken), "--yes", "--runs", "1", code=exits.CHECK_FAILED)
    assert "Claude Code could not be run: " in result.stderr
    assert "it ended and sent nothing: please log in" in result.stderr


@pytest.mark.slow
@pytest.mark.usefixtures("few")
def test_options_that_the_model_does_not_know_are_said_and_listed(tmp_path: Path) -> None:
    helped = "import sys\nif '--help' in sys.argv: sys.exit('Options:\\n  --bare  Known\\n  --odd   Be odd')\n"
    client = str(program(tmp_path / "2.1.332" / "claude", helped + CLIENT))
    assert "1 option" not in run("claude-code", "--client", client, "--plan").stdout, "the version is modelled"
    words = ("claude-code", "--client", client, "--flips", "--runs", "0")
    assert "up to 20 options that its --help lists and the model doesn't know" in run(*words, "--plan").stdout
    assert "  with --odd: " in run(*words, "--yes").stderr
    (row,) = json.loads(run("--list", "--format", "json").stdout)
    assert [(each["option"], each["problem"]) for each in row["options"]] == [("--odd", "")]


@pytest.mark.slow
@pytest.mark.usefixtures("few")
def test_where_help_lists_only_what_the_model_knows_nothing_is_kept(tmp_path: Path) -> None:
    helped = "import sys\nif '--help' in sys.argv: sys.exit('Options:\\n  --bare  Known\\n')\n"
    client = str(program(tmp_path / "2.1.332" / "claude", helped + CLIENT))
    result = run("claude-code", "--client", client, "--flips", "--runs", "0", "--yes")
    assert "its --help lists no option that the model doesn't know" in result.stderr
    assert wordings.versions() == []


def learned(version: str, day: int) -> LearnedVersion:
    words = (Wording("intro", "v", ("intro.first",), ("Hello.",)),)
    return LearnedVersion("claude-code", version, words, f"2026-11-{day:02}T00:00:00+00:00")


def test_older_versions_are_pruned() -> None:
    for day, version in enumerate(("2.1.330", "2.1.331", "2.1.332"), 1):
        wordings.keep(learned(version, day))
    result = run("--prune")
    assert "claude-code 2.1.330, claude-code 2.1.331" in result.stderr
    assert [each.agent_version for each in wordings.versions()] == ["2.1.332"]


def test_two_at_once_are_one_too_many(client: str) -> None:
    with alone() as is_alone:
        assert is_alone
        result = run("claude-code", "--client", client, "--yes", code=exits.CHECK_FAILED)
        run("claude-code", "--client", client, "--plan", "--runs", "1")  # runs nothing: it is in nobody's way
    assert "another `promptscope learn` is at work" in result.stderr
