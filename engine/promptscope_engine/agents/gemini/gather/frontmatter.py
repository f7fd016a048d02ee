"""The name and the description that a skill's file begins with (specs/gemini.md 10)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from promptscope_engine.agents.kit.heads import Budget
from promptscope_engine.formats.front_matter import FrontMatter
from promptscope_engine.formats.yaml import JS_YAML, YamlError
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import Condition, Facts
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import Workspace

from .places import Places

_HEAD = re.compile(r"---\r?\n(.*?)\r?\n---", re.DOTALL)
_KEY = re.compile(r"\s*(name|description):[ \t]*(.*)\Z")
_FURTHER = re.compile(r"[ \t]+\S")


@dataclass(eq=False, repr=False)
class Finder:
    """Looks through folders of files of one kind."""

    workspace: Workspace
    places: Places
    facts: Facts
    trusted: Condition
    follow: bool
    budget: Budget
    files: list[FileDraft] = field(init=False, default_factory=list)
    diagnostics: list[Diagnostic] = field(init=False, default_factory=list)

    def is_full(self, most: int, what: str, folder: str) -> bool:
        """Whether so many files were read that no more are, which is said."""
        if len(self.files) < most:
            return False
        text = f"{most} {what} are read; the others are left out"
        self.diagnostics.append(Diagnostic("warning", "too-many-files", text, folder))
        return True


class Described(NamedTuple):
    """A name and a description."""

    name: str
    description: str


def head_of(text: str) -> str | None:
    """What stands between the dashes; None unless they are the first bytes: a mark or a blank line is enough.

    Dashes at the beginning of a line end it, whatever follows them on that line.
    """
    found = _HEAD.match(text)
    return found[1] if found else None


def described(head: str, budget: Budget) -> Described | None:
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
