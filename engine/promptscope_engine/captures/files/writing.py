"""A capture as JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields

from promptscope_engine.captures.model import Answer, Capture, End, Fidelity, Header, Recorded, Usage
from promptscope_engine.formats.document import Json


def as_lines(capture: Capture) -> Iterator[bytes]:
    """Each line with its line break, in UTF-8."""
    records: tuple[Header | Recorded | End, ...] = (capture.header, *capture.requests, capture.end)
    for record in records:
        yield _line(plain(record))


def plain(record: Header | Recorded | End) -> dict[str, Json]:
    """A record as JSON values; `type` and `schema` come first."""
    values = {each.name: _plain(getattr(record, each.name)) for each in fields(record)}
    first = [key for key in ("type", "schema") if key in values]
    return {key: values[key] for key in (*first, *values)}


def _plain(value: object) -> Json:
    if isinstance(value, (Fidelity, Answer, Usage)):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    return list(value) if isinstance(value, tuple) else value


def _line(values: dict[str, Json]) -> bytes:
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":")) + "\n"
    try:
        return text.encode()
    except UnicodeEncodeError:  # half a surrogate pair, which JSON can name and UTF-8 cannot hold
        return (json.dumps(values, separators=(",", ":")) + "\n").encode()
