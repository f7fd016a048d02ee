"""Gemini CLI's scenarios for test_levers.py: the switches on and off, and files of each kind."""

from __future__ import annotations

import json
from typing import Any

from .case import Case

_TRUSTED = {"GEMINI_CLI_TRUST_WORKSPACE": "true"}
_SKILL = "---\nname: {}\ndescription: does {}\n---\n"
_AGENT = "---\nname: {}\ndescription: looks at {}\n---\nYou look.\n"
_EXTENSION = {
    "name": "ext",
    "version": "1.0.0",
    "excludeTools": ["web_fetch"],
    "mcpServers": {"docs": {"command": "x", "trust": True}},
}
_SETTINGS = {
    "context": {"fileName": ["AGENTS.md", "docs/NOTES.md"], "loadMemoryFromIncludeDirectories": True},
    "tools": {"exclude": ["glob"], "allowed": ["run_shell_command(git)", "write_file"]},
    "skills": {"disabled": ["TWO"]},
    "mcpServers": {"fx": {"command": "x", "trust": True}},
    "agents": {"overrides": {"cli_help": {"enabled": False}, "browser_agent": {"enabled": True}}},
}
_FILES = {
    "ws/GEMINI.md": "root @part.md @alice @../outside.md @docs\n",
    "ws/part.md": "part @part.md\n",
    "ws/AGENTS.md": " \n",
    "ws/docs/NOTES.md": "notes\n",
    "ws/sub/GEMINI.md": "nested\n",
    "ws/sub/x.txt": "x\n",
    "ws/.gitignore": "*.log\n",
    "ws/.geminiignore": "\n",
    "ws/a.log": "log\n",
    "ws/.gemini/settings.json": '{"general": {"topicUpdateNarration": false}}',
    "ws/.gemini/system.md": "Only ${AgentSkills} ${AvailableTools}.\n",
    "ws/.gemini/skills/one/SKILL.md": _SKILL.format("one", "this"),
    "ws/.gemini/agents/rev.md": _AGENT.format("rev", "code"),
    "ws/.gemini/agents/_draft.md": _AGENT.format("draft", "code"),
    "ws/.gemini/commands/say.toml": 'prompt = "Say {{args}} {{args}}"\n',
    "ws/.gemini/.env": "GEMINI_PROMPT_GIT=0\n",
    "home/.gemini/GEMINI.md": "global\n",
    "home/.gemini/settings.json": json.dumps(_SETTINGS, indent=1),
    "home/.gemini/tmp/ws/memory/MEMORY.md": "private\n",
    "home/.gemini/skills/two/SKILL.md": _SKILL.format("two", "that"),
    "home/.gemini/skills/one/SKILL.md": _SKILL.format("one", "it"),
    "home/.gemini/skills/none/SKILL.md": "# No front matter\n",
    "home/.gemini/agents/usr.md": _AGENT.format("usr", "users"),
    "home/.gemini/agents/rev.md": _AGENT.format("rev", "all"),
    "home/.gemini/agents/bad.md": "---\nname: bad\ncolour: red\n---\n",
    "home/.gemini/extensions/ext/gemini-extension.json": json.dumps(_EXTENSION),
    "home/.gemini/extensions/ext/GEMINI.md": "extension\n",
    "home/.gemini/extensions/off/gemini-extension.json": '{"name": "off", "version": "1"}',
    "home/.gemini/extensions/off/GEMINI.md": "switched off\n",
    "home/.gemini/extensions/broken/gemini-extension.json": "{",
    "home/.gemini/extensions/extension-enablement.json": '{"off": {"overrides": ["!/*"]}}',
    "home/.gemini/policies/own.toml": '[[rule]]\ntoolName = "ask_user"\ndecision = "allow"\npriority = 100\n',
}
_SERVERS = [
    {
        "name": "fx",
        "instructions": "Ask fx.",
        "resources": [{"uri": "file:///r"}],
        "tools": [
            {"name": "find", "description": "Finds.", "annotations": {"readOnlyHint": True}},
            {"name": "put", "inputSchema": {"type": "object", "properties": {"q": {"type": "string"}}}},
        ],
    },
    {"name": "docs", "instructions": "Ask docs.", "tools": [{"name": "look"}]},
    {"name": "down", "status": "disconnected", "tools": [{"name": "gone"}]},
]
_OFF = {
    "general": {"topicUpdateNarration": False, "plan": {"enabled": False}},
    "context": {"includeDirectoryTree": False, "importFormat": "flat"},
    "tools": {"useRipgrep": False, "shell": {"enableInteractiveShell": False, "enableShellOutputEfficiency": False}},
    "skills": {"enabled": False},
    "experimental": {"enableAgents": False},
    "useWriteTodos": False,
}
_ON = {
    "experimental": {"taskTracker": True, "directWebFetch": True, "contextManagement": True},
    "security": {"toolSandboxing": True},
}
_HOOKS = {"SessionStart": "start", "BeforeAgent": "before"}
_SECTIONS_OFF = {f"GEMINI_PROMPT_{name}": "0" for name in ("PREAMBLE", "COREMANDATES", "AGENTSKILLS", "SANDBOX", "GIT")}


