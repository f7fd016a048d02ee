"""Whether JavaScript would compile a pattern: `new RegExp(pattern)` without flags, with Annex B's leniency.

Python's `re` refuses much that JavaScript takes (a lone `{`, `[^]`, `\\d-x` in a class) and takes some that it does
not (`(?P<x>…)`, `(?i)`, `a++`), so the grammar is walked here.
"""

from __future__ import annotations

import re

_QUANTIFIER = re.compile(r"[*+?]\??|\{(\d+)(?:(,)(\d*))?\}\??")
_GROUP = re.compile(r"\?(?:[:=!]|<[=!]|<([A-Za-z_$][\w$]*)>|[ims]*(?:-[ims]*)?:)|(?!\?)")
_ESCAPE = re.compile(r"\\(?:c[A-Za-z]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|.)", re.DOTALL)
_MAX_NESTING = 1_000

# Escapes that stand for a set: a range cannot begin or end with one, and then the dash is a dash.
_CLASS_ESCAPES = frozenset("dDwWsS")
_CONTROL = {"n": 10, "t": 9, "r": 13, "v": 11, "f": 12, "b": 8, "0": 0}


def compiles(pattern: str) -> bool:
    """Whether JavaScript accepts the pattern."""
    return _Pattern(pattern).is_valid()


class _Pattern:
    """One walk over a pattern."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.names: set[str] = set()

    def is_valid(self) -> bool:
        groups: list[bool] = []  # the open groups: whether a quantifier may follow the group's end
        repeatable = False
        at = 0
        while at < len(self.pattern):
            char = self.pattern[at]
            match char:
                case "(":
                    head = _GROUP.match(self.pattern, at + 1)
                    if head is None or len(groups) > _MAX_NESTING or not self._named(head[1]):
                        return False
                    groups.append(not head[0].startswith(("?<=", "?<!")))  # a look-behind cannot be repeated
                    at, repeatable = head.end(), False
                case ")":
                    if not groups:
                        return False
                    at, repeatable = at + 1, groups.pop()
                case "[":
                    end = self._class_end(at)
                    if end is None:
                        return False
                    at, repeatable = end, True
                case "\\":
                    escape = _ESCAPE.match(self.pattern, at)
                    if escape is None:
                        return False
                    at, repeatable = escape.end(), escape[0] not in ("\\b", "\\B")
                case "|" | "^" | "$":
                    at, repeatable = at + 1, False
                case _:
                    quantifier = _QUANTIFIER.match(self.pattern, at)
                    if quantifier is None:
                        at, repeatable = at + 1, True
                        continue
                    if not repeatable or not _in_order(quantifier):
                        return False
                    at, repeatable = quantifier.end(), False
        return not groups and self._references_exist()

    def _named(self, name: str | None) -> bool:
        if name is None:
            return True
        known = len(self.names)
        self.names.add(name)
        return len(self.names) > known

    def _references_exist(self) -> bool:
        """With a named group in the pattern, every \\k must name one; without, it is a plain k."""
        if not self.names:
            return True
        parts = re.sub(r"\\[^k]", "", self.pattern)
        return all((name := re.match(r"<([^>]*)>", rest)) and name[1] in self.names for rest in parts.split("\\k")[1:])

    def _class_end(self, start: int) -> int | None:
        """The place behind a character class; None if it does not end or a range in it is out of order."""
        at = start + (2 if self.pattern.startswith("[^", start) else 1)
        first: int | None = None  # the character that a dash before `at` would make a range of
        in_range = False
        while at < len(self.pattern):
            if self.pattern[at] == "]":
                return at + 1
            if self.pattern[at] == "-" and first is not None and not in_range:
                in_range, at = True, at + 1
                continue
            atom = self._class_atom(at)
            if atom is None:
                return None
            code, at = atom
            if in_range and first is not None and code is not None and code < first:
                return None
            first, in_range = (None, False) if in_range else (code, False)
        return None

    def _class_atom(self, at: int) -> tuple[int | None, int] | None:
        """(code of one character, None for a set; the place behind it); None if the pattern ends within."""
        if self.pattern[at] != "\\":
            return ord(self.pattern[at]), at + 1
        escape = _ESCAPE.match(self.pattern, at)
        if escape is None:
            return None
        letter, rest = escape[0][1], escape[0][2:]
        if letter in _CLASS_ESCAPES:
            return None, escape.end()
        if letter in "xu" and rest:
            return int(rest, 16), escape.end()
        if letter == "c":
            return (ord(rest) % 32 if rest else ord("\\")), escape.end()
        return _CONTROL.get(letter, ord(letter)), escape.end()


def _in_order(quantifier: re.Match[str]) -> bool:
    low, _, high = quantifier.groups()
    return not high or not low or (len(low.lstrip("0")), low.lstrip("0")) <= (len(high.lstrip("0")), high.lstrip("0"))
