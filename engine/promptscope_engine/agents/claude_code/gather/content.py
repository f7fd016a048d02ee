"""What Claude Code does to an instruction file's text before it is sent (specs/claude-code.md 3.2).

A leading BOM and YAML frontmatter go, block-level HTML comments go together with their blank line, both ends are
trimmed. What is left are stretches of the file that keep their line numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field

from promptscope_engine.formats.document import Json
from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.drafts import Piece, file_text

from .head import read_frontmatter
from .markdown import comments

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


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
    """The text without the comments that are blocks of their own, with the blank lines behind them.

    The client takes the text apart as Markdown for this, and only where it holds a comment: then every line break is a
    line feed. What is in a fence, in a list item or in other HTML stays, and so does a comment that never ends
    [recorded 2.1.332].
    """
    if "<!--" not in text:
        if text:
            yield Stretch(text, first_line)
        return
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    lines = [f"{line}\n" for line in lines[:-1]] + lines[-1:]
    at = 0
    for start, end in comments(text):
        if at < start:
            yield Stretch("".join(lines[at:start]), first_line + at)
        at = end + next((n for n, line in enumerate(lines[end:]) if line != "\n"), 0)
        yield from _between_comments("".join(lines[start:at]), first_line + start)
    if rest := "".join(lines[at:]):
        yield Stretch(rest, first_line + at)


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
