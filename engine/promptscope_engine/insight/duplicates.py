"""Lines that are in two files of one prompt: duplicated, and likely to drift apart."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from msgspec import Struct

from promptscope_engine.prompt.model import Assembly

LEAST = 25
"""Characters, white space collapsed, from which on an equal line is no coincidence."""


class DuplicateLines(Struct, frozen=True):
    """Lines `start` to `end` of a file that are also in `path`, from `at` on; 1-based, `tokens` of one copy."""

    start: int
    end: int
    path: str
    at: int
    tokens: int | None


def _do_nothing() -> None:
    pass


def find_duplicates(
    assembly: Assembly,
    count: Callable[[str], int | None],
    check_cancelled: Callable[[], None] = _do_nothing,
    only: Collection[str] | None = None,
) -> Mapping[str, tuple[DuplicateLines, ...]]:
    """The duplicate lines of every file in the prompt, by the path in the text's origin; or of these alone.

    Lines are compared with white space collapsed. If several other files have a line, the first one counts.
    `check_cancelled` is called for each of perhaps thousands of files, and may raise to stop.
    """
    return among(_lines(assembly, check_cancelled), count, check_cancelled, only)


def among(
    files: Mapping[str, Mapping[int, str]],
    count: Callable[[str], int | None],
    check_cancelled: Callable[[], None] = _do_nothing,
    only: Collection[str] | None = None,
) -> Mapping[str, tuple[DuplicateLines, ...]]:
    """The same of any texts: of each its lines by their numbers, white space collapsed."""
    first: dict[str, _Place] = {}
    second: dict[str, _Place] = {}  # two files are enough: one of them is another one
    for path, lines in files.items():
        check_cancelled()
        for line, words in lines.items():
            if len(words) >= LEAST and any(map(str.isalpha, words)):  # an equal line is no coincidence
                place = path, line
                file, _ = first.setdefault(words, place)
                if file != path:
                    second.setdefault(words, place)
    duplicates: dict[str, tuple[DuplicateLines, ...]] = {}
    for path in files if only is None else only:
        check_cancelled()
        duplicates[path] = tuple(_of(path, files, [first, second], count))
    return duplicates


_Place = tuple[str, int]
"""A file, and the number of a line in it."""


_Stretches = list[tuple[int, str]]
"""The stretches of one file that are in the prompt, each with the number of its first line."""


def _lines(assembly: Assembly, check_cancelled: Callable[[], None]) -> dict[str, dict[int, str]]:
    """The lines of each file that are in the prompt, white space collapsed, by their numbers."""
    files: dict[str, dict[int, str]] = {}
    for path, texts in _stretches(assembly).items():
        check_cancelled()
        files[path] = lines_in(texts)
    return files


def _stretches(assembly: Assembly) -> dict[str, _Stretches]:
    found: dict[str, _Stretches] = {}
    for section in assembly.sections:
        for fragment in section.fragments if section.present else ():
            origin = fragment.origin
            if origin.kind == "file" and origin.path:
                found.setdefault(origin.path, []).append((origin.start_line or 1, fragment.text))
    return found


def lines_in(texts: _Stretches) -> dict[int, str]:
    """The lines of a file by their numbers, white space collapsed."""
    lines: dict[int, str] = {}
    for start, text in texts:
        for number, line in enumerate(text.split("\n"), start):
            lines.setdefault(number, " ".join(line.split()))
    return lines


def _of(
    path: str,
    files: Mapping[str, Mapping[int, str]],
    places: Sequence[Mapping[str, _Place]],
    count: Callable[[str], int | None],
) -> Iterator[DuplicateLines]:
    lines = files.get(path, {})
    done = 0
    for start in sorted(lines):
        found = (each.get(lines[start]) for each in places)
        other = next((place for place in found if place and place[0] != path), None)
        if other is None or start <= done:
            continue
        theirs, at = files[other[0]], other[1]
        length = 1
        while start + length in lines and lines[start + length] == theirs.get(at + length):
            length += 1
        while not lines[start + length - 1]:
            length -= 1
        done = start + length - 1
        yield DuplicateLines(start, done, other[0], at, count("\n".join(lines[n] for n in range(start, done + 1))))
