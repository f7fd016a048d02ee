"""OpenCode's scenarios for test_levers.py: the switches on and off, and files of each kind."""

from __future__ import annotations

import json
from typing import Any

from .case import Case

_SKILL = "---\nname: {}\ndescription: does {}\n---\nBody.\n"
_SETTINGS = {
    "instructions": ["docs/*.md", "https://x.test/a.md", "nowhere.md"],
    "mcp": {"docs": {"type": "local", "command": ["x"]}, "off": {"type": "local", "command": ["y"], "enabled": False}},
    "references": {"lib": {"path": "../lib", "description": "a library"}},
    "command": {"say": {"template": "Say $1 and $ARGUMENTS @a.ts"}},
}
_FILES = {
    "ws/AGENTS.md": "root\n",
    "ws/CLAUDE.md": "hidden\n",
    "ws/GEMINI.md": "another agent's\n",
    "ws/AGENT.md": "near\n",
    "ws/sub/AGENTS.md": "nested\n",
    "ws/sub/x.txt": "x\n",
    "ws/a.ts": "1\n2\n3\n",
    "ws/docs/one.md": "one\n",
    "ws/opencode.jsonc": "// settings\n" + json.dumps(_SETTINGS, indent=1),
    "ws/.opencode/agent/rev.md": "---\ndescription: reviews\nmode: primary\ntools: {bash: false}\n---\nYou review.\n",
    "ws/.opencode/agent/sub.md": "---\nmode: subagent\n---\nYou help.\n",
    "ws/.opencode/agent/bad.md": "---\n: [\n---\n",
    "ws/.opencode/command/go.md": "---\nagent: plan\n---\nGo to $ARGUMENTS.\n",
    "ws/.opencode/skill/one/SKILL.md": _SKILL.format("one", "this"),
    "ws/.opencode/skill/none/SKILL.md": "# No front matter\n",
    "ws/.claude/skills/two/SKILL.md": _SKILL.format("two", "that"),
    "ws/.opencode/tool/own.js": "export default {description: 'mine', args: {a: {type: 'string'}}}\n",
    "home/.config/opencode/AGENTS.md": "user\n",
    "home/.claude/CLAUDE.md": "user of another\n",
}
_SERVERS = [
    {
        "name": "fx",
        "instructions": "Ask fx.",
        "resources": [{"uri": "file:///r"}],
        "tools": [{"name": "find", "description": "Finds.", "inputSchema": {"type": "object", "properties": {}}}],
    },
    {"name": "down", "status": "disconnected", "tools": [{"name": "gone"}]},
]
_EXPERIMENTS = {"OPENCODE_EXPERIMENTAL": "1"}
_OFF = {f"OPENCODE_DISABLE_{name}": "1" for name in ("PROJECT_CONFIG", "CLAUDE_CODE", "EXTERNAL_SKILLS", "AUTOCOMPACT")}


def _case(on_disk: dict[str, str] | None = None, /, *, repository: bool = False, **given: Any) -> Case:
    """A case: params by keyword, what is beside them too."""
    names = ("model", "mode", "mcp_servers", "reads", "env")
    top = {key: given.pop(key) for key in names if key in given}
    return Case(on_disk or {}, {"agent": "opencode", "mcp_servers": [], **top, "params": given}, repository)


SCENARIOS: dict[str, Case] = {
    "opencode-claude": _case(model="anthropic/claude-sonnet-4-5"),
    "opencode-gpt": _case(model="openai/gpt-5.4"),
    "opencode-gemini": _case(model="google/gemini-2.5-pro"),
    "opencode-own-provider": _case(model="mine/some-model"),
    "opencode-unknown-model": _case(model="anthropic/claude-nothing"),
    "opencode-files": _case(_FILES, repository=True, mcp_servers=_SERVERS),
    "opencode-terminal": _case(_FILES, repository=True, entry="interactive", mcp_servers=None),
    "opencode-plan": _case(_FILES, mode="plan", entry="interactive"),
    "opencode-own-agent": _case(_FILES, agent="rev"),
    "opencode-explore": _case(_FILES, mode="explore", entry="interactive", mcp_servers=_SERVERS),
    "opencode-sub-agent": _case(_FILES, agent="sub"),
    "opencode-no-agent": _case(agent="none"),
    "opencode-command": _case(_FILES, command="go", prompt="there now"),
    "opencode-set-command": _case(_FILES, command="say", prompt="hello", entry="interactive"),
    "opencode-skill-command": _case(_FILES, command="one", prompt=""),
    "opencode-no-command": _case(command="none"),
    "opencode-attached": _case(_FILES, files=["a.ts?start=2&end=3", "sub", "sub/x.txt", "none.txt"]),
    "opencode-reads": _case(_FILES, repository=True, reads=["sub/x.txt", "a.ts"], model="anthropic/claude-sonnet-4-5"),
    "opencode-mentions": _case(agentMentions=["general", "explore"], mode="plan", entry="interactive"),
    "opencode-history": _case(history=[{"agent": "plan", "prompt": "first"}], entry="interactive"),
    "opencode-experiments": _case(_FILES, env=_EXPERIMENTS, mcp_servers=_SERVERS, mode="plan", entry="interactive"),
    "opencode-without": _case(_FILES, env=_OFF, repository=True),
    "opencode-denied": _case(
        settings={"permission": {"bash": "deny", "skill": "deny", "task": "deny", "read": "deny"}}
    ),
    "opencode-denied-in-file": _case(
        {"ws/opencode.json": '{"permission": {"*": "deny", "read": "allow"}, "tools": {"webfetch": true}}'}
    ),
    "opencode-permission-by-variable": _case(env={"OPENCODE_PERMISSION": '{"edit": "deny"}'}),
    "opencode-broken": _case({"ws/opencode.json": "{"}),
    "opencode-wrong-type": _case({"ws/opencode.json": '{"instructions": "x.md"}'}),
    "opencode-steps": _case({"ws/opencode.json": '{"agent": {"build": {"steps": 1, "prompt": "Mine."}}}'}),
}
