r"""JavaScript's regular expressions as trees: `new RegExp(pattern)` without flags, with Annex B's leniency.

Python's `re` refuses much that JavaScript takes (a lone `{`, `[^]`, `\d-x` in a class) and takes some that it does
not (`(?P<x>…)`, `(?i)`, `a++`), so the grammar is walked here. Without flags a pattern is one of UTF-16 units.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Literal, TypeAlias

from msgspec import Struct

from .text import JS_WHITESPACE, utf16_units

_QUANTIFIER = re.compile(r"([*+?])\??|\{([0-9]+)(?:(,)([0-9]*))?\}\??")
_GROUP = re.compile(r"\?(?:[:=!]|<[=!]|<([A-Za-z_$][\w$]*)>|[ims]*(?:-[ims]*)?:)|(?!\?)")
_ESCAPE = re.compile(r"\\(?:c[A-Za-z]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|.)", re.DOTALL)
_OCTAL = re.compile(r"\\([0-3][0-7]{0,2}|[4-7][0-7]?)")
_NUMBERED = re.compile(r"\\([1-9][0-9]*)")
_CAPTURE = re.compile(r"\\.|\[(?:\\.|[^\]\\])*|(\((?:(?!\?)|\?<(?![=!])))", re.DOTALL)  # not in a class, nor escaped
_MAX_NESTING = 1_000

Ranges: TypeAlias = tuple[tuple[int, int], ...]
"""The first and the last unit of each stretch."""

_CONTROL = {"n": 10, "t": 9, "r": 13, "v": 11, "f": 12, "b": 8}


class RegexpError(ValueError):
    """JavaScript would not compile the pattern."""


class Chars(Struct, frozen=True):
    """One unit of a set."""

    ranges: Ranges


class Sequence(Struct, frozen=True):
    """One after the other; none of them: the empty text."""

    items: tuple[Node, ...]


class Choice(Struct, frozen=True):
    """One of several."""

    options: tuple[Node, ...]


class Repeat(Struct, frozen=True):
    """`item` at least `low` times, and at most `high` times; None: any number."""

    item: Node
    low: int
    high: int | None


class Edge(Struct, frozen=True):
    """A place: the `start` or the `end` of the text, or between a word and something else.

    With `wanted` False, any other place.
    """

    kind: Literal["start", "end", "word"]
    wanted: bool = True


class Look(Struct, frozen=True):
    """A place before, or behind, which `body` matches; with `wanted` False: does not match."""

    body: Node
    behind: bool
    wanted: bool


class Unfollowed(Struct, frozen=True):
    """What is taken as JavaScript takes it, and cannot be told without going back and forth: `what` names it."""

    what: str


Node: TypeAlias = "Chars | Sequence | Choice | Repeat | Edge | Look | Unfollowed"


def compiles(pattern: str) -> bool:
    """Whether JavaScript accepts the pattern."""
    try:
        parse(pattern)
    except RegexpError:
        return False
    return True


def parse(pattern: str) -> Node:
    """The pattern as a tree. Raises RegexpError where JavaScript raises a SyntaxError."""
    return _Parser(utf16_units(pattern)).parsed()


@dataclass(eq=False, repr=False)
class _Open:
    """A group that has not ended yet."""

    head: str
    options: list[Node] = field(default_factory=list)
    items: list[Node] = field(default_factory=list)

    def alternative(self) -> None:
        self.options.append(self.items[0] if len(self.items) == 1 else Sequence(tuple(self.items)))
        self.items = []

    def closed(self) -> Node:
        self.alternative()
        body = self.options[0] if len(self.options) == 1 else Choice(tuple(self.options))
        match self.head:
            case "?=" | "?!":
                return Look(body, behind=False, wanted=self.head == "?=")
            case "?<=" | "?<!":
                return Look(body, behind=True, wanted=self.head == "?<=")
            case "" | "?:":
                return body
            case head if head.startswith("?<"):
                return body
        return Unfollowed(f"flags of a group, ({self.head}")

    @property
    def repeatable(self) -> bool:
        """Whether a quantifier may follow the group's end: not that of a look-behind."""
        return not self.head.startswith(("?<=", "?<!"))


