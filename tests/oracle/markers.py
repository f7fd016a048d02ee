"""The marks by which our own words are found: `ZQ`, the trait's number, letters, and perhaps `n` and a line."""

from __future__ import annotations

import re

MARK = re.compile(r"ZQ(\d\d)([a-z]+?)(?:n(\d+))?(?![a-z0-9])")
OWN_NAME = re.compile(r"(?<=[A-Za-z])\d\d[A-Za-z]{1,2}(?![A-Za-z0-9])")
"""What a name of ours ends with: the trait's number and letters."""

_OWNER = re.compile(r"(?<!\d)(\d\d)([a-z]{1,2})(?![a-z0-9])")
_STEM = re.compile(r"ZQ\d\d[a-z]+?(?=n\d|$)")


def stem_in(text: str) -> str | None:
    """The first mark's stem, without its line."""
    found = MARK.search(text)
    return f"ZQ{found[1]}{found[2]}" if found else None


def owner_in(text: str) -> tuple[int, str] | None:
    """(Number of the trait, stem) that a mark or a name of ours belongs to."""
    found = MARK.search(text) or _OWNER.search(text)
    return (int(found[1]), f"ZQ{found[1]}{found[2]}") if found else None


def split(mark: str) -> tuple[str, str]:
    """A mark's stem and its lines: `ZQ00an1..84` gives (`ZQ00a`, `n1..84`)."""
    found = _STEM.match(mark)
    assert found is not None, mark
    return found[0], mark[found.end() :]


def in_runs(marks: list[list[str]]) -> list[list[str]]:
    """Consecutive numbered marks of one place as a range: `ZQ00an1..84`."""
    runs: list[tuple[str, str, int, int] | tuple[str, str, None, None]] = []
    for place, mark in marks:
        found = MARK.fullmatch(mark)
        if found is None or not found[3] or len(found[3]) != 4:
            runs.append((place, mark, None, None))
            continue
        stem, line = f"ZQ{found[1]}{found[2]}", int(found[3])
        last = runs[-1] if runs else None
        if last is not None and last[:2] == (place, stem) and last[3] == line - 1:
            runs[-1] = (place, stem, last[2] or line, line)
        else:
            runs.append((place, stem, line, line))
    return [[place, mark if end is None else f"{mark}n{start}..{end}"] for place, mark, start, end in runs]
