"""The YAML block between dashes that a file begins with. Where it begins and ends is each agent's own rule."""

from msgspec import Struct
from msgspec.structs import replace

from .document import Parsed
from .yaml import MAX_ALIASES, Schema, YamlError, read_yaml

MAX_CHARS = 64 * 1024
"""Nobody wrote a longer one, and reading this much can take a second."""


class FrontMatter(Struct, frozen=True):
    """The text between the dashes, and the file's 1-based line on which it begins."""

    text: str
    line: int = 2

    def parse(self, schema: Schema, *, max_chars: int = MAX_CHARS, max_aliases: int = MAX_ALIASES) -> Parsed:
        """The value with the file's lines. Raises YamlError, with the file's line where one is known."""
        above = self.line - 1
        try:
            parsed = read_yaml(self.text, schema, max_chars=max_chars, max_aliases=max_aliases)
        except YamlError as error:
            error.line = error.line and error.line + above
            raise
        return replace(
            parsed,
            lines={path: line + above for path, line in parsed.lines.items()},
            value_lines={path: line + above for path, line in parsed.value_lines.items()},
        )


def gray_matter(text: str) -> tuple[FrontMatter | None, str]:
    """The front matter and the text below it, as the npm package `gray-matter` tells them apart."""
    text = text.removeprefix("\ufeff")
    if not text.startswith("---") or text[3:4] == "-":
        return None, text
    head, end, body = text[3:].partition("\n---")
    below = body.removeprefix("\r").removeprefix("\n") if end else ""
    return FrontMatter(f"{head.partition(chr(10))[2]}\n"), below
