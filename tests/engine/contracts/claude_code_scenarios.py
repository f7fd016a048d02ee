"""Claude Code's scenarios for test_levers.py: the switches on and off, and files of each kind."""

from __future__ import annotations

import json
from typing import Any

from .case import Case

_HOST = {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}
_V100 = {"agent_version": "2.1.100", "env": _HOST}
_OLDER = {"model": "claude-sonnet-4-5-20250929", "env": _HOST}
_AGENT = "---\nname: reviewer\ndescription: reviews\ntools: Read, Grep\n---\nYou review.\n"
_FILES = {
    "ws/CLAUDE.md": "root @missing.md @../outside.md @picture.png\n",
    "outside.md": "outside\n",
    "ws/picture.png": "x",
    "ws/AGENTS.md": "agents\n",
    "ws/sub/claude.md": "nested\n",
    "ws/.claude/rules/all.md": "all\n",
    "ws/.claude/rules/py.md": "---\npaths: '*.py'\n---\npython\n",
    "ws/.claude/rules/empty.md": " \n",
    "ws/.claude/agents/reviewer.md": _AGENT,
    "ws/.claude/agents/nameless.md": "no front matter\n",
    "home/.claude/agents/reviewer.md": _AGENT,
    "home/.claude/agents/planner.md": "---\nname: planner\ndescription: plans\n---\nYou plan.\n",
    "ws/.claude/skills/one/SKILL.md": "---\ndescription: one\n---\n",
    "ws/.claude/skills/manual/SKILL.md": "---\ndescription: m\ndisable-model-invocation: true\n---\n",
    "ws/.claude/skills/waits/SKILL.md": "---\ndescription: w\npaths: src/**\n---\n",
    "ws/.claude/skills/lower/skill.md": "l",
    "home/.claude/skills/one/SKILL.md": "---\ndescription: another\n---\n",
    "ws/.claude/commands/go.md": "Go.\n",
    "ws/.claude/output-styles/terse.md": "---\nname: Terse\n---\nBe terse.\n",
    "home/.claude/CLAUDE.md": "user\n",
    "home/.claude/settings.json": json.dumps({"language": "french", "env": {"CLAUDE_CODE_SIMPLE": "0"}}, indent=1),
    "ws/.mcp.json": '{"mcpServers": {"docs": {"command": "x"}}}',
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


def _case(
    files: dict[str, str] | None = None,
    *,
    top: dict[str, Any] | None = None,
    params: dict[str, Any] | None = None,
    repository: bool = False,
) -> Case:
    scenario = {"agent": "claude-code", "mcp_servers": [], "params": params or {}, **(top or {})}
    return Case(files or {}, scenario, repository)


SCENARIOS: dict[str, Case] = {
    "claude-code-default": _case(),
    "claude-code-files": _case(files=_FILES, repository=True),
    "claude-code-files-2.1.100": _case(files=_FILES, repository=True, top=_V100),
    "claude-code-files-older-model": _case(files=_FILES, repository=True, top=_OLDER),
    "claude-code-2.1.100": _case(top=_V100),
    "claude-code-older-model": _case(top=_OLDER, params={"args": {"print": True}}),
    "claude-code-headless": _case(params={"args": {"print": True}}),
    "claude-code-headless-2.1.100": _case(top=_V100, params={"args": {"print": True}}),
    "claude-code-plan": _case(top={"mode": "plan"}),
    "claude-code-plan-2.1.100": _case(top={"mode": "plan", **_V100}),
    "claude-code-bare": _case(params={"args": {"bare": True}}),
    "claude-code-bare-variable": _case(files=_FILES, top={**_V100, "env": {"CLAUDE_CODE_SIMPLE": "1"}}),
    "claude-code-system-prompt": _case(params={"args": {"systemPrompt": "x"}}, repository=True),
    "claude-code-agent": _case(files=_FILES, params={"args": {"agent": "reviewer"}}, repository=True),
    "claude-code-agent-2.1.100": _case(files=_FILES, top=_V100, params={"args": {"agent": "planner"}}),
    "claude-code-unknown-agent": _case(params={"args": {"agent": "nobody"}}),
    "claude-code-sub-agent": _case(params={"subagent": "Explore"}),
    "claude-code-sub-agent-2.1.100": _case(_FILES, top=_V100, params={"subagent": "reviewer"}),
    "claude-code-tools": _case(params={"args": {"tools": ["Read", "Edit"]}}),
    "claude-code-no-tools-2.1.100": _case(top=_V100, params={"args": {"tools": []}}),
    "claude-code-disallowed": _case(params={"args": {"disallowedTools": ["Bash", "ToolSearch"]}}),
    **{
        f"claude-code-narrowed-{version}": _case(
            {**_FILES, "ws/out.md": "@../x.md", "x.md": "x"},
            top={"mcp_servers": [_SERVER], "agent_version": version, "env": _HOST},
            params={
                "args": {"disallowedTools": ["Edit"], "tools": ["Bash", "Read", "Edit"], "settingSources": "project"}
            },
        )
        for version in ("2.1.100", "2.1.329")
    },
    "claude-code-settings-off": _case(files=_FILES, repository=True, params={"settings": _OFF}),
    "claude-code-files-off": _case(files={**_FILES, "home/.claude/settings.json": json.dumps(_OFF, indent=1)}),
    "claude-code-managed": _case(files={**_FILES, "managed/managed-settings.json": json.dumps(_OFF, indent=1)}),
    "claude-code-variables": _case(
        files={**_FILES, "ws/.claude/settings.json": '{"env": {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"}}'},
        top={"env": {"CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1", "ENABLE_TOOL_SEARCH": "false"}},
    ),
    "claude-code-user-sources": _case(files=_FILES, params={"args": {"settingSources": "user"}}),
    "claude-code-style": _case(files=_FILES, params={"settings": {"outputStyle": "Terse"}}),
    "claude-code-style-older-model": _case(files=_FILES, params={"settings": {"outputStyle": "Learning"}}, top=_OLDER),
    "claude-code-servers": _case(files=_FILES, top={"mcp_servers": [_SERVER], **_V100}),
    "claude-code-servers-deferred": _case(files=_FILES, top={"mcp_servers": [_SERVER]}),
    "claude-code-excluded": _case(repository=True, params={"args": {"excludeDynamicSystemPromptSections": True}}),
    "claude-code-no-slash-commands": _case(files=_FILES, params={"args": {"disableSlashCommands": True}}),
    "claude-code-no-agents-md": _case(files={"ws/AGENTS.md": "agents\n"}, top=_V100),
    "claude-code-quiet": _case(top={"env": {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}}),
    "claude-code-quiet-headless-elsewhere": _case(
        top={"env": {**_HOST, "DISABLE_TELEMETRY": "1"}}, params={"args": {"print": True}}
    ),
    "claude-code-small-model": _case(top={"model": "haiku", "env": {}}, repository=True),
    "claude-code-opus-5": _case(top={"model": "claude-opus-5", "env": {}}),
    "claude-code-opus-4-8": _case(top={"model": "claude-opus-4-8", "env": {}}),
    "claude-code-sonnet-5": _case(top={"model": "claude-sonnet-5", "env": {}}, repository=True),
    "claude-code-accept-edits": _case(top={"mode": "acceptEdits", "env": {}}),
    "claude-code-excluded-headless": _case(
        repository=True, params={"args": {"excludeDynamicSystemPromptSections": True, "print": True}}
    ),
    "claude-code-memory-variable": _case(
        files={"home/.claude/settings.json": '{"autoMemoryEnabled": false}'},
        top={"env": {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "0"}},
    ),
    "claude-code-same-names": _case(
        files={
            **_FILES,
            "ws/.claude/skills/simplify/SKILL.md": "---\ndescription: own\n---\n",
            "ws/.claude/commands/one.md": "One.\n",
            "home/.claude/plugins/installed_plugins.json": '{"plugins": {"pl@mp": [{"installPath": "/nowhere"}]}}',
        }
    ),
}
