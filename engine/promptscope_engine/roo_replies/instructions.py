"""The tool `fetch_instructions`: which guide it hands out, and how it fails (docs/agents/roo.md#replies)."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from .format_response import missing_tool_parameter_error, tool_error
from .guides import CREATE_MCP_SERVER, CREATE_MODE

_NO_SERVERS = "(None running currently)"


def fetch_instructions(
    task: str | None,
    *,
    servers_path: str,
    settings_path: str,
    modes_path: str,
    connected_servers: Sequence[str] = (),
    has_hub: bool = True,
    has_diff_strategy: bool = True,
) -> str:
    """The tool's result: the guide for `task`, or a tool error that says why there is none.

    Tasks are `create_mcp_server` and `create_mode`; the setting enableMcpServerCreation only hides the former
    from the tool's description. `servers_path` is the folder for new MCP servers, `settings_path` and
    `modes_path` the global files of MCP settings and modes, `connected_servers` names. Without a hub for MCP
    servers every task fails; the guide for servers needs a diff strategy on top, so that it fails with diffs
    switched off.
    """
    if not task:
        return tool_error(missing_tool_parameter_error("task"))
    if not has_hub:
        return _failure("MCP hub not available")
    if task == "create_mcp_server":
        if not has_diff_strategy:
            return _failure("The guide for MCP servers needs the MCP hub and a diff strategy")
        facts = {
            "SERVERS_PATH": servers_path,
            "SETTINGS_PATH": settings_path,
            "SERVERS": ", ".join(connected_servers) or _NO_SERVERS,
        }
        return _filled(CREATE_MCP_SERVER, facts)
    if task == "create_mode":
        return _filled(CREATE_MODE, {"MODES_PATH": modes_path})
    return tool_error(f"There are no instructions for the task: {task}")


def _filled(guide: str, facts: dict[str, str]) -> str:
    """The guide with its marks replaced, in one go: what is put in may look like a mark itself."""
    return re.sub(r"@([A-Z_]+)@", lambda mark: facts[mark[1]], guide)


def _failure(message: str) -> str:
    """What the tool's failing with an exception becomes; the agent's own text holds a stack on top."""
    error = json.dumps({"name": "Error", "message": message}, separators=(",", ":"))
    return tool_error(f"Error fetching instructions: {error}")
