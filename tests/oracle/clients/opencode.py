"""OpenCode, by `opencode run`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.oracle.situation import Json, Situation

from .client import Client, Flag, Launch, plain_environment, program

_MODEL = "anthropic/claude-sonnet-4-5"


@dataclass(frozen=True)
class OpenCode(Client):
    """A model of Anthropic's, whose address is a variable: the situation's settings stay as they are."""

    flags = (Flag("agent", "--agent"), Flag("command", "--command"), Flag("files", "-f", "each"))
    managed = "opencode"

    def program(self) -> list[str]:
        """A native program."""
        return [program("ORACLE_OPENCODE", "opencode-ai/bin/opencode.exe")]

    def bare_command(self) -> list[str]:
        """Headless, in any folder."""
        return ["opencode", "run", "hi"]

    def launch(self, situation: Situation, port: int, root: Path) -> Launch:
        """Neither plug-ins nor the catalogue are fetched."""
        own = {"ANTHROPIC_API_KEY": "none", "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}/v1"}
        quiet = dict.fromkeys(("OPENCODE_DISABLE_AUTOUPDATE", "OPENCODE_DISABLE_MODELS_FETCH"), "1")
        model = str(situation.args.get("model") or _MODEL)
        head = [*self.program(), "run", "-m", model]
        return Launch(
            [*head, *self.words(situation), "--", situation.prompt],
            {**plain_environment(root), **own, **quiet, **situation.env},
        )

    def scenario(self, situation: Situation) -> Json:
        """Arguments go in under their own names."""
        args = {name: situation.args[name] for name in ("agent", "command", "files") if name in situation.args}
        return {"params": args, "env": situation.env, "model": _MODEL}

    def read_calls(self, paths: list[str]) -> list[list[Json]]:
        """One answer with a call for each file."""
        return [[{"tool": "read", "input": {"filePath": path}} for path in paths]]


CLIENTS = {"opencode": OpenCode("opencode", "1.18.33")}
