"""A scenario with everything filled in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .params import Params
from .scenario import Environment, McpServer


@dataclass(frozen=True, slots=True)
class Inputs:
    """A scenario with everything filled in: what an agent gathers from. Paths are absolute."""

    agent_version: str
    workspace: str
    home: str
    managed: str | None
    mode: str | None
    model: str | None
    params: Params
    environment: Environment
    env: Mapping[str, str]
    mcp_servers: tuple[McpServer, ...] | None
    reads: tuple[str, ...]