def _case(
    files: dict[str, str] | None = None,
    *,
    env: dict[str, str] | None = None,
    repository: bool = False,
    dialog: bool = False,
    **given: Any,
) -> Case:
    """A case in a trusted folder. `dialog`: interactive. `settings` and other params by keyword."""
    top = {key: given.pop(key) for key in ("model", "mode", "mcp_servers", "reads") if key in given}
    args = {**given.pop("args", {}), **({"print": False} if dialog else {})}
    params = {**({"args": args} if args else {}), **given}
    scenario = {"agent": "gemini", "mcp_servers": [], **top, "params": params, "env": _TRUSTED if env is None else env}
    return Case(files or {}, scenario, repository)


SCENARIOS: dict[str, Case] = {
    "gemini-refused": _case(env={}),
    "gemini-refused-files": _case(_FILES, env={}),
    "gemini-not-trusted": _case(_FILES, env={"GEMINI_CLI_TRUST_WORKSPACE": "false"}, dialog=True, mode="yolo"),
    "gemini-trusted-by-param": _case(env={}, trusted=True),
    "gemini-not-trusted-by-param": _case(_FILES, env={}, trusted=False, dialog=True),
    "gemini-every-folder-trusted": _case(env={}, settings={"security": {"folderTrust": {"enabled": False}}}),
    "gemini-trusted-by-file": _case({"home/.gemini/trustedFolders.json": '{"/": "TRUST_FOLDER"}'}, env={}),
    "gemini-missing-folder": _case(args={"includeDirectories": ["nowhere"]}),
    "gemini-headless": _case(),
    "gemini-files": _case(_FILES, repository=True, mcp_servers=_SERVERS),
    "gemini-files-dialog": _case(_FILES, repository=True, dialog=True, mcp_servers=_SERVERS, hooks=_HOOKS),
    "gemini-files-legacy": _case(_FILES, model="gemini-2.5-pro", acknowledgedAgents=["rev"]),
    "gemini-acknowledged": _case(_FILES, acknowledgedAgents=["rev", "other"], args={"extensions": ["ext"]}),
    "gemini-other-extensions": _case(_FILES, args={"extensions": ["none"]}),
    **{f"gemini-{mode}": _case(mode=mode) for mode in ("auto_edit", "plan", "yolo")},
    **{f"gemini-{mode}-dialog": _case(mode=mode, dialog=True, mcp_servers=_SERVERS) for mode in ("plan", "yolo")},
    "gemini-legacy": _case(model="gemini-2.5-pro"),
    "gemini-legacy-dialog": _case(model="gemini-2.5-flash", dialog=True),
    "gemini-legacy-plan": _case(model="gemini-2.5-pro", mode="plan", dialog=True),
    "gemini-mixed": _case(model="auto-gemini-2.5", dialog=True),
    "gemini-settings-off": _case(_FILES, dialog=True, settings=_OFF),
    "gemini-settings-off-legacy": _case(model="gemini-2.5-pro", settings=_OFF),
    "gemini-settings-on": _case(dialog=True, settings=_ON, env={**_TRUSTED, "SANDBOX": "docker"}),
    "gemini-settings-on-legacy": _case(
        model="gemini-2.5-pro", settings=_ON, env={**_TRUSTED, "SANDBOX": "sandbox-exec"}
    ),
    "gemini-files-off": _case({"home/.gemini/settings.json": json.dumps(_OFF)}, dialog=True),
    "gemini-system-settings": _case({"managed/settings.json": json.dumps(_OFF)}),
    "gemini-no-rg": _case(ripgrep=False),
    "gemini-sections-off": _case(_FILES, env={**_TRUSTED, **_SECTIONS_OFF}, repository=True),
    "gemini-override": _case(_FILES, env={**_TRUSTED, "GEMINI_SYSTEM_MD": "1"}),
    "gemini-override-missing": _case(env={**_TRUSTED, "GEMINI_SYSTEM_MD": "nowhere.md"}),
    "gemini-override-blank": _case({"ws/.gemini/system.md": "\n"}, env={**_TRUSTED, "GEMINI_SYSTEM_MD": "true"}),
    "gemini-core": _case(settings={"tools": {"core": ["read_file", "ReadFolderTool", "ShellTool(ls)"]}}, dialog=True),
    "gemini-core-plan": _case(settings={"tools": {"core": ["read_file"]}}, dialog=True, mode="plan"),
    "gemini-core-none": _case({"home/.gemini/settings.json": '{"tools": {"core": []}}'}),
    "gemini-excluded": _case(settings={"tools": {"exclude": ["invoke_agent", "GlobTool", "search_file_content"]}}),
    "gemini-confirmed": _case(settings={"tools": {"confirmationRequired": ["replace", "run_shell_command"]}}),
    "gemini-allowed": _case(args={"allowedTools": ["ShellTool", "activate_skill"]}),
    "gemini-servers-allowed": _case(mcp_servers=_SERVERS, settings={"mcp": {"allowed": ["docs"]}}),
    "gemini-servers-excluded": _case(mcp_servers=_SERVERS, dialog=True, settings={"mcp": {"excluded": ["docs"]}}),
    "gemini-servers-named": _case(mcp_servers=_SERVERS, args={"allowedMcpServerNames": ["fx"]}),
    "gemini-servers-yolo": _case(_FILES, mcp_servers=_SERVERS, mode="yolo"),
    "gemini-command": _case(_FILES, prompt="/say hello", stdin="in\n"),
    "gemini-mention": _case(_FILES, prompt="see @part.md and @sub/x.txt."),
    "gemini-reads": _case(_FILES, repository=True, reads=["sub/x.txt"]),
    "gemini-hooks-off": _case(hooks=_HOOKS, settings={"hooksConfig": {"enabled": False}}),
    "gemini-hooks": _case(hooks=_HOOKS),
}
