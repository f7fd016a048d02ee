"""Copilot's scenarios for test_levers.py: the switches on and off, and files of each kind."""

from __future__ import annotations

from typing import Any

from .case import Case

_SKILL = "---\nname: {0}\ndescription: what {0} does\n---\nBody of {0}.\n"
_AGENT = "---\nname: {0}\ndescription: what {0} does\n{1}---\nBody of {0}.\n"
_SERVER = '{"mcpServers": {"docs": {"command": "x", "tools": ["*"]}}}'
_FILES = {
    "ws/.git/HEAD": "ref: refs/heads/main\n",
    "ws/.git/config": '[remote "origin"]\n\turl = https://github.com/acme/demo.git\n',
    "ws/AGENTS.md": "root\n",
    "ws/CLAUDE.md": "root\n",
    "ws/GEMINI.md": " \n",
    "ws/.github/copilot-instructions.md": "See @more.md.\n",
    "ws/.github/more.md": "more\n",
    "ws/.github/instructions/all.instructions.md": "---\napplyTo: '**'\n---\nall\n",
    "ws/.github/instructions/ts.instructions.md": "---\napplyTo: '**/*.ts'\ndescription: for ts\n---\nts\n",
    "ws/.github/instructions/other.instructions.md": "---\nexcludeAgent: coding-agent\n---\nother\n",
    "ws/.github/instructions/wrong.md": "wrong\n",
    "ws/.github/mcp.json": _SERVER,
    "ws/.github/copilot/settings.json": '{"includeCoAuthoredBy": false}',
    "ws/.github/hooks/h.json": '{"hooks": {"sessionStart": [{"type": "command", "bash": "date"}]}}',
    "ws/.github/skills/one/SKILL.md": _SKILL.format("one"),
    "ws/.github/skills/none/SKILL.md": "no front matter\n",
    "ws/.github/agents/tester.agent.md": _AGENT.format("tester", "tools: [view, grep]\n"),
    "ws/.github/agents/nameless.md": "x\n",
    "ws/.claude/commands/go.md": "Go on.\n",
    "ws/.claude/CLAUDE.md": "never\n",
    "ws/a/AGENTS.md": "between\n",
    "ws/a/b/AGENTS.md": "here\n",
    "ws/a/b/c/AGENTS.md": "below\n",
    "ws/a/b/c/x.ts": "x\n",
    "home/.copilot/copilot-instructions.md": "user\n",
    "home/.copilot/settings.json": '{"disabledSkills": ["two"], "disabledMcpServers": ["off"]}',
    "home/.copilot/mcp-config.json": '{"mcpServers": {"off": {"command": "x"}, "docs": {"command": "x"}}}',
    "home/.copilot/skills/two/SKILL.md": _SKILL.format("two"),
    "home/.copilot/agents/tester.agent.md": _AGENT.format("tester", ""),
    "home/.copilot/hooks/h.json": (
        '{"hooks": {"userPromptSubmitted": [{"type": "command", '
        '"bash": "echo \'{\\"additionalContext\\": \\"so\\"}\'"}]}}'
    ),
}
_STAND_IN = {
    "name": "docs",
    "instructions": "Ask docs.",
    "tools": [{"name": "find", "description": "Finds.", "inputSchema": {"properties": {"q": {"type": "string"}}}}],
}


def _case(files: dict[str, str] | None = None, model: str | None = "gpt-5.4", **params: Any) -> Case:
    top = params.pop("top", {})
    return Case(files or {}, {"agent": "copilot", "model": model, "mcp_servers": [], "params": params, **top})


def _deep(**params: Any) -> Case:
    """Started in the folder `a/b` of the workspace."""
    case = _case(_FILES, **params)
    return Case(case.files, case.scenario, within="a/b")


SCENARIOS: dict[str, Case] = {
    "copilot-patch": _case(),
    "copilot-claude": _case(model="claude-sonnet-5", top={"env": {"COPILOT_PROVIDER_TYPE": "anthropic"}}),
    "copilot-frontier": _case(model="gpt-6-sol", top={"env": {"COPILOT_PROVIDER_WIRE_API": "responses"}}),
    "copilot-gemini": _case(model="gemini-3.8-flash"),
    "copilot-strict": _case(model="claude-sonnet-5.5"),
    "copilot-unknown": _case(model="my-model"),
    "copilot-no-model": _case(model=None),
    "copilot-login": _case(model=None, login=True),
    "copilot-files": _deep(args={"trustFolder": True}, top={"mcp_servers": [_STAND_IN]}),
    "copilot-files-undecided": _deep(),
    "copilot-read": _deep(top={"reads": ["c/x.ts"]}),
    "copilot-no-instructions": _deep(args={"noCustomInstructions": True}, top={"reads": ["c/x.ts"]}),
    "copilot-interactive": _deep(entry="interactive", args={"experimental": True}),
    "copilot-plan": _case(args={"plan": True, "mode": "autopilot"}),
    "copilot-autopilot": _case(args={"autopilot": True, "fleet": True}),
    "copilot-agent": _deep(args={"agent": "tester"}),
    "copilot-tools": _case(args={"excludedTools": ["task", "view", "skill"]}),
    "copilot-few-tools": _case(args={"availableTools": ["bash"], "excludedTools": ["bash"]}),
    "copilot-servers": _case(
        _FILES, args={"allowAllMcpServerInstructions": True, "trustFolder": True}, top={"mcp_servers": [_STAND_IN]}
    ),
    "copilot-hooks": _case(_FILES, hooks={"sessionStart": "hello", "modifiedPrompt": "another"}),
    "copilot-offline": _case(top={"env": {"COPILOT_OFFLINE": "true"}}),
}
