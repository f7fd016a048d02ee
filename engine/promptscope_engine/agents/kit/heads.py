"""The front matter of agents' files: where it begins and ends, how broken YAML is mended, which words mean yes."""

from __future__ import annotations

import re
from collections.abc import Callable

from promptscope_engine.formats.document import Json
from promptscope_engine.formats.front_matter import FrontMatter
from promptscope_engine.frozen import frozen
from promptscope_engine.javascript.json import number
from promptscope_engine.javascript.text import js_trim


@frozen
class Fences:
    """What a file must begin with, and what ends its front matter."""

    opens: re.Pattern[str]
    closes: re.Pattern[str]

    def find(self, text: str) -> tuple[FrontMatter, int] | None:
        """What stands between the fences, and the character at which the text goes on behind them."""
        opened = self.opens.match(text)
        closed = self.closes.search(text, opened.end()) if opened else None
        if opened is None or closed is None:
            return None
        return FrontMatter(text[opened.end() : closed.start()], 1 + opened[0].count("\n")), closed.end()


@frozen
class Mending:
    """Which lines of YAML that does not parse are tried once more with their values in quotes."""

    line: re.Pattern[str]
    """Matches a whole line, with the groups `key` and `value`."""
    wants: Callable[[str], bool]
    """Whether a value is put in quotes."""

    def mended(self, source: str) -> str:
        return "\n".join(map(self._line, source.split("\n")))

    def _line(self, line: str) -> str:
        found = self.line.fullmatch(line)
        if found is None or not self.wants(found["value"]):
            return line
        return f"{found['key']}: '" + found["value"].replace("'", "''") + "'"


def is_yes(value: Json) -> bool:
    """Whether a value switches something on: true, 1, and the words `true`, `yes`, `on`, `1` in any case."""
    if isinstance(value, bool):
        return value
    text = number(value) if isinstance(value, int | float) else value
    return isinstance(text, str) and js_trim(text).lower() in ("true", "1", "yes", "on")
