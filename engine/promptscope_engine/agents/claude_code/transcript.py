"""A recorded transcript (`~/.claude/projects/*/*.jsonl`): how full the window was by turn (specs/claude-code.md 7).

The text is given; lines that are no JSON objects or no messages of the main conversation are counted and skipped. Where
an answer reports its usage, the fill is what it reports; messages after it are estimated.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from promptscope_engine.model import Json

Count = Callable[[str], int]
Role = Literal["user", "assistant", "compaction"]

IMAGE_TOKENS = 1_600
"""Tokens of an image at the usual size; the transcript holds its bytes only."""
_CHARS_PER_TOKEN = 4


def estimate(text: str) -> int:
    """The agent's own fallback: four characters a token."""
    return -(-len(text) // _CHARS_PER_TOKEN)


@dataclass(frozen=True, slots=True)
class Turn:
    """One message: its estimate, the tokens in the window after it, and what an answer `reported` as its usage."""

    line: int
    role: Role
    tokens: int
    fill: int
    reported: int | None = None


@dataclass(frozen=True, slots=True)
class Transcript:
    """The turns, and how many lines did not parse (`broken`) or are no messages (`other`)."""

    turns: tuple[Turn, ...]
    broken: int = 0
    other: int = 0

    @property
    def messages(self) -> int:
        """Estimated tokens of the conversation since the last compaction."""
        last = max((i for i, turn in enumerate(self.turns) if turn.role == "compaction"), default=0)
        return sum(turn.tokens for turn in self.turns[last:])

    @property
    def fill(self) -> int:
        """Tokens in the window at the end."""
        return self.turns[-1].fill if self.turns else 0

    def compacts_at(self, threshold: int | None) -> Turn | None:
        """The first turn whose fill reaches the threshold; None if none does or nothing ever compacts."""
        if threshold is None:
            return None
        return next((turn for turn in self.turns if turn.fill >= threshold), None)


def read_transcript(text: str, base: int = 0, count: Count = estimate) -> Transcript:
    """The transcript of a session whose prompt takes `base` tokens before the first message."""
    turns: list[Turn] = []
    broken = other = 0
    fill = base
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        entry = _entry(line)
        if entry is None:
            broken += 1
            continue
        if entry.get("type") == "system" and entry.get("subtype") == "compact_boundary":
            fill = base
            turns.append(Turn(number, "compaction", 0, fill))
            continue
        message = entry.get("message")
        role = entry.get("type")
        if role not in ("user", "assistant") or not isinstance(message, dict) or entry.get("isSidechain") is True:
            other += 1
            continue
        tokens = sum(_tokens(part, count) for part in _parts(message.get("content")))
        reported = _usage(message.get("usage")) if role == "assistant" else None
        fill = reported if reported is not None else fill + tokens
        turns.append(Turn(number, "assistant" if role == "assistant" else "user", tokens, fill, reported))
    return Transcript(tuple(turns), broken, other)


def _entry(line: str) -> dict[str, Json] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _parts(content: Json) -> Iterator[str | None]:
    """The texts of a message; None stands for an image."""
    if isinstance(content, str):
        yield content
    for block in content if isinstance(content, list) else ():
        if not isinstance(block, dict):
            continue
        match block.get("type"):
            case "text" | "thinking":
                yield str(block.get("text") or block.get("thinking") or "")
            case "image" | "document":
                yield None
            case "tool_use":
                yield json.dumps(block.get("input"))
            case "tool_result":
                yield from _parts(block.get("content"))


def _tokens(part: str | None, count: Count) -> int:
    return IMAGE_TOKENS if part is None else count(part)


_USED = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")


def _usage(usage: Json) -> int | None:
    """What the window held with the answer: input, written to and read from the cache, and output."""
    if not isinstance(usage, dict):
        return None
    values: Iterable[Json] = (usage.get(key) for key in _USED)
    numbers = [value for value in values if isinstance(value, int) and not isinstance(value, bool) and value >= 0]
    return sum(numbers) or None
