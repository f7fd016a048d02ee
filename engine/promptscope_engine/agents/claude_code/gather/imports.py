"""The `@path` tokens of an instruction file (3.4). Pure: text in, paths out, never an error.

A token is looked for in what Markdown takes for running text: paragraphs, list items, quotes, headings and tables,
but not code, comments, link targets or escaped characters. An emphasis mark ends a stretch of text and begins one.
"""

from __future__ import annotations

import posixpath
import re

from promptscope_engine.agents.claude_code.texts import FOLDER

from .markdown import running_text

MAX_DEPTH = 4
"""Hops: the importer is at level 0, a file at level 5 does not load (older docs say five)."""

_TOKEN = re.compile(r"(?:^|(?<=[\s\ufeff]))@((?:[^\s\\\ufeff]|\\ )+)")
_PERHAPS = re.compile(r"(?<![^\W_])@\S")
"""Before a stretch of running text stands no letter: this spares most files the reading."""
_BEGINS = re.compile(r"\.{1,2}/|~/|/|[A-Za-z0-9._-]")
"""How a path begins that is taken for one; a name that begins otherwise needs `./` before it [recorded 2.1.330]."""


def is_importable(path: str) -> bool:
    """Whether a file of this name is read: its ending, in any case, is on the client's list, or it has none."""
    ending = posixpath.splitext(path.rstrip("/"))[1]
    return not ending or ending[1:].lower() in FOLDER.agent["importable"]


def import_tokens(text: str) -> list[str]:
    """The paths that a file's text names, in order of appearance, as written but without `#fragment`."""
    if not _PERHAPS.search(text):
        return []
    found = (token[1] for stretch in running_text(text) for token in _TOKEN.finditer(stretch))
    named = (token.partition("#")[0].replace("\\ ", " ") for token in found)
    return [path for path in named if path not in ("/", "~/", ".", "./") and _BEGINS.match(path)]
