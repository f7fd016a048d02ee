"""The bracketed name of a tool call, which heads its result (docs/agents/roo.md#user-messages)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from promptscope_engine.agents.roo.gather.mode_files import BUILT_IN_MODES, DEFAULT_MODE

from .xml_args import file_paths

Params = Mapping[str, str]

_NAMING_PARAMETER = {
    "execute_command": "command",
    "fetch_instructions": "task",
    "write_to_file": "path",
    "insert_content": "path",
    "search_and_replace": "path",
    "list_files": "path",
    "list_code_definition_names": "path",
    "generate_image": "path",
    "browser_action": "action",
    "use_mcp_tool": "server_name",
    "access_mcp_resource": "server_name",
    "ask_followup_question": "question",
    "codebase_search": "query",
}
"""The tools whose label is `[<tool> for '<value>']`, and the parameter whose value it is."""

_DETAIL = {
    "search_files": ("for", "regex", " in '{}'", "file_pattern"),
    "switch_mode": ("to", "mode_slug", " because: {}", "reason"),
    "run_slash_command": ("for", "command", " with args: {}", "args"),
}
"""Labels with an addition where an optional parameter has a value: word, parameter, addition, parameter."""

_BUILT_IN_MODE_NAMES = {slug: mode.name for slug, mode in BUILT_IN_MODES.items()}

_READ_TOGETHER = (
    "Several files can be read in one call, which saves time. Put related files into a single call where you can."
)


def tool_label(
    tool: str, params: Params, *, simple_read: bool = False, mode_names: Mapping[str, str] | None = None
) -> str:
    """The label of a call of `tool`; a missing parameter prints `undefined`.

    `simple_read` is for models with the simple form of `read_file`. `mode_names` are the names of all modes
    by slug, the built-in ones if None. A name that is no tool of the agent is a ValueError.
    """
    if tool in _NAMING_PARAMETER:
        return f"[{tool} for '{_value(params, _NAMING_PARAMETER[tool])}']"
    if tool in ("attempt_completion", "update_todo_list"):
        return f"[{tool}]"
    if tool in _DETAIL:
        lead, parameter, detail, detail_parameter = _DETAIL[tool]
        more = params.get(detail_parameter)
        return f"[{tool} {lead} '{_value(params, parameter)}'{detail.format(more) if more else ''}]"
    if tool == "new_task":
        slug = params.get("mode", DEFAULT_MODE)
        name = (_BUILT_IN_MODE_NAMES if mode_names is None else mode_names).get(slug, slug)
        return f"[{tool} in {name} mode: '{params.get('message', '(no message)')}']"
    if tool == "apply_diff":
        return _apply_diff(params)
    if tool == "read_file":
        return _simple_read_file(params) if simple_read else _read_file(params)
    raise ValueError(f"not a tool: {tool!r}")


def _value(params: Params, name: str) -> str:
    return params.get(name, "undefined")


def _apply_diff(params: Params) -> str:
    if params.get("path"):
        return f"[apply_diff for '{params['path']}']"
    args = params.get("args") or ""
    first = re.search(r"<file>.*?<path>([^<]+)</path>", args, re.DOTALL)
    if first is None:
        return "[apply_diff]"
    others = args.count("<file>") - 1
    more = f" and {others} more file{'s' if others > 1 else ''}" if others else ""
    return f"[apply_diff for '{first[1]}'{more}]"


def _simple_read_file(params: Params) -> str:
    return f"[read_file for '{params['path']}']" if params.get("path") else "[read_file with missing path]"


def _read_file(params: Params) -> str:
    if not params.get("args"):
        return _one_file(params["path"]) if params.get("path") else "[read_file with missing path/args]"
    try:
        paths = file_paths(params["args"])
    except ValueError:
        return "[read_file with unparsable args]"
    if not paths:
        return "[read_file with no valid paths]"
    if len(paths) == 1:
        return _one_file(paths[0])
    if len(paths) <= 3:
        names = ", ".join(f"'{path}'" for path in paths)
        return f"[read_file for {names}]"
    return f"[read_file for {len(paths)} files]"


def _one_file(path: str) -> str:
    return f"[read_file for '{path}'. {_READ_TOGETHER}]"
