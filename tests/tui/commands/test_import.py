"""`promptscope import` of a pasted prompt, as a person meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from promptscope_engine import schema
from promptscope_tui.cli import cli
from promptscope_tui.output import exits
from promptscope_tui.settings import wordings

pytestmark = pytest.mark.slow


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PROMPTSCOPE_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("PROMPTSCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*args: str, code: int = exits.OK, stdin: bytes | None = None) -> Result:
    result = CliRunner().invoke(cli, list(args), input=stdin)
    found = result.exit_code if result.exception is None or isinstance(result.exception, SystemExit) else None
    assert found == code, result.output
    return result


def test_a_pasted_prompt_is_compared_kept_learned_and_opened_again(shop: Path) -> None:
    Path(".roorules").write_text("Use tabs.\n")
    plain = run("show", "--agent", "roo", "--format", "plain").stdout
    text = plain.replace("MARKDOWN RULES\n\n", "MARKDOWN RULES\n\n\x1b[31mRed. ", 1)
    result = run("import", "-", "--agent", "roo", "--calibrate", stdin=text.replace("\n", "\r\n").encode())
    assert "100 % of" in result.stdout
    assert "100 % word for word" in result.stdout
    assert "\x1b" not in result.output
    *_, said, path = result.stderr.splitlines()
    assert said == "roo 3.28.16: 26 of 26 parts learned"
    assert "-: its lines end in CRLF: read as LF" in result.stderr
    assert Path(path).parent == shop / "state" / "captures"
    assert wordings.versions()[0].agent == "roo"

    assert "Red." in run("show", "--capture", path, "--format", "plain").stdout
    assert "none of these is compared" in run("verify", path).stdout
    found = json.loads(run("verify", path, "--format", "json").stdout)
    assert found["tools"] == {"missing": [], "unpredicted": []}
    assert run("verify", path, "--strict").exit_code == exits.OK
    assert json.loads(run("captures", "--format", "json").stdout)[0]["source"] == "prompt"
    assert "prompt" in schema("capture")["$defs"]["Header"]["properties"]["source"]["enum"]


def swapped(text: str) -> str:
    """The prompt with RULES in front of CAPABILITIES."""
    at, first, last = (text.index(f"====\n\n{name}\n") for name in ("CAPABILITIES", "RULES", "SYSTEM INFORMATION"))
    return text[:at] + text[first:last] + text[at:first] + text[last:]


@pytest.mark.usefixtures("shop")
def test_a_section_that_was_moved_is_named_with_its_place() -> None:
    Path(".roorules").write_text("Use tabs.\n")
    text = swapped(run("show", "--agent", "roo", "--format", "plain").stdout)
    Path("moved.txt").write_text(text)
    said = run("import", "moved.txt", "--agent", "roo", "--calibrate", "--to", "kept.jsonl")
    assert "explained, 1 section moved\n" in said.stdout
    assert "rules  equal, moved behind Tool Use Guidelines" in said.stdout
    assert "26 of 26 parts learned" in said.stderr
    found = json.loads(run("verify", "kept.jsonl", "--format", "json").stdout)
    assert [(part["id"], part["moved"]) for part in found["parts"] if part["moved"] is not None] == [
        ("rules", "Tool Use Guidelines")
    ]
    assert found["differs"] is True
    assert "moved" in schema("verify")["$defs"]["Part"]["properties"]
    run("verify", "kept.jsonl", "--strict", code=exits.CHECK_FAILED)


@pytest.mark.usefixtures("shop")
def test_json_has_the_path_and_the_comparison() -> None:
    Path("preview.txt").write_text(run("show", "--agent", "roo", "--mode", "ask", "--format", "plain").stdout)
    found = json.loads(run("import", "preview.txt", "--agent", "roo", "--format", "json", "--to", "kept.jsonl").stdout)
    assert Path(found["path"]).name == "kept.jsonl"
    assert found["calibrated"] is None
    assert (found["comparison"]["explained"], found["comparison"]["differs"]) == (1, False)


@pytest.mark.usefixtures("shop")
def test_what_cannot_be_taken_over_says_what_to_do() -> None:
    Path("empty.txt").write_text("")
    assert "empty.txt: error: the text is empty" in run("import", "empty.txt", "--agent", "roo", code=3).stderr
    Path("note.txt").write_text("You are Roo.")
    said = run("import", "note.txt", code=3).stderr
    assert "a pasted system prompt is imported with --agent" in said
    assert "none of its" in run("import", "note.txt", "--agent", "roo", code=3).stderr
    assert "qwen is not modelled" in run("import", "note.txt", "--agent", "qwen", code=3).stderr
    Path("body.json").write_text('{"model": "x", "messages": [{"role": "user", "content": "hi"}]}')
    assert "recorded 1 request" in run("import", "body.json", "--agent", "roo").stderr
    assert "takes a recording" in run("import", "body.json", "--calibrate", code=2).stderr
