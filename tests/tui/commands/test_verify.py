"""`promptscope verify` and `calibrate` as a script meets them, and what other commands do with what was learned."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from msgspec.json import encode

from promptscope_engine.learned import LearnedVersion, Wording
from promptscope_engine.learning.mod_effects import Effect, ModRun, file_for
from promptscope_engine.prompt.model import to_json
from promptscope_tui.cli import cli
from promptscope_tui.output import exits
from promptscope_tui.settings import wordings

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
    result = CliRunner().invoke(cli, list(args))
    found = result.exit_code if result.exception is None or isinstance(result.exception, SystemExit) else None
    assert found == code, result.output
    return result


@pytest.mark.slow
def test_a_body_against_the_agent_that_is_named(shop: Path) -> None:
    text = run("verify", str(shop / "body.json"), "--agent", "claude-code").output
    assert "characters explained, 1 tool not predicted, " in text
    assert "the capture tells no version: compared with " in text
    assert "tools.New" in text
    found = json.loads(
        run("verify", str(shop / "body.json"), "--agent", "claude-code", "--format", "json", "--strict", code=1).stdout
    )
    assert found["tools"]["unpredicted"] == ["New"]
    assert found["schema"] == "promptscope.verify.v1"
    assert found["differs"] is True


@pytest.mark.slow
def test_mods_that_may_have_changed_it_are_named_with_what_they_did_when_run(shop: Path) -> None:
    plugin = shop / ".claude/skills/dropper"
    for name, text in {
        ".claude-plugin/plugin.json": '{"name": "dropper"}',
        "hooks/hooks.json": '{"modules": ["./m.js"]}',
        "hooks/m.js": "export const register = (on) => {\n  on('prompt.context', async ($, e, next) => next(e))\n}\n",
    }.items():
        (plugin / name).parent.mkdir(parents=True, exist_ok=True)
        (plugin / name).write_text(text)
    asked = ("verify", "body.json", "--agent", "claude-code")
    text = run(*asked).output
    assert "mods that may have changed it:\n  dropper@skills-dir" in text
    assert "learn --mods" in text
    [mod] = json.loads(run("mods", "--agent", "claude-code", "--format", "json").stdout)[:1]
    assert mod["did"] is None
    effect = Effect(mod["id"], "removed", "file", str(shop / "CLAUDE.md"), 18, 0)
    target = file_for({mod["id"]: mod["digest"]})
    target.parent.mkdir(parents=True)
    target.write_bytes(encode(ModRun("2026-11-29", "2.1.332", {mod["id"]: mod["digest"]}, (effect,), {})))
    text = run(*asked).output
    assert "as run on 2026-11-29:\n    removed the file CLAUDE.md, 18 → 0 characters" in text
    assert "learn --mods" not in text
    [mod] = json.loads(run("mods", "--agent", "claude-code", "--format", "json").stdout)[:1]
    assert mod["did"] == [to_json(effect)]


@pytest.mark.usefixtures("shop")
def test_without_captures_it_says_how_to_make_one() -> None:
    assert "no captures yet" in run("verify", code=exits.CANNOT_ASSEMBLE).output


@pytest.mark.usefixtures("shop")
def test_a_request_that_is_not_there_is_refused() -> None:
    result = run("verify", "body.json", "--agent", "claude-code", "--request", "7", code=exits.CANNOT_ASSEMBLE)
    assert "no request 7 to a model in the capture" in result.output


def body(**more: Any) -> str:
    """A request that has one part of Claude Code's, in words of its own."""
    system = [
        {"type": "text", "text": "x-anthropic-billing-header"},
        {"type": "text", "text": "You are\x1b[31m a tester."},
    ]
    return json.dumps({"model": "claude-opus-5-5", "system": system, "messages": [], "tools": [], **more})


CLAUDE = ("--agent", "claude-code", "--agent-version", "2.1.329", "--set", "args.print=true")


