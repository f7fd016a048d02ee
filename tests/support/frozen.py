"""A scenario over folders of a test, on a machine that does not change, and what it would send."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from promptscope_engine import Scenario

ENVIRONMENT = {
    "os_name": "Linux 6.1", "os_type": "Linux", "os_version": "6.1", "platform": "linux", "arch": "x64",
    "shell": "/bin/bash", "hostname": "box", "timezone": "UTC", "date": "2026-01-02T03:04:05+00:00", "username": "u",
    "language": "en", "node": "v22.0.0",
}  # fmt: skip


def frozen_scenario(agent: str, place: Path, **more: Any) -> Scenario:
    """The agent in the folders `workspace`, `home` and `managed` of a place."""
    folders = {name: str(place / name) for name in ("workspace", "home", "managed")}
    return Scenario.model_validate({"agent": agent, **folders, "env": {}, "environment": ENVIRONMENT, **more})


def sent(request: dict[str, Any], channel: str) -> str:
    """The texts of a request's system blocks, or of its messages; in the Responses shape those of developers, or of the
    user, in the Chat shape those of the system, or of the others."""
    if "options" in request:  # the same for every protocol
        blocks = request["system"] if channel == "system" else [b for m in request["messages"] for b in m["content"]]
    elif request.get("protocol") == "responses":
        role = "developer" if channel == "system" else "user"
        blocks = [b for item in request["input"] if item.get("role") == role for b in item.get("content", ())]
    elif request.get("protocol") == "chat":
        said = [message for message in request["messages"] if (message["role"] == "system") is (channel == "system")]
        blocks = [{"text": message["content"]} for message in said]
    elif "protocol" not in request and "system" not in request:  # a whole body
        said = [{"role": "system", "content": request.get("instructions", "")}]
        said += request.get("messages") or request["input"]
        texts = [message["content"] for message in said if (message["role"] == "system") is (channel == "system")]
        parts = [[{"text": text}] if isinstance(text, str) else text for text in texts]
        blocks = [block for part in parts for block in part]
    else:
        blocks = request["system"] if channel == "system" else [b for m in request["messages"] for b in m["content"]]
    return "".join(block["text"] for block in blocks if "text" in block)
