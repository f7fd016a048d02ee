"""Bytes as text, and white space, as Rust has them."""

from __future__ import annotations

_SPACES = "".join(map(chr, range(0x2000, 0x200B)))
WHITE_SPACE = f"\t\n\x0b\x0c\r \x85\xa0\u1680{_SPACES}\u2028\u2029\u202f\u205f\u3000"
"""What Rust trims: unlike Python's, without the separators U+001C to U+001F."""


def trimmed(text: str) -> str:
    return text.strip(WHITE_SPACE)


def is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def is_blank(text: str) -> bool:
    return not trimmed(text)


def single_line(text: str) -> str:
    """Runs of white space as one blank, none at the ends."""
    for sign in WHITE_SPACE:
        text = text.replace(sign, " ")
    return " ".join(filter(None, text.split(" ")))
