"""What instructions name of their repository: paths and commands in inline code, links, commands in fenced code.

Taken is only what can mean one thing: no placeholders, no patterns, nothing with a space in its name, nothing that a
sentence says is gone, wanted or an example.
"""

import re
import tomllib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote

from msgspec import Struct

from .markdown import Line, inline_code, links, read_lines, without_code

Runner = Literal["npm", "make", "just", "uv"]
Kind = Literal["path", "link", "npm", "make", "just", "uv"]
"""What is named: a path, the target of a link, or what a runner runs by its name."""

_DATA: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_WORDS, _TAKES = _DATA["words"], _DATA["takes"]
_SHELLS, _INTERPRETERS = frozenset(_WORDS["shells"]), frozenset(_WORDS["interpreters"])
MADE = frozenset(_WORDS["made"])
"""Names of folders that a build or a tool makes."""
_RUNNERS: dict[str, Runner] = {"npm": "npm", "pnpm": "npm", "make": "make", "just": "just", "uv": "uv"}
_SCRIPT = re.compile(rf"[^/]\.(?:{'|'.join(_WORDS['scripts'])})\Z")
_DOUBTFUL, _MADE_LATER = (
    re.compile(rf"\b(?:{_WORDS[key].replace(chr(10), '')})\b", re.IGNORECASE) for key in ("doubtful", "made_later")
)
_PLACEHOLDER = re.compile(_WORDS["placeholders"].strip())

_PATH = re.compile(r"(?:\.{1,2}/)*\.?[\w@+-][\w.@+-]*(?:/[\w.@+-]+)*/?")
_ENDING = re.compile(r"[^/.]\.[a-z][A-Za-z0-9]{0,9}\Z")
_PLACE = re.compile(r"(?:::.*|#L?\d.*|:\d+(?:[-:]\d+)?)\Z")
_NAME = re.compile(r"[A-Za-z_][\w.-]*(?::[\w.-]+)*\Z")
_PARTS = re.compile(r"&&|\|\||[;|]")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_BEGINS = re.compile(r"[ \t]*(?:[-*+|>#]|\d{1,3}[.)])")
_LISTED = re.compile(r"[ \t]*(?:[-*+|]|\d{1,3}[.)])|[ \t]{2}")
_ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|[/#?~]")
_MOST = 1_000
"""Characters of a code, of a command, and of what introduces a line that are looked at."""


class Reference(Struct, frozen=True):
    """The name of something that has to be there, and the line on which it is."""

    line: int
    kind: Kind
    name: str


def references(text: str, start: int = 1) -> Iterator[Reference]:
    """What a text names, in order. `start`: the number of its first line."""
    above = _Above()
    elsewhere = False
    for line in read_lines(text, start):
        if line.fence is None:
            elsewhere = False
            said = above.with_line(without_code(line.text))
            if "`" in line.text or "](" in line.text:
                yield from _in_prose(line, said)
        elif line.fence in _SHELLS:
            elsewhere = elsewhere or "git clone" in line.text
            yield from () if elsewhere else _in_command(line.number, line.text.split(" #")[0])


def is_placeholder(part: str) -> bool:
    """Whether a name, or part of a path, is a placeholder: `your-file`, `FILE_NAME.py`, but not `README.md`."""
    stem, _, ending = part.partition(".")
    return bool(_PLACEHOLDER.match(part)) or (len(stem) > 1 and stem.isupper() and ending not in ("md", "txt"))


class _Above:
    """What a line belongs to: the line that introduces its list, and the one that its sentence may begin on."""

    def __init__(self) -> None:
        self._lead = self._before = ""

    def with_line(self, line: str) -> str:
        """The line with what it belongs to in front."""
        begins = not line.strip() or _BEGINS.match(line)
        said = f"{self._lead}\n{'' if begins else self._before}\n{line}"
        if line.rstrip(" *_").endswith(":"):
            self._lead = line[-_MOST:]
        elif line.strip() and not _LISTED.match(line):
            self._lead = ""
        self._before = line[-_MOST:]
        return said


def _in_prose(line: Line, said: str) -> Iterator[Reference]:
    found = list(links(line.text))
    yield from (Reference(line.number, "link", name) for link in found if (name := _linked(link.target)))
    if _DOUBTFUL.search(said):
        return
    is_made = _MADE_LATER.search(said) is not None
    starts = [link.start for link in found]
    for code in inline_code(line.text):
        words = code.text[:_MOST].split()
        before = bisect_left(starts, code.start)
        if before and code.start < found[before - 1].end:
            continue  # the text of a link
        if len(words) > 1:
            yield from _in_command(line.number, code.text, is_made=is_made)
        elif words and not is_made and (name := _path(words[0])):
            yield Reference(line.number, "path", name)


def _linked(target: str) -> str | None:
    """The file that a link leads to."""
    name = unquote(re.split("[#?]", target)[0])
    leads_here = not _ELSEWHERE.match(target) and _ENDING.search(name) and set(name).isdisjoint("*<>{}$[]\0\n")
    return name if leads_here and not name.endswith(".html") else None


def _path(text: str) -> str | None:
    """The path that a word is, without a line in it."""
    name = _PLACE.sub("", text)
    is_one = "/" in name and _PATH.fullmatch(name) and (name.endswith("/") or _ENDING.search(name))
    return name if is_one and "..." not in name else None


# --- commands ---------------------------------------------------------------------------------------------------------


def _in_command(line: int, code: str, *, is_made: bool = False) -> Iterator[Reference]:
    """What a command line runs. `is_made`: its files may be made later."""
    for part in _PARTS.split(code[:_MOST]):
        words = part.split()
        while words and (words[0] in ("$", "%", "sudo", "time", "env") or _ASSIGNMENT.match(words[0])):
            words.pop(0)
        if not words:
            continue
        program, *arguments = words
        if program in _RUNNERS:
            names = [name for name in _run_by(program, arguments) if not is_placeholder(name)]
            yield from (Reference(line, _RUNNERS[program], name) for name in names)
        if not is_made and (name := _path(_script(program, arguments))):
            yield Reference(line, "path", name)


def _plain(words: Iterable[str], takes: Sequence[str] = ()) -> Iterator[str]:
    """The words that are not options or what these take."""
    rest = iter(words)
    for word in rest:
        if word in takes:
            next(rest, None)
        elif not word.startswith("-"):
            yield word


def _run_by(program: str, arguments: Sequence[str]) -> Iterable[str]:
    """The names that a runner is given; none that need not be there."""
    words = [*_plain(arguments, _TAKES[program])]
    if program == "make":
        return takewhile(_NAME.match, (word for word in words if "=" not in word and not word.isdecimal()))
    if program == "just":
        return [word for word in words[:1] if _NAME.match(word) and ":" not in word]
    if words[:1] not in (["run"], ["run-script"]) or not {"--if-present", "-m", "--module"}.isdisjoint(arguments):
        return []
    return [word for word in words[1:2] if _NAME.match(word) and not _SCRIPT.search(word) and word not in _INTERPRETERS]


def _script(program: str, arguments: Sequence[str]) -> str:
    """The script of the repository that a command runs, "" without one."""
    if program == "uv":
        run, program, *arguments = [*_plain(arguments, _TAKES["uv"]), "", ""]
        if run != "run":
            return ""
    if program in _INTERPRETERS:
        program = "" if arguments[:1] in (["-m"], ["-c"], ["-e"]) else next(_plain(arguments), "")
    return program if _SCRIPT.search(_PLACE.sub("", program)) else ""
