"""A window that the first request does not fit: what the agent does then, by `[[overfull]]` of its agent.toml."""

from collections.abc import Iterator

from promptscope_engine.agents.adapter import Describes
from promptscope_engine.agents.description import Overfull, of_version
from promptscope_engine.prompt.model import OVERFULL, Diagnostic, TokenSummary


def too_small(agent: Describes, version: str, tokens: TokenSummary) -> Iterator[Diagnostic]:
    """A warning, by the first row that speaks of the case; nothing where the request fits, or is not counted yet."""
    if tokens.expected is None:
        return
    for row in of_version(agent.about.overfull, version, agent.versions):
        if limit := _limit(row, tokens):
            words, allowed = limit
            first = f"the first request takes {tokens.expected:,} tokens, and {words}"
            text = f"{first}: {agent.name} {row.says} ({row.known})"
            yield Diagnostic("warning", OVERFULL, text, tokens=max(tokens.expected - allowed, 0) or None)
            return


def _limit(row: Overfull, tokens: TokenSummary) -> tuple[str, int] | None:
    """The limit that the request is over, in words and tokens; None where the row speaks of another case."""
    if row.reserves is not None and row.reserves != (tokens.reserve > 0):
        return None
    used, size, at = tokens.expected or 0, tokens.window, tokens.compact_at
    if row.below:
        return (f"the window has {size:,}, of at least {row.below:,}", size) if size < row.below else None
    match row.past:
        case "compaction" if at is not None and used > at:
            return f"the window of {size:,} is compacted at {at:,}", at
        case "room" if used > size - tokens.reserve:
            return f"the window of {size:,} has room for {size - tokens.reserve:,}", size - tokens.reserve
        case "window" if used > size:
            return f"the window has {size:,}", size
    return None
