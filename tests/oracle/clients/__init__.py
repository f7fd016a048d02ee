"""The clients that can be asked, by the names of their folders in the store."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from tests.oracle.situation import Situation

from .client import Client

_MODULES = {
    "claude-code": "claude_code",
    "codex": "codex",
    "codex-0.171": "codex",
    "copilot": "copilot",
    "gemini": "gemini",
    "openclaw": "openclaw",
    "openclaw-2026.9": "openclaw",
    "opencode": "opencode",
    "roo": "roo",
}

NAMES = tuple(_MODULES)
"""Every client: an agent's id, with a version where there are several."""


@cache
def named(name: str) -> Client:
    """A client by its name in the store."""
    found: Client = import_module(f".{_MODULES[name]}", __package__).CLIENTS[name]
    return found


def client_of(situation: Situation) -> Client:
    """The client that a situation was made for."""
    clients = [named(name) for name in NAMES]
    same = [client for client in clients if client.agent == situation.agent]
    return next((client for client in same if client.version == situation.version), same[0])
