"""Every reply of Roo's with its inputs and the condition that chooses it: the rows of catalogue.toml."""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NotRequired, TypedDict, Unpack

from promptscope_engine.agents.roo.ignore import RooIgnore, RooProtected
from promptscope_engine.agents.roo.ignore import format_files_list as listed
from promptscope_engine.replies import Input, Reply

from . import format_response
from .format_response import create_pretty_patch, missing_tool_parameter_error, tool_error

_GUIDES = Path(__file__).parent / "guides"
"""Our own wording; marks of the form `@NAME@` are filled in at the time of the call."""
_NO_SERVERS = "(None running currently)"


class GuideFacts(TypedDict):
    """What the guides name.

    `servers_path` is the folder for new MCP servers, `settings_path` and `modes_path` are the global files of MCP
    settings and modes, `connected_servers` names. A hub for MCP servers and a diff strategy are there unless said.
    """

    servers_path: str
    settings_path: str
    modes_path: str
    connected_servers: NotRequired[Sequence[str]]
    has_hub: NotRequired[bool]
    has_diff_strategy: NotRequired[bool]


def fetch_instructions(task: str | None, **facts: Unpack[GuideFacts]) -> str:
    """The tool's result: the guide for `task`, or a tool error that says why there is none.

    Tasks are `create_mcp_server` and `create_mode`; the setting enableMcpServerCreation only hides the former from the
    tool's description. Without a hub for MCP servers every task fails; the guide for servers also needs a diff
    strategy, so that it fails with diffs switched off.
    """
    if not task:
        return tool_error(missing_tool_parameter_error("task"))
    if not facts.get("has_hub", True):
        return _failure("MCP hub not available")
    if task == "create_mcp_server" and not facts.get("has_diff_strategy", True):
        return _failure("The guide for MCP servers needs the MCP hub and a diff strategy")
    if task not in ("create_mcp_server", "create_mode"):
        return tool_error(f"There are no instructions for the task: {task}")
    marks: dict[str, Any] = {**facts, "servers": ", ".join(facts.get("connected_servers", ())) or _NO_SERVERS}
    guide = (_GUIDES / f"{task}.md").read_text("utf-8")
    # In one go: what is put in may look like a mark itself.
    return re.sub(r"@([A-Z_]+)@", lambda mark: str(marks[mark[1].lower()]), guide)


def _failure(message: str) -> str:
    """What the tool's failing with an exception becomes; the agent's own text holds a stack on top."""
    error = json.dumps({"name": "Error", "message": message}, separators=(",", ":"))
    return tool_error(f"Error fetching instructions: {error}")


class _Marks(TypedDict):
    """`rooignore`: the text of .rooignore, None for no handling of it. Whether ignored files and shields are shown."""

    rooignore: str | None
    show_ignored: bool
    shields: bool


def format_files_list(directory: str, files: Sequence[str], did_hit_limit: bool, **marks: Unpack[_Marks]) -> str:
    """Roo's list of files from what a person can type: files relative to the folder, or absolute."""
    root, rooignore = directory.rstrip("/"), marks["rooignore"]
    ignore = None if rooignore is None else RooIgnore(root, rooignore)
    protected = RooProtected(root) if marks["shields"] else None
    absolute = [file if file.startswith("/") else f"{root}/{file}" for file in files]
    return listed(root, absolute, did_hit_limit, ignore=ignore, show_ignored=marks["show_ignored"], protected=protected)


_MADE_HERE: dict[str, Callable[..., Any]] = {
    "create_pretty_patch": create_pretty_patch,
    "fetch_instructions": fetch_instructions,
    "format_files_list": format_files_list,
}


def _reply(row: dict[str, Any]) -> Reply:
    inputs, name = tuple(Input(**each) for each in row.get("inputs", ())), row["name"]
    return Reply(**row | {"inputs": inputs}, make=_MADE_HERE.get(name) or getattr(format_response, name))


CATALOGUE = tuple(map(_reply, format_response.ROWS))
"""In the order in which a task meets them."""
