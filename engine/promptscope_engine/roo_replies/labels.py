"""The bracketed name of a tool call, which heads its result (docs/agents/roo.md#user-messages)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from promptscope_engine.agents.roo.gather.modes import BUILT_IN_MODES, DEFAULT_MODE
from promptscope_engine.javascript.text import js_trim

from .format_response import LABELS

# --- labels -----------------------------------------------------------------------------------------------------------


Params = Mapping[str, str]

_BUILT_IN_MODE_NAMES = {slug: mode.name for slug, mode in BUILT_IN_MODES.items()}

_READ_TOGETHER = (
    "Several files can be read in one call, which saves time. Put related files into a single call where you can."
)


class _Given(dict[str, str]):
    """Parameters of a call; a missing one prints `undefined`."""

    def __missing__(self, _: str) -> str:
        return "undefined"


def tool_label(
    tool: str, params: Params, *, simple_read: bool = False, mode_names: Mapping[str, str] | None = None
) -> str:
    """The label of a call of `tool`; a missing parameter prints `undefined`.

    `simple_read` is for models with the simple form of `read_file`. `mode_names` are the names of all modes
    by slug, the built-in ones if None. A name that is not a tool of the agent is a ValueError.
    """
    if tool in LABELS:
        named = [(part, part[part.index("{") + 1 : part.index("}")]) for part in LABELS[tool]]
        parts = [part for n, (part, parameter) in enumerate(named) if n == 0 or params.get(parameter)]
        return f"[{tool}{''.join(parts)}]".format_map(_Given(params))
    if tool == "new_task":
        slug = params.get("mode", DEFAULT_MODE)
        name = (_BUILT_IN_MODE_NAMES if mode_names is None else mode_names).get(slug, slug)
        return f"[{tool} in {name} mode: '{params.get('message', '(no message)')}']"
    if tool == "apply_diff":
        return _apply_diff(params)
    if tool == "read_file":
        if simple_read:
            return f"[read_file for '{params['path']}']" if params.get("path") else "[read_file with missing path]"
        return _read_file(params)
    raise ValueError(f"not a tool: {tool!r}")


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
_TOKEN = re.compile(
    r"""
    (?P<end> </[^>]*> )
    | <!--.*?--> | (?P<data> <!\[.*?\]\]> ) | <(?=\?).*?\?> | <!D[^>]*>
    | <(?! / | !-- | !\[ | \? | !D ) (?P<tag> (?: [^"'>] | "[^"]*" | '[^']*' )* ) >
    | [^<]+
    """,
    re.VERBOSE | re.DOTALL,
)


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
    open_elements = [_Element("")]
    at = 0
    while at < len(args):
        token = _TOKEN.match(args, at)
        if token is None:
            raise ValueError("something does not end")
        at = token.end()
        if token["end"]:
            del open_elements[max(len(open_elements) - 1, 1) :]
        elif token["data"]:
            open_elements[-1].text += token[0][len("<![CDATA[") : -len("]]>")]
        elif token["tag"] is not None:
            _open(open_elements, token["tag"])
        elif token[0][0] != "<":
            open_elements[-1].text += js_trim(_without_entities(token[0]))
    return open_elements[0]


def _without_entities(text: str) -> str:
    for entity, character in _ENTITIES.items():
        text = text.replace(entity, character)
    return text


def _open(open_elements: list[_Element], tag: str) -> None:
    name, _, attributes = tag.removesuffix("/").partition(" ")
    element = _Element(name.rstrip(), "=" in attributes)
    open_elements[-1].children.append(element)
    if not tag.endswith("/"):
        open_elements.append(element)
