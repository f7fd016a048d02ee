"""Glob patterns as the agents' JavaScript libraries have them: braces written out, and paths that a pattern names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby

from msgspec import Struct

MAX_EXPANSIONS = 256

MAX_PATTERN_CHARS = 4_096
"""No path is longer: a longer pattern names none, and its braces stay as they are."""

_CHOICE = r"\{([^{}]*,[^{}]*|-?\d{1,9}\.\.-?\d{1,9}(?:\.\.-?\d{1,9})?|[a-zA-Z]\.\.[a-zA-Z](?:\.\.-?\d{1,9})?)\}"
_SIGN = re.compile(r"(?:(?<![^/])\*\*/)+|\*+|\?|[^*?]+")  # `**/` once is enough

STAR = "*"
"""Among the expressions of a pattern: any characters of one name."""

FOLDERS = "(?:[^/]*/)*?"
"""Any number of folders; before it the path begins or a slash stands."""

_ANYTHING = ".*?"


class Group(Struct, frozen=True):
    """A stretch of a pattern without `**`: what leads to it, and the expressions between its stars."""

    lead: str
    parts: tuple[str, ...]

    @classmethod
    def of(cls, lead: str, atoms: Iterable[str]) -> Group:
        """From the expressions of single signs, STAR among them."""
        parts = [""]
        for are_stars, run in groupby(atoms, lambda atom: atom == STAR):
            if are_stars:  # two of them are one
                parts.append("")
            else:
                parts[-1] += "".join(run)
        return cls(lead, tuple(parts))

    def followed_by(self, text: str) -> Group:
        """With an expression at its end."""
        return Group(self.lead, (*self.parts[:-1], self.parts[-1] + text))


def expression(groups: Sequence[Group], end: str) -> str:
    """A regular expression in which what has matched is never tried again: the time is that of one walk.

    Behind a star, what comes earliest leaves the most room for the rest, and so does a stretch behind `**`. Only
    what is last is looked for from the end.
    """
    written = []
    for number, group in enumerate(groups, 1):
        last = number == len(groups)
        first, *rest = group.parts
        closing = [f"[^/]*{rest.pop()}"] if last and rest else []
        text = "".join([group.lead, first, *(f"(?>[^/]*?{part})" for part in rest), *closing])
        written.append(text if last or not group.lead else f"(?>{text})")
    return "".join(written) + end


def split_outside_braces(text: str) -> Iterator[str]:
    """The parts between commas that are outside of braces, without the white space around them."""
    depth = start = 0
    for at, character in enumerate(text):
        if character == "{":
            depth += 1
        elif character == "}":
            depth -= 1  # below none: no comma behind it counts
        elif character == "," and not depth:
            yield text[start:at].strip()
            start = at + 1
    yield text[start:].strip()


def expand_braces(pattern: str, most: int = MAX_EXPANSIONS) -> list[str]:
    """`{src,lib}/*.{ts,tsx}` as four patterns, the first `most` of them; `{1..3}` as three."""
    if len(pattern) > MAX_PATTERN_CHARS:
        return [pattern]
    done: list[str] = []
    pending = [pattern]
    while pending and len(done) < most:
        current = pending.pop()
        found = re.search(_CHOICE, current)
        if found is None:
            done.append(current)
            continue
        before, after = current[: found.start()], current[found.end() :]
        options = found[1].split(",") if "," in found[1] else _series(found[1], most)
        # No more of the options than could be taken, the first one on top.
        pending += [before + option + after for option in reversed(options[:most])]
    return done


def _series(text: str, most: int) -> list[str]:
    """`1..3` or `a..e..2`: both ends count, downwards too, and zeros in front give all numbers their width."""
    first, last, *step = text.split("..")
    is_letters = first.isalpha()
    low, high = (ord(first), ord(last)) if is_letters else (int(first), int(last))
    way = 1 if low <= high else -1
    numbers = range(low, high + way, way * max(abs(int(step[0])) if step else 1, 1))[:most]
    if is_letters:
        return [chr(number) for number in numbers]
    padded = any(re.match("-?0\\d", end) for end in (first, last))
    width = max(len(first), len(last)) if padded else 0
    return [f"{number:0{width}d}" for number in numbers]


def is_pattern(text: str) -> bool:
    """Whether a part of a path is anything but a name."""
    return any(sign in text for sign in "*?{[")


def glob_matches(pattern: str, path: str) -> bool:
    """Whether a path is one that the pattern names; `*` and `?` stay within a folder, `**` does not."""
    expressions = map(_expression, expand_braces(pattern))
    return any(found is not None and found.match(path) for found in expressions)


def stars_match(pattern: str, name: str) -> bool:
    """Whether a name fits a pattern in which only `*` is special."""
    if "*" not in pattern:
        return name == pattern
    first, *middle, last = pattern.split("*")
    if len(name) < len(first) + len(last) or not name.startswith(first) or not name.endswith(last):
        return False
    at, end = len(first), len(name) - len(last)
    for span in middle:
        found = name.find(span, at, end)
        if found < 0:
            return False
        at = found + len(span)
    return True


@lru_cache(maxsize=2048)
def _expression(pattern: str) -> re.Pattern[str] | None:
    if len(pattern) > MAX_PATTERN_CHARS:
        return None
    groups: list[Group] = []
    lead = ""
    atoms: list[str] = []
    for sign in _SIGN.findall(pattern):
        if sign[:3] == "**/" or sign == "**":
            groups.append(Group.of(lead, atoms))
            lead, atoms = FOLDERS if sign[2:] else _ANYTHING, []
        else:
            atoms.append(STAR if sign[0] == "*" else "[^/]" if sign == "?" else re.escape(sign))
    groups.append(Group.of(lead, atoms))
    return re.compile(expression(groups, r"\Z"), re.DOTALL)
