"""Learned wording as JSON, under limits: the capture it was learned from may be a stranger's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, TypeGuard, get_args

from .model import Hole, LearnedVersion, Wording

FORMAT = "promptscope.learned.v1"
MAX_BYTES = 16 * 1024 * 1024
"""Of a file: a version of an agent has some hundred kilobytes of prose in all its variants."""
MAX_WORDINGS = 20_000
MAX_TEXT = 400_000
"""Characters of one wording."""

_HOLES = frozenset(get_args(Hole))


class LearnedError(Exception):
    """A file that holds no learned wording; the message says why."""


def as_bytes(version: LearnedVersion) -> bytes:
    """The file of a version. Raises LearnedError for more than one may hold."""
    if len(version.wordings) > MAX_WORDINGS:
        raise LearnedError(f"more than {MAX_WORDINGS:,} wordings of {version.agent} {version.agent_version}")
    plain = {
        "format": FORMAT,
        "agent": version.agent,
        "agent_version": version.agent_version,
        "learned": version.learned,
        "wordings": [
            {"part": each.part, "variant": each.variant, "ids": list(each.ids), "text": list(each.text)}
            for each in version.wordings
        ],
    }
    data = json.dumps(plain, ensure_ascii=True, indent=1).encode("ascii")
    if len(data) > MAX_BYTES:
        raise LearnedError(
            f"the wording of {version.agent} {version.agent_version} takes more than {MAX_BYTES:,} bytes"
        )
    return data


def from_bytes(data: bytes) -> LearnedVersion:
    """A version from its file; wordings of another shape are left out. Raises LearnedError."""
    if len(data) > MAX_BYTES:
        raise LearnedError(f"it is larger than {MAX_BYTES:,} bytes")
    try:
        plain = json.loads(data)
    except (ValueError, RecursionError):
        raise LearnedError("it is no JSON") from None
    if not isinstance(plain, dict) or plain.get("format") != FORMAT:
        raise LearnedError(f"it is no {FORMAT}")
    agent, version, learned = (plain.get(key) for key in ("agent", "agent_version", "learned"))
    if not (isinstance(agent, str) and isinstance(version, str)):
        raise LearnedError("it names no agent and version")
    wordings = tuple(_wordings(plain.get("wordings")))
    return LearnedVersion(agent, version, wordings, learned if isinstance(learned, str) else "")


def _wordings(value: Any) -> Iterator[Wording]:
    for each in value[:MAX_WORDINGS] if isinstance(value, list) else ():
        if not isinstance(each, dict):
            continue
        part, variant, ids, text = (each.get(key) for key in ("part", "variant", "ids", "text"))
        if isinstance(part, str) and isinstance(variant, str) and _texts(ids) and _is_text(text):
            yield Wording(part, variant, tuple(ids), tuple(text))


def _texts(value: Any) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _is_text(value: Any) -> TypeGuard[list[str]]:
    if not (_texts(value) and len(value) % 2 == 1):
        return False
    return _HOLES.issuperset(value[1::2]) and sum(map(len, value)) <= MAX_TEXT
