"""Whether a file is binary, judged by its first bytes as the agent's library does (npm `isbinaryfile` 5)."""

_LOOKED_AT = 512
_SUSPICIOUS_PERCENT = 10
_TEXT_MARKS = (b"\xef\xbb\xbf", b"\x00\x00\xfe\xff", b"\xff\xfe\x00\x00", b"\x84\x31\x95\x33", b"\xfe\xff", b"\xff\xfe")
"""Byte order marks of UTF-8, UTF-32, GB 18030 and UTF-16: what follows them is text, whatever it is."""

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
    position = 0
    while position < len(head):
        if head[position] == 0:
            return True
        length = _text_length(head, position)
        if length:
            position += length
            continue
        # A broken lead byte takes the byte after it along, unless too little follows it.
        position += 1 if _sequence_length(head, position) == 1 else 2
        suspicious += 1
    return _too_many(suspicious, head) or (suspicious > 1 and _is_protobuf(head))


def _too_many(suspicious: int, head: bytes) -> bool:
    return suspicious * 100 / len(head) > _SUSPICIOUS_PERCENT


_TEXT_BYTES = frozenset((*range(7, 15), *range(32, 128)))
_FIRST_BYTES = {2: range(0xC0, 0xE0), 3: range(0xE0, 0xF0), 4: range(0xF0, 0xF8)}
"""By the length of a UTF-8 sequence, its first bytes."""
_FOLLOWING_BYTES = range(0x80, 0xC0)
_LENGTH_DELIMITED = 2
"""Protobuf's wire type of texts and messages."""


def _text_length(head: bytes, position: int) -> int:
    """The length of the character at `position`, 0 if there is none."""
    byte = head[position]
    if byte in _TEXT_BYTES:
        return 1
    length = _sequence_length(head, position)
    rest = head[position + 1 : position + length]
    return length if length > 1 and all(part in _FOLLOWING_BYTES for part in rest) else 0


def _sequence_length(head: bytes, position: int) -> int:
    """The length of the UTF-8 sequence that starts at `position`; 1 if it does not fit or is none."""
    byte = head[position]
    length = next((length for length, first in _FIRST_BYTES.items() if byte in first), 1)
    return length if position + length <= len(head) else 1


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
