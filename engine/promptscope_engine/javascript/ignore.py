"""Patterns of gitignore files, as git and npm's `ignore` take them, matched without going back and forth.

The two differ: npm's `ignore` (5.3 and 7.0 alike) knows no negated set and no `[:alpha:]`, and takes no notice of case.
The lines are strangers', and so are the paths: a regular expression that tries every way to share a name out among
twenty stars would never end. Here each part is taken where it first fits, which decides the same.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import groupby
from typing import Literal

from msgspec import Struct

from .glob import FOLDERS, MAX_PATTERN_CHARS, STAR, Group, expression
from .text import JS_WHITESPACE

Library = Literal["git", "npm"]
"""Whose reading: that of git and of what follows it closely (ripgrep), or that of npm's `ignore`."""

MAX_PATTERNS = 5_000
"""Lines of one file that count; the longest lists in use have under two thousand."""

MAX_CHARS = 256 * 1024
"""Characters of all of one file's patterns."""

MAX_LINES = 100_000
"""Lines of one file that are looked at, blank ones and comments too. Callers split no further than that."""


Reach = Literal["itself", "inside", "tree"]
"""What a pattern is about: what it names, only what is in there (`a/**`), or that and all folders in it (`a/**/`)."""


class _Pattern(Struct, frozen=True):
    groups: tuple[Group, ...]
    """What is between the `**`; none for a pattern that is nothing else."""
    hides: bool
    folders_only: bool
    reach: Reach

    def expression(self, *, within: bool) -> str:
        """The expression for what the pattern names itself, or also for all that is `within`.

        A folder's path ends in a slash.
        """
        ends = _WITHIN if within else _ITSELF
        if not self.groups:
            return ends["all"][self.folders_only]
        return expression(self.groups, ends[self.reach][self.folders_only])


_ITSELF = {
    "all": (".", r".*/\Z"),
    "itself": (r"/?\Z", r"/\Z"),
    "inside": ("/[^/]", r"/[^/].*/\Z"),
    "tree": (r"/(?:.*/)?\Z", r"/(?:.*/)?\Z"),
}
_WITHIN = {
    "all": (".", ".*/"),
    "itself": (r"(?:/|\Z)", "/"),
    "inside": ("/[^/]", "/[^/].*/"),
    "tree": (r"(?:/|\Z)", "/"),
}
"""How an expression ends, by the pattern's reach ("all": a pattern of nothing but `**`): of any path, of folders."""


class IgnorePatterns(Struct, frozen=True, dict=True):
    """The patterns of one file, in order. Paths are relative to its folder; those of folders end in a slash."""

    patterns: tuple[_Pattern, ...]
    ignore_case: bool = False

    def decide(self, path: str) -> bool | None:
        """Whether the last pattern that names `path` itself hides it; None where none does."""
        for hides, named in self._runs:
            if named.match(path):
                return hides
        return None

    def hides(self, path: str) -> bool:
        """Whether `path` or a folder above it is hidden: nothing in a hidden folder is let in again."""
        if self._all_hide:
            return bool(self.patterns) and self._held.match(path) is not None
        parts = path.removesuffix("/").split("/")
        folders = ("/".join(parts[:depth]) + "/" for depth in range(1, len(parts)))
        return any(self.decide(folder) for folder in folders) or bool(self.decide(path))

    def hidden_among(self, paths: Sequence[str], start: int) -> list[int]:
        """The indices of the paths that are hidden, where each counts from its character `start` on."""
        if self._all_hide:
            match = self._held.match
            return [n for n, path in enumerate(paths) if match(path, start)] if self.patterns else []
        return [n for n, path in enumerate(paths) if self.hides(path[start:])]

    @cached_property
    def _all_hide(self) -> bool:
        return all(pattern.hides for pattern in self.patterns)

    @cached_property
    def _held(self) -> re.Pattern[str]:
        return self._any(pattern.expression(within=True) for pattern in self.patterns)

    @cached_property
    def _runs(self) -> tuple[tuple[bool, re.Pattern[str]], ...]:
        """Neighbours that decide alike as one expression, the last ones first."""
        runs = groupby(reversed(self.patterns), lambda pattern: pattern.hides)
        return tuple((hides, self._any(pattern.expression(within=False) for pattern in run)) for hides, run in runs)

    def _any(self, expressions: Iterable[str]) -> re.Pattern[str]:
        flags = re.DOTALL | (re.IGNORECASE if self.ignore_case else re.NOFLAG)
        return re.compile("|".join(dict.fromkeys(expressions)), flags)


