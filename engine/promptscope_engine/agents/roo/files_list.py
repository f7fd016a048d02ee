"""The list of files in the answer of `list_files` and in the environment details (specs/roo.md, 6)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cmp_to_key

from promptscope_engine.javascript.collation import compare_base
from promptscope_engine.javascript.path import relative, resolve, to_posix

from .ignore import RooIgnore, RooProtected

LOCK = "\U0001f512"
"""Stands before an entry that `.rooignore` hides."""

SHIELD = "\U0001f6e1\ufe0f"
"""Stands before an entry that the agent may not write."""

_NO_FILES = "No files were found here."
_TRUNCATED = "(There are more files than this list shows. Call list_files on a subdirectory to see further.)"


def format_files_list(
    directory: str,
    files: Sequence[str],
    did_hit_limit: bool,
    *,
    ignore: RooIgnore | None = None,
    show_ignored: bool = False,
    protected: RooProtected | None = None,
) -> str:
    """One line per entry of `files`, relative to `directory`, sorted and marked.

    `files` are absolute POSIX paths, those of directories end in `/`. Marks are given only with `ignore`: an
    ignored entry is left out, or locked with `show_ignored`, and one that `protected` guards is shielded.
    """
    lines = []
    for path in sorted((_shown(directory, file) for file in files), key=cmp_to_key(_compare_paths)):
        # The path is resolved first and so loses its final slash: a pattern `secret/` does not hide the entry
        # `secret/` itself (specs/roo.md, section 6, step 3).
        absolute = resolve(directory, path)
        if ignore is None:
            lines.append(path)
        elif ignore.ignores(absolute):
            if show_ignored:
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
