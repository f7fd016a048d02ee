"""A command or skill that a message calls: `/NAME`, its arguments, and their words."""

import re
from collections.abc import Callable

_WORDS = re.compile(r"\[Image\s+\d+\]|\"[^\"]*\"|'[^']*'|[^\s\"']+", re.IGNORECASE)


def called(message: str, is_known: Callable[[str], bool]) -> tuple[str, str] | None:
    """The name that a message begins with, and the arguments behind it; None for other words."""
    name = re.split(r"\s", message[1:], maxsplit=1)[0]
    return (name, message[1 + len(name) :].removeprefix(" ")) if message[:1] == "/" and is_known(name) else None


def words(arguments: str) -> list[str]:
    """The words of arguments: quotes hold some together, and are taken away."""
    return [word.strip("\"'") if word[:1] in "\"'" else word for word in _WORDS.findall(arguments)]
