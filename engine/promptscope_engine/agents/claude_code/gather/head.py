"""The frontmatter that a file begins with: where it ends, and what its YAML means.

It begins with `---` alone on the first line, and ends at the next three dashes, wherever they are: in a value as well.
YAML that does not parse is tried once more with some values in quotes: those that hold a sign of YAML, are not in
quotes from end to end, and are no list that is well formed. If that fails too, the block is cut off all the same and
holds nothing [asked of 2.1.332 in some 400 forms].
"""

from __future__ import annotations

import re
from dataclasses import field, replace
from functools import partial

from promptscope_engine.agents.claude_code.versions import V100
from promptscope_engine.agents.kit.heads import Budget, Mending
from promptscope_engine.formats.document import Json
from promptscope_engine.formats.front_matter import MAX_CHARS, FrontMatter
from promptscope_engine.formats.yaml import CORE, CORE_LAST, Schema, YamlError, read_yaml
from promptscope_engine.frozen import frozen
from promptscope_engine.javascript.text import JS_WHITESPACE


@frozen
class _Fences:
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


_FENCES = _Fences(re.compile(f"---[{JS_WHITESPACE}]*\n"), re.compile(f"---[{JS_WHITESPACE}]*"))
_LINE = re.compile(rf"(?P<key>[A-Za-z_-]+):[{JS_WHITESPACE}]+(?P<value>[^{JS_WHITESPACE}][^\r\u2028\u2029]*)")
_SIGNS = re.compile(r"[{}\[\]*&#!|>%@`]|: ")
_COLON = re.compile(r"^([A-Za-z_][\w-]*:)[ ]*\t[ \t]*", re.MULTILINE)
_TABS = re.compile(r"^[ \t]*\t[ \t]*", re.MULTILINE)
_CLOSERS = {"[": "]", "{": "}"}


@frozen
class Head:
    """A file's frontmatter: its values, the characters of the block, and what is wrong with it, with its line."""

    values: dict[str, Json] = field(default_factory=dict)
    length: int = 0
    problem: str | None = None
    line: int | None = None


def is_within(budget: Budget, text: str) -> bool:
    """Whether there is room left for a file's frontmatter, which is then taken."""
    found = _FENCES.find(text.removeprefix("\ufeff")) if budget.left >= 0 else None
    return budget.allows(found[0].text if found else "")


def read_frontmatter(text: str, version: str, *, within_budget: bool = True) -> Head:
    """The frontmatter of a text without BOM. Values that are no mapping count as none.

    The block takes the white space after it along.
    """
    found = _FENCES.find(text)
    if not found:
        return Head()
    front, length = found
    if len(front.text) > MAX_CHARS:
        return Head({}, length, "the frontmatter is too large to be read", 1)
    if not within_budget:
        most = f"{Budget.left:,} characters of all files of its kind"
        return Head({}, length, f"the frontmatter is not read: this is more than {most}", 1)
    source = _COLON.sub(r"\1 ", front.text)  # YAML takes a tab behind the colon, the reader here does not
    # 2.1.100 refuses two equal keys and tabs; later versions take the last key, and tabs for blanks.
    schema: Schema = CORE if version == V100 else CORE_LAST
    source = source if version == V100 else _TABS.sub(lambda tabs: tabs[0].replace("\t", "  "), source)
    front = replace(front, text=source)
    try:
        if "\0" in source:
            raise YamlError("a NUL character", front.line + source.count("\n", 0, source.index("\0")))
        parsed, is_mended = Mending(_LINE, partial(_is_quoted_anew, schema=schema)).parse(front, schema)
    except YamlError as error:
        return Head({}, length, f"{error.message}: the whole frontmatter is ignored", error.line or 2)
    values = parsed.value if isinstance(parsed.value, dict) else {}
    return Head(values, length, *(_unclosed(front) if is_mended else ()))


def _is_quoted_anew(value: str, schema: Schema) -> bool:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return False
    if not _SIGNS.search(value):
        return False
    return not (value[0] == "[" and value[-1] == "]" and _is_yaml(value, schema))


def _is_yaml(value: str, schema: Schema) -> bool:
    try:
        read_yaml(value, schema, max_chars=MAX_CHARS)
    except YamlError:
        return False
    return True


def _unclosed(front: FrontMatter) -> tuple[str | None, int | None]:
    """The first list or mapping that does not end on its line, now that all of it is a text."""
    for number, line in enumerate(front.text.split("\n"), front.line):
        found = _LINE.fullmatch(line)
        closer = _CLOSERS.get(found["value"][0]) if found else None
        if found and closer and found["value"].count(found["value"][0]) > found["value"].count(closer):
            return f"the value of `{found['key']}` is not closed: it counts as a text", number
    return None, None
