"""What a prompt has more than once, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from promptscope_engine.insight.repeats import MAX_CHARS, Copy, Repeat, paid_twice
from promptscope_engine.prompt.model import Assembly, SourceFile
from promptscope_tui.text.words import number, short_path

MOST = 8
"""Passages that are told."""
_WORDS = 72


def shortened(text: str, most: int = _WORDS) -> str:
    """The beginning of a text, in a line."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def is_in(copy: Copy, file: SourceFile) -> bool:
    """Whether a copy stands in a file."""
    return copy.path is not None and copy.path in (file.path, file.real_path)


def summary(assembly: Assembly, repeats: Sequence[Repeat]) -> Iterator[str]:
    """Lines for the whole prompt: what is paid twice, and what it says again in other words."""
    same = [each for each in repeats if each.kind == "same words"]
    if same:
        many = f"{len(same)} passage{'s' * (len(same) != 1)}"
        yield f"paid twice: {number(paid_twice(repeats))} tok, {many} with the same words"
        yield from _told(assembly, same)
    for each in repeats:
        if each.kind == "other words":
            cost = number(each.tokens)
            yield f"{each.about} is insisted on {len(each.copies)} times in other words, {cost} tok more than once"
            yield f"  {_places(assembly, each)}"
    if sum(section.chars for section in assembly.sections if section.present) > MAX_CHARS:
        yield f"looked for in the first {MAX_CHARS:,} characters only"


def of_files(assembly: Assembly, repeats: Sequence[Repeat]) -> list[str]:
    """Lines for the passages of which a copy stands in a file."""
    found = [each for each in repeats if any(copy.path for copy in each.copies)]
    if not found:
        return []
    return [f"paid twice: {len(found)} passage{'s' * (len(found) != 1)} of files", *_told(assembly, found)]


def _told(assembly: Assembly, repeats: Sequence[Repeat]) -> Iterator[str]:
    for each in repeats[:MOST]:
        yield f"  {number(each.tokens)} tok  {shortened(each.text)}"
        yield f"    {_places(assembly, each)}"
    if len(repeats) > MOST:
        yield f"  … {len(repeats) - MOST} more: promptscope tokens --savings"


def _places(assembly: Assembly, repeat: Repeat) -> str:
    return ", ".join(place(assembly, copy) for copy in repeat.copies)


def place(assembly: Assembly, copy: Copy) -> str:
    """`.roorules:4`, or a section and a line of it, from 1."""
    if copy.path is None:
        return f"{copy.section}:{copy.line + 1}"
    return short_path(copy.path, assembly) + (f":{copy.file_line}" if copy.file_line else "")
