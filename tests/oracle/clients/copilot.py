"""GitHub Copilot CLI, by `copilot -p`, with a provider of its own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.oracle.situation import Json, Situation

from .client import Client, Flag, Launch, plain_environment, program

_MODEL = "gpt-5.4"


@dataclass(frozen=True)
class Copilot(Client):
    """A model of a provider on loopback: no login, and the situation's settings stay as they are."""

    flags = (
        Flag("agent", "--agent"),
        Flag("mode", "--mode"),
        Flag("plan", "--plan", "switch"),
        Flag("autopilot", "--autopilot", "switch"),
        Flag("fleet", "--fleet", "switch"),
        Flag("directory", "-C"),
        Flag("configDir", "--config-dir"),
        Flag("reasoningEffort", "--reasoning-effort"),
        Flag("stream", "--stream"),
        Flag("trustFolder", "--trust-folder", "switch"),
        Flag("addDir", "--add-dir", "each"),
        Flag("pluginDir", "--plugin-dir", "each"),
        Flag("additionalMcpConfig", "--additional-mcp-config", "each"),
        Flag("disableMcpServer", "--disable-mcp-server", "each"),
        Flag("enableMcpServer", "--enable-mcp-server", "each"),
        Flag("availableTools", "--available-tools", "comma"),
        Flag("excludedTools", "--excluded-tools", "comma"),
        Flag("denyTool", "--deny-tool", "each"),
        Flag("allowTool", "--allow-tool", "each"),
        Flag("allowAllPaths", "--allow-all-paths", "switch"),
        Flag("allowAll", "--allow-all", "switch"),
        Flag("noCustomInstructions", "--no-custom-instructions", "switch"),
        Flag("noAskUser", "--no-ask-user", "switch"),
        Flag("experimental", "--experimental", "switch"),
        Flag("allowAllMcpServerInstructions", "--allow-all-mcp-server-instructions", "switch"),
        Flag("disableBuiltinMcps", "--disable-builtin-mcps", "switch"),
    )

    def program(self) -> list[str]:
        """A native program."""
        return [program("ORACLE_COPILOT", "@github/copilot-linux-x64/copilot")]

    def bare_command(self) -> list[str]:
        """Headless."""
        return ["copilot", "-p", "hi", "--allow-all-tools"]

    def capture_environment(self) -> dict[str, str]:
        """Nothing is updated, and the program unpacks itself once: that takes longer than all else."""
        return {"COPILOT_AUTO_UPDATE": "false", "XDG_CACHE_HOME": f"{self.base}/cache"}

    def launch(self, situation: Situation, port: int, root: Path) -> Launch:
        """Every request goes to the provider."""
        own = {
            "COPILOT_PROVIDER_BASE_URL": f"http://127.0.0.1:{port}/v1",
            "COPILOT_PROVIDER_API_KEY": "none",
            "COPILOT_MODEL": str(situation.args.get("model") or _MODEL),
            **self.capture_environment(),
        }
        ask = "-i" if situation.args.get("interactive") else "-p"
        words = [*self.words(situation), "--allow-all-tools", ask, situation.prompt]
        return Launch([*self.program(), *words], {**plain_environment(root), **own, **situation.env})

    def scenario(self, situation: Situation) -> Json:
        """Arguments go in under their own names."""
        args = {flag.name: situation.args[flag.name] for flag in self.flags if flag.name in situation.args}
        entry = "interactive" if situation.args.get("interactive") else "prompt"
        return {"params": {"args": args, "entry": entry}, "env": situation.env, "model": _MODEL}

    def read_calls(self, paths: list[str]) -> list[list[Json]]:
        """One answer for each file."""
        return [[{"tool": "view", "input": {"path": path}}] for path in paths]


CLIENTS = {"copilot": Copilot("copilot", "1.0.102")}
