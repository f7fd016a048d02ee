"""Codex's scenarios for test_levers.py: the switches on and off, and files of each kind."""

from __future__ import annotations

from typing import Any

from .case import Case

_SKILL = "---\nname: {0}\ndescription: what {0} does\n---\nBody of {0}.\n"
_RULES = 'prefix_rule(pattern=["npm", ["test", "run"]], decision="allow")\n'
_FILES = {
    "ws/.git/HEAD": "ref: refs/heads/main\n",
    "ws/AGENTS.md": "root\n",
    "ws/a/AGENTS.override.md": " \n",
    "ws/a/AGENTS.md": "hidden\n",
    "ws/a/b/CLAUDE.md": "fallback\n",
    "ws/a/b/AGENTS.md": "nearest\n",
    "ws/a/b/c/AGENTS.md": "below\n",
    "ws/.agents/skills/one/SKILL.md": _SKILL.format("one"),
    "ws/.agents/skills/none/SKILL.md": "no front matter\n",
    "ws/.agents/skills/quiet/SKILL.md": _SKILL.format("quiet"),
    "ws/.agents/skills/quiet/agents/openai.yaml": "policy:\n  allow_implicit_invocation: false\n",
    "ws/.codex/config.toml": (
        'developer_instructions = "of the project"\nproject_doc_fallback_filenames = ["CLAUDE.md"]\n'
    ),
    "home/.codex/AGENTS.md": "user\n",
    "home/.codex/AGENTS.override.md": "\n",
    "home/.codex/config.toml": (
        'developer_instructions = "of the user"\n[features]\nmemories = true\n'
        '[mcp_servers.docs]\ncommand = "x"\n[[skills.config]]\nname = "off"\nenabled = false\n'
    ),
    "home/.codex/memories/memory_summary.md": "learned\n",
    "home/.codex/rules/default.rules": _RULES,
    "home/.codex/agents/tester.toml": 'name = "tester"\ndescription = "tests"\n',
    "home/.codex/agents/nameless.toml": "x = 1\n",
    "home/.codex/skills/off/SKILL.md": _SKILL.format("off"),
    "home/.codex/hooks.json": ('{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "date"}]}]}}'),
}
_SERVER = {
    "name": "docs",
    "instructions": "Ask docs.",
    "tools": [{"name": "find", "description": "Finds.", "inputSchema": {"properties": {"q": {"type": "string"}}}}],
}
_TRUSTED = {"trust": True}
_OFF = {
    "include_environment_context": False,
    "include_permissions_instructions": False,
    "include_collaboration_mode_instructions": False,
    "skills": {"include_instructions": False, "bundled": {"enabled": False}},
    "personality": "none",
    "features": {"goals": False, "view_image": False, "shell_tool": False, "sleep_tool": False, "multi_agent": False},
}
_ON = {
    "model_reasoning_effort": "ultra",
    "web_search": "disabled",
    "instructions": "Own base.",
    "features": {
        "code_mode": True, "multi_agent_v2": True, "token_budget": True, "request_permissions_tool": True,
        "exec_permission_approvals": True, "current_time_reminder": True, "model_catalog_in_context": True,
        "send_message_to_user_async": True, "default_mode_request_user_input": True, "omit_skill_descriptions": True,
        "code_mode_tool_search": True, "command_sessions_world_state": True, "deferred_executor": True,
        "executor_capability_discovery_v2": True, "multi_env_copy_file": True, "skill_catalog_deltas": True,
    },
    "tools": {"update_plan": {"enabled": True}, "experimental_request_user_input": {"enabled": False}},
    "agents": {"enabled": False},
}  # fmt: skip


def _case(files: dict[str, str] | None = None, model: str | None = None, **params: Any) -> Case:
    top = params.pop("top", {})
    return Case(files or {}, {"agent": "codex", "model": model, "mcp_servers": [], "params": params, **top})


def _deep(files: dict[str, str], model: str | None = None, **params: Any) -> Case:
    """Started in the folder `a/b` of the workspace."""
    case = _case(files, model, **params)
    return Case(case.files, case.scenario, within="a/b")


SCENARIOS: dict[str, Case] = {
    "codex-lite": _case(),
    "codex-classic": _case(model="gpt-5.5"),
    "codex-older": _case(model="gpt-5.6-sol"),
    "codex-unknown-model": _case(model="my-model"),
    "codex-first-kind": _case(model="gpt-5.6-luna"),
    "codex-interactive": _case(entry="interactive"),
    "codex-interactive-classic": _case(model="gpt-5.5", entry="interactive", args={"approval": "never"}),
    "codex-chatgpt": _case(auth="chatgpt"),
    "codex-chatgpt-classic": _case(model="gpt-5.5", auth="chatgpt"),
    "codex-files": _deep(_FILES, args=_TRUSTED),
    "codex-files-undecided": _deep(_FILES, "gpt-5.5"),
    "codex-files-untrusted": _deep(
        {**_FILES, "home/.codex/config.toml": '[projects."{ws}"]\ntrust_level = "untrusted"\n'}, "gpt-5.5"
    ),
    "codex-limit": _deep(_FILES, args=_TRUSTED, settings={"project_doc_max_bytes": 5}),
    "codex-limit-zero": _deep(_FILES, settings={"project_doc_max_bytes": 0}),
    "codex-no-files": _deep({"ws/a/b/x": ""}),
    "codex-servers": _case(model="gpt-5.5", top={"mcp_servers": [_SERVER]}),
    "codex-servers-direct": _case(model="my-model", top={"mcp_servers": [_SERVER]}),
    "codex-servers-lite": _case(top={"mcp_servers": [_SERVER]}),
    "codex-servers-off": _case({"home/.codex/config.toml": "[mcp_servers.docs]\nenabled = false\n"}, "gpt-5.5"),
    "codex-no-agents": _case(model="my-model", settings={"agents": {"enabled": False}}),
    "codex-off": _case(settings=_OFF),
    "codex-off-classic": _case(model="gpt-5.5", settings=_OFF),
    "codex-on": _case(settings=_ON),
    "codex-on-classic": _case(_FILES, "gpt-5.5", settings=_ON, top={"mcp_servers": [_SERVER]}),
    "codex-only-scripts": _case(model="gpt-5.5", settings={"features": {"code_mode_only": True}}),
    "codex-reviewed": _case(model="gpt-5.5", args={"approveForMe": True}),
    "codex-reviewed-lite": _case(entry="interactive", settings={"approvals_reviewer": "auto_review"}),
    "codex-bypassed": _case(model="gpt-5.5", entry="interactive", args={"bypassSandbox": True}),
    "codex-granular": _case(entry="interactive", args={"config": ["approval_policy={granular={rules=true}}"]}),
    "codex-write": _case(args={"sandbox": "workspace-write", "addDir": ["/elsewhere"]}),
    "codex-mode": _case(model="gpt-5.5", top={"mode": "danger-full-access"}),
    "codex-hooks": _case(_FILES, args={"bypassHookTrust": True}, hooks={"SessionStart": "hello"}),
    "codex-hooks-not-trusted": _case(_FILES, hooks={"SessionStart": "hello", "UserPromptSubmit": "{}"}),
    "codex-mentions": _deep(_FILES, prompt="use $one and $quiet"),
    "codex-no-user-settings": _case(_FILES, args={"ignoreUserConfig": True}),
}
