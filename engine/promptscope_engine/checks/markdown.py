"""The parts of Markdown that rules tell apart, line by line: front matter, fences, comments, inline code, links.

Nothing here takes longer than the text is long: a stranger wrote it.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

FENCE = re.compile(r"[ \t]{0,24}(?:[-*+] |\d{1,3}[.)] )?[ \t]{0,24}(`{3,200}|~{3,200})[ \t]{0,24}([\w+-]{0,40})")
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
        mark = None if in_comment else FENCE.match(line)
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
    shown, at = "", 0
    while at < len(line):
        found = line.find("-->" if in_comment else "<!--", at)
        end = len(line) if found < 0 else found + (3 if in_comment else 0)
        shown += " " * (end - at) if in_comment else line[at:end]
        at = end
        if found >= 0:
            in_comment = not in_comment
    return shown, in_comment


def inline_code(line: str) -> Iterator[Code]:
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
    kept, last = "", 0
    for code in inline_code(line):
        kept += f"{line[last : code.start]} "
        last = code.end
    return kept + line[last:]


def links(line: str) -> Iterator[Link]:
    """The links of a line that are not in inline code; their texts may be."""
    plain = list(line)
    for code in inline_code(line):
        plain[code.start : code.end] = "`" * (code.end - code.start)
    for found in _LINK.finditer("".join(plain)):
        at = found.start(1) if found[1] else found.start(2)
        if "`" not in (found[1] or found[2]):
            yield Link(found.start(), found.end(), line[at : at + len(found[1] or found[2])])
