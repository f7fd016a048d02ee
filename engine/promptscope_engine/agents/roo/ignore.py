"""What the agent may not read (`.rooignore`) and what it may not write (specs/roo.md, sections 4.8 and 6).

Patterns are those of gitignore, and as in the agent's library (npm `ignore`) the case of letters does not
count.
"""

from __future__ import annotations

import re

from promptscope_engine.javascript.ignore import MAX_LINES, IgnorePatterns, read_patterns, within_limits
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


class RooIgnore:
    """The patterns of a `.rooignore` that lies in `root`, an absolute path; `text` is the file's, untrimmed.

    The file itself is ignored too. An empty text stands for a workspace without the file and ignores nothing.
    """

    def __init__(self, root: str, text: str) -> None:
        self._root = root
        # A byte order mark at the start of a pattern is dropped by the library, not by the agent.
        all_lines = re.split(r"\r?\n", text, maxsplit=MAX_LINES)
        lines, self.left_out = within_limits(line.removeprefix("\ufeff") for line in all_lines)
        """What is left out of a file that holds too many patterns; None where nothing is."""
        self._patterns = read_patterns([*lines, IGNORE_FILE] if text else ())

    def ignores(self, path: str) -> bool:
        """Whether `path`, absolute or relative to the root, is hidden; nothing outside the root is."""
        return _below_root_matches(self._root, path, self._patterns)


class RooProtected:
    """The agent's own list of files below `root`, an absolute path, that it may not simply write."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._patterns = read_patterns(PROTECTED_PATTERNS)

    def protects(self, path: str) -> bool:
        """Whether `path`, absolute or relative to the root, is guarded; nothing outside the root is."""
        return _below_root_matches(self._root, path, self._patterns)


def _below_root_matches(root: str, path: str, patterns: IgnorePatterns) -> bool:
    way = to_posix(relative(root, resolve(root, path)))
    # The library throws on the root itself and on paths that lead out; the agent takes that for "allowed".
    outside = way == "" or way == ".." or way.startswith("../")
    return not outside and patterns.hides(way)