@pytest.mark.slow
@pytest.mark.usefixtures("shop")
def test_what_is_learned_is_listed_used_on_request_and_forgotten() -> None:
    Path("body.json").write_text(body())
    assert "claude-code 2.1.329: 1 of " in run("calibrate", "body.json", *CLAUDE).output
    (kept,) = wordings.folder().iterdir()
    assert kept.name == "claude-code@2.1.329"
    assert (kept.stat().st_mode & 0o777, kept.parent.stat().st_mode & 0o777) == (0o700, 0o700)

    assert "2.1.329" in run("calibrate", "--list").output
    (row,) = json.loads(run("calibrate", "--list", "--format", "json").stdout)
    assert (row["agent"], row["version"], row["parts"]) == ("claude-code", "2.1.329", 1)

    plain = run("show", *CLAUDE, "--format", "json").stdout
    unnamed = [each for each in CLAUDE if each not in CLAUDE[2:4]]
    learned = json.loads(run("show", *unnamed, "--learned", "--format", "json").stdout)
    assert learned["agent_version"] == "2.1.329"
    assert json.loads(plain)["learned"] is False
    assert learned["learned"] is True
    (identity,) = [each for each in learned["sections"] if each["id"] == "identity"]
    origin = identity["fragments"][0]["origin"]
    assert (origin["kind"], origin["id"], origin["name"]) == ("learned", "identity.headless", "seen in 1 of 1 run")
    assert f'"variant": "{origin["variant"]}"' in (kept / "sections" / "identity.md").read_text()
    assert identity["fragments"][0]["text"] == "You are\x1b[31m a tester."
    assert "\x1b[31m a" not in run("show", *CLAUDE, "--learned").output

    run("calibrate", "--forget", "--agent", "claude-code")
    assert run("show", *CLAUDE, "--learned", "--format", "json").stdout == plain
    assert "nothing was learned yet" in run("calibrate", "--list").output


@pytest.mark.slow
@pytest.mark.usefixtures("shop")
def test_verify_goes_by_what_was_learned() -> None:
    Path("body.json").write_text(body())
    before = json.loads(run("verify", "body.json", *CLAUDE, "--format", "json").stdout)
    run("calibrate", "body.json", *CLAUDE)
    after = json.loads(run("verify", "body.json", *CLAUDE, "--format", "json").stdout)
    assert after["equal"] > before["equal"]


@pytest.mark.slow
def test_a_strangers_version_names_no_file_elsewhere(shop: Path) -> None:
    version = "../../../etc/\x1b[31m"
    wordings.keep(LearnedVersion("claude-code", version))
    (kept,) = wordings.folder().iterdir()
    assert kept.parent == shop / "state" / "learned"
    assert "\x1b" not in run("calibrate", "--list").output
    run("calibrate", "--forget", "--agent", "claude-code", "--agent-version", version)
    assert wordings.versions() == []


@pytest.mark.slow
@pytest.mark.usefixtures("shop")
def test_a_file_that_was_damaged_is_named_and_the_others_are_used() -> None:
    wordings.keep(LearnedVersion("claude-code", "2.1.329", (Wording("intro", "v", ("intro.first",), ("Hello.",)),)))
    (wordings.folder() / "claude-code@2.1.329" / "sections" / "rules.md").write_text("{")
    shown = run("show", *CLAUDE, "--learned", "--format", "json")
    (found,) = (each for each in json.loads(shown.stdout)["diagnostics"] if each["code"] == "learned-file")
    assert (Path(found["path"]).name, found["line"], found["severity"]) == ("rules.md", 1, "warning")
    assert "sections/rules.md:1: the first line must say" in run("calibrate", "--list").stderr


@pytest.mark.slow
@pytest.mark.usefixtures("shop")
def test_options_that_contradict_each_other_are_refused() -> None:
    run("calibrate", "--list", "--forget", code=exits.WRONG_USE)
    assert "takes --agent" in run("calibrate", "--forget", code=exits.WRONG_USE).output
    assert "no captures yet" in run("calibrate", code=exits.CANNOT_ASSEMBLE).output


@pytest.mark.slow
@pytest.mark.usefixtures("shop")
def test_pages_show_learned_and_sent_text() -> None:
    Path("body.json").write_text(body())
    run("calibrate", "body.json", *CLAUDE)
    assert "learned on this machine" in run("show", *CLAUDE, "--learned", "--format", "html").output
    assert "sent by the agent" in run("show", "--capture", "body.json", "--format", "html").output
