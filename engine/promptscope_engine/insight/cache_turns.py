"""Why a cache missed in a recorded conversation: the answers' own accounts, turn by turn."""

from collections.abc import Collection, Iterator, Sequence

from promptscope_engine.agents.transcripts import Cached, Transcript, Turn

from .cache_causes import CacheCause, expired
from .cache_miss import SLACK, CacheMiss, seconds_between

_CALLS = 5
"""Calls that are named."""


def cache_misses(found: Transcript, lines: Collection[int] = ()) -> Iterator[CacheMiss]:
    """Each answer that reports its cache with the one before; only those that begin on `lines`, if any are given."""
    last: tuple[int, Turn] | None = None
    keeps = False
    for at, turn in enumerate(found.turns):
        if turn.cached is None or turn.reported is None or (lines and turn.line not in lines):
            continue
        keeps = keeps or turn.cached.written is not None  # else it may keep nothing, until something was read
        if last is not None and last[1].cached is not None and (keeps or turn.cached.read):
            yield _miss(found, found.turns[last[0] : at], turn, last[1].cached, turn.cached)
        last, keeps = (at, turn), keeps or turn.cached.read > 0


def _miss(found: Transcript, since: Sequence[Turn], turn: Turn, was: Cached, now: Cached) -> CacheMiss:
    before, again = since[0], was.held - now.read
    seconds = seconds_between(before.at, turn.at)
    missed = again > SLACK
    return CacheMiss(
        before=before.line,
        after=turn.line,
        again=again if missed else 0,
        estimated=False,
        held=was.held,
        read=now.read,
        written=now.written,
        seconds=seconds,
        place=_place(found, turn, now.read) if missed else "",
        causes=tuple(_causes(since, turn, was, seconds)) if missed else (),
    )


def _place(found: Transcript, turn: Turn, read: int) -> str:
    """Up to where the service read: a turn, the prompt, nothing."""
    if not read:
        return "nothing was read"
    passed = [each.line for each in found.turns if each.fill <= read and each.line < turn.line]
    return f"read up to line {passed[-1]:,}" if passed else "read only a part of the prompt"


def _causes(since: Sequence[Turn], turn: Turn, was: Cached, seconds: float | None) -> Iterator[CacheCause]:
    """What is between the two answers."""
    before = since[0]
    found = []
    if before.model != turn.model and before.model and turn.model:
        found.append(CacheCause("model", f"another model: {before.model} → {turn.model}"))
    if any(each.role == "compaction" for each in since):
        found.append(CacheCause("conversation", "the conversation was compacted"))
    if was.lives is not None:
        found += expired(seconds, was.lives)
    if not found:
        calls = [*dict.fromkeys(before.calls)]
        more = f" and {len(calls) - _CALLS} more" if len(calls) > _CALLS else ""
        after = f"; it came after {', '.join(calls[:_CALLS])}{more}" if calls else ""
        found.append(CacheCause("unknown", f"the transcript doesn't show why{after}"))
    yield from found
