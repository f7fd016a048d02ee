"""A recorded conversation: how full the window was, turn by turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, Protocol

from msgspec import Struct
from msgspec.structs import replace

Role = Literal["user", "assistant", "compaction"]

PIECE = 1_000_000
"""Bytes that are read of a transcript at once: between two spans a screen can draw, and the user can leave."""

MAX_BYTES = 512 << 20
"""Bytes of a transcript that are read; what follows is said to be left out."""


HEAD = 4_096
"""Bytes of a file's beginning by which an agent knows its own."""


class Result(Struct, frozen=True):
    """A tool's result: `tokens` and `characters` as they reach the model.

    `whole`: characters before the agent cut it, None if it didn't. `remark`: what the agent's limits do to it;
    `exempt`: why they do nothing to a large one.
    """

    tool: str
    tokens: int
    characters: int
    whole: int | None = None
    remark: str = ""
    exempt: str = ""


class Cached(Struct, frozen=True):
    """What an answer reports of the service's cache: tokens `read` and `written`, and what it has `held` since.

    `written` is None for a service that does not say. `lives`: the seconds that an entry was asked to live, None where
    nobody says.
    """

    read: int
    written: int | None
    held: int
    lives: int | None = None


class Restored(Struct, frozen=True):
    """What a compaction brought back: a `file` or `instructions` by path, a `skill` by name, or what was `said`."""

    kind: Literal["file", "skill", "instructions", "said"]
    name: str
    characters: int


class Flaw(Struct, frozen=True):
    """A line that was not understood, and what is wrong with it."""

    line: int
    message: str


class Turn(Struct, frozen=True):
    """One message. `tokens` is its own size, `fill` what the window holds after it, `reported` what an answer said.

    `text` is how it begins, raw; `calls` the tools it called; `results` how many tool results it brings, which take
    `result_tokens` of its tokens; `returned` are they one by one. `line` is the first of the file's lines that it is
    made of. A compaction's `fill` is what remains. `cached` and `model` are what an answer reports. `reads` are the
    files that its calls asked to read, as they name them; `skills` those that they invoked; `said` the whole text of
    what a person said, where no result came with it. `event` says how a compaction began, and `restored` what is in the
    window again behind it; None where the file doesn't tell.
    """

    line: int
    role: Role
    tokens: int
    fill: int
    reported: int | None = None
    text: str = ""
    calls: tuple[str, ...] = ()
    results: int = 0
    result_tokens: int = 0
    at: str = ""
    returned: tuple[Result, ...] = ()
    cached: Cached | None = None
    model: str = ""
    reads: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    said: str = ""
    event: Literal["", "compact", "auto"] = ""
    restored: tuple[Restored, ...] | None = None


class Transcript(Struct, frozen=True):
    """The turns; how many lines did not parse (`broken`), are no messages (`other`) or were too long to be read.

    `base`: tokens of the prompt before the first message. `left_out`: bytes past the limit that were not read.
    `flaws` are the first of the lines that were not understood. `form` names the kind of file; `version`, `model`
    and `window` (tokens) are what the file says of the agent, the last model and its window, where it does; `attended`
    says whether somebody sat at it. `rewound` turns were taken back by who sat there, and are left out.
    """

    turns: tuple[Turn, ...]
    broken: int = 0
    other: int = 0
    too_long: int = 0
    base: int = 0
    left_out: int = 0
    flaws: tuple[Flaw, ...] = ()
    form: str = ""
    version: str = ""
    model: str = ""
    window: int | None = None
    attended: bool | None = None
    rewound: int = 0

    @property
    def messages(self) -> int:
        """Estimated tokens of the conversation since the last compaction."""
        last = max((i for i, turn in enumerate(self.turns) if turn.role == "compaction"), default=0)
        return sum(turn.tokens for turn in self.turns[last:])

    @property
    def fill(self) -> int:
        """Tokens in the window at the end."""
        return self.turns[-1].fill if self.turns else self.base

    @property
    def peak(self) -> int:
        """The most that the window held."""
        return max((turn.fill for turn in self.turns), default=self.base)

    @property
    def reads(self) -> tuple[str, ...]:
        """The files that it asked to read since the last compaction, in order, each once."""
        last = max((i for i, turn in enumerate(self.turns) if turn.role == "compaction"), default=0)
        return tuple(dict.fromkeys(path for turn in self.turns[last:] for path in turn.reads))

    def compacts_at(self, threshold: int | None) -> Turn | None:
        """The first turn whose fill reaches the threshold; None if none does or nothing ever compacts."""
        if threshold is None:
            return None
        return next((turn for turn in self.turns if turn.fill >= threshold), None)

    def compacted(self, threshold: int | None) -> Transcript:
        """The same with the compactions that the file leaves out.

        After the last answer that reports its usage, when an estimate reaches the threshold, counting restarts from
        the prompt.
        """
        if threshold is None or threshold <= self.base or self.compacts_at(threshold) is None:
            return self
        return replace(self, turns=tuple(_compacted(self.turns, self.base, threshold)))

    def problems(self) -> tuple[str, ...]:
        """What was not understood, not read or taken back, in words."""
        said = (
            (self.broken, "line does not parse", "lines do not parse"),
            (self.too_long, "line is too long and was passed over", "lines are too long and were passed over"),
            (self.rewound, "turn was taken back by a rewind", "turns were taken back by rewinds"),
            (self.left_out, "byte past the limit was not read", "bytes past the limit were not read"),
        )
        return tuple(f"{count:,} {one if count == 1 else many}" for count, one, many in said if count)


def _compacted(turns: tuple[Turn, ...], base: int, threshold: int) -> Iterator[Turn]:
    measured = max(
        (n for n, turn in enumerate(turns) if turn.reported is not None or turn.role == "compaction"), default=-1
    )
    yield from turns[: measured + 1]
    fill = before = turns[measured].fill if measured >= 0 else base
    for turn in turns[measured + 1 :]:
        # The summary that takes the conversation's place is not known, and not counted.
        fill = (base if fill >= threshold else fill) + turn.fill - before
        before = turn.fill
        yield turn if fill == turn.fill else replace(turn, fill=fill)


class TranscriptFile(Struct, frozen=True):
    """A recorded conversation on the disk. `here`: of this workspace; `modified` in seconds of the epoch."""

    path: str
    bytes: int
    modified: float
    here: bool
    group: str = ""
    """What its folder is called."""


LISTED = 1_000
"""Transcripts that are listed."""


def newest_first(found: Iterator[TranscriptFile]) -> tuple[TranscriptFile, ...]:
    """This workspace's, then the others, each group newest first."""
    return tuple(sorted(found, key=lambda each: (not each.here, -each.modified, each.path))[:LISTED])


class TranscriptReader(Protocol):
    """Takes a transcript in spans of any length. `grows`: its file is only ever added to, so it can be followed."""

    @property
    def grows(self) -> bool:
        """Whether the file is only ever added to."""

    def feed(self, span: bytes) -> None:
        """The next span."""

    def transcript(self) -> Transcript:
        """What was read so far; the line under way is not part of it until it ends, or until `close`."""

    def close(self) -> Transcript:
        """What was read so far; a last line without a line break counts too. More may follow."""
