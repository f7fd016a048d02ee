"""What the model writes: its calls as the agent reads them, and the bracketed name that heads a call's result.

A call is found by its exact tags, in one walk: text up to `<tool>` of a known tool, in there `<param>` of a known
parameter, up to that parameter's own closing tag. What is cut off is a partial call; unknown tags are text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from msgspec import Struct

from promptscope_engine.agents.roo.gather.modes import BUILT_IN_MODES, DEFAULT_MODE
from promptscope_engine.javascript.text import js_trim

from .format_response import LABELS, PARAMETERS

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
    for file in _elements(args).children:
        if file.name != "file":
            continue
        paths = [child.value() for child in file.children if child.name == "path"]
        # Several paths in one file are a list, which JavaScript prints with commas.
        if any(paths) or len(paths) > 1:
            found.append(",".join(paths))
    return found


def _elements(args: str) -> _Element:
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


MAX_CHARS = 200_000
"""Characters of a reply that are read: no model writes as many at once."""

_TOOLS = (*LABELS, "new_task", "apply_diff", "read_file")
"""The only names that the parser knows, with PARAMETERS."""

_TOOL_START = re.compile(f"<({'|'.join(_TOOLS)})>")
_PARAM_START = re.compile(f"<({'|'.join(PARAMETERS)})>")


class SpokenText(Struct, frozen=True):
    """Words beside the calls."""

    text: str


class SpokenCall(Struct, frozen=True):
    """A call as it was written. `partial`: its closing tag has not come yet."""

    tool: str
    params: Mapping[str, str]
    partial: bool


Spoken = SpokenText | SpokenCall


def parse_spoken(raw: str) -> tuple[Spoken, ...]:
    """The texts and calls of a reply, which may be cut off anywhere."""
    return tuple(_parse(raw[:MAX_CHARS]))


def _parse(raw: str) -> Iterator[Spoken]:
    at = 0
    while start := _TOOL_START.search(raw, at):
        if words := js_trim(raw[at : start.start()]):
            yield SpokenText(words)
        call, at = _call(raw, start[1], start.end())
        yield call
    if words := js_trim(raw[at:]):
        yield SpokenText(words)


def _call(raw: str, tool: str, at: int) -> tuple[SpokenCall, int]:
    """The call that begins behind its opening tag, and the place behind it."""
    params: dict[str, str] = {}
    closing = f"</{tool}>"
    while True:
        found = raw.find(closing, at)
        end = len(raw) if found == -1 else found
        param = _PARAM_START.search(raw, at, end)
        if param is None:
            return SpokenCall(tool, params, partial=found == -1), end + len(closing)
        name, begin = param[1], param.end()
        stop = _end_of_param(raw, tool, name, begin, end)
        if stop == -1:
            params[name] = js_trim(raw[begin:])
            return SpokenCall(tool, params, partial=True), len(raw)
        params[name] = js_trim(raw[begin:stop])
        at = stop + len(f"</{name}>")


def _end_of_param(raw: str, tool: str, name: str, begin: int, end: int) -> int:
    """The place where the value ends, -1 if it is cut off.

    A file's content may hold its own closing tag: the last one up to the `end` of the call counts.
    """
    closing = f"</{name}>"
    if name == "content" and tool == "write_to_file":
        return raw.rfind(closing, begin, end)
    return raw.find(closing, begin)


# --- what the guidelines ask for --------------------------------------------------------------------------------------

_JOINED = re.compile(r"&&|\|\||;|\n|(?<!\|)\|(?!\|)")
_ONLY_PRINTS = re.compile(r"\s*(echo|printf|cat|type|Write-Output)\b")
_OFFER = re.compile(
    r"\b(let me know|feel free|would you like|shall i|should i|do you want|happy to help|anything else|if you need)\b",
    re.IGNORECASE,
)
_FILLER = re.compile(r"(great|certainly|okay|sure|of course|absolutely)\b", re.IGNORECASE)
_PARTIAL = re.compile(
    r"\b(partial(ly)?|not (yet|fully|completely)|still (needs?|has to|have to|to be)|remains? to|left to do|"
    r"to be done|unfinished|the rest (will|needs?|still))\b",
    re.IGNORECASE,
)
_COMMAND = re.compile(r"(?:^|[;&|\n])\s*([\w-]+)")
_SYSTEMS = {
    "Linux": ("linux", r"xdg-open|apt|apt-get|systemctl"),
    "macOS": ("darwin", r"open|pbcopy|pbpaste"),
    "Windows": ("win32", r"start|explorer|cls|copy|del|findstr|move|[A-Z][a-z]+-[A-Z]\w+"),
}
"""The name of a system to Python, and commands that only it has."""
_QUOTED = re.compile(r"'[^']*'|\"(?:\\.|[^\"\\])*\"")


def remarks(result: str | None, command: str | None, system: str) -> tuple[str, ...]:
    """What the agent's own guidelines would have against a call of attempt_completion on a system (`sys.platform`)."""
    return (*_of_result(result or ""), *_of_command(command or "", system))


def _of_result(result: str) -> Iterator[str]:
    text = js_trim(result)
    if filler := _FILLER.match(text):
        yield f"the result begins with a filler (“{filler[0]}”): it should be to the point"
    if partial := _PARTIAL.search(text):
        yield f"the result is of a part (“{partial[0]}”): a task is completed whole"
    last = re.split(r"(?<=[.!?])\s+|\n", text)[-1] if text else ""
    if last.endswith("?"):
        yield "the result ends with a question: it should stand without another word from the user"
    elif _OFFER.search(last):
        yield "the result ends with an offer: it should be final"


def _of_command(command: str, system: str) -> Iterator[str]:
    bare = _QUOTED.sub("", command)
    if _JOINED.search(js_trim(bare)):
        yield "several commands in one string: one that shows the result is asked for"
    if _ONLY_PRINTS.match(bare):
        yield "the command only prints text: a live demonstration is asked for"
    for name, (own, commands) in _SYSTEMS.items():
        if own != system and (other := next((c for c in _COMMAND.findall(bare) if re.fullmatch(commands, c)), None)):
            yield f"`{other}` is a command of {name}: one for this system is asked for"
