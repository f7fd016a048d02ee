"""YAML that anybody may have written, as plain values with their lines: no tags, no cycles, nothing too large.

Where the front matter of a file begins and ends is each agent's own rule.
"""

from types import ModuleType

from msgspec import Struct
from msgspec.structs import replace

from .document import Parsed
from .yaml_limits import BUN as BUN
from .yaml_limits import CORE as CORE
from .yaml_limits import JS_YAML as JS_YAML
from .yaml_limits import MAX_ALIASES as MAX_ALIASES
from .yaml_limits import MAX_CHARS as MAX_CHARS
from .yaml_limits import MAX_NODES as MAX_NODES
from .yaml_limits import NPM_MAX_ALIASES as NPM_MAX_ALIASES
from .yaml_limits import SERDE as SERDE
from .yaml_limits import YAML_1_1 as YAML_1_1
from .yaml_limits import Schema as Schema
from .yaml_limits import YamlError as YamlError
from .yaml_limits import YamlLimitError as YamlLimitError


def read_yaml(
    text: str, schema: Schema = YAML_1_1, *, max_chars: int = MAX_CHARS, max_aliases: int = MAX_ALIASES
) -> Parsed:
    """The only document of `text`; None for an empty one. Raises YamlError and nothing else."""
    if len(text) > max_chars:
        raise YamlLimitError(f"{len(text):,} characters are too many to be parsed here (at most {max_chars:,})")
    parsed: Parsed = _parser().parse(text, schema, max_chars, max_aliases)
    return parsed


def weight(text: str) -> int:
    """The work of reading a text, in characters of prose: each value takes as long as ten of them."""
    size: int = _parser().weight(text)
    return size


def _parser() -> ModuleType:
    from . import yaml_parser  # PyYAML takes as long to import as all formats together

    return yaml_parser


MAX_FRONT_MATTER = 64 * 1024
"""Nobody wrote a longer one, and reading this much can take a second."""


class FrontMatter(Struct, frozen=True):
    """The text between the dashes, and the file's 1-based line on which it begins."""

    text: str
    line: int = 2

    def parse(self, schema: Schema, *, max_chars: int = MAX_FRONT_MATTER, max_aliases: int = MAX_ALIASES) -> Parsed:
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
