"""Arguments of a command in their places."""

from __future__ import annotations

import re

import pytest

from promptscope_engine.agents.kit.text.arguments import Places

FROM_ONE = Places(re.compile(r"()\$(?:(\d)|ARGUMENTS)"), "\n\n", first=1, takes_rest=True)
FROM_ZERO = Places(re.compile(r"(\\)?\$(?:ARGUMENTS\[(\d)\]|ARGUMENTS|(\d))"), ": ")


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
def test_the_highest_number_takes_the_rest(text: str, arguments: str, expected: str) -> None:
    assert FROM_ONE.filled(text, arguments) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$0-$1", "a b-c"),
        ("$ARGUMENTS[1]", "c"),
        ("$ARGUMENTS", '"a b" c d'),
        (r"\$0 $9", "$0 "),
        ("go", 'go: "a b" c d'),
    ],
)
def test_each_number_is_one_word(text: str, expected: str) -> None:
    assert FROM_ZERO.filled(text, '"a b" c d') == expected
