"""The `@path` tokens of an instruction file (specs/claude-code.md 3.4). Pure: text in, paths out, never an error.

A token is looked for in what Markdown takes for running text: paragraphs, list items, quotes, headings and tables,
but not code, comments, link targets or escaped characters. An emphasis mark ends a stretch of text and begins one.
"""

from __future__ import annotations

import json
import posixpath
import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

MAX_DEPTH = 4
"""Hops: the importer is at level 0, a file at level 5 does not load (older docs say five)."""

_BEGINS = re.compile(r"\.{1,2}/|~/|/|[A-Za-z0-9._-]")
"""How a path begins that is taken for one; a name that begins otherwise needs `./` before it [recorded 2.1.330]."""


def is_importable(path: str) -> bool:
    """Whether a file of this name is read: its ending, in any case, is on the client's list, or it has none."""
    ending = posixpath.splitext(path.rstrip("/"))[1]
    return not ending or ending[1:].lower() in _endings()


@cache
def _endings() -> frozenset[str]:
    text = files("promptscope_engine.agents.claude_code").joinpath("importable.json").read_text(encoding="utf-8")
    return frozenset(json.loads(text)["endings"])


_TOKEN = re.compile(r"(?:^|(?<=\s))@((?:[^\s\\]|\\ )+)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HTML_BLOCK = re.compile(r" {0,3}<(?:!--|/?[A-Za-z][\w-]*[\s/>]|/?[A-Za-z][\w-]*$)")
_LIST_ITEM = re.compile(r"( *)(?:[-*+]|\d{1,9}[.)])(\s+|$)")
_QUOTE = re.compile(r" {0,3}> ?")
_SKIP = "\0"
"""Stands for what is no text: it ends a token and does not begin one."""
_MAX_BLOCK = 64 * 1024
_EDGE = "\x1f"
"""Stands for a border of two stretches of text: a token may begin behind it."""


def import_tokens(text: str) -> list[str]:
    """The paths that a file's text names, in order of appearance, as written but without `#fragment`."""
    found = []
    for block in _blocks(text):
        for stretch in re.split(f"[{_EDGE}]+", _inline(block)):
            for match in _TOKEN.finditer(stretch):
                path = match[1].partition(_SKIP)[0].partition("#")[0].replace("\\ ", " ")
                if path not in ("/", "~/", ".", "./") and _BEGINS.match(path):
                    found.append(path)
    return found


def _blocks(text: str) -> Iterator[str]:
    """The blocks of running text: lines between blank lines, without code, comments and other HTML."""
    lines: list[str] = []
    fence: str | None = None
    in_comment = in_html = False
    content_indent: int | None = None  # of the list item that the line may belong to
    before_blank = True
    for raw in text.replace("\r\n", "\n").split("\n"):
        line = raw
        while quote := _QUOTE.match(line):
            line = line[quote.end() :]
        stripped = line.strip()
        if in_comment:
            in_comment = "-->" not in line
            continue
        if fence is not None:
            mark = _FENCE.match(_unindented(line, content_indent))
            if mark and mark[1] == stripped and stripped.startswith(fence):
                fence = None
            continue
        if not stripped:
            yield from _flush(lines)
            before_blank, in_html = True, False
            continue
        indent = len(line) - len(line.lstrip(" "))
        item = _LIST_ITEM.match(line) if indent < (content_indent or 0) + 4 else None  # deeper ones are code
        if item:
            yield from _flush(lines)
            content_indent = item.end() if item[2] else item.end() + 1
            line = line[item.end() :]
        elif content_indent is not None and before_blank and indent < min(content_indent, 2):
            content_indent = None
        inner = line if item else _unindented(line, content_indent)
        if mark := _FENCE.match(inner):
            yield from _flush(lines)
            fence = mark[1]
            continue
        if before_blank and not item and inner.startswith(("    ", "\t")):
            continue  # indented code: the next line is one too, until a line less deep
        if in_html or _HTML_BLOCK.match(inner):
            yield from _flush(lines)
            comment = inner.lstrip().startswith("<!--")
            in_comment = comment and "-->" not in inner
            in_html = not comment
            before_blank = True
            continue
        before_blank = False
        lines.append(inner)
    yield from _flush(lines)


def _flush(lines: list[str]) -> Iterator[str]:
    block = "\n".join(lines)
    lines.clear()
    if "@" in block:
        # A hostile file may be one endless block: what lies far apart cannot belong together.
        parts = (block[at : at + _MAX_BLOCK] for at in range(0, len(block), _MAX_BLOCK))
        yield from (part for part in parts if "@" in part)


def _unindented(line: str, content_indent: int | None) -> str:
    if not content_indent:
        return line
    lead = len(line) - len(line.lstrip(" "))
    return line[min(lead, content_indent) :]


_CODE_OR_ESCAPE = re.compile(r"\\[!-/:-@\[-`{-~]|(?<!`)(`+)(?!`)")
_TICKS = re.compile("`+")
_LINK_TARGET = re.compile(r"\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)")
_TAG = re.compile(r"</?[A-Za-z][^<>\n]*>")
_RUN = re.compile(r"\*+|_+|~~")
_TABLE_ROW = re.compile(r"\s*\|.*\|?\s*$")


def _inline(block: str) -> str:
    """The block's text with code and link targets replaced by `_SKIP`, and borders of stretches by `_EDGE`."""
    text = _without_code(block)
    text = _LINK_TARGET.sub(_EDGE, text)
    text = _TAG.sub(_EDGE, _without_comments(text))
    text = re.sub(r"(?<=[\s\x1f])\[|^\[", _EDGE, text)
    if any(_TABLE_ROW.match(line) and line.count("|") > 1 for line in block.split("\n")):
        text = text.replace("|", _EDGE)
    return _without_emphasis(text)


def _without_code(text: str) -> str:
    """Code spans and escaped characters (but `\\ ` in a path stays) as `_SKIP`."""
    done: list[str] = []
    ticks: dict[int, list[int]] = {}  # by the length of a run of backticks: where such runs begin
    for run in _TICKS.finditer(text):
        ticks.setdefault(run.end() - run.start(), []).append(run.start())
    at = 0
    while match := _CODE_OR_ESCAPE.search(text, at):
        done.append(text[at : match.start()])
        at = match.end()
        if match[1]:
            length = len(match[1])
            closing = ticks.get(length, [])
            after = bisect_left(closing, at)
            if after == len(closing):
                done.append(match[1])
                continue
            at = closing[after] + length
        done.append(_SKIP)
    return "".join(done) + text[at:]


def _without_comments(text: str) -> str:
    done, at = [], 0
    while (start := text.find("<!--", at)) != -1 and (end := text.find("-->", start)) != -1:
        done += [text[at:start], _EDGE]
        at = end + 3
    return "".join(done) + text[at:]


def _without_emphasis(text: str) -> str:
    """Marks that open or close emphasis as `_EDGE`, by the flanking rules of CommonMark."""
    opened: dict[str, list[int]] = {}
    borders: list[tuple[int, int]] = []
    runs = list(_RUN.finditer(text))
    for number, run in enumerate(runs):
        before = text[run.start() - 1 : run.start()] or " "
        after = text[run.end() : run.end() + 1] or " "
        opens = not after.isspace() and (_is_word(after) or not _is_word(before))
        closes = not before.isspace() and (_is_word(before) or not _is_word(after))
        mark = run[0][0]
        if mark == "_":  # inside of a word an underscore is a letter
            opens, closes = opens and not _is_word(before), closes and not _is_word(after)
        if closes and opened.get(mark):
            start = runs[opened[mark].pop()]
            borders += [start.span(), run.span()]
        elif opens:
            opened.setdefault(mark, []).append(number)
    done, at = [], 0
    for start_at, end_at in sorted(borders):
        done += [text[at:start_at], _EDGE]
        at = end_at
    return "".join(done) + text[at:]


def _is_word(character: str) -> bool:
    return character.isalnum()
