"""What a prompt says more than once: passages with all their copies, and what files have of them."""

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

Kind = Literal["same words", "other words"]


class Copy(Struct, frozen=True):
    """Where a passage is: a section and the line of its text (from 0).

    If it is from a file, also the file and its first and last line there.
    """

    section: str
    title: str
    line: int
    tokens: int | None
    path: str | None = None
    file_line: int | None = None
    file_end: int | None = None


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
        for copy in each.copies if each.kind == "same words" else ():
            if copy.path and copy.file_line and copy.file_end:
                other = next(other for other in each.copies if other is not copy)
                shared = Shared(copy.file_line, copy.file_end, other, copy.tokens)
                found.setdefault(copy.path, []).append(shared)
    return {path: tuple(sorted(lines, key=lambda each: each.start)) for path, lines in found.items()}


def paid_twice(repeats: Sequence[Repeat]) -> int | None:
    """What all further copies cost together; of words that are equal, since the others would have to be rewritten."""
    counts = [each.tokens for each in repeats if each.kind == "same words"]
    return None if None in counts else sum(filter(None, counts))
