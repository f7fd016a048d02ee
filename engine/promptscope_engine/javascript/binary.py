"""Whether a file is binary, judged by its first bytes as the agent's library does (npm `isbinaryfile` 5)."""

import re

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
