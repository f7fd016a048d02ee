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

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_COMMENT_START = re.compile(r" {0,3}<!--")


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
    """The text without block-level comments: those that begin a line outside of code fences and lists.

    A comment that ends its line goes with its line break and the blank line after it.
    """
    if "<!--" not in text:
        if text:
            yield Stretch(text, first_line)
        return
    at = start = 0
    fence: str | None = None
    kept_line = line = first_line
    list_item = open_comment = False
    while at < len(text):
        end = text.find("\n", at) + 1 or len(text)
        current = text[at:end]
        mark = _FENCE.match(current)
        if fence is None and not list_item and not open_comment and _COMMENT_START.match(current):
            close = text.find("-->", at)
            open_comment = close == -1
            if not open_comment:
                rest = close + 3
                line_end = text.find("\n", rest) + 1 or len(text)
                stop = rest
                if not text[rest:line_end].strip():
                    stop = line_end
                    blank_end = text.find("\n", stop) + 1 or len(text)
                    if not text[stop:blank_end].strip():
                        stop = blank_end
                if text[start:at]:
                    yield Stretch(text[start:at], kept_line)
                line += text.count("\n", at, stop)
                at = start = stop
                kept_line = line
                if stop == rest:  # the rest of the line stays
                    at = line_end
                    line += text.count("\n", rest, line_end)
                continue
        if mark:
            if fence is None:
                fence = mark[1]
            elif mark[1].startswith(fence) and not current[mark.end() :].strip():
                fence = None
        if fence is None and current.strip():
            list_item = _in_list(current, list_item)
        at = end
        line += current.count("\n")
    if text[start:]:
        yield Stretch(text[start:], kept_line)


_LIST_ITEM = re.compile(r" {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)")


def _in_list(line: str, before: bool) -> bool:
    """Whether the text after this line may still belong to a list item: comments in lists stay."""
    return bool(_LIST_ITEM.match(line)) or (before and line[:1] in " \t")


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
