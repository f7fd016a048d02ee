"""Whether a file is binary, as npm's `isbinaryfile` 5.0.4 judged the same bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.javascript.binary import is_binary


@pytest.mark.parametrize(
    ("content", "binary"),
    [
        (b"", False),
        (b"text\n", False),
        (b"a\0b", True),
        (b"%PDF-1.7 text", True),
        (b"\xef\xbb\xbf\0", False),
        (b"\xff\xfea\0b\0", False),
        (b"\x84\x31\x95\x33\0", False),
        ("é€😀".encode() * 9, False),
        (b"caf\xe9", True),
        (b"a" * 100 + b"\xe9", False),
        # The last byte that continues a character, and the first that does not.
        (b"\xc3\xbf" * 20, False),
        (b"\xc3\xc0" * 20, True),
        (b"a" * 600 + b"\0", False),
        # Each byte that begins no character counts: 22 in 202 are more than a tenth.
        (b"a" * 180 + b"\x80\x80" * 11, True),
        (b"g" * 180 + b"\x80\x80" * 11, True),
        (b"g" * 180 + b"\x80g" * 11, False),
        # A byte that begins a character takes the next one along, also if that is none.
        (b"g" * 180 + b"\xc3\xc3" * 11, False),
        (b"g" * 180 + b"\xe2gg" * 11, False),
        (b"g" * 179 + b"\x80" * 20, True),
        (b"g" * 180 + b"\x80" * 20, False),
        (b"\x01" + b"a" * 8, True),
        # A few control characters in what reads as protobuf: field 1, a text of 44 bytes.
        (b"\x0a\x2c" + b"a" * 40 + b"\x01\x02\x03\x04", True),
        (b"\x0b\x2c" + b"a" * 40 + b"\x01\x02\x03\x04", False),
    ],
)
def test_bytes(content: bytes, binary: bool) -> None:
    assert is_binary(content) is binary


@given(st.binary(max_size=600))
def test_any_bytes_can_be_judged(content: bytes) -> None:
    assert is_binary(content) in (True, False)


@given(st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=100))
def test_whole_texts_are_text(text: str) -> None:
    # A byte order mark of GB 18030 or UTF-16 cannot begin a text in UTF-8; "%PDF-" could.
    assert is_binary(text.encode()) is text.startswith("%PDF-")
