"""What instructions name of their repository: paths, commands in inline code, links, commands in fenced code.

Taken is only what can mean one thing: no placeholders, no patterns, nothing with a space in its name, nothing that a
sentence says is gone, wanted or an example. Markdown is split into its parts line by line.

Nothing here takes longer than the text is long: a stranger wrote it.
"""

import re
import tomllib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, takewhile
from pathlib import Path
from typing import Any, Literal, NamedTuple
from urllib.parse import unquote

from msgspec import Struct

_FENCE = re.compile(r"[ \t]{0,24}(?:[-*+] |\d{1,3}[.)] )?[ \t]{0,24}(`{3,200}|~{3,200})[ \t]{0,24}([\w+-]{0,40})")
_BACKTICKS = re.compile("`+")
_LINK = re.compile(r"\[[^\[\]]{0,200}\]\((?:<([^<>]{1,300})>|([^\s()<>]{1,300}))(?:\s[^()]{0,200})?\)")


class Code(NamedTuple):
    """Inline code: from `start` up to `end`, its backticks included, and what is between them."""

    start: int
    end: int
    text: str


class Link(NamedTuple):
    """A link or an image: from `start` up to `end`, and where it leads."""

    start: int
    end: int
    target: str


class Line(NamedTuple):
    """A line of a text with its number; `fence`: the language of the fenced code that it is in, None outside."""

    number: int
    text: str
    fence: str | None = None


def front_matter(lines: Sequence[str]) -> int:
    """How many lines it takes."""
    if lines[0].rstrip() != "---":
        return 0
    return next((number + 1 for number, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), 0)


def read_lines(text: str, start: int = 1) -> Iterator[Line]:
    """The lines that are seen or run: neither front matter, nor the marks of fences, nor what is in comments."""
    lines = text.split("\n")
    skipped = front_matter(lines) if start == 1 else 0
    fence: tuple[str, str] | None = None
    in_comment = False
    for number, line in enumerate(lines[skipped:], start + skipped):
        may_be_mark = not in_comment and ("```" in line or "~~~" in line)
        mark = _FENCE.match(line) if may_be_mark else None
        if mark and fence is None and "`" not in line[mark.end(1) :]:
            fence = (mark[1], mark[2].lower())
        elif mark and fence and not mark[2] and mark[1].startswith(fence[0]):
            fence = None
        elif fence is not None:
            yield Line(number, line, fence[1])
        else:
            shown, in_comment = _without_comments(line, in_comment)
            yield Line(number, shown)


def _without_comments(line: str, in_comment: bool) -> tuple[str, bool]:
    """A line with blanks in the place of comments, and whether one goes on behind it."""
    if not in_comment and "<!--" not in line:
        return line, False
    shown, at = "", 0
    while at < len(line):
        found = line.find("-->" if in_comment else "<!--", at)
        end = len(line) if found < 0 else found + (3 if in_comment else 0)
        shown += " " * (end - at) if in_comment else line[at:end]
        at = end
        if found >= 0:
            in_comment = not in_comment
    return shown, in_comment


def _inline_code(line: str) -> Iterator[Code]:
    """The inline code of a line: from some backticks to the next that are as many or more.

    No regular expression: for each of thousands of runs it would look through the rest of the line.
    """
    runs = [found.span() for found in _BACKTICKS.finditer(line)]
    most = [*accumulate((end - start for start, end in reversed(runs)), max)][::-1]  # from each run on
    most.append(0)
    number = 0
    while number < len(runs):
        start, opened = runs[number]
        length = opened - start
        number += 1
        if most[number] < length:
            continue  # nothing closes it
        while runs[number][1] - runs[number][0] < length:
            number += 1
        closes = runs[number][0]
        yield Code(start, closes + length, line[opened:closes])
        number += 1


def without_code(line: str) -> str:
    """A line with a space in the place of inline code."""
    if "`" not in line:
        return line
    kept, last = "", 0
    for code in _inline_code(line):
        kept += f"{line[last : code.start]} "
        last = code.end
    return kept + line[last:]


def links(line: str) -> Iterator[Link]:
    """The links of a line that are not in inline code; their texts may be."""
    plain = list(line)
    for code in _inline_code(line):
        plain[code.start : code.end] = "`" * (code.end - code.start)
    for found in _LINK.finditer("".join(plain)):
        at = found.start(1) if found[1] else found.start(2)
        if "`" not in (found[1] or found[2]):
            yield Link(found.start(), found.end(), line[at : at + len(found[1] or found[2])])


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
_BARE = re.compile(r"(?<![\w@$~<>*/.:`+=\"'-])(?:\.{1,2}/)*\.?[\w@+-][\w.@+-]*(?:/[\w.@+-]+)+/?(?![\w/*<>{}$:`@+-])")
_TARGET = re.compile(r"(?<=\])\([^()\n]{0,300}\)")
_FILE = re.compile(r"://|[\w-]\.[a-z]{2,5}\b|(?:^|[^.\w])\.{1,2}/\w")
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
            plain = without_code(line.text)
            if "`" in line.text or "](" in line.text or "/" in line.text:
                yield from _in_prose(line, above.with_line(plain))
            above.follow(plain)
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
        """The line with what it belongs to in front, in the author's own words: what they name is left out."""
        begins = not line.strip() or _BEGINS.match(line)
        return _own_words(f"{self._lead}\n{'' if begins else self._before}\n{line}")

    def follow(self, line: str) -> None:
        """What comes next is below this line."""
        if line.rstrip(" *_").endswith(":"):
            self._lead = line[-_MOST:]
        elif self._lead and line.strip() and not _LISTED.match(line):
            self._lead = ""
        self._before = line[-_MOST:]


def _own_words(said: str) -> str:
    """The words of a sentence without what it names: targets of links, addresses, files, whatever they are called."""
    return " ".join(word for word in _TARGET.sub("", said).split() if not _FILE.search(word))


def _in_prose(line: Line, said: str) -> Iterator[Reference]:
    found = list(links(line.text))
    yield from (Reference(line.number, "link", name) for link in found if (name := _linked(link.target)))
    if _DOUBTFUL.search(said):
        return
    is_made = _MADE_LATER.search(said) is not None
    starts = [link.start for link in found]
    for code in _inline_code(line.text):
        words = code.text[:_MOST].split()
        before = bisect_left(starts, code.start)
        if before and code.start < found[before - 1].end:
            continue  # the text of a link
        if len(words) > 1:
            yield from _in_command(line.number, code.text, is_made=is_made)
        elif words and not is_made and (name := _path(words[0])):
            yield Reference(line.number, "path", name)
    if not is_made and not line.text.lstrip().startswith("#"):  # a heading names what it is about, wherever that is
        yield from _bare(line, found)


def _bare(line: Line, found: Iterable[Link]) -> Iterator[Reference]:
    """The paths of files that are neither in inline code nor in a link."""
    rest = list(line.text)
    for start, end, _ in (*_inline_code(line.text), *found):
        rest[start:end] = "`" * (end - start)
    for word in _BARE.findall("".join(rest)):
        if (name := _path(word.rstrip("."))) and not name.endswith("/"):
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
