"""Commands that a client would run, named in a note: promptscope runs none."""

from collections.abc import Sequence

from .servers import some

_MOST = 5
_LONGEST = 200
"""Characters of one that are shown."""


def named(runs: Sequence[str]) -> str:
    """The first commands, in one line."""
    return some([f"`{_line(command)}`" for command in runs], _MOST)


def _line(command: str) -> str:
    line = " ".join(command.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
