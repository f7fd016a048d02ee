"""A command or skill that a message calls: `/NAME`, its arguments, their words, and the places for them in its text."""

import re
from collections.abc import Callable

from msgspec import Struct

_WORDS = re.compile(r"\[Image\s+\d+\]|\"[^\"]*\"|'[^']*'|[^\s\"']+", re.IGNORECASE)


def called(message: str, is_known: Callable[[str], bool]) -> tuple[str, str] | None:
    """The name that a message begins with, and the arguments behind it; None for other words."""
    name = re.split(r"\s", message[1:], maxsplit=1)[0]
    return (name, message[1 + len(name) :].removeprefix(" ")) if message[:1] == "/" and is_known(name) else None


def words(arguments: str) -> list[str]:
    """The words of arguments: quotes hold some together, and are taken away."""
    return [word.strip("\"'") if word[:1] in "\"'" else word for word in _WORDS.findall(arguments)]


class Places(Struct, frozen=True):
    """Where a command's text has its arguments. A text without such a place has them behind it, after `behind`.

    The first group of the pattern escapes a place; the others hold the number of a word, the first being `first`. A
    place without one is for all of them. `takes_rest`: the highest number is for all words from there on.
    """

    pattern: re.Pattern[str]
    behind: str
    first: int = 0
    takes_rest: bool = False

    def filled(self, text: str, arguments: str) -> str:
        """The text with the arguments."""
        given, found = words(arguments), [*self.pattern.finditer(text)]
        last = max((at for place in found if (at := _number(place)) is not None), default=0)

        def value(place: re.Match[str]) -> str:
            at = _number(place)
            if place[1] or at is None:
                return place[0][1:] if place[1] else arguments
            rest = given[at - self.first :] if at >= self.first else []
            return " ".join(rest if self.takes_rest and at == last else rest[:1])

        return self.pattern.sub(value, text) if found or not arguments.strip() else f"{text}{self.behind}{arguments}"


def _number(place: re.Match[str]) -> int | None:
    return next((int(group) for group in place.groups()[1:] if group), None)
