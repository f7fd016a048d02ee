"""`promptscope verify` as a script meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from promptscope_tui.cli import cli
from promptscope_tui.output import exits

BODY = {
    "model": "claude-opus-4-8",
    "system": [{"type": "text", "text": "You are someone else."}],
    "messages": [{"role": "user", "content": "hi"}],
    "tools": [{"name": "New", "description": "Does more.", "input_schema": {"type": "object"}}],
}


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PROMPTSCOPE_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("PROMPTSCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "body.json").write_text(json.dumps(BODY))
    return tmp_path


def run(*args: str, code: int = exits.OK) -> Result:
    result = CliRunner().invoke(cli, ["verify", *args])
    found = result.exit_code if result.exception is None or isinstance(result.exception, SystemExit) else None
    assert found == code, result.output
    return result


@pytest.mark.slow
def test_a_body_against_the_agent_that_is_named(shop: Path) -> None:
    text = run(str(shop / "body.json"), "--agent", "claude-code").output
    assert "characters explained, 1 tool not predicted, " in text
    assert "the capture tells no version: compared with " in text
    assert "tools.New" in text
    found = json.loads(
        run(str(shop / "body.json"), "--agent", "claude-code", "--format", "json", "--strict", code=1).stdout
    )
    assert found["tools"]["unpredicted"] == ["New"]
    assert found["schema"] == "promptscope.verify.v1"
    assert found["differs"] is True


@pytest.mark.usefixtures("shop")
def test_without_captures_it_says_how_to_make_one() -> None:
    assert "no captures yet" in run(code=exits.CANNOT_ASSEMBLE).output


@pytest.mark.usefixtures("shop")
def test_a_request_that_is_not_there_is_refused() -> None:
    result = run("body.json", "--agent", "claude-code", "--request", "7", code=exits.CANNOT_ASSEMBLE)
    assert "no request 7 to a model in the capture" in result.output
