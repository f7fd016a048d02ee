"""The options that a client's `--help` lists, in whichever of the usual forms: commander, clap, yargs, argparse.

The text is a stranger's: what does not look like an option is skipped, and there are limits. A name and a choice are
letters, digits, dots, dashes and underscores of ASCII.
"""

import re
from collections.abc import Iterator

from msgspec import Struct

_MOST_LINES = 5_000
_LONGEST_LINE = 1_000
_MOST_LINES_OF_ONE = 60
"""Lines that say what one option is for."""

_WORD = r"[A-Za-z0-9][\w.-]{0,79}"
_NAME = r"-{1,2}[A-Za-z0-9][\w-]{0,79}"
_VALUE = r"(?:[ =]|\[=)(?:<[^<>]{1,200}>|\[[^\[\]]{1,200}\]|\{[^{}]{1,200}\}|[A-Z][A-Z_]{0,79})(?:\.\.\.)?\]?"
_OPTION = re.compile(
    rf" {{1,8}}(?P<names>{_NAME}(?:{_VALUE})?(?:, ?{_NAME}(?:{_VALUE})?){{0,5}})(?P<text>\Z| {{2,}}.*)", re.A
)
_ESCAPE = re.compile(r"\x1b(?:\[[0-?]{0,40}[ -/]{0,9}[@-~]|[@-Z\\-_])")

_TYPED = re.compile(r"\[(?:string|array|number)\]")
"""How yargs says that an option takes a value."""
_SAID = re.compile(r"[(\[](?:possible values|choices):([^()\[\]]{1,400})[)\]]", re.I)
_ITEM = re.compile(rf"- ({_WORD})(?:: .*)?", re.A)
_LISTED = re.compile(rf"\(({_WORD}(?:, or |, | or |\|){_WORD}(?:(?:, or |, | or |\|){_WORD}){{0,30}})\)", re.A)
_PLACE = re.compile(rf"[<\[{{]({_WORD}(?:[|,]{_WORD}){{1,30}})[>\]}}]", re.A)


class Option(Struct, frozen=True):
    """One option: its names, whether a value may follow, and the values to choose from if they are listed."""

    names: tuple[str, ...]
    takes_value: bool = False
    choices: tuple[str, ...] = ()


def options_in(text: str) -> Iterator[Option]:
    """The options that a help text lists, in its order."""
    head, told = "", [""]
    for line in _ESCAPE.sub("", text).split("\n")[:_MOST_LINES]:
        line = line[:_LONGEST_LINE].rstrip()
        found = _OPTION.fullmatch(line)
        if found or (line and line[0] != " "):  # another option, or a heading
            if head:
                yield _option(head, told)
            head, told = (found["names"], [found["text"]]) if found else ("", [""])
        elif len(told) < _MOST_LINES_OF_ONE:
            told.append(line)
    if head:
        yield _option(head, told)


def _option(head: str, told: list[str]) -> Option:
    names = tuple(re.findall(rf"(?:\A|(?<=, )|(?<=,)){_NAME}", head, re.A))
    about = " ".join(" ".join(told).split())
    place = _PLACE.search(head)
    takes_value = bool(re.search(r"[ =\[][<\[{A-Z=]", head)) or bool(_TYPED.search(about))
    choices = _choices(place[1] if place else "", about, told) if takes_value else ()
    return Option(names, takes_value, tuple(dict.fromkeys(choices)))


def _choices(place: str, about: str, told: list[str]) -> list[str]:
    """The values that are listed: under a heading, in brackets, in parentheses, or instead of the value's name."""
    said = _SAID.search(about)
    if said:
        return re.findall(_WORD, re.split(", (?:default|preset):", said[1])[0], re.A)
    if "Possible values:" in about:
        return [item[1] for line in told if (item := _ITEM.fullmatch(line.strip()))]
    listed = _LISTED.search(about)
    return re.split(r", or |, | or |[|,]", listed[1] if listed else place) if listed or place else []
