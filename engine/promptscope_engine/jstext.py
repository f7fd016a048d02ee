"""JavaScript's notions of text, where an agent written in it sees text otherwise than Python does."""

from __future__ import annotations

JS_SPACE = "\t\n\x0b\x0c\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
r"""The inside of a regular-expression class that matches what `\s` matches in JavaScript: Python's own has
U+0085 and U+001C..U+001F on top and lacks U+FEFF (ECMA-262, WhiteSpace and LineTerminator)."""

_JS_SPACES = JS_SPACE.replace("\u2000-\u200a", "".join(map(chr, range(0x2000, 0x200B))))


def js_trim(text: str) -> str:
    """`text` without the white space that `String.prototype.trim` takes off both ends."""
    return text.strip(_JS_SPACES)


def js_trim_end(text: str) -> str:
    """`text` without the white space that `String.prototype.trimEnd` takes off its end."""
    return text.rstrip(_JS_SPACES)


def utf16_len(text: str) -> int:
    """The length of `text` in UTF-16 units, as JavaScript's `length` counts."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def utf16_slice(text: str, start: int, end: int | None = None) -> str:
    """`text.slice(start, end)` in UTF-16 units, negative ones from the end; half a surrogate pair becomes U+FFFD."""
    if text.isascii():
        return text[start:end]
    units = text.encode("utf-16-le", "surrogatepass")
    first, last, _ = slice(start, end).indices(len(units) // 2)
    return units[2 * first : 2 * max(first, last)].decode("utf-16-le", "replace")


def utf16_key(text: str) -> bytes:
    """A key that sorts as JavaScript's default `sort` does: by UTF-16 units."""
    return text.encode("utf-16-be", "surrogatepass")
