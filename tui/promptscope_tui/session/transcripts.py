"""Transcripts: which agent wrote one, reading it, following one that is still being written, and its summary."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.agents.features import KeepsTranscripts
from promptscope_engine.agents.registry import OBSERVED, all_agents, load_agent
from promptscope_engine.agents.transcripts import HEAD, MAX_BYTES, PIECE, Transcript, TranscriptReader
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.insight.cache_turns import cache_misses
from promptscope_engine.prompt.model import Assembly, TokenSummary
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.disk import chunks_from
from promptscope_engine.workspace.paths import absolute, to_system
from promptscope_tui.text import words

_SHOWN = 10
"""Lines of a kind that the summary names."""


def keeper_of(agent_id: str) -> KeepsTranscripts | None:
    """The agent, if it keeps transcripts; of an observed one the agent that was observed."""
    name = agent_id.removeprefix(OBSERVED)
    agent = next((each for each in all_agents() if each.id == name), None) or load_agent(agent_id)
    return agent if isinstance(agent, KeepsTranscripts) else None


def keeper(assembly: Assembly) -> KeepsTranscripts:
    """The assembly's agent, if it keeps transcripts. Raises ScenarioError, naming the agents that do."""
    found = keeper_of(assembly.agent)
    if found is not None:
        return found
    others = " or ".join(f"--agent {other.id}" for other in all_agents() if isinstance(other, KeepsTranscripts))
    name = load_agent(assembly.agent).name
    raise ScenarioError(f"{name} keeps no transcripts that promptscope can read; try {others}", where="agent")


def writer_of(file: str) -> Agent | None:
    """The agent that wrote a conversation, by how the file begins; None where no agent knows it."""
    try:
        head = b"".join(_pieces(file, HEAD, HEAD))
    except OSError:  # reading it says why it can't be read
        return None
    return next((a for a in all_agents() if isinstance(a, KeepsTranscripts) and a.is_transcript(head)), None)


def _pieces(file: str, size: int, limit: int) -> Iterator[bytes]:
    path = absolute(file)
    workspace = Workspace()
    workspace.allow([path])
    return workspace.chunks(path, size, limit)


def reading(file: str, reader: TranscriptReader) -> Iterator[tuple[int, int]]:
    """Feed the file to the reader, a piece at a time: (bytes read, bytes of the file) after each.

    Raises ScenarioError for a file that cannot be read, and for one that holds no conversation.
    """
    try:
        size, read = Path(to_system(file)).expanduser().stat().st_size, 0
        for piece in _pieces(file, PIECE, MAX_BYTES):
            reader.feed(piece)
            read += len(piece)
            yield read, max(size, read)
        if writer_of(file) is None and not reader.close().turns:
            raise ScenarioError("not a transcript: no line of it is a message", where=file)
    except OSError as error:
        raise ScenarioError(f"cannot read the transcript: {error.strerror}", where=file) from None


def summary(found: Transcript, tokens: TokenSummary) -> list[str]:
    """The conversation in a few lines."""
    window = tokens.window
    lines = [
        f"{len(found.turns):,} turns, {words.percent(found.fill, window)} of the window at the end: "
        f"≈{found.fill:,} of {window:,} tokens, at most ≈{found.peak:,}; the prompt takes ≈{found.base:,}",
        compaction(found, tokens),
    ]
    writer = " ".join(filter(None, (found.form, found.version)))
    if writer:
        lines.insert(0, ", ".join(filter(None, (writer, found.model))))
    if found.window is not None and found.window != window:
        lines.append(f"the file names a window of {found.window:,} tokens")
    compacted = [turn for turn in found.turns if turn.role == "compaction"]
    if compacted:
        whys = [f" ({' '.join(turn.text.split())[:60]})" if turn.text else "" for turn in compacted]
        each = (f"line {t.line:,}{why}, ≈{t.fill:,} left" for t, why in zip(compacted[:_SHOWN], whys, strict=False))
        lines.append(f"compacted at {', '.join(each)}")
    pairs = [*cache_misses(found)]
    missed = [each for each in pairs if each.missed]
    if missed:
        again = sum(each.again for each in missed)
        lines.append(f"cache: {len(missed)} of {len(pairs) + 1} answers missed it, {again:,} tokens written again")
    lines += _few([f"line {n:,}: {tool}: {remark}" for n, tool, remark in remarks(found)], "result")
    return [*lines, *found.problems(), *_few([f"line {flaw.line:,}: {flaw.message}" for flaw in found.flaws], "line")]


def _few(lines: list[str], what: str) -> list[str]:
    more = len(lines) - _SHOWN
    return lines if more <= 0 else [*lines[:_SHOWN], f"and {more:,} more {what}{'s' * (more > 1)}"]


def remarks(found: Transcript) -> Iterator[tuple[int, str, str]]:
    """What an agent's limits did to results, or didn't to large ones: the turn's line, the tool, the remark."""
    for turn in found.turns:
        yield from ((turn.line, result.tool, result.remark) for result in turn.returned if result.remark)
        exempt = Counter((result.tool, result.exempt) for result in turn.returned if result.exempt)
        for (tool, why), count in exempt.items():
            yield turn.line, tool, f"{f'{count} large results' if count > 1 else 'a large result'}, {why}"


def compaction(found: Transcript, tokens: TokenSummary) -> str:
    """Where compaction happens, in words."""
    threshold = tokens.compact_at
    if threshold is None:
        return f"compaction: {tokens.compaction or 'not observed'}"
    turn = found.compacts_at(threshold)
    sure = f" ({tokens.compaction})" if tokens.compaction else ""
    if turn is None:
        left = threshold - found.fill
        return f"no turn reaches the compaction threshold of {threshold:,} tokens: {left:,} are left{sure}"
    return f"it would compact at line {turn.line:,}: {turn.fill:,} of {threshold:,} tokens{sure}"


SECONDS = 0.5
"""How often an open file is looked at. Watching its folder would wake up for every other session's file."""


class Follower:
    """A thread that feeds a reader what is added to a file, and tells about the transcript as it is then."""

    def __init__(self, path: str, reader: TranscriptReader, read: int, tell: Callable[[Transcript], object]) -> None:
        """`read` bytes of the file are read already; `tell` is called from the thread."""
        self._path, self._reader, self._read, self._tell = path, reader, read, tell
        self._inode = _look(path)[0]
        self._over = threading.Event()
        self.thread = threading.Thread(target=self._run, name="promptscope-follower", daemon=True)
        self.thread.start()

    def stop(self) -> None:
        """End the thread; there are no calls from now on."""
        self._over.set()

    def _run(self) -> None:
        while not self._over.wait(SECONDS):
            inode, size = _look(self._path)
            if inode != self._inode or size < self._read:
                return  # another file in its place is another conversation
            if self._read < min(size, MAX_BYTES) and self._feed():
                found = latest(self._reader)
                if not self._over.is_set():
                    self._tell(found)

    def _feed(self) -> bool:
        """Read what is new; whether there was something."""
        before = self._read
        try:
            for piece in chunks_from(self._path, PIECE, self._read):
                self._reader.feed(piece)
                self._read += len(piece)
                if self._over.is_set():
                    return False
        except OSError:
            return False
        return self._read > before


def latest(reader: TranscriptReader) -> Transcript:
    """What was read so far; the last line counts if it is whole, whether or not its line break is written yet."""
    ended, without = reader.close(), reader.transcript()
    return ended if ended.broken == without.broken else without


def _look(path: str) -> tuple[int, int]:
    try:
        found = Path(to_system(path)).stat()
    except (OSError, ValueError):
        return 0, -1
    return found.st_ino, found.st_size
