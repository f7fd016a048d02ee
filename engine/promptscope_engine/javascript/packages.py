"""What npm packages and Node find: the files that a pattern names, what a module exports, whether a file is binary."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice, repeat
from typing import Any

from msgspec import Struct

from promptscope_engine.workspace import Workspace

from . import picomatch
from .glob import expand_braces, is_pattern
from .json import parse_json5
from .text import resolve

MOST = 20_000
"""Entries that are looked at: a search of a whole disk ends here."""


def globbed(workspace: Workspace, folder: str, pattern: str, *, most: int) -> list[str]:
    """The files that a pattern names from a folder on, by name in each folder."""
    steps = repeat(None, MOST)
    paths = (path for each in expand_braces(pattern) for path in _globbed(workspace, folder, each.split("/"), steps))
    return list(dict.fromkeys(islice(paths, most)))


def _globbed(workspace: Workspace, at: str, parts: Sequence[str], steps: Iterator[None]) -> Iterator[str]:
    """One step for each folder or file: `**` goes into folders, and into no links to folders."""
    if next(steps, _SPENT) is _SPENT:
        return
    if not parts:
        yield from [at] if workspace.kind(at) == "file" else []
        return
    head, *rest = parts
    if head == "**":
        yield from _globbed(workspace, at, rest, steps)
        for entry in workspace.list(at).entries:
            if entry.kind == "directory" or not rest:
                below = parts if entry.kind == "directory" else ()
                yield from _globbed(workspace, resolve(at, entry.name), below, steps)
    elif is_pattern(head) or "(" in head:
        for entry in workspace.list(at).entries:
            if picomatch.names(head, entry.name):
                yield from _globbed(workspace, resolve(at, entry.name), rest, steps)
    else:
        yield from _globbed(workspace, resolve(at, head), rest, steps)


_SPENT = object()


_EXPORT = re.compile(r"export\s+(?:default|const\s+([A-Za-z_$][\w$]*)\s*=)\s*(?:\w+\s*\(\s*)?(?=\{)")
_MARK = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|[{}]")
_MOST = 20_000
"""Characters of an export that are looked at."""


class Export(Struct, frozen=True):
    """An object that is exported, perhaps as the argument of a function; `name` is "" for the default one."""

    name: str
    text: str

    def value(self, key: str) -> Any:
        """The text or object under a key; None where it is not literal."""
        found = re.search(rf"\b{key}:\s*(?=([\"'{{]))", self.text)
        if found is None:
            return None
        rest = self.text[found.end() :]
        mark = _MARK.match(rest)
        literal = _braces(rest) if rest[:1] == "{" else mark[0] if mark else ""
        return parse_json5(literal).value if literal else None


def exports(text: str) -> Iterator[Export]:
    """The objects in their order."""
    for match in _EXPORT.finditer(text):
        yield Export(match[1] or "", _braces(text[match.end() : match.end() + _MOST]))


def _braces(text: str) -> str:
    """The text up to the brace that closes the first one; those in texts do not count."""
    depth = 0
    for sign in _MARK.finditer(text):
        depth += {"{": 1, "}": -1}.get(sign[0], 0)
        if depth == 0:
            return text[: sign.end()]
    return text


_LOOKED_AT = 512
_SUSPICIOUS_PERCENT = 10
_TEXT_MARKS = (b"\xef\xbb\xbf", b"\x00\x00\xfe\xff", b"\xff\xfe\x00\x00", b"\x84\x31\x95\x33", b"\xfe\xff", b"\xff\xfe")
"""Byte order marks of UTF-8, UTF-32, GB 18030 and UTF-16: what follows them is text, whatever it is."""

_PART = re.compile(
    rb"""
    (?: [\x07-\x0e\x20-\x7f] | [\xc0-\xdf][\x80-\xbf] | [\xe0-\xef][\x80-\xbf]{2} | [\xf0-\xf7][\x80-\xbf]{3} )++
    | (?P<broken> (?: [\xc0-\xdf](?=.) | [\xe0-\xef](?=..) | [\xf0-\xf7](?=...) | ) . )
    """,
    re.VERBOSE | re.DOTALL,
)
"""Text, or what is none: a broken lead byte takes the byte after it along, unless too little follows it."""

_LENGTH_DELIMITED = 2
"""Protobuf's wire type of texts and messages."""
_FIXED_LENGTHS = {1: 8, 5: 4}
"""The bytes of a protobuf value by its wire type, for the types of a fixed length."""


def is_binary(content: bytes) -> bool:
    """Whether `content` starts as no text would; an empty file is text."""
    head = content[:_LOOKED_AT]
    if not head or head.startswith(_TEXT_MARKS):
        return False
    if head.startswith(b"%PDF-"):
        return True
    suspicious = 0
    for part in _PART.finditer(head):
        if broken := part["broken"]:
            if broken[0] == 0:
                return True
            suspicious += 1
    return suspicious * 100 / len(head) > _SUSPICIOUS_PERCENT or (suspicious > 1 and _is_protobuf(head))


def _is_protobuf(head: bytes) -> bool:
    """Whether the bytes can be read as protobuf fields, of which the last may be cut off."""
    position, any_field = 0, False
    while True:
        key, position = _read_varint(head, position)
        if position > len(head):
            return any_field
        wire_type = key & 7
        if wire_type == 0:
            _, position = _read_varint(head, position)
        elif wire_type == _LENGTH_DELIMITED:
            length, position = _read_varint(head, position)
            position += 0 if length >> 31 else length  # one below zero leads nowhere
        elif wire_type in _FIXED_LENGTHS:
            position += _FIXED_LENGTHS[wire_type]
        else:
            return False
        if position > len(head):
            return any_field
        any_field = True


def _read_varint(head: bytes, position: int) -> tuple[int, int]:
    """The number of 32 bits at `position` and the position behind it, past the end if cut off."""
    number = shift = 0
    while position < len(head):
        byte = head[position]
        position += 1
        # JavaScript shifts 32-bit integers and takes the distance modulo 32.
        number |= (byte & 0x7F) << (shift % 32) & 0xFFFFFFFF
        shift += 7
        if not byte & 0x80:
            return number, position
    return number, len(head) + 1
