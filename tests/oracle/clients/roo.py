"""Roo Code, an extension of an editor: its public source, bundled with a stand-in for the editor, makes the request."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock
from typing import ClassVar

from tests.oracle.situation import Json, Situation

from .client import Client, Launch, MissingClientError, plain_environment

CHECKOUT = "ORACLE_ROO"
"""The environment variable that names a checkout of RooCodeInc/Roo-Code, with the packages that README.md lists."""

_SOURCE = Path(__file__).parent / "roo_source"
_PARAMS = {
    "customInstructions": "globalCustomInstructions",
    "laterTurn": "editor.laterTurn",
    "maxConcurrentFileReads": "settings.maxConcurrentFileReads",
    "maxReadFileLine": "editor.maxReadFileLine",
    "openTabs": "editor.openTabs",
    "showRooIgnoredFiles": "editor.showRooIgnoredFiles",
    "visibleFiles": "editor.visibleFiles",
    "todoListEnabled": "settings.todoListEnabled",
    "useAgentRules": "settings.useAgentRules",
    "newTaskRequireTodos": "settings.newTaskRequireTodos",
}
"""The params that are called otherwise than in the state of the extension."""
_EDITOR = ("useAgentRules", "newTaskRequireTodos")
_HISTORY = "storage/tasks/t/api_conversation_history.json"
_ASKED = ("visibleFiles", "openTabs", "laterTurn")
_BUILDING = Lock()


@dataclass(frozen=True)
class Roo(Client):
    """`args` are keys of the extension's state, some of them settings of the editor and the files that it shows."""

    asks_by: ClassVar[str] = "task"

    def launch(self, situation: Situation, port: int, root: Path) -> Launch:
        """Node, with the bundle that is made once for a run."""
        node = shutil.which("node")
        if node is None:
            raise MissingClientError("there is no node on the PATH")
        apart = (*_EDITOR, *_ASKED, "todoListEnabled")
        state = {key: value for key, value in situation.args.items() if key not in apart}
        if "todoListEnabled" in situation.args:
            state["apiConfiguration"] = {"todoListEnabled": situation.args["todoListEnabled"]}
        asked = {
            "cwd": str(root / situation.cwd),
            "storage": str(root / "storage"),
            "state": state,
            "vscode": {f"roo-cline.{key}": situation.args[key] for key in _EDITOR if key in situation.args},
            **{key: situation.args[key] for key in _ASKED if key in situation.args},
            "task": situation.prompt,
            "model": situation.args.get("model", "claude-sonnet-4-5"),
        }
        command = [node, str(_bundle()), f"http://127.0.0.1:{port}/v1/messages", json.dumps(asked)]
        return Launch(command, {**plain_environment(root), **situation.env})

    def scenario(self, situation: Situation) -> Json:
        """Its state is what promptscope is asked with."""
        params: Json = {"globalStorage": "{ROOT}/storage", "includeFileDetails": False, "language": None}
        for key, value in situation.args.items():
            if key not in ("mode", "model"):
                *folders, name = _PARAMS.get(key, key).split(".")
                place = params
                for folder in folders:
                    place = place.setdefault(folder, {})
                place[name] = value
        params.setdefault("supportsComputerUse", False)
        if _HISTORY in situation.files:
            params["taskFile"] = f"{{ROOT}}/{_HISTORY}"
        named = {} if "enableMcpServerCreation" in situation.args else {"enableMcpServerCreation": None}
        found: Json = {"params": {**params, **named}, "env": situation.env, "mcp_servers": None}
        return {**found, "model": "claude-sonnet-4-5", "environment": {"language": "en"}}


@cache
def _bundle() -> Path:
    """The bundle of the checkout. Raises MissingClientError."""
    checkout = Path(os.environ.get(CHECKOUT, "roo-code"))
    if not (checkout / "src/core/prompts/system.ts").exists():
        raise MissingClientError(f"no Roo Code at {checkout}: set {CHECKOUT}")
    with _BUILDING:
        out = Path(tempfile.mkdtemp(prefix="promptscope-roo-")) / "ask.cjs"
        command = ["node", str(_SOURCE / "build.mjs"), str(checkout), str(out)]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        (out.parent / "i18n/locales").mkdir(parents=True)
    return out


CLIENTS = {"roo": Roo("roo", "3.28.16")}
