"""White space as Rust has it, and bytes that are no text."""

from __future__ import annotations

import pytest

from promptscope_engine.agents.codex.gather.settings import is_blank, is_utf8, single_line, trimmed

SPACES = "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000\u2001\u2009\u200a\u2028\u2029\u202f\u205f\u3000"


@pytest.mark.parametrize("sign", SPACES)
def test_what_is_white_space(sign: str) -> None:
    assert is_blank(sign)
    assert trimmed(f"{sign}a{sign}b{sign}") == f"a{sign}b"
    assert single_line(f"{sign}a{sign}{sign}b{sign}") == "a b"


@pytest.mark.parametrize("sign", "\x08\x0e\x1c\x1d\x1e\x1f\u180e\u1fff\u200b\u202a\u205e\u2060\ufeff")
def test_what_is_none_although_others_take_it_for_it(sign: str) -> None:
    assert not is_blank(sign)
    assert trimmed(f"{sign}a") == f"{sign}a"
    assert single_line(f"a{sign}b") == f"a{sign}b"


def test_nothing_is_blank() -> None:
    assert is_blank("")
    assert single_line("") == ""


@pytest.mark.parametrize(("data", "is_text"), [(b"", True), ("ä\0".encode(), True), (b"\xff", False), (b"\xc3", False)])
def test_bytes_that_are_text(data: bytes, is_text: bool) -> None:
    assert is_utf8(data) is is_text
