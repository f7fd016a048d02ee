"""The name and the description that a skill's file begins with (specs/gemini.md 10)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from promptscope_engine.formats.front_matter import MAX_CHARS, FrontMatter
from promptscope_engine.formats.yaml import JS_YAML, YamlError, weight
from promptscope_engine.frozen import frozen
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.drafts import Piece, computed, file_text
from promptscope_engine.workspace import FileText

_HEAD = re.compile(r"---\r?\n(.*?)\r?\n---", re.DOTALL)
_KEY = re.compile(r"\s*(name|description):[ \t]*(.*)\Z")
_FURTHER = re.compile(r"[ \t]+\S")
MAX_WEIGHT = 400_000
"""Characters of prose that all heads together may take as long to read as."""


@dataclass(eq=False, repr=False)
class HeadBudget:
    """How much front matter is parsed, of all files together; the rest is read line by line."""

    left: int = MAX_WEIGHT

    def allows(self, text: str) -> bool:
        """Whether there is room for the text, which is then taken."""
        if len(text) > MAX_CHARS or (cost := weight(text)) > self.left:
            return False
        self.left -= cost
        return True


@frozen
class Described:
    """A name and a description."""

    name: str
    description: str

    def pieces(self, source: FileText) -> tuple[Piece, ...]:
        """The description, traced to its line where it stands there verbatim."""
        if not self.description:
            return ()
        if "\n" not in self.description:
            for number, line in enumerate(source.text.split("\n"), 1):
                if self.description in line:
                    return (file_text(source.path, self.description, number),)
        return (computed("description", self.description),)


def head_of(text: str) -> str | None:
    """What stands between the dashes; None unless they are the first bytes: a mark or a blank line is enough.

    Dashes at the beginning of a line end it, whatever follows them on that line.
    """
    found = _HEAD.match(text)
    return found[1] if found else None


def described(head: str, budget: HeadBudget) -> Described | None:
    """The two values: as YAML has them, else line by line. None if one of them is missing."""
    if budget.allows(head):
        try:
            value = FrontMatter(f"{head}\n").parse(JS_YAML).value  # a folded text keeps its last line feed
        except YamlError:
            value = None
        if isinstance(value, dict):
            name, description = value.get("name"), value.get("description")
            if isinstance(name, str) and isinstance(description, str):
                return Described(name, description)
    return _by_lines(head)


def _by_lines(head: str) -> Described | None:
    """`name: rest` and `description: rest`, to which indented lines behind it belong."""
    found: dict[str, str] = {}
    lines = [line.removesuffix("\r") for line in head.split("\n")]
    at = 0
    while at < len(lines):
        match = _KEY.match(lines[at])
        at += 1
        if match is None:
            continue
        parts = [js_trim(match[2])]
        while match[1] == "description" and at < len(lines) and _FURTHER.match(lines[at]):
            parts.append(js_trim(lines[at]))
            at += 1
        found[match[1]] = " ".join(part for part in parts if part)
    if "name" not in found or "description" not in found:
        return None
    return Described(found["name"], found["description"])
