"""Codex, by `codex exec`, or on a terminal where the argument `interactive` is given."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.oracle.situation import Json, Situation

from .client import Client, Flag, Launch, plain_environment, program

_PARAMS = (
    "config",
    "enable",
    "disable",
    "addDir",
    "profile",
    "sandbox",
    "approval",
    "strictConfig",
    "ignoreUserConfig",
    "trust",
    "bypassHookTrust",
)


@dataclass(frozen=True)
class Codex(Client):
    """Its provider is given on the command line, so that the situation's config files stay as they are."""

    flags = (
        Flag("config", "-c", "each"),
        Flag("enable", "--enable", "each"),
        Flag("disable", "--disable", "each"),
        Flag("addDir", "--add-dir", "each"),
        Flag("profile", "-p"),
        Flag("sandbox", "-s"),
        Flag("approval", "-a"),
        Flag("strictConfig", "--strict-config", "switch"),
        Flag("ignoreUserConfig", "--ignore-user-config", "switch"),
        Flag("trust", "--trust", "switch"),
        Flag("model", "-m"),
        Flag("bypassHookTrust", "--dangerously-bypass-hook-trust", "switch"),
    )
    managed = "codex"

    def program(self) -> list[str]:
        """A native program."""
        variable = "ORACLE_CODEX" if self.version == "0.169.0" else f"ORACLE_CODEX_{self.version.replace('.', '_')}"
        return [program(variable, "@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex")]

    def bare_command(self) -> list[str]:
        """Headless, in any folder."""
        return ["codex", "exec", "--skip-git-repo-check", "hi"]

    def launch(self, situation: Situation, port: int, root: Path) -> Launch:
        """The Responses protocol over plain HTTP."""
        provider = (
            f'model_providers.stub={{name="stub",base_url="http://127.0.0.1:{port}/v1",wire_api="responses",'
            'supports_websockets=false,env_key="STUB_KEY"}'
        )
        start = [] if situation.args.get("interactive") else ["exec", "--skip-git-repo-check"]
        head = [*self.program(), *start, "-c", 'model_provider="stub"', "-c", provider]
        environment = {**plain_environment(root), "STUB_KEY": "none", **situation.env}
        return Launch([*head, *self.words(situation), "--", situation.prompt], environment)

    def scenario(self, situation: Situation) -> Json:
        """Arguments go in under their own names."""
        args = {name: situation.args[name] for name in _PARAMS if name in situation.args}
        entry = "interactive" if situation.args.get("interactive") else "exec"
        return {"params": {"args": args, "entry": entry}, "env": situation.env}


CLIENTS = {"codex": Codex("codex", "0.169.0"), "codex-0.171": Codex("codex", "0.171.0")}
