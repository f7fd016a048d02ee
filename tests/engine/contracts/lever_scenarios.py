"""Scenarios of every agent for test_levers.py: the switches on and off, and files of each kind."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from promptscope_engine import Scenario

ENVIRONMENT = {
    "platform": "linux",
    "os_type": "Linux",
    "os_version": "6.1.0",
    "shell": "/bin/bash",
    "date": "2026-11-20T10:00:00+00:00",
}


@dataclass(frozen=True)
class Case:
    """A scenario of one agent: `files` by path below the root, `top` and `params` as the scenario has them."""

    agent: str
    name: str
    files: Mapping[str, str] = field(default_factory=dict)
    top: Mapping[str, Any] = field(default_factory=dict)
    params: Mapping[str, Any] = field(default_factory=dict)
    repository: bool = False

    def scenario(self, root: Path) -> Scenario:
        """The scenario, its files written below `root`: workspace, home and managed."""
        for name in ("workspace", "home", "managed"):
            (root / name).mkdir()
        for name, text in self.files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        if self.repository:
            subprocess.run(["git", "init", "-q", "-b", "main"], cwd=root / "workspace", check=True)
        values = {
            "agent": self.agent,
            "workspace": str(root / "workspace"),
            "home": str(root / "home"),
            "managed": str(root / "managed"),
            "environment": ENVIRONMENT,
            "env": {},
            "mcp_servers": [],
            "tokenizer": "o200k_base",
            "params": self.params,
        }
        return Scenario.model_validate(values | self.top)


# --- Claude Code ------------------------------------------------------------------------------------------------------

_HOST = {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}
_V100 = {"agent_version": "2.1.100", "env": _HOST}
_OLDER = {"model": "claude-sonnet-4-5-20250929", "env": _HOST}
_AGENT = "---\nname: reviewer\ndescription: reviews\ntools: Read, Grep\n---\nYou review.\n"
_FILES = {
    "workspace/CLAUDE.md": "root @missing.md @../outside.md @picture.png\n",
    "outside.md": "outside\n",
    "workspace/picture.png": "x",
    "workspace/AGENTS.md": "agents\n",
    "workspace/sub/claude.md": "nested\n",
    "workspace/.claude/rules/all.md": "all\n",
    "workspace/.claude/rules/py.md": "---\npaths: '*.py'\n---\npython\n",
    "workspace/.claude/rules/empty.md": " \n",
    "workspace/.claude/agents/reviewer.md": _AGENT,
    "workspace/.claude/agents/nameless.md": "no front matter\n",
    "home/.claude/agents/reviewer.md": _AGENT,
    "home/.claude/agents/planner.md": "---\nname: planner\ndescription: plans\n---\nYou plan.\n",
    "workspace/.claude/skills/one/SKILL.md": "---\ndescription: one\n---\n",
    "workspace/.claude/skills/manual/SKILL.md": "---\ndescription: m\ndisable-model-invocation: true\n---\n",
    "workspace/.claude/skills/waits/SKILL.md": "---\ndescription: w\npaths: src/**\n---\n",
    "workspace/.claude/skills/lower/skill.md": "l",
    "home/.claude/skills/one/SKILL.md": "---\ndescription: another\n---\n",
    "workspace/.claude/commands/go.md": "Go.\n",
    "workspace/.claude/output-styles/terse.md": "---\nname: Terse\n---\nBe terse.\n",
    "home/.claude/CLAUDE.md": "user\n",
    "home/.claude/settings.json": json.dumps({"language": "french", "env": {"CLAUDE_CODE_SIMPLE": "0"}}, indent=1),
    "workspace/.mcp.json": '{"mcpServers": {"docs": {"command": "x"}}}',
}
_SERVER = {
    "name": "docs",
    "instructions": "Ask docs.",
    "tools": [{"name": "find", "description": "Finds.", "inputSchema": {"properties": {"q": {"type": "string"}}}}],
}
_OFF = {
    "includeGitInstructions": False,
    "includeCoAuthoredBy": False,
    "autoMemoryEnabled": False,
    "permissions": {"deny": ["WebSearch", "Bash"]},
    "claudeMdExcludes": ["**/rules/**"],
}


def _claude_code(name: str, **more: Any) -> Case:
    return Case("claude-code", name, **more)


_CLAUDE_CODE = (
    _claude_code("default"),
    _claude_code("files", files=_FILES, repository=True),
    _claude_code("files-2.1.100", files=_FILES, repository=True, top=_V100),
    _claude_code("files-older-model", files=_FILES, repository=True, top=_OLDER),
    _claude_code("2.1.100", top=_V100),
    _claude_code("older-model", top=_OLDER, params={"args": {"print": True}}),
    _claude_code("headless", params={"args": {"print": True}}),
    _claude_code("headless-2.1.100", top=_V100, params={"args": {"print": True}}),
    _claude_code("plan", top={"mode": "plan"}),
    _claude_code("plan-2.1.100", top={"mode": "plan", **_V100}),
    _claude_code("bare", params={"args": {"bare": True}}),
    _claude_code("bare-variable", files=_FILES, top={"env": {"CLAUDE_CODE_SIMPLE": "1"}, "agent_version": "2.1.100"}),
    _claude_code("system-prompt", params={"args": {"systemPrompt": "x", "appendSystemPrompt": "y"}}, repository=True),
    _claude_code("agent", files=_FILES, params={"args": {"agent": "reviewer"}}, repository=True),
    _claude_code("agent-2.1.100", files=_FILES, top=_V100, params={"args": {"agent": "planner"}}),
    _claude_code("unknown-agent", params={"args": {"agent": "nobody"}}),
    _claude_code("tools", params={"args": {"tools": ["Read", "Edit"]}}),
    _claude_code("no-tools-2.1.100", top=_V100, params={"args": {"tools": []}}),
    _claude_code("disallowed", params={"args": {"disallowedTools": ["Bash", "ToolSearch"]}}),
    _claude_code("settings-off", files=_FILES, repository=True, params={"settings": _OFF}),
    _claude_code("files-off", files={**_FILES, "home/.claude/settings.json": json.dumps(_OFF, indent=1)}),
    _claude_code("managed", files={**_FILES, "managed/managed-settings.json": json.dumps(_OFF, indent=1)}),
    _claude_code(
        "variables",
        files={**_FILES, "workspace/.claude/settings.json": '{"env": {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"}}'},
        top={"env": {"CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1", "ENABLE_TOOL_SEARCH": "false"}},
    ),
    _claude_code("user-sources", files=_FILES, params={"args": {"settingSources": "user"}}),
    _claude_code("style", files=_FILES, params={"settings": {"outputStyle": "Terse"}}),
    _claude_code("style-older-model", files=_FILES, params={"settings": {"outputStyle": "Learning"}}, top=_OLDER),
    _claude_code("servers", files=_FILES, top={"mcp_servers": [_SERVER], **_V100}),
    _claude_code("servers-deferred", files=_FILES, top={"mcp_servers": [_SERVER]}),
    _claude_code("excluded", repository=True, params={"args": {"excludeDynamicSystemPromptSections": True}}),
    _claude_code("no-slash-commands", files=_FILES, params={"args": {"disableSlashCommands": True}}),
    _claude_code("no-agents-md", files={"workspace/AGENTS.md": "agents\n"}, top=_V100),
)

SCENARIOS: tuple[Case, ...] = _CLAUDE_CODE