@cache
def _plain(char: str) -> Chars:
    """What a character stands for by itself."""
    return Chars(_ANY_IN_LINE if char == "." else _one(ord(char)))


def _close_last(groups: list[_Open]) -> bool:
    """Put the last group into the one around it. Whether it may be repeated."""
    if len(groups) == 1:
        raise RegexpError("a group that does not begin")
    group = groups.pop()
    groups[-1].items.append(group.closed())
    return group.repeatable


class _Parser:
    """One walk over a pattern."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.names: set[str] = set()
        self.names_are_used = False

    def parsed(self) -> Node:
        groups = [_Open("")]
        repeatable = False
        at = 0
        while at < len(self.pattern):
            items = groups[-1].items
            match self.pattern[at]:
                case "(":
                    group, at = self._opened(at, len(groups) - 1)
                    groups.append(group)
                    repeatable = False
                case ")":
                    at, repeatable = at + 1, _close_last(groups)
                case "|":
                    groups[-1].alternative()
                    at, repeatable = at + 1, False
                case "^" | "$" as sign:
                    items.append(Edge("start" if sign == "^" else "end"))
                    at, repeatable = at + 1, False
                case "[":
                    chars, at = self._class(at)
                    items.append(chars)
                    repeatable = True
                case "\\":
                    node, at = self._escape(at)
                    items.append(node)
                    repeatable = not isinstance(node, Edge)
                case char:
                    end = self._quantified(items, at, repeatable=repeatable) if char in "*+?{" else None
                    if end is None:
                        items.append(_plain(char))
                    at, repeatable = end or at + 1, end is None
        if len(groups) > 1 or not self._references_exist():
            raise RegexpError("a group that does not end, or one that is not there")
        whole = groups[0].closed()
        return Unfollowed("a backreference") if self.names and self.names_are_used else whole

    def _opened(self, at: int, nesting: int) -> tuple[_Open, int]:
        """The group that begins at a place, and the place behind its head."""
        head = _GROUP.match(self.pattern, at + 1)
        if head is None or nesting > _MAX_NESTING or not self._named(head[1]):
            raise RegexpError("a group that is none")
        return _Open(head[0]), head.end()

    def _quantified(self, items: list[Node], at: int, *, repeatable: bool) -> int | None:
        """Let the quantifier at a place repeat the last item: the place behind it. None if there is no quantifier."""
        quantifier = _QUANTIFIER.match(self.pattern, at)
        if quantifier is None:
            return None
        if not repeatable or not _in_order(quantifier):
            raise RegexpError("a quantifier of nothing")
        items.append(_repeated(items.pop(), quantifier))
        return quantifier.end()

    def _named(self, name: str | None) -> bool:
        if name is None:
            return True
        known = len(self.names)
        self.names.add(name)
        return len(self.names) > known

    def _references_exist(self) -> bool:
        r"""With a named group in the pattern, every \k must name one; without, it is a plain k."""
        if not self.names:
            return True
        parts = re.sub(r"\\[^k]", "", self.pattern)
        return all((name := re.match(r"<([^>]*)>", rest)) and name[1] in self.names for rest in parts.split("\\k")[1:])

    # --- what begins with a backslash ---------------------------------------------------------------------------

    def _escape(self, at: int) -> tuple[Node, int]:
        """The escape at a place outside of a class, and the place behind it."""
        following = self.pattern[at + 1 : at + 2]
        if following in ("b", "B"):
            return Edge("word", wanted=following == "b"), at + 2
        if following == "k":
            self.names_are_used = True
        numbered = _NUMBERED.match(self.pattern, at)
        if numbered and _number(numbered[1]) <= self._captures:  # one that no group has is octal
            return Unfollowed("a backreference"), numbered.end()
        ranges, end = self._units(at)
        return Chars(ranges), end

    @cached_property
    def _captures(self) -> int:
        """How many groups have a number."""
        return sum(map(bool, _CAPTURE.findall(self.pattern)))

    def _units(self, at: int, *, in_class: bool = False) -> tuple[Ranges, int]:
        """The units that the escape at a place stands for, and the place behind it."""
        escape = _ESCAPE.match(self.pattern, at)
        if escape is None:
            raise RegexpError("nothing is escaped")
        letter, rest = escape[0][1], escape[0][2:]
        if letter in _SETS:
            return _SETS[letter], escape.end()
        if letter in "xu" and rest:
            return _one(int(rest, 16)), escape.end()
        if letter == "c":
            following = self.pattern[at + 2 : at + 3]
            if rest or (in_class and re.match(r"[0-9_]", following)):
                return _one(ord(following) % 32), at + 3
            return _one(ord("\\")), at + 1  # the backslash is itself, and so is the c
        if octal := _OCTAL.match(self.pattern, at):
            return _one(int(octal[1], 8)), octal.end()
        return _one(_CONTROL.get(letter, ord(letter))), escape.end()

    # --- classes ------------------------------------------------------------------------------------------------

    def _class(self, start: int) -> tuple[Chars, int]:
        """The class that begins at a place, and the place behind it."""
        inverse = self.pattern.startswith("[^", start)
        at = start + (2 if inverse else 1)
        found: list[tuple[int, int]] = []
        first: int | None = None  # the unit that a dash before `at` would make a range of
        in_range = False
        while at < len(self.pattern):
            if self.pattern[at] == "]":
                if in_range:
                    found.append(_DASH)
                return Chars(_inverse(found) if inverse else tuple(found)), at + 1
            if self.pattern[at] == "-" and first is not None and not in_range:
                in_range, at = True, at + 1
                continue
            ranges, at = self._class_atom(at)
            low, _ = ranges[0]
            code = low if ranges == _one(low) else None
            if in_range and first is not None and code is not None:
                if code < first:
                    raise RegexpError("a range that runs backwards")
                found.append((first, code))
            else:
                found += (*ranges, _DASH) if in_range else ranges
            first, in_range = (None, False) if in_range else (code, False)
        raise RegexpError("a class that does not end")

    def _class_atom(self, at: int) -> tuple[Ranges, int]:
        if self.pattern[at] != "\\":
            return _one(ord(self.pattern[at])), at + 1
        return self._units(at, in_class=True)


# --- sets of units -------------------------------------------------------------------------------------------------


def _one(code: int) -> Ranges:
    return ((code, code),)


def _inverse(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """All other units."""
    found, following = [], 0
    for low, high in sorted(ranges):
        if following < low:
            found.append((following, low - 1))
        following = max(following, high + 1)
    return (*found, (following, sys.maxunicode))


def _of(chars: str) -> Ranges:
    return tuple((ord(char), ord(char)) for char in chars)


_DASH = (ord("-"), ord("-"))
_DIGITS = (ord("0"), ord("9"))
WORD_CHARS = (_DIGITS, (ord("A"), ord("Z")), (ord("a"), ord("z")), (ord("_"), ord("_")))
"""What `\\w` matches."""

_SPACES = _of(JS_WHITESPACE)
_SETS: dict[str, Ranges] = {
    "d": (_DIGITS,), "D": _inverse([_DIGITS]), "w": WORD_CHARS, "W": _inverse(WORD_CHARS),
    "s": _SPACES, "S": _inverse(_SPACES),
}  # fmt: skip
_ANY_IN_LINE = _inverse(_of("\n\r\u2028\u2029"))


# --- quantifiers ---------------------------------------------------------------------------------------------------


def _in_order(quantifier: re.Match[str]) -> bool:
    _, low, _, high = quantifier.groups()
    return not high or not low or (len(low.lstrip("0")), low.lstrip("0")) <= (len(high.lstrip("0")), high.lstrip("0"))


def _repeated(item: Node, quantifier: re.Match[str]) -> Node:
    sign, low, comma, high = quantifier.groups()
    if sign:
        return Repeat(item, 1 if sign == "+" else 0, 1 if sign == "?" else None)
    least = _number(low)
    return Repeat(item, least, (_number(high) if high else None) if comma else least)


def _number(digits: str) -> int:
    """A number as written; thousands of digits are no other than very many."""
    return int(min(float(digits), 1e9))
