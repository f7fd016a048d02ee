"""TOML under limits."""

from __future__ import annotations

import pytest

from promptscope_engine.formats.toml import TomlError, read_toml


def test_a_text_is_read_behind_its_byte_order_mark() -> None:
    assert read_toml("\ufeffa = 1\n", 10) == {"a": 1}


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("a = 1\nb = \n", "this is no TOML: Invalid value", 2),
        ("a = 1\n" * 40, "240 characters are too many to be parsed here (at most 220)", 1),
        ("a = " + "[" * 150 + "]" * 40, "this is no TOML: ", 1),
        (".".join("a" * 60) + " = {" + ".".join("b" * 38) + ".c.d.e.f.g = 1}", "it is nested more than", 1),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, message: str, line: int) -> None:
    with pytest.raises(TomlError) as error:
        read_toml(text, 220)
    assert error.value.message.startswith(message)
    assert error.value.line in (line, None)
