"""`promptscope responses` and `promptscope completion`, as a user or a script meets them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.replies import replies_of
from promptscope_tui.cli import cli
from promptscope_tui.output import exits

STEPS = """\
- settings: {preventCompletionWithOpenTodos: true}
- todos: [Write the test]
- result: Done.
- todos: []
- result: Done.
- yes
"""


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROMPTSCOPE_CACHE", str(tmp_path / "cache"))


def run(*args: str, code: int = exits.OK, stdin: str | None = None) -> Result:
    result = CliRunner().invoke(cli, list(args), input=stdin)
    assert result.exit_code == code, result.output
    return result


def roo(command: str, *args: str, code: int = exits.OK, stdin: str | None = None) -> Result:
    return run(command, "--agent", "roo", *args, code=code, stdin=stdin)


def test_the_catalogue_lists_every_reply() -> None:
    text = roo("responses").stdout
    for reply in replies_of(load_agent("roo")):
        assert reply.name in text
        assert reply.when in text
    found: list[dict[str, Any]] = json.loads(roo("responses", "--format", "json").stdout)
    assert all(reply["tokens"] >= 0 and reply["blocks"] for reply in found)


def test_one_reply_is_its_text_and_nothing_else() -> None:
    done = roo("responses", "tool_error", "--set", "error=EACCES")
    assert done.stdout.endswith("\n<error>\nEACCES\n</error>\n")
    listed = roo("responses", "format_files_list", "--set", "files=[b/, a.pem]", "--set", "show_ignored=no")
    assert listed.stdout == "b/\n"
    reply = json.loads(roo("responses", "tool_denied", "--format", "json", "--tokenizer", "o200k_base").stdout)
    assert reply["tokens"] == 8
    assert reply["inputs"] == {}
    assert reply["confidence"] == "stand-in", "its sentence is reworded"


def test_what_is_reworded_is_marked_as_on_the_screens() -> None:
    assert roo("responses").stdout.endswith("\n≈ reworded\n")
    one = roo("responses", "tool_denied", "--tokenizer", "o200k_base")
    assert one.stderr == "promptscope: tool_denied: ≈8 tok, reworded\n"
    ended = roo("completion", "--script", "-", stdin="[{result: Done.}]")
    assert ended.stdout.startswith("how a task in Roo Code ends   reworded\n")


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (["responses", "--agent", "roo", "tool_erro"], exits.CANNOT_ASSEMBLE, "did you mean tool_error"),
        (["responses", "--agent", "roo", "tool_error", "--set", "eror=x"], exits.CANNOT_ASSEMBLE, "did you mean error"),
        (["responses", "--agent", "roo", "tool_error", "--set", "x"], exits.WRONG_USE, "is not INPUT=VALUE"),
        (["responses", "--agent", "roo", "--set", "error=x"], exits.WRONG_USE, "needs the NAME"),
        (["responses", "--agent", "openclaw"], exits.WRONG_USE, "replies aren't modelled"),
        (["responses"], exits.WRONG_USE, "name --agent roo"),
        (["completion", "--agent", "roo"], exits.WRONG_USE, "--script"),
        (["completion", "--agent", "openclaw", "--script", "-"], exits.WRONG_USE, "isn't modelled"),
    ],
)
def test_wrong_use_is_told(
    args: list[str], code: int, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert says in run(*args, code=code).stderr


def test_a_script_is_played_with_tokens_at_each_step(tmp_path: Path) -> None:
    script = tmp_path / "steps.yaml"
    script.write_text(STEPS)
    text = roo("completion", "--script", str(script)).stdout
    assert "── 3. the result is refused" in text
    assert "mistakes 1" in text
    assert "· recordToolError attempt_completion" in text
    assert "│ (there was no output from this tool)" in text
    turns = json.loads(roo("completion", "--script", "-", "--format", "json", stdin=STEPS).stdout)
    assert [turn["title"] for turn in turns][-2:] == ["the result is shown", "the user accepts"]
    assert turns[-1]["total"] == sum(turn["tokens"] for turn in turns)
    assert turns[-1]["events"] == [["pushToolResult"]]


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("- result: [", "expected"),
        ("result: x", "a list of steps"),
        ("- answer: yes", "step 1: there is no result"),
        ("- reslt: x", "did you mean result"),
    ],
)
def test_a_script_that_makes_no_sense_names_the_place(script: str, says: str) -> None:
    assert says in roo("completion", "--script", "-", stdin=script, code=exits.CANNOT_ASSEMBLE).stderr
