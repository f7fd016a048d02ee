"""What Claude Code does to an instruction file's text before it is sent (specs/claude-code.md 3.2).

A leading BOM and YAML frontmatter go, block-level HTML comments go together with their blank line, the end is
trimmed. What is left are stretches of the file that keep their line numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from promptscope_engine.formats.document import Json
from promptscope_engine.formats.front_matter import MAX_CHARS, FrontMatter
from promptscope_engine.formats.yaml import YAML_1_1, YamlError, YamlLimitError
from promptscope_engine.prompt.drafts import Piece, file_text

_FRONTMATTER = re.compile(r"---[ \t]*\r?\n(.*?)(?:^)---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_COMMENT_START = re.compile(r" {0,3}<!--")
_GLOB_SCALAR = re.compile(r"^(\s*(?:-|[\w-]+:)\s+)([*{@`!%&].*?|\[[^\]]*\][^\s,].*?)\s*$")


@dataclass(frozen=True, slots=True)
class Stretch:
    """A verbatim part of a file that begins on the 1-based `line`."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Content:
    """A processed file. `problem` says what is wrong with its frontmatter, `problem_line` where."""

    stretches: tuple[Stretch, ...]
    frontmatter: dict[str, Json] = field(default_factory=dict)
    problem: str | None = None
    problem_line: int | None = None

    @property
    def text(self) -> str:
        return "".join(s.text for s in self.stretches)

    def pieces(self, path: str) -> tuple[Piece, ...]:
        """The stretches with their file:line."""
        return tuple(file_text(path, s.text, s.line) for s in self.stretches)


def process(text: str, *, comments: bool = True) -> Content:
    """The text as it is sent; `comments` False keeps HTML comments (skills, agents, styles)."""
    body = text.removeprefix("\ufeff")
    frontmatter, length, problem, problem_line = _frontmatter(body)
    line = 1 + body.count("\n", 0, length)
    body = body[length:]
    stretches = list(_without_comments(body, line)) if comments else [Stretch(body, line)] if body else []
    return Content(tuple(_trimmed(stretches)), frontmatter, problem, problem_line)


def _frontmatter(text: str) -> tuple[dict[str, Json], int, str | None, int | None]:
    """(values, length of the block, problem, its line). Values that are no mapping count as none.

    The block takes the white space after it along [recorded: a rule's blank line after `---` is not sent].
    """
    found = _FRONTMATTER.match(text)
    if not found:
        return {}, 0, None, None
    length = len(text) - len(text[found.end() :].lstrip())
    if len(found[1]) > MAX_CHARS:
        return {}, length, "the frontmatter is too large to be read", 1
    try:
        values = FrontMatter(found[1]).parse(YAML_1_1).value
    except YamlError as error:
        again = None if isinstance(error, YamlLimitError) else _quoted(found[1])
        return (again, length, None, None) if again is not None else ({}, length, error.message, error.line or 2)
    return (values if isinstance(values, dict) else {}), length, None, None


def _quoted(source: str) -> dict[str, Json] | None:
    """A glob such as `paths: **/*.ts` or `*.ts` is not YAML (an alias); such scalars count as if they were quoted."""
    lines = [_GLOB_SCALAR.sub(_quote, line) for line in source.splitlines()]
    try:
        values = FrontMatter("\n".join(lines)).parse(YAML_1_1).value
    except YamlError:
        return None
    return values if isinstance(values, dict) else None


def _quote(match: re.Match[str]) -> str:
    return match[1] + "'" + match[2].replace("'", "''") + "'"


def _without_comments(text: str, first_line: int) -> Iterator[Stretch]:
    """The text without block-level comments: those that begin a line outside of code fences and lists.

    A comment that ends its line goes with its line break and the blank line after it.
    """
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
            open_comment = close < 0
            if close >= 0:
                rest = close + 3
                line_end = text.find("\n", rest) + 1 or len(text)
                stop = rest
                if not text[rest:line_end].strip():
                    stop = line_end
                    blank_end = text.find("\n", stop) + 1 or len(text)
                    if stop < len(text) and not text[stop:blank_end].strip():
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
            elif mark[1][0] == fence[0] and len(mark[1]) >= len(fence) and not current[mark.end() :].strip():
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
    """Without white space at the end."""
    kept = list(stretches)
    while kept and not kept[-1].text.rstrip():
        kept.pop()
    if kept:
        kept[-1] = Stretch(kept[-1].text.rstrip(), kept[-1].line)
    yield from kept
