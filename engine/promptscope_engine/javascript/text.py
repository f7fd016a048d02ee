"""JavaScript's idea of text, and Node's of paths, where Python's differ.

`str.strip` takes U+0085 and U+001C-001F off and leaves U+FEFF; `trim` does the reverse. `len` counts code points;
JavaScript counts UTF-16 units. Paths are treated by their text alone: nothing is looked up.
"""

import posixpath
import unicodedata

from promptscope_engine.workspace.paths import has_drive, path_in

JS_WHITESPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""What `trim` takes off and `\\s` matches: WhiteSpace and LineTerminator. Fits inside a regex class as it is."""


def js_trim(text: str) -> str:
    """`text.trim()`."""
    return text.strip(JS_WHITESPACE)


def js_trim_end(text: str) -> str:
    """`text.trimEnd()`."""
    return text.rstrip(JS_WHITESPACE)


def utf16_len(text: str) -> int:
    """`text.length`: UTF-16 units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def utf16_slice(text: str, start: int, end: int | None = None) -> str:
    """`text.slice(start, end)` in UTF-16 units; half a surrogate pair becomes one U+FFFD."""
    if text.isascii():
        return text[start:end]
    length = utf16_len(text)
    first, last, _ = slice(start, end).indices(length)
    units = text.encode("utf-16-le", "surrogatepass")[first * 2 : max(first, last) * 2]
    return units.decode("utf-16-le", "replace")


def splits_pair(text: str, at: int) -> bool:
    """Whether a cut before the UTF-16 unit `at` goes through a surrogate pair."""
    around = utf16_slice(text, at - 1, at + 1) if at else ""
    return len(around) == 1 and around > "\uffff"


def well_formed(text: str) -> str:
    """`text.toWellFormed()`: surrogates are put together, lone ones become U+FFFD, as on the way to UTF-8."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def utf16_key(text: str) -> bytes:
    """A key that sorts as JavaScript's default `sort` does: by UTF-16 units."""
    return text.encode("utf-16-be", "surrogatepass")


def utf16_units(text: str) -> str:
    """The text with each UTF-16 unit as a character of its own: surrogates are not put together."""
    if text.isascii():
        return text
    units = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(low | high << 8) for low, high in zip(units[::2], units[1::2], strict=True))


_JOINER = "\u200d"
_EMOJI_SELECTOR = "\ufe0f"


def display_width(text: str) -> int:
    """Columns of a terminal, as the package string-width counts them.

    2 for wide characters and for an emoji with everything joined to it, 0 for marks and control characters.
    """
    if text.isascii():
        return len(text) if text.isprintable() else sum(map(str.isprintable, text))
    columns = joined = 0
    for character in text:
        if character == _JOINER:
            joined = 1
        elif character == _EMOJI_SELECTOR:
            columns += 1
        elif unicodedata.category(character) in ("Mn", "Me", "Cf", "Cc") or "\U0001f3fb" <= character <= "\U0001f3ff":
            continue
        else:
            columns += 0 if joined else 2 if unicodedata.east_asian_width(character) in "WF" else 1
            joined = 0
    return columns


def to_posix(path: str) -> str:
    r"""`path` with slashes for backslashes, as Roo shows one on every platform, escapes included; `\\?\…` stays."""
    path = path if path.startswith("\\\\?\\") else path.replace("\\", "/")
    return path.removeprefix("/") if has_drive(path) else path


def resolve(base: str, path: str) -> str:
    """`path` as an absolute, normalised path; `base` is absolute. A final slash is lost."""
    # POSIX lets two leading slashes mean something else and Python keeps them; Node does not.
    return "/" + path_in(base, path).lstrip("/")


def relative(base: str, path: str) -> str:
    """The way from `base` to `path`, both absolute; the empty text (not `.`) where they are the same."""
    way = posixpath.relpath(resolve("/", path), resolve("/", base))
    return "" if way == "." else way


def join(folder: str, name: str) -> str:
    """`name` below `folder`, normalised, neither need be absolute."""
    return posixpath.normpath(f"{folder}/{name}" if folder else name)
