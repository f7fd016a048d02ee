"""Claude Code, headless, or on a terminal where the argument `interactive` is given."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.oracle.situation import Content, Json, Situation

from .client import Client, Flag, Launch, completed, plain_environment, program

_KEY = "dummy-key-for-the-standin"
_PARAMS = (
    "addDir",
    "settingSources",
    "agent",
    "appendSystemPrompt",
    "systemPrompt",
    "bare",
    "tools",
    "disallowedTools",
    "disableSlashCommands",
    "agents",
    "jsonSchema",
    "effort",
    "mcpConfig",
    "strictMcpConfig",
    "pluginDir",
)


@dataclass(frozen=True)
class ClaudeCode(Client):
    """Its project is trusted unless the argument `untrusted` is given."""

    flags = (
        Flag("model", "--model"),
        Flag("mode", "--permission-mode"),
        Flag("settings", "--settings", "json"),
        Flag("settingSources", "--setting-sources"),
        Flag("agent", "--agent"),
        Flag("appendSystemPrompt", "--append-system-prompt"),
        Flag("systemPrompt", "--system-prompt"),
        Flag("bare", "--bare", "switch"),
        Flag("tools", "--tools", "comma"),
        Flag("disallowedTools", "--disallowedTools", "comma"),
        Flag("allowedTools", "--allowedTools", "comma"),
        Flag("disableSlashCommands", "--disable-slash-commands", "switch"),
        Flag("addDir", "--add-dir", "several"),
        Flag("settingsFile", "--settings"),
        Flag("agents", "--agents"),
        Flag("jsonSchema", "--json-schema"),
        Flag("effort", "--effort"),
        Flag("mcpConfig", "--mcp-config", "several"),
        Flag("strictMcpConfig", "--strict-mcp-config", "switch"),
        Flag("pluginDir", "--plugin-dir", "each"),
    )
    managed = "claude-code"

    def files(self, situation: Situation) -> dict[str, Content]:
        """Its state: onboarding done, the key approved, the folder trusted."""
        project: Json = {}
        if not situation.args.get("untrusted"):
            project |= {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
        if situation.args.get("approvedExternalImports"):
            project |= {"hasClaudeMdExternalIncludesApproved": True, "hasClaudeMdExternalIncludesWarningShown": True}
        state = {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "lastOnboardingVersion": "9.9.9",
            "numStartups": 3,
            "customApiKeyResponses": {"approved": [_KEY[-20:]], "rejected": []},
            "projects": {_project(situation): project},
        }
        return completed(situation.files, "home/.claude.json", state)

    def program(self) -> list[str]:
        """A native program."""
        return [program("ORACLE_CLAUDE", "@anthropic-ai/claude-code/bin/claude.exe")]

    def bare_command(self) -> list[str]:
        """Headless."""
        return ["claude", "-p", "hi"]

    def launch(self, situation: Situation, port: int, root: Path) -> Launch:
        """`-p PROMPT`, with Read allowed where files are to be read."""
        environment = {
            **plain_environment(root),
            "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}",
            "ANTHROPIC_API_KEY": _KEY,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            **situation.env,
        }
        first = [situation.prompt] if situation.args.get("interactive") else ["-p", situation.prompt]
        reading = ["--allowedTools", "Read"] if situation.reads else []
        return Launch([*self.program(), *first, *self.words(situation), *reading], environment)

    def scenario(self, situation: Situation) -> Json:
        """A key and a gateway, no nonessential traffic."""
        args = situation.args
        given = {name: args[name] for name in _PARAMS if name in args}
        params: Json = {"args": {**given, "print": not args.get("interactive")}}
        if "settings" in args:
            params["settings"] = args["settings"]
        if "settingsFile" in args:
            params["args"]["settings"] = args["settingsFile"]
        if args.get("approvedExternalImports"):
            params["approvedExternalImports"] = True
        environment = {"ANTHROPIC_BASE_URL": "http://127.0.0.1:8377", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
        return {"params": params, "env": {**environment, **situation.env}}

    def read_calls(self, paths: list[str]) -> list[list[Json]]:
        """All reads in one reply."""
        return [[{"tool": "Read", "input": {"file_path": path}} for path in paths]]


def _project(situation: Situation) -> str:
    """The key of its folder: as a trait would write it."""
    return f"{{ROOT}}/{situation.cwd}".replace("{ROOT}/repo", "{REPO}")


CLIENTS = {"claude-code": ClaudeCode("claude-code", "2.1.332")}
