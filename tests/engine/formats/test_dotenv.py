"""`.env` files. The expected values are those of the npm package dotenv 17."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.formats.dotenv import MAX_LINES, entries


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("A=1\nB = 2\nexport C=3", {"A": "1", "B": "2", "C": "3"}),
        ("\ufeffA=1\r\nB=2\r\n", {"A": "1", "B": "2"}),
        ("A: 1\nB:2\n", {"A": "1"}),
        ("# x\n#A=1\n B=2 # y\n", {"B": "2"}),
        ("A=a#b\nB='a#b' # c\n", {"A": "a", "B": "a#b"}),
        ("A=\"a\\nb\"\nB='a\\nb'\nC=`a 'b'`", {"A": "a\nb", "B": "a\\nb", "C": "a 'b'"}),
        ("A='a\nb'\nB=1", {"A": "a\nb", "B": "1"}),
        ("A='a\nB=1", {"A": "'a", "B": "1"}),
        ("A='a' b\n", {"A": "'a' b"}),
        ("A='it\\'s'\n", {"A": "it\\'s"}),
        ("A='it\\'s # b'\n", {"A": "it\\'s # b"}),
        ("A=1\nA=2\n", {"A": "2"}),
        ("A=\nB=''\n", {"A": "", "B": ""}),
        ("A.B-C=1\nä=1\n=2\nA\n", {"A.B-C": "1"}),
    ],
)
def test_what_a_file_sets(text: str, values: dict[str, str]) -> None:
    assert {entry.name: entry.value for entry in entries(text)} == values


def test_lines_are_those_of_the_file() -> None:
    assert [(entry.name, entry.line) for entry in entries("\nA='\n\n'\nB=1")] == [("A", 2), ("B", 5)]


@given(st.text(alphabet="A=:'\"`#\\ \n\r\tx", max_size=60))
def test_no_text_is_too_odd(text: str) -> None:
    assert all(entry.name for entry in entries(text))


def test_a_long_file_is_read_in_part() -> None:
    assert len(list(entries("A='\n" * 1_000_000))) <= MAX_LINES
