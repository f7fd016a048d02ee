"""What the agent may not read (`.rooignore`) and what it may not write (specs/roo.md, sections 4.8 and 6).

Patterns are those of gitignore, and as in the agent's library (npm `ignore`) the case of letters does not
count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from promptscope_engine.javascript.path import relative, resolve, to_posix

IGNORE_FILE = ".rooignore"

PROTECTED_PATTERNS = (
    ".rooignore",
    ".roomodes",
    ".roorules*",
    ".clinerules*",
    ".roo/**",
    ".vscode/**",
    "*.code-workspace",
    ".rooprotected",
    "AGENTS.md",
    "AGENT.md",
)
"""The agent's own files, which it never writes without asking."""

_FOLDER_GROUP = "ps_d"
"""The group of pathspec's regular expressions that takes the slash after what a pattern names."""


class RooIgnore:
    """The patterns of a `.rooignore` that lies in `root`, an absolute path; `text` is the file's, untrimmed.

    The file itself is ignored too. An empty text stands for a workspace without the file and ignores nothing.
    """

    def __init__(self, root: str, text: str) -> None:
        self._root = root
        lines = re.split(r"\r?\n", text)
        self._patterns = _Patterns.read([*lines, IGNORE_FILE]) if text else _Patterns(())

    def ignores(self, path: str) -> bool:
        """Whether `path`, absolute or relative to the root, is hidden; nothing outside the root is."""
        return _below_root_matches(self._root, path, self._patterns)


class RooProtected:
    """The agent's own list of files below `root`, an absolute path, that it may not simply write."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._patterns = _Patterns.read(PROTECTED_PATTERNS)

    def protects(self, path: str) -> bool:
        """Whether `path`, absolute or relative to the root, is guarded; nothing outside the root is."""
        return _below_root_matches(self._root, path, self._patterns)


def _below_root_matches(root: str, path: str, patterns: _Patterns) -> bool:
    way = to_posix(relative(root, resolve(root, path)))
    # The library throws on the root itself and on paths that lead out; the agent takes that for "allowed".
    outside = way == "" or way == ".." or way.startswith("../")
    return not outside and patterns.match(way)


@dataclass(frozen=True)
class _Pattern:
    regex: re.Pattern[str]
    include: bool
    below_only: bool
    """The pattern ends in `/**` and so does not match the folder that it names."""

    def matches(self, path: str) -> bool:
        """Whether the pattern names `path` itself, whose final slash says that it is a folder.

        pathspec's own match holds for all that lies below a folder too. That would let `!a` bring back `a/b`,
        which git and the agent's library do not: they ask for each folder on the way in its turn.
        """
        found = self.regex.search(path.removesuffix("/") if self.below_only else path)
        if found is None:
            return False
        folder_end = found.end(_FOLDER_GROUP) if _FOLDER_GROUP in self.regex.groupindex else -1
        return folder_end in (-1, len(path))


@dataclass(frozen=True)
class _Patterns:
    patterns: tuple[_Pattern, ...]

    @classmethod
    def read(cls, lines: Iterable[str]) -> _Patterns:
        """The patterns of `lines`, without comments, blank lines and what cannot be read as a pattern."""
        from pathspec import GitIgnoreSpec  # 90 ms

        patterns = []
        for line in lines:
            try:
                # A byte order mark at the start of a pattern is dropped by the library, not by the agent.
                spec = GitIgnoreSpec.from_lines([line.removeprefix("\ufeff")])
            except (ValueError, re.error):
                continue
            for pattern in spec.patterns:
                regex, include = getattr(pattern, "regex", None), pattern.include
                if regex is not None and include is not None:
                    # Greedy from the start of the path, so that the last of several places is the one found.
                    source = regex.pattern if regex.pattern.startswith("^") else f"^.*{regex.pattern}"
                    folded = re.compile(source, re.IGNORECASE)
                    patterns.append(_Pattern(folded, include, line.rstrip().endswith("/**")))
        return cls(tuple(patterns))

    def match(self, path: str) -> bool:
        """Whether `path` or a folder above it is matched: nothing in a matched folder is let in again."""
        parts = path.split("/")
        folders = ("/".join(parts[:depth]) + "/" for depth in range(1, len(parts)))
        return any(self._decide(folder) for folder in folders) or self._decide(path)

    def _decide(self, path: str) -> bool:
        decision = False
        for pattern in self.patterns:
            if pattern.matches(path):
                decision = pattern.include
        return decision
