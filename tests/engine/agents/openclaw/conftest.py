"""A workspace, a home, and one call that assembles what OpenClaw makes of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

import pytest

from promptscope_engine import Scenario, Workspace, assemble
from promptscope_engine.prompt.model import Assembly

NOT_PASSED = (
    "defaultThinkLevel", "reasoningLevel", "extraSystemPrompt", "ownerNumbers", "toolNames", "modelAliasLines",
    "userTimezone", "skillsPrompt", "heartbeatPrompt", "docsPath", "workspaceNotes", "ttsHint", "runtimeInfo",
    "messageToolHints", "sandboxInfo", "reactionGuidance", "memoryCitationsMode",
)  # fmt: skip


class Claw(Protocol):
    """Assembles: keywords are params, `passed` lies over the 26 parameters, files are written first."""

    def __call__(
        self, files: dict[str, str | bytes] | None = None, *, passed: dict[str, Any] | None = None, **given: Any
    ) -> Assembly:
        """`mode`, `model`, `env`, `environment`, `mcp_servers` and `version` (2026.2.24 without) are no params."""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """The folder that holds `workspace` and `home`."""
    (tmp_path / "workspace").mkdir()
    (tmp_path / "home").mkdir()
    return tmp_path


@pytest.fixture
def claw(place: Path) -> Claw:
    def run(
        files: dict[str, str | bytes] | None = None, *, passed: dict[str, Any] | None = None, **given: Any
    ) -> Assembly:
        for name, content in (files or {}).items():
            path = place / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        machine = {"timezone": "Europe/Vienna", "hostname": "studio", "os_type": "Linux", "os_version": "6.8.0",
                   "arch": "x64", "platform": "linux", "node": "v22.12.0", "shell": "/bin/bash"}  # fmt: skip
        scenario = Scenario.model_validate(
            {
                "agent": "openclaw",
                "agent_version": given.pop("version", "2026.2.24"),
                "workspace": str(place / "workspace"),
                "home": str(place / "home"),
                "mode": given.pop("mode", None),
                "model": given.pop("model", None),
                "environment": {**machine, **(given.pop("environment", None) or {})},
                "env": given.pop("env", None) or {},
                "mcp_servers": given.pop("mcp_servers", None),
                "params": {**given, "promptParams": passed or {}},
                "tokenizer": "o200k_base",
            }
        )
        return assemble(scenario, Workspace(), cached_only=True)

    return run


@pytest.fixture
def bare() -> dict[str, Any]:
    """Parameters with everything optional taken away."""
    return dict.fromkeys(NOT_PASSED) | {"workspaceDir": "/w", "contextFiles": []}
