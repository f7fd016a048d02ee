"""How the arguments of a command are taken apart (recorded with 2.1.332)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.agents.claude_code.gather.shell_words import shell_words


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("one  two\tthree", ["one", "two", "three"]),
        ("\"a b\" 'c d'e f\\ g", ["a b", "c de", "f g"]),
        ("x it's b", ["x", "it's b"]),
        ("a don't b can't c", ["a", "dont b cant", "c"]),
        ('say "x y" and "z', ["say", "x y", "and", '"z']),
        ('"a\\"b" c', ['a\\"b', "c"]),
        ("fix #12 and #13", ["fix"]),
        ("#1 y", ["#1", "y"]),
        ("a#x y", ["a#x", "y"]),
        ("a; b", ["a"]),
        ("a\nb c", ["a"]),
        ("a && b", ["a"]),
        ("a && b > c", ["a", "&&", "b", ">", "c"]),
        ("a >b c", ["a"]),
        ("a 2>x b", ["a"]),
        (">a b", ["b"]),
        ("a b (c d) e", ["a", "b", "e"]),
        ("a b(c) d", ["a", "d"]),
        ("(a b) c", ["a", "b"]),
        ("if x then y", ["x", "then", "y"]),
        ("done", ["done"]),
        ("a=1 b", ["b"]),
        ("a=1", ["a=1"]),
        ("a = b", ["a", "b"]),
        ("export x y", ["export"]),
        ("[x] y", ["y"]),
        ("$X a $Y b$Z", ["$X", "a", "b$Z"]),
        ("a $(x y) b", ["a"]),
        ("a$(x)b c", ["a$(x)b", "c"]),
        ("a `x` b", ["a"]),
        ("`x` y", ["x` y"]),
        ("a \\\n b \\", ["a", "b"]),
        ("\"\" x ''", ["", "x", ""]),
        ("! a", ["a"]),
        ("", []),
    ],
)
def test_words_are_those_of_the_first_command(arguments: str, words: list[str]) -> None:
    assert shell_words(arguments) == words


@given(st.text(alphabet="a=1 \t\n'\"\\$(){}[]`<>&|;#!é", max_size=60))
def test_any_arguments_have_words(arguments: str) -> None:
    assert bool(shell_words(arguments)) is bool(arguments.split())


@pytest.mark.parametrize("piece", ["${", "$(", '"\\', "'", "`", "[ ", "a ${", "(a ", "a `", "a=("])
def test_no_arguments_take_long(piece: str) -> None:
    assert shell_words(piece * 20_000) is not None
