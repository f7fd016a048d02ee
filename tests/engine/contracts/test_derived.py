"""What each agent computes of its inputs, with the reason that Why shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from promptscope_engine import Scenario, assemble
from promptscope_engine.agents.adapter import inputs_of
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.workspace import Workspace

CLAUDE_CODE = (
    "mode model approvedExternalImports env.ENABLE_TOOL_SEARCH env.CLAUDE_CODE_ENABLE_TASKS env.CLAUDE_CONFIG_DIR "
    "env.SLASH_COMMAND_TOOL_CHAR_BUDGET env.CLAUDE_CODE_AUTO_COMPACT_WINDOW env.CLAUDE_CODE_MAX_OUTPUT_TOKENS"
)
CODEX = (
    "args.sandbox args.approval args.trust env.CODEX_HOME settings.model_reasoning_effort "
    "settings.features.multi_agent_v2 settings.web_search"
)
OPENCLAW = (
    "promptMode contextFiles skillsPrompt sandboxInfo reactionGuidance ttsHint toolNames runtimeInfo.shell "
    "messageToolHints toolSummaries reasoningLevel workspaceNotes runtimeInfo.channel runtimeInfo.capabilities"
)
FOLDERS = "managedSkillsDir bundledSkillsDir skillFilter env.OPENCLAW_STATE_DIR env.OPENCLAW_CONFIG_PATH "
EXPECTED = {
    "roo": "mode supportsComputerUse partialReadsEnabled includeFileDetails diffStrategy terminalShell vscodeShell "
    "globalStorage",
    "claude-code": CLAUDE_CODE,
    "codex": f"mode model {CODEX}",
    "gemini": "mode model trusted env.GEMINI_CLI_HOME settings.general.plan.directory",
    "openclaw": "mode model heartbeatDefault "
    + FOLDERS
    + " ".join(f"promptParams.{name}" for name in OPENCLAW.split()),
}

CLAUDE, GEMINI, CLAW = ".claude/settings.json", ".gemini/settings.json", ".openclaw/openclaw.json"
PLAN = {"permissions": {"defaultMode": "plan"}}
SEARCH, HINTS = "env.ENABLE_TOOL_SEARCH", "promptParams.messageToolHints"
CUSTOM_HOST = {"env": {"ANTHROPIC_BASE_URL": "http://localhost:1"}}
LISTED = {"agents": {"list": [{"id": "main", "skills": ["git"]}]}}
SUB_AGENT = {"params": {"sessionKey": "agent:main:subagent:x"}}


def told(folder: Path, agent: str, **more: Any) -> Assembly:
    asked = {"agent": agent, "workspace": str(folder / "ws"), "home": str(folder / "home"), "env": {}, **more}
    return assemble(Scenario.model_validate(asked), Workspace(), cached_only=True)


@pytest.mark.parametrize("agent", EXPECTED)
def test_every_computed_input_has_its_arrow(tmp_path: Path, agent: str) -> None:
    (tmp_path / "ws").mkdir()
    (tmp_path / "home").mkdir()
    derived = told(tmp_path, agent).derived
    names = [each.param for each in derived]
    assert [name for name in EXPECTED[agent].split() if name not in names] == []
    assert len(names) == len(set(names))
    inputs = {field.name for field in inputs_of(load_agent(agent))} | {"mode", "model"}
    assert [name for name in names if name not in inputs] == []
    assert [each.param for each in derived if each.why.text in ("", "always present")] == []


@pytest.mark.parametrize(
    "case",
    [
        ("claude-code", CLAUDE, PLAN, {}, "mode", "plan", "`permissions.defaultMode` is plan (in ~/.claude/settings"),
        ("claude-code", CLAUDE, {"model": "opus"}, {}, "model", None, "`model` is opus (in"),
        ("claude-code", "", {}, {"env": {"ANTHROPIC_MODEL": "opus"}}, "model", None, "`env.ANTHROPIC_MODEL` is opus"),
        ("claude-code", "", {}, {"params": {"args": {"print": True}}}, "mode", "default", "a headless session starts"),
        (
            "gemini",
            GEMINI,
            {"general": {"defaultApprovalMode": "plan"}},
            {"params": {"trusted": True}},
            "mode",
            "plan",
            "`general.defaultApprovalMode` is plan (in",
        ),
        ("claude-code", "", {}, {}, SEARCH, "true", "2.1.3"),
        ("claude-code", "", {}, {"agent_version": "2.1.100"}, SEARCH, "true", "the first-party host"),
        ("claude-code", "", {}, {"agent_version": "2.1.100", **CUSTOM_HOST}, SEARCH, "false", "go to a custom host"),
        ("claude-code", "", {}, {"model": "claude-3-5-haiku-20241022"}, SEARCH, "false", "cannot search for tools"),
        ("claude-code", "", {}, {"env": {"ENABLE_TOOL_SEARCH": "auto"}}, SEARCH, "auto", "can search for tools"),
        ("claude-code", CLAUDE, {"env": {"ENABLE_TOOL_SEARCH": "0"}}, {}, SEARCH, "0", "in ~/.claude/settings.json:1"),
        ("claude-code", CLAUDE, {"agent": "planner"}, {}, "args.agent", "planner", "`agent` is planner (in"),
        (
            "claude-code",
            CLAUDE,
            {"skillListingBudgetFraction": 0.5},
            {"agent_version": "2.1.100"},
            "env.SLASH_COMMAND_TOOL_CHAR_BUDGET",
            "400000",
            "`skillListingBudgetFraction` is 0.5 (in",
        ),
        (
            "codex",
            "",
            {},
            {"params": {"args": {"trust": True}}},
            "args.trust",
            True,
            "you haven't marked this project as trusted",
        ),
        ("openclaw", "", {}, {}, HINTS, None, "the message has no channel, whose plugin would say them"),
        ("openclaw", "", {}, {"params": {"channel": "discord"}}, HINTS, None, "the plugin of discord may say some"),
        ("openclaw", "", {}, {"params": {"promptParams": {"messageToolHints": ["a"]}}}, HINTS, ["a"], "has no channel"),
        ("openclaw", CLAW, LISTED, {}, "skillFilter", ["git"], "in `agents.list` names them"),
        ("gemini", "", {}, {"mode": "yolo", "params": {"trusted": False}}, "mode", "default", "is not trusted"),
        ("gemini", "", {}, {"env": {"GEMINI_MODEL": "pro"}}, "model", None, "`env.GEMINI_MODEL` is pro"),
        ("gemini", "", {}, {"model": "auto", "params": {"routed": "pro"}}, "model", None, "asks first routes to pro"),
        ("codex", "", {}, {"params": {"entry": "interactive"}}, "args.approval", "on-request", "it is the default"),
        ("codex", "", {}, {"mode": "danger-full-access"}, "settings.web_search", "live", "danger-full-access"),
        ("openclaw", CLAW, {"agents": {"defaults": {"model": "a/b"}}}, {}, "model", "a/b", "`agents.defaults.model`"),
        ("openclaw", "", {}, SUB_AGENT, "mode", "minimal", "is sub-agent"),
    ],
)
def test_an_arrow_names_what_decided(tmp_path: Path, case: tuple[Any, ...]) -> None:
    agent, file, settings, more, param, value, why = case
    (tmp_path / "ws").mkdir()
    if file:
        (tmp_path / "home" / file).parent.mkdir(parents=True)
        (tmp_path / "home" / file).write_text(json.dumps(settings))
    found = told(tmp_path, agent, **more).derivation(param)
    assert found is not None
    assert why in found.why.text
    assert value in (None, found.value)
