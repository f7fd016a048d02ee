"""The `@path` tokens of an instruction file (specs/claude-code.md 3.4). Pure: text in, paths out, never an error.

A token is looked for in what Markdown takes for running text: paragraphs, list items, quotes, headings and tables,
but not code, comments, link targets or escaped characters. An emphasis mark ends a stretch of text and begins one.
"""

from __future__ import annotations

import json
import posixpath
import re
from bisect import bisect_left
from collections.abc import Container, Iterator
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


_TOKEN = re.compile(r"(?:^|(?<=[\s\ufeff]))@((?:[^\s\\\ufeff]|\\ )+)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_LIST_ITEM = re.compile(r"( *)(?:[-*+]|\d{1,9}[.)])(\s+|$)")
_QUOTE = re.compile(r" {0,3}> ?")
_DEFINITION = re.compile(r" {0,3}\[([^\[\]\n]+)\]:[ \t]*\S")
_TAGS = """
    address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt
    fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link
    main menu menuitem meta nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead
    title tr track ul
"""
_RAW_HTML = re.compile(r" {0,3}<(script|pre|style|textarea)(?=[\s>]|$)", re.IGNORECASE)
_HTML_BLOCK = re.compile(rf" {{0,3}}</?(?:{'|'.join(_TAGS.split())})(?: |/?>|$)", re.IGNORECASE)
_LONE_TAG = re.compile(r" {0,3}(?:<[a-z][\w-]*(?:\s[^<>]*)?/?>|</[a-z][\w-]*\s*>)\s*$", re.IGNORECASE)
"""A block of HTML too, where no paragraph is open."""
_MARKED_HTML = (
    (re.compile(r" {0,3}<\?"), "?>"),
    (re.compile(r" {0,3}<!\[CDATA\["), "]]>"),
    (re.compile(r" {0,3}<![A-Za-z]"), ">"),
)
_MAX_BLOCK = 64 * 1024
_EDGE = "\x1f"
"""Marks where one stretch of text meets another: a token ends here, and the next may begin right after."""


def import_tokens(text: str) -> list[str]:
    """The paths that a file's text names, in order of appearance, as written but without `#fragment`."""
    found = []
    labels = {found[1].lower() for found in map(_DEFINITION.match, text.split("\n")) if found}
    for block in _blocks(text):
        for stretch in re.split(f"[{_EDGE}]+", _inline(block, labels)):
            for match in _TOKEN.finditer(stretch):
                path = match[1].partition("#")[0].replace("\\ ", " ")
                if path not in ("/", "~/", ".", "./") and _BEGINS.match(path):
                    found.append(path)
    return found


def _blocks(text: str) -> Iterator[str]:
    """The blocks of running text: lines between blank lines, without code, definitions of links, and HTML."""
    lines: list[str] = []
    fence: tuple[str, bool, int] | None = None  # the mark, whether it is in a quote, the indent of its list item
    html = ""  # what closes the HTML that the line is in; "\n" for a blank line
    content_indent: int | None = None  # of the list item that the line may belong to
    before_blank = True
    for raw in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        line = raw
        while quote := _QUOTE.match(line):
            line = line[quote.end() :]
        is_quoted, line = line is not raw, _with_blanks(line)
        stripped = line.strip()
        indent = len(line) - len(line.lstrip(" "))
        if fence is not None:
            mark, was_quoted, depth = fence
            left = (was_quoted and not is_quoted) or (stripped and indent < depth and not is_quoted)
            inner = line[min(indent, depth) :]
            if not left:
                closes = _FENCE.match(inner)
                if closes and not closes[2].strip() and closes[1].startswith(mark):
                    fence = None
                continue
            fence = None
        if html not in ("", "\n"):
            at = line.lower().find(html)
            if at < 0:
                continue
            line, html, before_blank = "" if html.startswith("</") else line[at + len(html) :], "", True
            if html_text := line.strip():
                yield from _flush([html_text])
            continue
        if not stripped:
            yield from _flush(lines)
            before_blank, html = True, ""
            continue
        if html:
            continue
        item = _LIST_ITEM.match(line) if indent < (content_indent or 0) + 4 else None  # deeper ones are code
        if item:
            yield from _flush(lines)
            is_code = len(item[2]) > 4 and stripped != item[0].strip()
            content_indent = item.end() if item[2] and not is_code else item.end() - len(item[2]) + 1
            line, before_blank = line[content_indent:], is_code
        elif content_indent is not None and before_blank and indent < min(content_indent, 2):
            content_indent = None
        inner = line if item else line[min(indent, content_indent or 0) :]
        if (opens := _FENCE.match(inner)) and not ("`" in opens[1] and "`" in opens[2]):
            yield from _flush(lines)
            fence = opens[1], is_quoted, content_indent or 0
            continue
        if before_blank and inner.startswith("    "):
            continue  # indented code: the next line is one too, until a line less deep
        if html := _opening(inner, lines):
            yield from _flush(lines)
            before_blank = True
            at = -1 if html == "\n" else inner.lower().find(html, inner.find("<") + len("<!--") * (html == "-->"))
            if at >= 0:
                rest = "" if html.startswith("</") else inner[at + len(html) :].strip()
                html = ""
                yield from _flush([rest])
            continue
        if not lines and _DEFINITION.match(inner):
            continue
        before_blank = False
        lines.append(inner)
    yield from _flush(lines)


