"""Turns that a native engineer would not say, and that do not come back into code or documents."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]

TURNS = {
    r"\banew\b": "again",
    r"\bfor itself\b": "on its own",
    r"\b[Nn]othing of it\b|\b[Ww]hat of it\b": "none of it, or name the thing",
    r"\bas it stands\b": "as it is, unchanged",
    r"\b[Ww]hoever\b": "anyone who",
    r"\b(?:is|are) ended\b": "is stopped",
    r"\btell(?:s)? of\b|\btold of\b": "says, tells about",
    r"\bheld against\b": "compared with",
    r"\b(?:it|they|this|which|that|what) (?:stands?|lies?)\b(?! (?:for|out|in for))": "is, are",
    r"\b(?:stands?|lies?) (?:in|at|before|behind|between|above|below|under|there|beside)\b(?! for)": "is, are",
    r"\b(?:it|this) is no (?!longer|more|different)\w": "it is not a",
    r"(?<!here )\bis no (?:text|list|object|JSON|YAML|TOML|file|folder|directory|link|name|date)\b": "is not a",
    r"\bat the latest\b(?! after)": "within, by",
}
"""What is looked for, and what is said instead."""

_AT_THE_TOP = ("README", "ARCHITECTURE", "CONTRIBUTING", "SECURITY")


def said(path: Path, text: str) -> Iterator[tuple[int, str]]:
    """The lines of a document, and the strings and comments of a module, each with its number."""
    if path.suffix == ".md":
        yield from enumerate(text.split("\n"), 1)
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.STRING, tokenize.COMMENT):
            yield token.start[0], token.string


def ours() -> Iterator[Path]:
    """Modules and documents; the texts of the agents speak as the agents do."""
    for folder in ("engine", "tui", "benchmarks"):
        yield from sorted((ROOT / folder).rglob("*.py"))
    yield from sorted((ROOT / "docs").rglob("*.md"))
    yield from (ROOT / name for name in ("benchmarks/README.md", *(f"{name}.md" for name in _AT_THE_TOP)))


def test_no_turn_comes_back() -> None:
    found: list[str] = []
    for path in ours():
        text = path.read_text("utf-8")
        turns = [turn for turn in TURNS if re.search(turn, text)]  # most files have none, and need no taking apart
        found += (
            f"{path.relative_to(ROOT)}:{line}: {match[0]}: say {TURNS[turn]!r} instead"
            for line, words in (said(path, text) if turns else ())
            for turn in turns
            for match in re.finditer(turn, words)
        )
    assert not found, "\n".join(found)
