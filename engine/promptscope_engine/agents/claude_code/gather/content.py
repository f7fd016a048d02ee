"""What Claude Code does to an instruction file's text before it is sent (specs/claude-code.md 3.2).

A leading BOM and YAML frontmatter go, block-level HTML comments go together with their blank line, both ends are
trimmed. What is left are stretches of the file that keep their line numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from promptscope_engine.formats.document import Json
from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.drafts import Piece, file_text

from .head import read_frontmatter

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_COMMENT_START = re.compile(r"( {0,3})<!--")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_REST = re.compile(r"-->[^\n]*\n*")
_LIST_ITEM = re.compile(r"( *)(?:[-*+]|\d{1,9}[.)])(?:[ \t] {0,3}(?=\S)|[ \t]|(?=\n|$))")
_BLOCKS = (
    "address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt"
    " fieldset figcaption figure footer form frame frameset h[1-6] head header hr html iframe legend li link main menu"
    " menuitem meta nav noframes ol optgroup option p param pre script search section style summary table tbody td"
    " textarea tfoot th thead title tr track ul"
)
_HTML = re.compile(rf" {{0,3}}</?(?:{_BLOCKS.replace(' ', '|')})(?:[ \t\n]|/?>|$)", re.IGNORECASE)
_TAG = re.compile(r" {0,3}</?[A-Za-z][\w-]*(?:\s[^<>]*)?>[ \t]*$")
"""A tag alone on its line, which begins HTML where no paragraph goes on."""


@frozen
class Stretch:
    """A verbatim part of a file that begins on the 1-based `line`."""

    text: str
    line: int


@frozen
class Content:
    """A processed file. `problem` says what is wrong with its frontmatter, `problem_line` where."""

    stretches: tuple[Stretch, ...]
    untrimmed: tuple[Stretch, ...] = ()
    """The same with the white space at both ends: so a file stands that a read loads [recorded]."""
    frontmatter: dict[str, Json] = field(default_factory=dict)
    problem: str | None = None
    problem_line: int | None = None

    @property
    def text(self) -> str:
        return "".join(s.text for s in self.stretches)

    def pieces(self, path: str, *, trimmed: bool = True) -> tuple[Piece, ...]:
        """The stretches with their file:line."""
        return tuple(file_text(path, s.text, s.line) for s in (self.stretches if trimmed else self.untrimmed))


def process(text: str, version: str, *, comments: bool = True, within_budget: bool = True) -> Content:
    """The text as it is sent; `comments` False keeps HTML comments (skills, agents, styles), `within_budget`
    False leaves the frontmatter unread."""
    body = text.removeprefix("\ufeff")
    found = read_frontmatter(body, version, within_budget=within_budget)
    line = 1 + body[: found.length].count("\n")
    body = body[found.length :]
    stretches = list(_without_comments(body, line)) if comments else [Stretch(body, line)] if body else []
    return Content(tuple(_trimmed(stretches)), tuple(stretches), found.values, found.problem, found.line)


def _without_comments(text: str, first_line: int) -> Iterator[Stretch]:
    """The text without the comments that are blocks of their own, with the line breaks behind them.

    The client takes the text apart as Markdown for this, and only where it holds a comment: then every line break is a
    line feed. What is in a fence, in a list item or in other HTML stays [recorded 2.1.332].
    """
    if "<!--" not in text:
        if text:
            yield Stretch(text, first_line)
        return
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    at = start = 0
    kept_line = line = first_line
    blocks = _Blocks()
    while at < len(text):
        end = text.find("\n", at) + 1 or len(text)
        close = text.find("-->", at + 4) if blocks.begins_comment(text[at:end]) else None
        if close == -1:
            break  # the rest of the text is one comment that never ends, and stays
        if close is None:
            blocks.read(text[at:end])
            at, line = end, line + 1
            continue
        token = _REST.match(text, close)
        assert token is not None
        if text[start:at]:
            yield Stretch(text[start:at], kept_line)
        stop = token.end()
        if left := list(_between_comments(text[at:stop], line)):
            yield from left
        line += text.count("\n", at, stop)
        at = start = stop
        kept_line = line
    if text[start:]:
        yield Stretch(text[start:], kept_line)


def _between_comments(token: str, line: int) -> Iterator[Stretch]:
    """What else is on the lines of a comment; nothing where it is white space."""
    if not _COMMENT.sub("", token).strip():
        return
    at = 0
    for comment in (*_COMMENT.finditer(token), None):
        end = comment.start() if comment else len(token)
        if token[at:end]:
            yield Stretch(token[at:end], line + token.count("\n", 0, at))
        at = comment.end() if comment else end


@dataclass
class _Blocks:
    """What the line before leaves open: a fence, a list item by the column of its text, other HTML, a paragraph."""

    fence: str = ""
    item: int = 0
    html: bool = False
    paragraph: bool = False

    def begins_comment(self, line: str) -> bool:
        """Whether the line begins a comment that is a block of its own."""
        found = None if self.fence or self.html else _COMMENT_START.match(line)
        if found and (not self.item or len(found[1]) < self.item):
            self.item, self.paragraph = 0, False
            return True
        return False

    def read(self, line: str) -> None:
        """Go on behind a line."""
        mark, blank = _FENCE.match(line), not line.strip()
        if mark and not self.html:
            if not self.fence:
                self.fence = mark[1]
            elif mark[1].startswith(self.fence) and not line[mark.end() :].strip():
                self.fence = ""
        if self.fence or blank:
            self.html = self.paragraph = False
            return
        self.html = self.html or bool(_HTML.match(line)) or (not self.paragraph and bool(_TAG.match(line)))
        self.paragraph = True
        if item := _LIST_ITEM.match(line):
            width = max(len(item[0]), len(item[0].rstrip()) + 1)
            self.item = self.item if self.item and len(item[1]) >= self.item else width
        elif line[:1] not in " \t":
            self.item = 0


def _trimmed(stretches: list[Stretch]) -> Iterator[Stretch]:
    """Without white space at either end."""
    kept = list(stretches)
    while kept and not kept[-1].text.rstrip():
        kept.pop()
    if kept:
        kept[-1] = Stretch(kept[-1].text.rstrip(), kept[-1].line)
    while kept and not kept[0].text.lstrip():
        kept.pop(0)
    if kept:
        text = kept[0].text
        start = text.lstrip()
        skipped = text[: len(text) - len(start)].count("\n")
        kept[0] = Stretch(start, kept[0].line + skipped)
    yield from kept