def _with_blanks(line: str) -> str:
    """The line with blanks for the tabs that it begins with."""
    lead = len(line) - len(line.lstrip(" \t"))
    return line[:lead].expandtabs(4) + line[lead:]


def _opening(line: str, paragraph: list[str]) -> str:
    """What closes the block of HTML that a line opens, "\n" for a blank line; "" if it opens none."""
    if line.lstrip(" ")[:1] != "<":
        return ""
    if re.match(" {0,3}<!--", line):
        return "-->"
    if raw := _RAW_HTML.match(line):
        return f"</{raw[1].lower()}>"
    if _HTML_BLOCK.match(line) or (not paragraph and _LONE_TAG.match(line)):
        return "\n"
    return next((end for opens, end in _MARKED_HTML if not paragraph and opens.match(line)), "")


def _flush(lines: list[str]) -> Iterator[str]:
    block = "\n".join(lines).rstrip()
    lines.clear()
    if "@" in block:
        # A hostile file may be one endless block: what lies far apart cannot belong together.
        parts = (block[at : at + _MAX_BLOCK] for at in range(0, len(block), _MAX_BLOCK))
        yield from (part for part in parts if "@" in part)


_CODE_OR_ESCAPE = re.compile(r"\\[!-/:-@\[-`{-~]|(?<!`)(`+)(?!`)")
_TICKS = re.compile("`+")
_LONGEST_LABEL = 1_000
_BRACKETS = re.compile(r"!?\[|\]")
_LINK_TARGET = re.compile(r"\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[([^\[\]\n]*)\]")
_TAG = re.compile(r"</?[A-Za-z][^<>\n]*>|<\?[^\n]*?\?>|<!\[CDATA\[[^\n]*?\]\]>|<![A-Za-z][^>\n]*>")
_RUN = re.compile(r"\*+|_+")


def _inline(block: str, labels: Container[str]) -> str:
    """The block's text, with a border in place of code, escaped characters, link targets, images and tags."""
    text = _without_comments(_without_code(block))
    return _without_emphasis(_without_links(_TAG.sub(_EDGE, text), labels))


def _without_links(text: str, labels: Container[str]) -> str:
    """Borders for the brackets of links and for their targets; nothing of an image is text."""
    done: list[str] = []
    opened: list[tuple[int, int]] = []  # of the brackets that are open: the place in `done`, and behind it in the text
    at = 0
    for bracket in _BRACKETS.finditer(text):
        if bracket.start() < at:
            continue
        done.append(text[at : bracket.start()])
        at = bracket.end()
        if bracket[0] != "]":
            opened.append((len(done), at))
            done.append(bracket[0])
        elif not opened:
            done.append("]")
        else:
            place, start = opened.pop()
            target = _LINK_TARGET.match(text, at)
            name = (target[1] if target else "") or (text[start : at - 1] if at - start < _LONGEST_LABEL else "")
            if not (target and target[1] is None) and name.strip().lower() not in labels:
                done.append("]")
                continue
            if done[place] == "[":
                done[place] = _EDGE
            else:
                del done[place:]
            done.append(_EDGE)
            at = target.end() if target else at
    return "".join(done) + text[at:]


def _without_code(text: str) -> str:
    """Code spans and escaped characters (but `\\ ` in a path stays) as borders."""
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
        done.append(_EDGE)
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
