"""What the model writes: its calls, read as the agent reads them, and what its guidelines say of a result.

A call is found by its exact tags, in one walk: text up to `<tool>` of a known tool, in there `<param>` of a known
parameter, up to that parameter's own closing tag. What is cut off is a partial call; unknown tags are text.
"""

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from promptscope_engine.javascript.text import js_trim

from .format_response import LABELS, PARAMETERS

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
