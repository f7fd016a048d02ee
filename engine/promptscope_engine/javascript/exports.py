"""What a module exports, as far as it is written down literally: nothing is run."""

import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from .json import parse_json5

_EXPORT = re.compile(r"export\s+(?:default|const\s+([A-Za-z_$][\w$]*)\s*=)\s*(?:\w+\s*\(\s*)?(?=\{)")
_MARK = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|[{}]")
_MOST = 20_000
"""Characters of an export that are looked at."""


class Export(Struct, frozen=True):
    """An object that is exported, perhaps as the argument of a function; `name` is "" for the default one."""

    name: str
    text: str

    def value(self, key: str) -> Any:
        """The text or object under a key; None where it is not literal."""
        found = re.search(rf"\b{key}:\s*(?=([\"'{{]))", self.text)
        if found is None:
            return None
        rest = self.text[found.end() :]
        mark = _MARK.match(rest)
        literal = _braces(rest) if rest[:1] == "{" else mark[0] if mark else ""
        return parse_json5(literal).value if literal else None


def exports(text: str) -> Iterator[Export]:
    """The objects in their order."""
    for match in _EXPORT.finditer(text):
        yield Export(match[1] or "", _braces(text[match.end() : match.end() + _MOST]))


def _braces(text: str) -> str:
    """The text up to the brace that closes the first one; those in texts do not count."""
    depth = 0
    for sign in _MARK.finditer(text):
        depth += {"{": 1, "}": -1}.get(sign[0], 0)
        if depth == 0:
            return text[: sign.end()]
    return text
