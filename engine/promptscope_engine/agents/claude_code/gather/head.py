"""The frontmatter that a file begins with: where it ends, and what its YAML means (claude-code-new-facts.md).

The fences are `---` on the first line and again alone on a line. YAML that does not parse is tried once more with the
values quoted that are none by themselves: a glob, a colon, a list that is not closed. If that fails too, the block is
cut off all the same and holds nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from promptscope_engine.agents.claude_code.versions import V100
from promptscope_engine.formats.document import Json
from promptscope_engine.formats.front_matter import MAX_CHARS, FrontMatter
from promptscope_engine.formats.yaml import CORE, CORE_LAST, Schema, YamlError, YamlLimitError, read_yaml, weight
from promptscope_engine.frozen import frozen

_OPENED = re.compile(r"---[ \t]*\r?\n")
_CLOSED = re.compile(r"^---[ \t]*(?:\r?\n|\Z)", re.MULTILINE)
_LINE = re.compile(r"([A-Za-z_][\w-]*):[ \t]+(\S.*)")
_COLON = re.compile(r"^([A-Za-z_][\w-]*:)[ ]*\t[ \t]*", re.MULTILINE)
_TABS = re.compile(r"^[ \t]*\t[ \t]*", re.MULTILINE)
MAX_CHARS_OF_ALL = 300_000
"""Characters of the frontmatter of all files of one kind: two hundred files whose descriptions are as long as can be.
Values count as ten (see `weight`), so that all kinds together are read in two seconds."""
_CLOSERS = {"[": "]", "{": "}", '"': '"', "'": "'"}


@frozen
class Head:
    """A file's frontmatter: its values, the characters of the block, and what is wrong with it, with its line."""

    values: dict[str, Json] = field(default_factory=dict)
    length: int = 0
    problem: str | None = None
    line: int | None = None


@dataclass(eq=False, repr=False)
class Budget:
    """What may still be read of the frontmatter of one kind of file."""

    left: int = MAX_CHARS_OF_ALL

    def allows(self, text: str) -> bool:
        """Whether the file's frontmatter is read as well; if so it is taken off."""
        found = _fenced(text.removeprefix("\ufeff")) if self.left >= 0 else None
        if found is not None:
            self.left -= weight(found[0])
        return self.left >= 0


def _fenced(text: str) -> tuple[str, int] | None:
    """What stands between the fences, and where the text goes on behind them."""
    opened = _OPENED.match(text)
    closed = _CLOSED.search(text, opened.end()) if opened else None
    return (text[opened.end() : closed.start()], closed.end()) if opened and closed else None


def read_frontmatter(text: str, version: str, *, within_budget: bool = True) -> Head:
    """The frontmatter of a text without BOM. Values that are no mapping count as none.

    The block takes the white space after it along [recorded: a rule's blank line after `---` is not sent].
    """
    found = _fenced(text)
    if not found:
        return Head()
    source, end = found
    length = len(text) - len(text[end:].lstrip())
    if len(source) > MAX_CHARS:
        return Head({}, length, "the frontmatter is too large to be read", 1)
    if not within_budget:
        most = f"{MAX_CHARS_OF_ALL:,} characters of all files of its kind"
        return Head({}, length, f"the frontmatter is not read: this is more than {most}", 1)
    source = _COLON.sub(r"\1 ", source)  # YAML takes a tab behind the colon, the reader here does not
    # 2.1.100 refuses two equal keys and tabs; later versions take the last key, and tabs for blanks.
    schema: Schema = CORE if version == V100 else CORE_LAST
    source = source if version == V100 else _TABS.sub(lambda tabs: tabs[0].replace("\t", "  "), source)
    try:
        return Head(_mapping(source, schema), length)
    except YamlError as error:
        if not isinstance(error, YamlLimitError):
            quoted, unclosed = _quoted(source, schema)
            try:
                return Head(_mapping(quoted, schema), length, *_problem(unclosed))
            except YamlError:
                pass
        return Head({}, length, error.message, error.line or 2)


def _mapping(source: str, schema: Schema) -> dict[str, Json]:
    value = FrontMatter(source).parse(schema).value
    return value if isinstance(value, dict) else {}


def _quoted(source: str, schema: Schema) -> tuple[str, dict[str, int]]:
    """The YAML with values in quotes that are none by themselves, and the keys of unclosed ones with their lines."""
    lines = source.split("\n")
    unclosed: dict[str, int] = {}
    for number, line in enumerate(lines):
        found = _LINE.fullmatch(line.rstrip("\r").rstrip(" \t"))
        if found and not _is_valid(found[1], found[2], schema):
            lines[number] = f"{found[1]}: '" + found[2].replace("'", "''") + "'"
            if _is_open(found[2]):
                unclosed[found[1]] = number + 2
    return "\n".join(lines), unclosed


def _is_valid(key: str, value: str, schema: Schema) -> bool:
    """Whether the line is YAML by itself."""
    try:
        read_yaml(f"{key}: {value}\n", schema, max_chars=MAX_CHARS)
    except YamlError:
        return False
    return True


def _is_open(value: str) -> bool:
    """Whether a list, a mapping or a quotation begins there and does not end."""
    closer = _CLOSERS.get(value[0])
    if closer is None:
        return False
    if closer == value[0]:
        return not value.removeprefix(closer).endswith(closer)
    return value.count(value[0]) > value.count(closer)


def _problem(unclosed: dict[str, int]) -> tuple[str | None, int | None]:
    for key, line in unclosed.items():
        return f"the value of `{key}` is not closed: it counts as a text", line
    return None, None
