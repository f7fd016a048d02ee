"""JavaScript's notions of text, where an agent written in it sees text otherwise than Python does."""

from __future__ import annotations

JS_SPACE = "\t\n\x0b\x0c\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
r"""The inside of a regular-expression class that matches what `\s` matches in JavaScript: Python's own has
U+0085 and U+001C..U+001F on top and lacks U+FEFF (ECMA-262, WhiteSpace and LineTerminator)."""

_JS_SPACES = JS_SPACE.replace("\u2000-\u200a", "".join(map(chr, range(0x2000, 0x200B))))


def js_trim(text: str) -> str:
    """`text` without the white space that `String.prototype.trim` takes off both ends."""
    return text.strip(_JS_SPACES)
