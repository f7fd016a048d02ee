"""A text in its bullets and paragraphs, and those that a prompt has more than once, with all their copies."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from msgspec import Struct

MAX_CHARS = 200_000
"""A text that is longer is not divided."""

_BULLET = re.compile(r"(?P<indent>[ \t]*)(?:[-*•]|\d{1,3}[.)])[ \t]+\S")
_ENDS = ("#", "====", "```", "~~~")
"""What ends a bullet where it is not indented below it."""
_FENCE = re.compile(r"[ \t]*(```|~~~)")


class Unit(NamedTuple):
    """A bullet with all that belongs to it, or a paragraph: lines `first` to `last` of a text, from 0."""

    first: int
    last: int
    text: str
    is_bullet: bool


def units(text: str) -> Iterator[Unit]:
    """The bullets and paragraphs of a text in their order. Headings and blocks of code that are alone are none.

    A deeper bullet and what is indented below it belong to the bullet above; a bullet ends at a blank line, unless an
    indented line follows.
    """
    if len(text) > MAX_CHARS:
        return
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        bullet = _BULLET.match(lines[at])
        if _FENCE.match(lines[at]):
            at = _behind_fence(lines, at)
        elif bullet:
            end = _end_of_bullet(lines, at, len(bullet["indent"].expandtabs(4)))
            yield Unit(at, end - 1, "\n".join(lines[at:end]), True)
            at = end
        elif not lines[at].strip() or lines[at].lstrip().startswith(("#", "====", "<", "|")):
            at += 1
        else:
            others = range(at + 1, len(lines))
            ends = (n for n in others if not lines[n].strip() or _BULLET.match(lines[n]) or _FENCE.match(lines[n]))
            end = next(ends, len(lines))
            yield Unit(at, end - 1, "\n".join(lines[at:end]), False)
            at = end


def _behind_fence(lines: list[str], at: int) -> int:
    mark = lines[at].strip()[:3]
    return 1 + next((n for n in range(at + 1, len(lines)) if lines[n].strip().startswith(mark)), len(lines))


def _end_of_bullet(lines: list[str], at: int, indent: int) -> int:
    """Behind the last line of the bullet that begins at `at`."""
    end = at + 1
    while end < len(lines):
        line = lines[end]
        if not line.strip():
            following = next((each for each in lines[end + 1 : end + 3] if each.strip()), "")
            if _indent(following) <= indent or not following:
                break
        elif _indent(line) <= indent and (_BULLET.match(line) or line.lstrip().startswith(_ENDS)):
            break
        end += 1
    return end


def _indent(line: str) -> int:
    expanded = line.expandtabs(4)
    return len(expanded) - len(expanded.lstrip())


Kind = Literal["whole file", "same words", "other words"]


class Copy(Struct, frozen=True):
    """Where a passage is: a section and the line of its text (from 0).

    If it is from a file, also the file and its first and last line there; `inside`: the file in whose text a whole one
    is. `derived`: the agent made it of something else that is in the prompt.
    """

    section: str
    title: str
    line: int
    tokens: int | None
    path: str | None = None
    file_line: int | None = None
    file_end: int | None = None
    inside: str | None = None
    derived: bool = False


class Repeat(Struct, frozen=True):
    """A passage with all its copies, in the order of the prompt. `tokens` is what all but one of them cost."""

    kind: Kind
    text: str
    copies: tuple[Copy, ...]
    tokens: int | None
    about: str = ""

    @property
    def is_own(self) -> bool:
        """Whether a person can change it: a copy is in a file."""
        return any(copy.path for copy in self.copies)


class Shared(Struct, frozen=True):
    """Lines `start` to `end` of a file that the prompt has elsewhere too, the first time at `copy`; 1-based."""

    start: int
    end: int
    copy: Copy
    tokens: int | None


def shared_lines(repeats: Iterable[Repeat]) -> dict[str, tuple[Shared, ...]]:
    """What each file has that the prompt has elsewhere too, in the same words, by the path in its text's origin."""
    found: dict[str, list[Shared]] = {}
    for each in repeats:
        for copy in each.copies if each.kind != "other words" else ():
            if copy.path and copy.file_line and copy.file_end:
                other = next(other for other in each.copies if other is not copy)
                shared = Shared(copy.file_line, copy.file_end, other, copy.tokens)
                found.setdefault(copy.path, []).append(shared)
    return {path: tuple(sorted(lines, key=lambda each: each.start)) for path, lines in found.items()}


def paid_twice(repeats: Sequence[Repeat]) -> int | None:
    """What all further copies cost together; of words that are equal, since the others would have to be rewritten."""
    counts = [each.tokens for each in repeats if each.kind != "other words"]
    return None if None in counts else sum(filter(None, counts))


def but_one(copies: Sequence[Copy]) -> int | None:
    """What all copies but the dearest cost; None while they are not counted."""
    counts = [copy.tokens for copy in copies]
    known = [tokens for tokens in counts if tokens is not None]
    return sum(known) - max(known) if len(known) == len(counts) else None
