"""Transcripts: which agent keeps them, reading one, and its summary."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from promptscope_engine.agents.features import KeepsTranscripts
from promptscope_engine.agents.registry import all_agents, load_agent
from promptscope_engine.agents.transcripts import MAX_BYTES, PIECE, Transcript, TranscriptReader
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.workspace import Workspace
from promptscope_tui.text import words


def keeper(assembly: Assembly) -> KeepsTranscripts:
    """The assembly's agent, if it keeps transcripts. Raises ScenarioError, naming the agents that do."""
    agent = load_agent(assembly.agent)
    if isinstance(agent, KeepsTranscripts):
        return agent
    others = " or ".join(f"--agent {other.id}" for other in all_agents() if isinstance(other, KeepsTranscripts))
    raise ScenarioError(f"{agent.name} keeps no transcripts that promptscope can read; try {others}", where="agent")


def reading(file: str, reader: TranscriptReader) -> Iterator[tuple[int, int]]:
    """Feed the file to the reader, a piece at a time: (bytes read, bytes of the file) after each.

    Raises ScenarioError for a file that cannot be read.
    """
    path = str(Path(file).expanduser().absolute())
    workspace = Workspace()
    workspace.allow([path])
    try:
        size, read = Path(path).stat().st_size, 0
        for piece in workspace.pieces(path, PIECE, MAX_BYTES):
            reader.feed(piece)
            read += len(piece)
            yield read, max(size, read)
    except OSError as error:
        raise ScenarioError(f"cannot read the transcript: {error.strerror}", where=file) from None


def summary(found: Transcript, window: int, threshold: int | None) -> list[str]:
    """The conversation in a few lines."""
    lines = [
        f"{len(found.turns):,} turns, {words.percent(found.fill, window)} of the window at the end: "
        f"≈{found.fill:,} of {window:,} tokens, at most ≈{found.peak:,}; the prompt takes ≈{found.base:,}",
        compaction(found, threshold),
    ]
    compacted = [turn for turn in found.turns if turn.role == "compaction"]
    if compacted:
        lines.append("compacted at line " + ", ".join(f"{turn.line:,}" for turn in compacted[:10]))
    return [*lines, *found.problems()]


def compaction(found: Transcript, threshold: int | None) -> str:
    """Where compaction happens, in words."""
    if threshold is None:
        return "no automatic compaction in this session"
    turn = found.compacts_at(threshold)
    if turn is None:
        return f"no turn reaches the compaction threshold of {threshold:,} tokens: {threshold - found.fill:,} are left"
    return f"it would compact at line {turn.line:,}: {turn.fill:,} of {threshold:,} tokens"
