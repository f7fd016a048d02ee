"""The bracketed name of a tool call, which heads its result (docs/agents/roo.md#user-messages)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from promptscope_engine.agents.roo.gather.mode_files import BUILT_IN_MODES, DEFAULT_MODE
from promptscope_engine.javascript.text import js_trim

# --- labels -----------------------------------------------------------------------------------------------------------


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
    by slug, the built-in ones if None. A name that is not a tool of the agent is a ValueError.
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


_NAMED = 3
"""Files that a label names."""


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
    if len(paths) <= _NAMED:
        names = ", ".join(f"'{path}'" for path in paths)
        return f"[read_file for {names}]"
    return f"[read_file for {len(paths)} files]"


def _one_file(path: str) -> str:
    return f"[read_file for '{path}'. {_READ_TOGETHER}]"


# --- the paths in the `args` of a `read_file` call --------------------------------------------------------------------


_ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&"}


@dataclass
class _Element:
    name: str
    has_attributes: bool = False
    text: str = ""
    children: list[_Element] = field(default_factory=list)

    def value(self) -> str:
        """As it reads in a JavaScript template: an element that is more than its text is an object there."""
        return "[object Object]" if self.children or self.has_attributes else self.text


def file_paths(args: str) -> list[str]:
    """The path of each top-level `<file>` that has one. `args` that cannot be parsed are a ValueError."""
    found = []
    for file in _parse(args).children:
        if file.name != "file":
            continue
        paths = [child.value() for child in file.children if child.name == "path"]
        # Several paths in one file are a list, which JavaScript prints with commas.
        if any(paths) or len(paths) > 1:
            found.append(",".join(paths))
    return found


def _parse(args: str) -> _Element:
    root = _Element("")
    open_elements = [root]
    position = 0
    while True:
        start = args.find("<", position)
        if start < 0:
            _add_text(open_elements[-1], args[position:])
            return root
        _add_text(open_elements[-1], args[position:start])
        if args.startswith("</", start):
            position = _end_of(">", args, start)
            if len(open_elements) > 1:
                open_elements.pop()
        elif args.startswith("<!--", start):
            position = _end_of("-->", args, start + 4)
        elif args.startswith("<![", start):
            position = _end_of("]]>", args, start)
            open_elements[-1].text += args[start + len("<![CDATA[") : position - len("]]>")]
        elif args.startswith("<?", start):
            position = _end_of("?>", args, start)
        elif args.startswith("<!D", start):
            position = _end_of(">", args, start)
        else:
            position = _end_of_tag(args, start)
            _open(open_elements, args[start + 1 : position - 1])


def _add_text(element: _Element, text: str) -> None:
    for entity, character in _ENTITIES.items():
        text = text.replace(entity, character)
    element.text += js_trim(text)


def _open(open_elements: list[_Element], tag: str) -> None:
    closed = tag.endswith("/")
    name, _, attributes = tag.removesuffix("/").partition(" ")
    element = _Element(name.rstrip(), "=" in attributes)
    open_elements[-1].children.append(element)
    if not closed:
        open_elements.append(element)


def _end_of(mark: str, args: str, start: int) -> int:
    """The position behind the next `mark`."""
    return args.index(mark, start) + len(mark)


def _end_of_tag(args: str, start: int) -> int:
    """The position behind the `>` that ends the tag; one within quotes does not."""
    quote = ""
    for position in range(start, len(args)):
        character = args[position]
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character == ">":
            return position + 1
    raise ValueError("a tag does not end")
