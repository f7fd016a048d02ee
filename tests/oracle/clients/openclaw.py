"""OpenClaw, by `openclaw agent --local`: 2026.2.24 and 2026.9.6."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from tests.oracle.situation import Content, Json, Situation

from .client import Client, Flag, Launch, completed, plain_environment, program

CONFIG = "home/.openclaw/openclaw.json"

OWN_KEYS: Json = {
    "agents": {"defaults": {"workspace": "{REPO}", "skipBootstrap": True, "model": "stub/one"}},
    "models": {
        "providers": {
            "stub": {
                "baseUrl": "${ANTHROPIC_BASE_URL}",
                "apiKey": "none",
                "api": "anthropic-messages",
                "models": [{"id": "one", "name": "one", "contextWindow": 200000, "maxTokens": 4096}],
            }
        }
    },
}
"""What every config needs: the workspace, no files of its own in it, a model of the stand-in's."""

_ADDRESS = ("ANTHROPIC_BASE_URL", "ORACLE_URL")
"""Variables that hold the stand-in's address; recorded configs name the second."""

_CONFIGS = ("/openclaw.json", "/clawdbot.json", "/moldbot.json", "/moltbot.json")

_NOBODY = "http://127.0.0.1:8377"

_NO_BUNDLED = {"OPENCLAW_BUNDLED_SKILLS_DIR": "/var/empty/skills"}
"""The package's own skills go by the programs of a machine: none here."""


@dataclass(frozen=True)
class OpenClaw(Client):
    """A config that is JSON gets `OWN_KEYS` where it does not say otherwise; any other is left as it is."""

    flags = (
        Flag("agent", "--agent"),
        Flag("session", "--session-id"),
        Flag("to", "--to"),
        Flag("thinking", "--thinking"),
        Flag("channel", "--channel"),
    )
    managed = "openclaw"
    asks_by = ""
    limit = 180.0

    def files(self, situation: Situation) -> dict[str, Content]:
        """With the config completed, unless the situation has one at another place alone."""
        elsewhere = any(path.endswith(_CONFIGS) for path in situation.files)
        if elsewhere and CONFIG not in situation.files:
            return dict(situation.files)
        return completed(situation.files, CONFIG, OWN_KEYS)

    def program(self) -> list[str]:
        """A script of the Node that both versions run on."""
        variable = f"OPENCLAW_{self.version.replace('.', '_')}"
        openclaw = program(variable, "openclaw/openclaw.mjs")
        return [os.environ.get("NODE24") or shutil.which("node") or "node", openclaw]

    def bare_command(self) -> list[str]:
        """One turn without a gateway."""
        return ["openclaw", "agent", "--local", "--agent", "main", "--message", "hi"]

    def capture_environment(self) -> dict[str, str]:
        """As in a recorded run."""
        return {**dict.fromkeys(_ADDRESS, _NOBODY), "OPENCLAW_NO_RESPAWN": "1", **_NO_BUNDLED}

    def launch(self, situation: Situation, port: int, root: Path) -> Launch:
        """Without a gateway, for the agent `main` unless the situation names one."""
        environment = {
            **plain_environment(root),
            "NO_PROXY": "127.0.0.1",
            "OPENCLAW_NO_RESPAWN": "1",
            **dict.fromkeys(_ADDRESS, f"http://127.0.0.1:{port}"),
            **_NO_BUNDLED,
            **situation.env,
        }
        head = [*self.program(), "agent", "--local", "--json", "--message", situation.prompt]
        args = situation.args
        if "key" in args and ("session" not in args or self.version >= "2026.9"):  # 2026.2 has no option for it
            key, args = ["--session-key", args["key"]], {k: v for k, v in args.items() if k != "session"}
        else:
            key = []
        named = [] if key or {"agent", "session", "to"} & {*args} else ["--agent", "main"]
        return Launch([*head, *key, *named, *self.words(replace(situation, args=args))], environment)

    def scenario(self, situation: Situation) -> Json:
        """The session's key is what promptscope is told."""
        environment = {**dict.fromkeys(_ADDRESS, _NOBODY), **_NO_BUNDLED, **situation.env}
        agent = situation.args.get("agent", "main")
        key = situation.args.get("key", f"agent:{agent}:main")
        return {"params": {"sessionKey": key, "entry": "agent"}, "env": environment}

    def read_calls(self, paths: list[str]) -> list[list[Json]]:
        """One file a reply."""
        return [[{"tool": "read", "input": {"path": path}}] for path in paths]


CLIENTS = {
    "openclaw": OpenClaw("openclaw", "2026.2.24"),
    "openclaw-2026.9": OpenClaw("openclaw", "2026.9.6"),
}
