"""Where a prompt has the text of each file: a file may be sent by itself and as another one's import, or by two names.

Each copy is paid for.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from .drafts import Span
from .model import Fragment

Pieces = Iterable[tuple[str, Iterable[Fragment | Span]]]
"""The ids of sections, each with its text in pieces."""


class Sending(Struct, frozen=True):
    """A file's text at one place: the section, the path as origins have it, and lines from 1.

    `before` and `behind` are the files whose text is next to it in the section.
    """

    section: str
    path: str
    start: int
    end: int
    texts: tuple[str, ...]
    before: str | None = None
    behind: str | None = None

    @property
    def text(self) -> str:
        """The text without white space around it."""
        return "".join(self.texts).strip()


def sendings(sections: Pieces) -> Iterator[Sending]:
    """Each place where the text of a file is, in the order of the sections; in one section by their first lines.

    A file's lines are one sending as long as they go on, whatever is imported between them.
    """
    for section, pieces in sections:
        found = [piece for piece in pieces if piece.origin.kind == "file" and piece.text]
        if found:
            yield from _in_section(section, found)


def _in_section(section: str, pieces: Sequence[Fragment | Span]) -> Iterator[Sending]:
    runs = [(str(path), [*run]) for path, run in groupby(pieces, key=lambda piece: piece.origin.path)]
    paths = [None, *(path for path, _ in runs), None]
    open_: dict[str, list[tuple[int, Fragment | Span]]] = {}
    for number, (path, run) in enumerate(runs):
        for piece in run:
            last = open_.get(path)
            if last and (piece.origin.start_line or 1) < (last[-1][1].origin.end_line or 1):
                yield _sending(section, path, open_.pop(path), paths)
            open_.setdefault(path, []).append((number, piece))
    for path, taken in open_.items():
        yield _sending(section, path, taken, paths)


def _sending(
    section: str, path: str, taken: Sequence[tuple[int, Fragment | Span]], paths: Sequence[str | None]
) -> Sending:
    """Of numbered pieces; `paths` are those of the runs that the numbers count, one more before and one behind."""
    (first, head), (last, tail) = taken[0], taken[-1]
    texts = tuple([piece.text for _, piece in taken])
    start, end = head.origin.start_line or 1, tail.origin.end_line or 1
    return Sending(section, path, start, end, texts, paths[first], paths[last + 2])
