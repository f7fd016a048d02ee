"""Blocks of a prediction and of a capture put side by side, with what nobody can predict taken out."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from msgspec import Struct

from promptscope_engine.captures.exchange import MASK, Masker
from promptscope_engine.captures.model import Content
from promptscope_engine.prompt.model import Channel

MARK = "\x1a"
"""Stands for a stretch that differs from run to run."""

_MAX_PAIRS = 40_000
"""Pairs of blocks that are all compared; with more, blocks are paired by order."""

_UNPREDICTABLE = re.compile(
    r"""
    \b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b
  | \b(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b
  | \b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?
  | \b\d\d?:\d\d(?::\d\d)?(?:\ ?[AP]M)?\b
    """,
    re.VERBOSE,
)
"""Uuids, hashes, clocks."""


class Unpredictable:
    """Takes out uuids, hashes, clocks, keys, and the folders of a run: each side has its own.

    `changing` are lines with values that differ from run to run: their stretches, and whether each is such a value.
    `versions` are the predicted one of the agent and the captured one, where these differ: of either is said the same.
    """

    def __init__(
        self,
        folders: Iterable[str | None],
        changing: Iterable[Sequence[tuple[str, bool]]] = (),
        versions: Collection[str] = (),
    ) -> None:
        self._changing = [_Changing(line, versions) for line in changing if any(changes for _, changes in line)]
        names = {name.rstrip("/") for name in folders if name} - {""} | {*versions}
        names |= {re.sub(r"[^A-Za-z0-9]", "-", name) for name in names}  # as a folder's name in ~/.claude/projects
        longest_first = sorted(names, key=lambda name: (-len(name), name))
        own = "|".join([re.escape(MASK), *(rf"{re.escape(name)}(?![\w-])" for name in longest_first)])
        self._own = re.compile(own)

    def as_predicted(self, text: str) -> str:
        """The text with the prediction's values where a line holds some that differ from run to run."""
        if not self._changing:
            return text
        return "\n".join([self._predicted(line) for line in text.split("\n")])

    def _predicted(self, line: str) -> str:
        return next((made for each in self._changing if (made := each.as_predicted(line)) is not None), line)

    def line(self, text: str) -> str:
        """The line with a mark for each such stretch."""
        for changing in self._changing:
            if (masked := changing.with_values(text, None)) is not None:
                text = masked
                break
        masked = _without_keys(text) if len(text) < _LONG else Masker().text(text)
        return _UNPREDICTABLE.sub(MARK, self._own.sub(MARK, masked))


_LONG = 1_000
"""Characters of a line that is rarely seen again."""


@lru_cache(maxsize=10_000)  # both sides have most lines in common, and so has the next comparison
def _without_keys(line: str) -> str:
    return Masker().text(line)


class _Changing:
    """A line with values that differ from run to run."""

    def __init__(self, line: Sequence[tuple[str, bool]], versions: Collection[str] = ()) -> None:
        value = r"""([^\s"'`<>;,]{1,300})"""
        pattern = "".join([value if changes else re.escape(text) for text, changes in line])
        either = "|".join(map(re.escape, versions))
        if either:
            pattern = re.sub(
                "|".join([re.escape(re.escape(each)) for each in versions]), lambda _: f"(?:{either})", pattern
            )
        self._pattern = re.compile(pattern)
        self._samples = [text for text, changes in line if changes]

    def with_values(self, text: str, values: Sequence[str] | None) -> str | None:
        """The line with other values, marks if there are none; None for another line."""
        found = self._pattern.fullmatch(text)
        if found is None:
            return None
        ends = [0, *(at for n in range(1, len(self._samples) + 1) for at in found.span(n)), len(text)]
        rest = [text[first:last] for first, last in zip(ends[::2], ends[1::2], strict=True)]
        put = [MARK] * len(self._samples) if values is None else values
        return "".join([span for pair in zip(rest, [*put, ""], strict=True) for span in pair])

    def as_predicted(self, text: str) -> str | None:
        """The line with the values that the prediction has."""
        return self.with_values(text, self._samples)


class SentLine(Struct, frozen=True):
    """A line of a block: where it is in it, its text, and its text without what is unpredictable.

    `size` is the characters that count: without marks, with the line feed behind it.
    """

    offset: int
    text: str
    masked: str
    size: int


class Block(Struct, frozen=True):
    """A text of a request; `index` counts the blocks of its channel from 0."""

    channel: Channel
    index: int
    lines: tuple[SentLine, ...]

    @property
    def text(self) -> str:
        """The text as it was sent."""
        return "\n".join([line.text for line in self.lines])

    @property
    def masked(self) -> str:
        """The text without what changes from run to run."""
        return "\n".join([line.masked for line in self.lines])

    @property
    def length(self) -> int:
        """Its characters, as they were sent."""
        return self.lines[-1].offset + len(self.lines[-1].text)


def blocks_of(content: Content, unpredictable: Unpredictable) -> dict[Channel, list[Block]]:
    """The texts of a request by channel. What developers say is `system`, wherever it is."""
    system = [block.text for block in content.system]
    said: list[str] = []
    for message in content.messages:
        developer = content.protocol == "responses" and message.role in ("developer", "system")
        (system if developer else said).extend(block.text for block in message.blocks)
    texts: dict[Channel, list[str]] = {"system": system, "messages": said}
    return {
        channel: [Block(channel, n, lines_of(text, unpredictable)) for n, text in enumerate(found)]
        for channel, found in texts.items()
    }


def lines_of(text: str, unpredictable: Unpredictable) -> tuple[SentLine, ...]:
    """The lines of a text; at least one."""
    found: list[SentLine] = []
    offset, last = 0, text.count("\n")
    for number, each in enumerate(text.split("\n")):
        masked = unpredictable.line(each)
        found.append(SentLine(offset, each, masked, len(masked) - masked.count(MARK) + (number < last)))
        offset += len(each) + 1
    return tuple(found)


def paired(ours: Sequence[Block], theirs: Sequence[Block]) -> list[tuple[Block | None, Block | None]]:
    """Blocks side by side in order: those that share most; one that has no counterpart is alone."""
    if len(ours) * len(theirs) > _MAX_PAIRS:
        return _by_order(ours, theirs)
    words = [[Counter(line.masked for line in block.lines if line.masked.strip()) for block in side]
             for side in (ours, theirs)]  # fmt: skip
    best: defaultdict[tuple[int, int], float] = defaultdict(float)
    worth = [[_shared(mine, its) + _alike(ours[i], theirs[j]) for j, its in enumerate(words[1])]
             for i, mine in enumerate(words[0])]  # fmt: skip
    for i in reversed(range(len(ours))):
        for j in reversed(range(len(theirs))):
            best[i, j] = max(best[i + 1, j], best[i, j + 1], best[i + 1, j + 1] + worth[i][j])
    found: list[tuple[Block | None, Block | None]] = []
    i = j = 0
    while i < len(ours) and j < len(theirs):
        if best[i, j] == best[i + 1, j + 1] + worth[i][j]:
            found.append((ours[i], theirs[j]))
            i, j = i + 1, j + 1
        elif best[i, j] == best[i + 1, j]:
            found.append((ours[i], None))
            i += 1
        else:
            found.append((None, theirs[j]))
            j += 1
    return [*found, *((block, None) for block in ours[i:]), *((None, block) for block in theirs[j:])]


def _shared(mine: Counter[str], its: Counter[str]) -> float:
    return float(sum(len(line) * count for line, count in (mine & its).items()))


def _alike(one: Block, other: Block) -> float:
    """Between 0 and 1, by size: decides only where nothing is shared."""
    smaller, larger = sorted((one.length, other.length))
    return smaller / larger if larger else 1.0


def _by_order(ours: Sequence[Block], theirs: Sequence[Block]) -> list[tuple[Block | None, Block | None]]:
    both = min(len(ours), len(theirs))
    alone = [*((block, None) for block in ours[both:]), *((None, block) for block in theirs[both:])]
    return [*zip(ours[:both], theirs[:both], strict=True), *alone]