def within_limits(lines: Iterable[str]) -> tuple[list[str], str | None]:
    """The lines that are read as patterns, and what is left out of a file that holds too many."""
    kept: list[str] = []
    chars = too_long = 0
    for number, line in enumerate(lines):
        pattern = line if line.endswith("\\ ") else line.rstrip()
        if not pattern or pattern.startswith("#"):
            continue
        if number >= MAX_LINES:
            return kept, f"only its first {MAX_LINES:,} lines are read"
        if len(pattern) > MAX_PATTERN_CHARS:
            too_long += 1
            continue
        chars += len(pattern)
        if len(kept) >= MAX_PATTERNS or chars > MAX_CHARS:
            limits = f"{MAX_PATTERNS:,} patterns of {MAX_CHARS:,} characters in all"
            return kept, f"only its first {len(kept):,} patterns are used: the limit is {limits}"
        kept.append(pattern)
    if too_long:
        return kept, f"{too_long:,} of its patterns are not used: they are longer than {MAX_PATTERN_CHARS:,} characters"
    return kept, None


def read_patterns(lines: Iterable[str], library: Library = "npm") -> IgnorePatterns:
    """The patterns of lines, without comments, blank ones and what cannot be read as a pattern."""
    found = (_read(line, library) for line in lines)
    return IgnorePatterns(tuple(pattern for pattern in found if pattern is not None), library == "npm")


def _read(line: str, library: Library) -> _Pattern | None:
    if line.startswith("#") or len(line) > MAX_PATTERN_CHARS:
        return None
    text = _without_blanks(line.removeprefix("!"))
    if library == "npm" and text.endswith("\\*"):
        text = text[:-2] + "*"  # a star at the end is one, escaped or not
    *segments, last = text.split("/")
    folders_only = last == ""
    segments = _from_the_root(segments if folders_only else [*segments, last], library)
    if not segments:
        return None
    reach: Reach = "inside" if segments[-1] == "**" else "itself"
    if library == "npm" and folders_only and reach == "inside":
        reach = "tree"
    try:
        groups = _groups(segments, library)
    except ValueError:
        return None
    return _Pattern(groups, not line.startswith("!"), folders_only, reach)


def _from_the_root(segments: list[str], library: Library) -> list[str]:
    """The names from the root on; those of a single name begin with `**`. Empty if the pattern names nothing."""
    anchored = len(segments) > 1
    if anchored and segments[0] == "":
        segments = segments[1:]
    if not segments or "" in segments:
        return []
    if not anchored:
        segments = ["**", *segments]
    if library == "npm" and segments[:2] == ["**", "**"]:
        segments[1] = "*"  # behind the first one it is a name like any other
    return segments


def _groups(segments: list[str], library: Library) -> tuple[Group, ...]:
    """The names between the `**`. Raises ValueError for one that cannot be read."""
    groups: list[Group] = []
    lead = ""
    for is_folders, run in groupby(segments, lambda segment: segment == "**"):
        if is_folders:
            lead = FOLDERS
            continue
        atoms: list[str] = []
        for segment in run:
            atoms += ["/"] if atoms else []
            atoms += ["[^/]", STAR] if segment == "*" else _atoms(segment, library)
        if groups:
            groups[-1] = groups[-1].followed_by("/")
        groups.append(Group.of(lead, atoms))
    return tuple(groups)


