"""A predicted request beside the recorded one: which blocks, in which messages, in which order, of which sizes."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Json = Any

TOLERANCE = 0.02
"""Of the size of our own wording; a block that is not all ours is exact but for that."""
_FEW = 3
_MARK = re.compile(r"ZQ([A-Z0-9]+?)(?:n(\d{4,}))?(?![A-Za-z0-9])")
_ROLES = {"model": "assistant"}
_MOST = 0.8
_JOINED = 5_000
"""Characters of a text in which several notes stand together, files of one time among them in any order."""
_SAID = ("ZQSAID",)
"""Marks with a number that only the recorder's stand-in knows."""


@dataclass(frozen=True)
class Block:
    """A text of a message; `own` are the characters of our wording in it."""

    role: str
    chars: int
    marks: tuple[tuple[str, str], ...]
    text: str = ""


Messages = Sequence[Sequence[Block]]


def recorded_blocks(request: Json) -> list[list[Block]]:
    """The messages that a recording has of a request."""
    return [
        [
            Block(_ROLES.get(message["role"], message["role"]), block["chars"], _labels(block.get("marks", {})))
            for block in message["blocks"]
            if block["chars"] or "call" in block or "result" in block
        ]
        for message in request["messages"]
    ]


def predicted_blocks(body: Json) -> list[list[Block]]:
    """The messages of a predicted request, whichever protocol it speaks."""
    found = []
    for item in body.get("messages") or body.get("input") or body.get("contents") or []:
        content = item.get("content", item.get("parts"))
        parts = content if isinstance(content, list) else [content if content is not None else item]
        role = _ROLES.get(item.get("role"), item.get("role")) or item.get("type")
        found.append(
            [Block(role, len(text), marks_of(text), text) for text in map(text_of, parts) if text or len(parts) == 1]
        )
    return [[b for b in message if b.text] for message in found]


def marks_of(text: str) -> tuple[tuple[str, str], ...]:
    """Our marks in a text, as they are compared."""
    return _labels(lines_of(text))


def lines_of(text: str) -> dict[str, str]:
    """Our marks in a text with the range of their lines, as the recorder notes them."""
    seen: dict[str, list[int]] = {}
    for match in _MARK.finditer(text):
        seen.setdefault(f"ZQ{match[1]}", []).append(int(match[2] or 0))
    found = {}
    for name, lines in seen.items():
        each = sorted(set(lines))
        found[name] = f"{each[0]}-{each[-1]}" if len(each) > 1 else f"{each[0]}"
    return found


def _labels(marks: dict[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple((name, "" if name in _SAID else lines.partition(" ")[0]) for name, lines in marks.items())


def system_of(body: Json) -> str:
    """The system text of a body that has one beside its messages."""
    return text_of(body.get("system") or body.get("systemInstruction") or body.get("instructions") or "")


def text_of(value: Json) -> str:
    """The text of a part, whichever protocol it is of."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(map(text_of, value))
    if not isinstance(value, dict):
        return ""
    for key in ("text", "content", "parts", "output", "summary", "arguments"):
        if value.get(key):
            return text_of(value[key])
    response = (value.get("functionResponse") or {}).get("response")
    if response:
        return text_of(list(response.values()))
    given = value.get("input") if value.get("type") == "tool_use" else (value.get("functionCall") or {}).get("args")
    return json.dumps(given) if given else ""


def differences(predicted: Messages, recorded: Messages, known: Known) -> list[str]:
    """What is not as it was recorded, in words."""
    ours, theirs = ([message for message in each if message] for each in (predicted, recorded))
    shape, shown = ([(message[0].role, len(message)) for message in each] for each in (ours, theirs))
    if shape != shown:
        return [f"messages {shape}, recorded {shown}", *_missing(ours, theirs)]
    real = [block for message in theirs for block in message]
    mine = known.in_their_order([block for message in ours for block in message], real)
    found = []
    for number, (one, other) in enumerate(zip(mine, real, strict=True)):
        same = (
            sorted(one.marks) == sorted(other.marks)
            if known.pool and len(one.text) > _JOINED
            else one.marks == other.marks
        )
        if not same:
            found.append(f"block {number}: marks {_show(one)}, recorded {_show(other)}")
        elif not known.fits(one, other.chars):
            found.append(f"block {number}: {known.size(one):,} characters {_show(one)}, recorded {other.chars:,}")
    return found


def _missing(ours: Messages, theirs: Messages) -> list[str]:
    mine, real = ({mark for m in each for b in m for mark in b.marks} for each in (ours, theirs))
    only = {"only predicted": mine - real, "only recorded": real - mine}
    return [f"{words} {sorted(marks)}" for words, marks in only.items() if marks]


def _show(block: Block) -> str:
    return ", ".join(f"{name}:{lines}" for name, lines in block.marks) or repr(block.text[:40])


class Known:
    """How far our wording differs in size from the client's, by the session's first request; files of one time.

    `pool` are the report and the result of each file of which nobody can tell whether, or where, it comes back.
    """

    def __init__(self, predicted: Messages, recorded: Messages, pool: Sequence[tuple[Block, Block]] = ()) -> None:
        self.pool = pool
        self.more: list[tuple[str, set[str], int]] = []
        for one, other in zip(predicted, recorded, strict=False):
            for mine, real in zip(one, other, strict=False):
                if mine.role == real.role and mine.chars != real.chars:
                    own = mine.text.split("\n")
                    self.more.append((own[min(1, len(own) - 1)], set(own), real.chars - mine.chars))

    def size(self, block: Block) -> int:
        """The characters that the client's words would have: a block with most lines of a first one's is as that."""
        lines = set(block.text.split("\n"))
        like = (more for first, own, more in self.more if first in lines and len(own & lines) >= _MOST * len(own))
        return block.chars + sum(like)

    def fits(self, block: Block, chars: int) -> bool:
        """Whether a recorded size is right: exact but for our own wording."""
        own = 0 if block.text.startswith("ZQ") else max(round(block.chars * TOLERANCE), _FEW)
        return abs(self.size(block) - chars) <= own

    def in_their_order(self, ours: Sequence[Block], theirs: Sequence[Block]) -> list[Block]:
        """The blocks with files that changed at one time in the recorded order."""
        found, left = list(ours), list(self.pool)
        texts = {result.text.strip() for _, result in left}
        for at, block in enumerate(ours):
            if block.text.strip() in texts:
                match = next((pair for pair in left if pair[1].marks == theirs[at].marks), None)
                if match is not None:
                    left.remove(match)
                    found[at - 1 : at + 1] = match
        return found
