"""What a JavaScript or TypeScript module says by literals: calls of a function, and the local files that it imports.

Nothing is evaluated. The text is cut into tokens, so that neither a comment nor a string counts for code; a text whose
brackets or strings do not end is broken.
"""

import re
import sys
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct

MAX_CHARS = 2_000_000
"""A longer text is not looked at."""
MAX_CALLS = 1_000
"""A text with more calls is not looked at: no module that a person wrote has so many."""
_MAX_REGEX = 500
"""Characters of a regular expression; a longer one is taken for signs."""
_MAX_REST = 1_000
"""Characters of an argument's source that are kept."""


class Call(Struct, frozen=True):
    """A call: the text that is its first argument, None if that is no literal, and how the others' sources begin."""

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


class Script(Struct, frozen=True):
    """A text cut into tokens, with the token that closes each bracket, by numbers. Made by `script_of`."""

    text: str
    tokens: Sequence[_Token]
    closing: Mapping[int, int]

    @property
    def code(self) -> str:
        """The text without comments and without what strings hold."""
        return " ".join('""' if token.kind in ("string", "template") else token.text for token in self.tokens)


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
_WRONG = {**{sign: f"`{sign}` ends nothing" for sign in _PAIRS.values()}, **dict.fromkeys("'\"", "a text does not end")}
"""What a sign means where it closes no bracket and begins no text."""


def calls_of(script: Script, *names: str) -> list[Call]:
    """Every call of plain names: a member of such a name (`x.on`) or a declaration is none. Raises BrokenError."""
    tokens, found = script.tokens, list[Call]()
    for at, (token, opening) in enumerate(pairwise(tokens)):
        if token.kind != "word" or token.text not in names or opening.text != "(":
            continue
        before = tokens[at - 1].text if at else ""
        if before not in (".", "?.", "function", "async"):
            found.append(_call(script, at + 1))
        if len(found) > MAX_CALLS:
            raise BrokenError(f"it has more than {MAX_CALLS:,} calls of {token.text}", found[-1].line)
    return found


def imports_of(script: Script) -> list[tuple[str, int]]:
    """What declarations import or export from, as they name it, with the line; types alone are left out."""
    found: dict[str, int] = {}
    start = 0
    for at, (token, source) in enumerate(pairwise(script.tokens)):
        if token.text in ("import", "export"):
            start = at
        if token.text in ("from", "import") and source.kind == "string" and not _is_type(script, start):
            found.setdefault(_value(source.text) or "", _line(script.text, source.at))
    return list(found.items())


def _is_type(script: Script, start: int) -> bool:
    """Whether a declaration brings in types alone, which are gone when it runs."""
    words = [token.text for token in script.tokens[start + 1 : start + 3]]
    return words[:1] == ["type"] and words[1:] not in (["from"], [","])


def imported_names(script: Script) -> frozenset[str]:
    """The names that a module's imports bring in."""
    found: set[str] = set()
    inside: list[str] | None = None
    for token in script.tokens:
        if token.text == "import":
            inside = []
        elif token.text == "from" and inside is not None:
            found.update(inside)
            inside = None
        elif inside is not None and token.kind == "word":
            inside.append(token.text)
    return frozenset(found)


class Declared(NamedTuple):
    """A function that is declared: how its source begins, and its 1-based line."""

    text: str
    line: int


def declared(script: Script, name: str) -> Declared | None:
    """The function that a declaration or a `const` outside of any bracket gives a name."""
    tokens = script.tokens
    at = 0
    while at < len(tokens) - 2:
        token = tokens[at]
        if token.text == "function":
            named = at + 1 + (tokens[at + 1].text == "*")
            if tokens[named].text == name:
                return _declared(script, at - (at > 0 and tokens[at - 1].text == "async"))
        elif token.text == "const" and tokens[at + 1].text == name:
            value = next((n for n in range(at + 2, min(at + 50, len(tokens) - 1)) if tokens[n].text == "="), at)
            if found := _declared(script, value + 1):
                return found if _FUNCTION.match(found.text) else None
        at = script.closing.get(at, at) + 1
    return None


_FUNCTION = re.compile(r"(?:async\b\s*)?(?:function\b|\(|[A-Za-z_$][\w$]*\s*=>)")


def _declared(script: Script, first: int) -> Declared:
    at = script.tokens[first].at
    return Declared(script.text[at : at + _MAX_REST], _line(script.text, at))


def misused(script: Script, name: str) -> int | None:
    """The 1-based line where a function is not called or passed on, but given another name or asked for a member."""
    tokens = script.tokens
    for at, token in enumerate(tokens[:-1]):
        before = tokens[at - 1].text if at else ""
        if token.kind == "word" and token.text == name and before not in (".", "?."):
            after = tokens[at + 1].text
            if after in (".", "?.", "[") or (before == "=" and after != "=>") or before == "...":
                return _line(script.text, token.at)
    return None


def _call(script: Script, opening: int) -> Call:
    """The call whose bracket is the token `opening`."""
    text, tokens = script.text, script.tokens
    end = script.closing[opening]
    arguments: list[tuple[int, int]] = []
    at = start = opening + 1
    while at <= end:
        if at == end or tokens[at].text == ",":
            if start < at:
                arguments.append((start, at - 1))
            start = at + 1
        at = script.closing.get(at, at) + 1
    literal = None
    if arguments:
        first, last = arguments[0]
        while script.closing.get(first) == last and tokens[first].text == "(":
            first, last = first + 1, last - 1
        if first == last and tokens[first].kind in ("string", "template"):
            literal = _value(tokens[first].text)
    rest = []
    for first, last in arguments[1:]:
        begins, ends = tokens[first].at, tokens[last].at + len(tokens[last].text)
        rest.append(text[begins : min(ends, begins + _MAX_REST)])
    return Call(literal, tuple(rest), _line(text, tokens[opening].at))


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


def script_of(text: str) -> Script:
    """A text without white space and comments; a template is one token, with all that is filled into it.

    Raises BrokenError.
    """
    if len(text) > MAX_CHARS:
        raise BrokenError(f"it has more than {MAX_CHARS:,} characters", 1)
    found: list[_Token] = []
    opened: list[int] = []
    closing: dict[int, int] = {}
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        assert match is not None  # `sign` takes any character
        kind, piece = str(match.lastgroup), match[0]
        if kind == "template":
            piece = text[at : _template_end(text, at)]
        elif kind == "slash":
            kind, piece = _slash(text, at, found)
        elif piece in _PAIRS:
            opened.append(len(found))
        elif opened and piece == _PAIRS[found[opened[-1]].text]:
            closing[opened.pop()] = len(found)
        elif piece in _WRONG:
            raise BrokenError(_WRONG[piece], _line(text, at))
        if kind != "space":
            found.append(_Token(kind, piece, at))
        at += len(piece)
    if opened:
        last = found[opened[-1]]
        raise BrokenError(f"`{last.text}` does not end", _line(text, last.at))
    return Script(text, found, closing)


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _slash(text: str, at: int, found: Sequence[_Token]) -> tuple[str, str]:
    """A regular expression where a value may begin, else a sign."""
    if text.startswith("/*", at):
        raise BrokenError("a comment does not end", _line(text, at))
    before = found[-1].text if found else "("
    match = _REGEX.match(text, at, at + _MAX_REGEX) if _BEFORE_REGEX.search(before) else None
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
    raise BrokenError("a template does not end", _line(text, start))
