"""The documents as a reader meets them: headings, links, and what stands out as code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from .generated import ROOT

_BLOCK = re.compile(r"^```[^\n]*\n(.*?)^```$|((?:^(?: {4}[^\n]*)?\n)+)", re.MULTILINE | re.DOTALL)
_SPAN = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|srcset|href)=\"([^\"]+)\"")


def documents() -> list[Path]:
    """Every page that people read, in the repository's root and in `docs/`."""
    return [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def without_code(text: str) -> str:
    """A document's own words."""
    return _SPAN.sub("", _BLOCK.sub("\n", text))


def code(text: str) -> Iterator[str]:
    """What is set as code: each line of a block, and each span."""
    for fenced, indented in _BLOCK.findall(text):
        yield from (fenced or indented).splitlines()
    yield from (" ".join(span.split()) for _, span in _SPAN.findall(_BLOCK.sub("\n", text)))


def links(text: str) -> Iterator[str]:
    """What links and pictures lead to, other sites left out."""
    for found in _LINK.finditer(without_code(text)):
        target = found[1] or found[2]
        if not re.match(r"[a-z]+:", target):
            yield target


def anchors(text: str) -> set[str]:
    """The names of a document's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
