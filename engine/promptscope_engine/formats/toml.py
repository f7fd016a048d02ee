"""TOML under limits."""

from __future__ import annotations

import re

from .document import Json, too_deep


class TomlError(ValueError):
    """What is wrong with a text, and in which line if that is known."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.message, self.line = message, line


def parse_toml(text: str) -> dict[str, Json]:
    """The values of a text without limits; dates are Python's. Raises ValueError."""
    import tomllib  # 6 ms, only for those who have such a file

    return tomllib.loads(text)


def read_toml(text: str, most: int) -> dict[str, Json]:
    """The values of a text of at most so many characters, a byte order mark before it; dates are Python's.

    Raises TomlError.
    """
    if len(text) > most:
        raise TomlError(f"{len(text):,} characters are too many to be parsed here (at most {most:,})", 1)
    try:
        values = parse_toml(text.removeprefix("\ufeff"))
    except (RecursionError, ValueError) as error:
        # tomllib names the line at the end of what it says; in front of it a key of the file may stand.
        found = re.search(r"\(at line (\d+), column \d+\)$", str(error))
        raise TomlError(f"this is no TOML: {error}"[:200], int(found[1]) if found else None) from None
    if problem := too_deep(values):
        raise TomlError(problem, 1)
    return values
