"""The hooks of each agent are listed with what keeps them from running, and are never run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.frozen import frozen_scenario

from promptscope_engine import assemble
from promptscope_engine.prompt.model import Program

GROUPS = {"matcher": "startup", "hooks": [{"type": "command", "command": "touch ran"}]}
HOOKS = {"hooks": {"SessionStart": [GROUPS, {**GROUPS, "matcher": "resume"}], "SesionStart": [GROUPS]}}
COPILOT = {"version": 1, "hooks": {"sessionStart": [{"type": "command", "bash": "touch ran"}]}}
MODELS = {"copilot": "gpt-5.4"}
TOML = '[[hooks.SessionStart]]\n[[hooks.SessionStart.hooks]]\ntype = "command"\ncommand = "touch ran"\n'


def hooks(tmp_path: Path, agent: str, files: dict[str, Any], **params: Any) -> list[Program]:
    for name in ("workspace", "home", "managed"):
        (tmp_path / name).mkdir(exist_ok=True)
    for name, content in files.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else json.dumps(content))
    found = assemble(frozen_scenario(agent, tmp_path, model=MODELS.get(agent), params=params)).programs
    assert not [*tmp_path.rglob("ran")]
    return [each for each in found if each.kind == "hook"]


@pytest.mark.parametrize(
    ("agent", "path", "params"),
    [
        ("claude-code", "home/.claude/settings.json", {}),
        ("codex", "home/.codex/hooks.json", {"args": {"bypassHookTrust": True}}),
        ("gemini", "home/.gemini/settings.json", {"trusted": True}),
    ],
)
def test_a_matcher_and_an_event_decide(tmp_path: Path, agent: str, path: str, params: dict[str, Any]) -> None:
    starts, resumes, misspelt = hooks(tmp_path, agent, {path: HOOKS}, **params)
    assert (starts.present, starts.name, starts.event, starts.line) == (True, "touch ran", "SessionStart", 1)
    assert starts.adds
    assert "begins as `startup`" in resumes.why.text
    assert "did you mean SessionStart" in misspelt.why.text


@pytest.mark.parametrize(
    ("agent", "files", "params", "why"),
    [
        ("codex", {"home/.codex/hooks.json": HOOKS}, {}, "you haven't trusted the hooks"),
        ("codex", {"home/.codex/config.toml": TOML}, {}, "you haven't trusted the hooks"),
        ("codex", {"home/.codex/hooks.json": HOOKS}, {"args": {"disable": ["hooks"]}}, "hooks"),
        ("gemini", {"workspace/.gemini/settings.json": HOOKS}, {"trusted": False}, "trust"),
        (
            "gemini",
            {"home/.gemini/settings.json": {**HOOKS, "hooksConfig": {"disabled": ["touch ran"]}}},
            {},
            "`hooksConfig.disabled` names touch ran",
        ),
        ("gemini", {"home/.gemini/settings.json": {**HOOKS, "hooksConfig": {"enabled": False}}}, {}, "hooksConfig"),
        ("copilot", {"workspace/.github/hooks/a.json": COPILOT}, {}, "not trusted"),
        ("copilot", {"home/.copilot/hooks/a.json": {**COPILOT, "version": 2}}, {}, "`version` is not 1"),
        ("copilot", {"home/.copilot/settings.json": {**COPILOT, "disableAllHooks": True}}, {}, "disableAllHooks"),
    ],
)
def test_what_keeps_a_hook_from_running(
    tmp_path: Path, agent: str, files: dict[str, Any], params: dict[str, Any], why: str
) -> None:
    first = hooks(tmp_path, agent, files, **params)[0]
    assert not first.present
    assert why in first.why.text


@pytest.mark.parametrize("event", ["sessionStart", "SessionStart"])
def test_copilot_takes_claudes_names_of_events(tmp_path: Path, event: str) -> None:
    file = {"version": 1, "hooks": {event: [GROUPS]}}
    [found] = hooks(tmp_path, "copilot", {"home/.copilot/hooks/a.json": file})
    assert (found.present, found.event, found.name) == (True, "sessionStart", "touch ran")


def test_an_extensions_hooks_run_while_it_is_active(tmp_path: Path) -> None:
    folder = "home/.gemini/extensions/x"
    files = {f"{folder}/gemini-extension.json": {"name": "x", "version": "1"}, f"{folder}/hooks/hooks.json": HOOKS}
    first = hooks(tmp_path, "gemini", files, trusted=True)[0]
    assert (first.present, first.source) == (True, "extension x")
    off = hooks(tmp_path, "gemini", files, trusted=True, args={"extensions": ["none"]})[0]
    assert not off.present
