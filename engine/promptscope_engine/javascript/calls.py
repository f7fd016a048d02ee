"""What a JavaScript or TypeScript module says by literals: calls of a function, and the local files that it imports.

Nothing is evaluated. The text is cut into tokens, so that neither a comment nor a string counts for code; a text whose
brackets or strings do not end is broken.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

MAX_CHARS = 2_000_000
"""A longer text is not looked at."""


class Call(Struct, frozen=True):
    """A call: the text that is its first argument, None if that is no literal, and the sources of the others."""

    text: str | None
    rest: tuple[str, ...]
    line: int


class BrokenError(ValueError):
    """The text does not end what it begins, with the 1-based line where that is found out."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


class _Token(NamedTuple):
    kind: str
    text: str
    at: int


_TOKEN = re.compile(
    r"""
    (?P<space>\s+|//[^\n\r\u2028\u2029]*|/\*.*?\*/|\A\#![^\n]*)
  | (?P<string>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")
  | (?P<word>[\w$\u00a1-\U0010ffff]+)
  | (?P<template>`)
  | (?P<slash>/)
  | (?P<sign>=>|\?\.|\.\.\.|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_REGEX = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/\w*")
_BEFORE_REGEX = re.compile(
    r"(?:[(,=:\[!&|?{};+\-*%~^<>]|=>|\b(?:return|typeof|case|in|of|do|else|void|delete|await|yield))\Z"
)
_PAIRS = {"(": ")", "[": "]", "{": "}"}


def calls_of(text: str, name: str) -> Iterator[Call]:
    """Every call of a plain name: a member of that name (`x.on`) or a declaration is none. Raises BrokenError."""
    tokens = _tokens(text)
    for at, token in enumerate(tokens[:-1]):
        if token.kind != "word" or token.text != name or tokens[at + 1].text != "(":
            continue
        before = tokens[at - 1].text if at else ""
        if before in (".", "?.", "function", "async"):
            continue
        yield _call(text, tokens, at + 1)


def imports_of(text: str) -> list[str]:
    """The local files that a module imports, exports from or requires, as it names them. Raises BrokenError."""
    end = _Token("end", "", len(text))
    tokens = [*_tokens(text), end, end]
    found = []
    for one, two, three in zip(tokens, tokens[1:], tokens[2:], strict=False):
        is_from = one.text in ("from", "import") and two.kind == "string"
        called = one.text in ("import", "require") and two.text == "(" and three.kind == "string"
        path = _value(two.text) if is_from else _value(three.text) if called else None
        if path is not None and path.startswith("."):
            found.append(path)
    return list(dict.fromkeys(found))


def _call(text: str, tokens: Sequence[_Token], opening: int) -> Call:
    """The call whose bracket is the token `opening`."""
    depth, start, arguments = 0, opening + 1, list[list[_Token]]()
    for at in range(opening, len(tokens)):
        sign = tokens[at].text if tokens[at].kind == "sign" else ""
        if sign in _PAIRS:
            depth += 1
        elif sign in _PAIRS.values():
            depth -= 1
        if (sign == "," and depth == 1) or depth == 0:
            if start < at:
                arguments.append(list(tokens[start:at]))
            start = at + 1
        if depth == 0:
            break
    line = text.count("\n", 0, tokens[opening].at) + 1
    first = arguments[0] if arguments else []
    literal = _value(first[0].text) if len(first) == 1 and first[0].kind in ("string", "template") else None
    rest = [text[part[0].at : part[-1].at + len(part[-1].text)] for part in arguments[1:]]
    return Call(literal, tuple(rest), line)


def _value(literal: str) -> str | None:
    """The text of a literal; None of a template with something filled in."""
    inner = literal[1:-1]
    if literal[0] == "`" and re.search(r"(?<!\\)\$\{", inner):
        return None
    return _ESCAPE.sub(lambda found: _character(found[1]), inner)


_ESCAPE = re.compile(r"\\(u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)", re.DOTALL)
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "0": "\0", "\n": ""}


def _character(escape: str) -> str:
    """The character of an escape, which is without its backslash."""
    if len(escape) == 1:
        return _ESCAPED.get(escape, escape)
    number = int(escape[1:].strip("{}"), 16)
    return chr(number) if number <= sys.maxunicode else ""


def _tokens(text: str) -> list[_Token]:
    """The tokens without white space and comments; a template is one, with all that is filled into it."""
    if len(text) > MAX_CHARS:
        raise BrokenError(f"it has more than {MAX_CHARS:,} characters", 1)
    found: list[_Token] = []
    open_brackets: list[tuple[str, int]] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        assert match is not None  # `sign` takes any character
        kind, piece = str(match.lastgroup), match[0]
        if kind == "template":
            piece = text[at : _template_end(text, at)]
        elif kind == "slash":
            kind, piece = _slash(text, at, found)
        elif kind == "sign":
            _bracket(text, piece, at, open_brackets)
        if kind != "space":
            found.append(_Token(kind, piece, at))
        at += len(piece)
    if open_brackets:
        sign, where = open_brackets[-1]
        raise BrokenError(f"`{sign}` does not end", text.count("\n", 0, where) + 1)
    return found


def _bracket(text: str, sign: str, at: int, opened: list[tuple[str, int]]) -> None:
    """Keep account of brackets, and refuse a quotation mark that begins nothing."""
    line = text.count("\n", 0, at) + 1
    if sign in _PAIRS:
        opened.append((sign, at))
    elif sign in _PAIRS.values():
        if not opened or _PAIRS[opened.pop()[0]] != sign:
            raise BrokenError(f"`{sign}` ends nothing", line)
    elif sign in "'\"":
        raise BrokenError("a text does not end", line)


def _slash(text: str, at: int, found: Sequence[_Token]) -> tuple[str, str]:
    """A regular expression where a value may begin, else a sign."""
    if text.startswith("/*", at):
        raise BrokenError("a comment does not end", text.count("\n", 0, at) + 1)
    before = found[-1].text if found else "("
    match = _REGEX.match(text, at) if _BEFORE_REGEX.search(before) else None
    return ("regex", match[0]) if match else ("sign", "/")


_QUOTED = re.compile(r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*\"""")


def _template_end(text: str, at: int) -> int:
    """Behind the end of a template: what is filled in may hold templates of its own."""
    start = at
    inside: list[str] = []  # the templates and brackets that are open
    while at < len(text):
        sign, open_ = text[at], inside[-1] if inside else ""
        if sign == "\\":
            at += 1
        elif sign == "`" and open_ == "`":
            inside.pop()
        elif sign == "`" or (sign == "{" and open_ == "{"):
            inside.append(sign)
        elif open_ == "`" and text.startswith("${", at):
            inside.append("{")
            at += 1
        elif sign == "}" and open_ == "{":
            inside.pop()
        elif open_ == "{" and (closed := _QUOTED.match(text, at)):
            at = closed.end() - 1
        at += 1
        if not inside:
            return at
    raise BrokenError("a template does not end", text.count("\n", 0, start) + 1)
