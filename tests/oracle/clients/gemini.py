"""Gemini CLI, headless, or on a terminal where `interactive` is given, with a PATH of the few programs it calls."""

from __future__ import annotations

import json
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.oracle.situation import Content, Json, Situation

from .client import Client, Flag, Launch, plain_environment, program

_PARAMS = ("includeDirectories", "extensions", "policy", "allowedTools")
_PROGRAMS = ("node", "git", "cat", "sh", "bash", "rg", "python3")


@dataclass(frozen=True)
class Gemini(Client):
    """Its start folder is trusted unless the situation writes that file itself."""

    flags = (
        Flag("includeDirectories", "--include-directories", "each"),
        Flag("extensions", "-e", "each"),
        Flag("policy", "--policy", "each"),
        Flag("model", "-m"),
        Flag("mode", "--approval-mode"),
        Flag("allowedTools", "--allowed-tools", "each"),
    )
    managed = "gemini-cli"

    def files(self, situation: Situation) -> dict[str, Content]:
        """How it logs in, and the trusted folder."""
        settings = {"security": {"auth": {"selectedType": "gemini-api-key"}}, "general": {"disableAutoUpdate": True}}
        trusted = {f"{{ROOT}}/{situation.cwd}": "TRUST_FOLDER"}
        own = {"system.json": json.dumps(settings), "home/.gemini/trustedFolders.json": json.dumps(trusted)}
        return {**own, **situation.files}

    def program(self) -> list[str]:
        """A script of Node's."""
        return ["node", program("ORACLE_GEMINI", "@google/gemini-cli/bundle/gemini.js")]

    def bare_command(self) -> list[str]:
        """Headless."""
        return ["gemini", "-p", "hi"]

    def launch(self, situation: Situation, port: int, root: Path) -> Launch:
        """`-p PROMPT`, in the process that was started."""
        node, gemini = self.program()
        programs = root / "bin"
        programs.mkdir()
        for name in _PROGRAMS:
            # What PATH calls python3 may be a script that needs more programs than these.
            if where := sys.executable if name == "python3" else shutil.which(name):
                (programs / name).symlink_to(os.path.realpath(where))
        environment = {
            **plain_environment(root),
            "PATH": str(programs),
            "GEMINI_API_KEY": "dummy",
            "NO_PROXY": "127.0.0.1",
            "GOOGLE_GEMINI_BASE_URL": f"http://127.0.0.1:{port}",
            "GEMINI_CLI_NO_RELAUNCH": "1",
            "GEMINI_CLI_SYSTEM_SETTINGS_PATH": str(root / "system.json"),
            "GEMINI_TELEMETRY_ENABLED": "false",
            **situation.env,
        }
        ask = "-i" if situation.args.get("interactive") else "-p"
        return Launch(
            [str(programs / node), gemini, ask, situation.prompt, *self.words(situation)],
            environment,
        )

    def scenario(self, situation: Situation) -> Json:
        """With the system settings of `files`."""
        args = {name: situation.args[name] for name in _PARAMS if name in situation.args}
        environment = {"GEMINI_CLI_SYSTEM_SETTINGS_PATH": "{ROOT}/system.json", **situation.env}
        args["print"] = not situation.args.get("interactive")
        return {"params": {"args": args}, "env": environment}


CLIENTS = {"gemini": Gemini("gemini", "0.61.0")}
