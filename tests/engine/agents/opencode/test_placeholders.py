"""Placeholders of commands, and files with their lines numbered."""

from __future__ import annotations

import pytest

from promptscope_engine.agents.opencode.gather.request import expanded, numbered


@pytest.mark.parametrize(
    ("text", "arguments", "expected"),
    [
        ("go", "", "go"),
        ("go", "a b", "go\n\na b"),
        ("go $ARGUMENTS", "a b", "go a b"),
        ("$1-$2", "a b c", "a-b c"),
        ("$2", "a", ""),
        ("$1", "'a b' c", "a b c"),
        ("$0", "a", ""),
    ],
)
def test_arguments_in_their_places(text: str, arguments: str, expected: str) -> None:
    assert expanded(text, arguments) == expected


@pytest.mark.parametrize(
    ("start", "most", "end"),
    [
        (1, 9, "(End of file - total 3 lines)"),
        (1, 2, "(Showing lines 1-2 of 3. Use offset=3 to continue.)"),
        (3, 9, "(End of file - total 3 lines)"),
    ],
)
def test_what_ends_the_lines(start: int, most: int, end: str) -> None:
    shown, said = numbered("one\ntwo\nthree\n", start, most, width=100, size=1_000)
    assert shown.startswith(f"{start}: ")
    assert said == end


def test_long_lines_and_large_files_are_cut() -> None:
    shown, _ = numbered("x" * 50, 1, 9, width=10, size=1_000)
    assert shown == f"1: {'x' * 10}... (line truncated to 10 chars)\n"
    assert numbered("x\n" * 999, 1, 999, width=10, size=1_024)[1].startswith("(Output capped at 1 KB")
