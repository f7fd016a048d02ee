"""What Roo may not read (`.rooignore`) or write, and its lists of files that show so.

Patterns are those of gitignore, and as in the agent's library (npm `ignore`) the case of letters does not count.
"""

import re
from collections.abc import Sequence
from functools import cmp_to_key
from typing import TypedDict, Unpack

from promptscope_engine.javascript.collation import compare_base
from promptscope_engine.javascript.ignore import MAX_LINES, IgnorePatterns, read_patterns, within_limits
from promptscope_engine.javascript.text import relative, resolve, to_posix

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
    """The patterns of a `.rooignore` in `root`, an absolute path; `text` is the file's, untrimmed.

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


LOCK = "\U0001f512"
"""Stands before an entry that `.rooignore` hides."""

SHIELD = "\U0001f6e1\ufe0f"
"""Stands before an entry that the agent may not write."""

_NO_FILES = "No files were found here."
_TRUNCATED = "(There are more files than this list shows. Call list_files on a subdirectory to see further.)"


class Marks(TypedDict, total=False):
    """What marks entries: without `ignore` nothing does, not even `protected`."""

    ignore: RooIgnore | None
    show_ignored: bool
    protected: RooProtected | None


def format_files_list(directory: str, files: Sequence[str], did_hit_limit: bool, **marks: Unpack[Marks]) -> str:
    """One line per entry of `files`, relative to `directory`, sorted and marked.

    `files` are absolute POSIX paths, those of directories end in `/`. Marks are given only with `ignore`: an
    ignored entry is left out, or locked with `show_ignored`, and one that `protected` guards is shielded.
    """
    ignore, protected = marks.get("ignore"), marks.get("protected")
    lines = []
    for path in sorted((_shown(directory, file) for file in files), key=cmp_to_key(_compare_paths)):
        # The path is resolved first and so loses its final slash: a pattern `secret/` does not hide the entry
        # `secret/` itself.
        absolute = resolve(directory, path)
        if ignore is None:
            lines.append(path)
        elif ignore.ignores(absolute):
            if marks.get("show_ignored"):
                lines.append(f"{LOCK} {path}")
        elif protected is not None and protected.protects(absolute):
            lines.append(f"{SHIELD} {path}")
        else:
            lines.append(path)
    text = "\n".join(lines)
    if did_hit_limit:
        return f"{text}\n\n{_TRUNCATED}"
    return text or _NO_FILES


def _shown(directory: str, file: str) -> str:
    path = to_posix(relative(directory, file))
    return f"{path}/" if file.endswith("/") else path


def _compare_paths(one: str, other: str) -> int:
    """Files before folders at each level; no total order, as parts that differ by case alone are ties."""
    left, right = one.split("/"), other.split("/")
    for index, (part, counterpart) in enumerate(zip(left, right, strict=False)):
        if part == counterpart:
            continue
        ends, other_ends = index + 1 == len(left), index + 1 == len(right)
        if ends != other_ends:
            return int(other_ends) - int(ends)
        return compare_base(part, counterpart)
    return len(left) - len(right)