def _without_blanks(text: str) -> str:
    """Without white space at the end; behind a backslash one blank of it stays."""
    kept = text.rstrip(JS_WHITESPACE)
    if kept == text or (len(kept) - len(kept.rstrip("\\"))) % 2 == 0:
        return kept
    return kept[:-1] + " "


def _atoms(segment: str, library: Library) -> Iterator[str]:
    """The signs of one name as expressions. Raises ValueError for a set or an escape that does not end."""
    at = 0
    while at < len(segment):
        sign = segment[at]
        at += 1
        if sign == "*":
            yield STAR
        elif sign == "?":
            yield "[^/]"
        elif sign == "[":
            text, at = _set(segment, at) if library == "git" else _npm_set(segment, at)
            yield text
        elif sign == "\\":
            if at == len(segment):
                raise ValueError("nothing is escaped")
            yield re.escape(segment[at]) if library == "git" else _npm_escape(segment[at])
            at += 1
        else:
            yield re.escape(sign)


def _set(segment: str, at: int) -> tuple[str, int]:
    """The set `[…]` that begins before `at`, and the place behind it; it never holds a slash."""
    inverse = segment[at : at + 1] in ("!", "^")
    at += inverse
    parts: list[str] = []
    first = at
    while segment[at : at + 1] != "]" or at == first:
        low, at = _member(segment, at)
        if segment[at : at + 1] == "-" and segment[at + 1 : at + 2] != "]":
            high, at = _member(segment, at + 1)
            if high < low:
                raise ValueError("a range that runs backwards")
            parts.append(f"{re.escape(low)}-{re.escape(high)}")
        else:
            parts.append(re.escape(low))
    return f"(?!/)[{'^' if inverse else ''}{''.join(parts)}]", at + 1


def _member(segment: str, at: int) -> tuple[str, int]:
    at += segment[at : at + 1] == "\\"
    if at >= len(segment):
        raise ValueError("a set that does not end")
    return segment[at], at + 1


# --- npm's `ignore`: a line becomes a JavaScript expression, so what is not handled here keeps its meaning -----------

_KINDS = {"d": "0-9", "w": "A-Za-z0-9_", "s": re.escape(JS_WHITESPACE)}
_CONTROLS = dict(zip("tnvfr0", "\t\n\v\f\r\0", strict=True))
_RANGE = "([0-z])-([0-z])"
_MEMBER = r"(?s)(\\?.)(?:-(\\?.))?"


def _npm_escape(sign: str) -> str:
    r"""What a backslash makes of a sign: `\d` is a digit. Raises ValueError for what matches no name."""
    if sign in "?bB":
        raise ValueError("no name is like this")
    if sign.lower() in _KINDS:
        return f"(?!/)[{'^' if sign.isupper() else ''}{_KINDS[sign.lower()]}]"
    return re.escape(_CONTROLS.get(sign, sign))


def _npm_set(segment: str, at: int) -> tuple[str, int]:
    """The set that begins before `at`: it ends at the first `]`, and `!` and `^` are members like any other."""
    end = segment.find("]", at)
    body = segment[at:end]
    if end < 0 or (len(body) - len(body.rstrip("\\"))) % 2 or "*" in body or "?" in body:
        raise ValueError("a set that matches nothing")
    body = re.sub(_RANGE, lambda found: found[0] if found[1] <= found[2] else "", body)
    parts: list[str] = []
    for low, high in re.findall(_MEMBER, body):
        first, last = _npm_member(low), _npm_member(high)
        if not high or low[1:] in _KINDS or high[1:] in _KINDS:
            parts += [first, "\\-", last] if high else [first]
        elif ord(first[-1]) > ord(last[-1]):
            raise ValueError("a range that runs backwards")
        else:
            parts.append(f"{first}-{last}")
    if not parts:
        raise ValueError("a set of nothing")
    return f"(?!/)[{''.join(parts)}]", end + 1


def _npm_member(written: str) -> str:
    """A member of a set as it is in an expression."""
    sign = written[-1:]
    if written == sign:
        return re.escape(sign)
    return _KINDS.get(sign) or re.escape(_CONTROLS.get(sign, sign))
