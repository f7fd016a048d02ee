"""An agent that a file defines, on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree

import pytest
from click.testing import CliRunner, Result

from promptscope_tui.cli import cli
from promptscope_tui.output import exits

EXAMPLE = Path(__file__).parents[3] / "examples" / "support"
FILE = "promptscope-agent.toml"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROMPTSCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PROMPTSCOPE_CONFIG", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)


def run(*args: str, code: int = exits.OK) -> Result:
    result = CliRunner().invoke(cli, list(args))
    assert result.exit_code == code, result.output
    return result


def test_a_folder_with_a_definition() -> None:
    assert run("show", str(EXAMPLE), "--format", "plain").stdout.startswith("You are the support desk of Greenhouse")
    why = run("why", "memory", str(EXAMPLE)).stdout
    assert "to add it: --set memory=true" in why
    said = run("why", "memory", str(EXAMPLE), "--set", "memory=true", "--mode", "triage").stdout
    assert "\n  the mode is triage\n" in said
    tokens = json.loads(run("tokens", str(EXAMPLE), "--format", "json").stdout)
    assert tokens["summary"]["expected"] > 500


def test_a_file_for_another_folder(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    named = str(EXAMPLE / FILE)
    assert "Greenhouse" in run("show", "here", "--agent", named, "--format", "plain").stdout
    says = run("show", "here", "--agent", "none.toml", code=exits.CANNOT_ASSEMBLE).stderr
    assert "agent: no such file: none.toml" in says
    differs = run("diff", "mode:chat", "mode:triage", "here", "--agent", named, "--summary").stdout
    assert "greenhouse 2 › chat → greenhouse 2 › triage" in differs


def test_the_agents_of_this_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLE)
    [found] = [each for each in json.loads(run("agents", "--format", "json").stdout) if each["id"] == "greenhouse"]
    assert [mode["slug"] for mode in found["modes"]] == ["chat", "email", "triage"]
    listed = json.loads(run("agents", "greenhouse", "--format", "json").stdout)["params"]
    assert [param["name"] for param in listed][:2] == ["tone", "language"]
    assert json.loads(run("schema", "agent").stdout)["$id"] == "promptscope.agent.v1"


def test_a_broken_definition_is_named_at_the_start(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('id = "mine"\nnam = "x"\n')
    says = run("show", str(tmp_path), code=exits.CANNOT_ASSEMBLE).stderr
    assert f"{tmp_path}/{FILE}:2:1: unknown key 'nam' (did you mean name?)" in says
    run("show", str(tmp_path), "--agent", "roo")


def test_a_folder_is_looked_through_and_named(tmp_path: Path) -> None:
    assert run("agents", "lint", str(EXAMPLE)).output == "0 errors, 0 warnings\n"
    place = tmp_path / "support"
    copytree(EXAMPLE, place)
    (place / FILE).rename(place / "agent.toml")
    assert "Greenhouse" in run("show", ".", "--agent", "./support", "--format", "plain").stdout
    (place / "sections" / "voice.md").write_text("Be {{ ton }}.\n")
    (place / "sections" / "memory.md").write_text("---\nwhen: memori\n---\nx\n")
    linted = run("agents", "lint", "support", code=exits.CHECK_FAILED).output
    assert f"{place}/sections/voice.md:1: error: unknown name ton (did you mean tone" in linted
    assert f"{place}/sections/memory.md:2: error: `memori`: unknown name memori (did you mean memory?)" in linted
    assert linted.endswith("2 errors, 0 warnings\n")
    says = run("show", ".", "--agent", "./none", code=exits.CANNOT_ASSEMBLE).stderr
    assert "unknown agent './none'" in says
    (place / "agent.toml").unlink()
    says = run("show", ".", "--agent", "./support", code=exits.CANNOT_ASSEMBLE).stderr
    assert "agent: no agent is defined in ./support" in says


def test_the_old_form_is_told_of(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('id = "mine"\n[[section]]\nid = "a"\ntext = "Hi."\n')
    assert run("show", str(tmp_path), "--format", "plain").stdout == "Hi."
    assert (
        f"{tmp_path}/{FILE}:2: info: this [[section]] has the old form" in run("agents", "lint", str(tmp_path)).output
    )


def test_a_name_that_a_terminal_must_not_see(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('id = "mine"\n[[section]]\nid = "a"\nheading = "x"\ntext = "\\u001b[2J\\u202e"\n')
    for form in ("text", "markdown"):
        shown = run("show", str(tmp_path), "--format", form).stdout
        assert not {"\x1b", "\u202e"} & set(shown)
