"""`promptscope after`: what a person reads of the prompt later in a session."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.support.repository import write

from promptscope_tui.cli import cli

FILES = {
    "repo/CLAUDE.md": "root\n",
    "repo/src/CLAUDE.md": "nested\n",
    "repo/src/a.py": "1\n",
    "repo/b,c.py": "2\n",
    "repo/.claude/skills/one/SKILL.md": "---\nname: one\ndescription: d\n---\nbody\n",
    "home/a": "",
}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    write(tmp_path, FILES)
    return tmp_path


def after(place: Path, *args: str) -> Result:
    home = ["--home", str(place / "home")]
    return CliRunner().invoke(cli, ["after", *args, "--agent", "claude-code", *home])


def parts(done: Result) -> dict[str, str]:
    return {part["id"]: part["verdict"] for part in json.loads(done.stdout)["parts"]}


def test_it_tells_what_returns(place: Path) -> None:
    done = after(place, "compact", str(place / "repo"), "--reads", "src/a.py")
    assert done.exit_code == 0, done.output
    assert "comes back as a file" in done.stdout


def test_the_event_may_be_left_out(place: Path) -> None:
    repo = str(place / "repo")
    assert after(place, repo).stdout == after(place, "compact", repo).stdout


def test_files_and_skills_are_named_with_commas_between(place: Path) -> None:
    repo = str(place / "repo")
    found = parts(after(place, repo, "--reads", "src/a.py,b,c.py", "--skills", "one", "--format", "json"))
    assert found["after.file:src/a.py"] == "returns"
    assert found["after.skill:one"] == "returns"
    assert "after.file:b,c.py" not in found
    assert parts(after(place, repo, "--reads", "b,c.py", "--format", "json"))["after.file:b,c.py"] == "returns"


def test_json_has_the_numbers(place: Path) -> None:
    tokens = json.loads(after(place, str(place / "repo"), "--format", "json").stdout)["tokens"]
    assert tokens["room"] == tokens["limit"] - tokens["after"]


def test_all_agents_stand_side_by_side(place: Path) -> None:
    done = after(place, str(place / "repo"), "--all-agents")
    assert done.exit_code == 0, done.output
    assert "claude-code" in done.stdout
    assert "gemini" in done.stdout
    assert "CLAUDE.md" in done.stdout


def test_an_unknown_event_is_refused(place: Path) -> None:
    done = after(place, "sleep", str(place / "repo"))
    assert done.exit_code == 2
    assert "'sleep' is not one of compact" in done.output
