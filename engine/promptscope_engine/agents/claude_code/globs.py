"""The patterns of files' heads and of settings: how Claude Code takes a list of them apart, and whose reading counts.

It prepares its patterns, then hands them to a library; how that reads them is in `promptscope_engine.javascript`.
"""

import posixpath
import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.glob import MAX_EXPANSIONS, MAX_PATTERN_CHARS, split_outside_braces
from promptscope_engine.javascript.ignore import IgnorePatterns, read_patterns

MAX_PATTERNS = 256
"""Patterns of one file that count."""

_SIGNS = re.compile(r"[*?{\[]")
_FIRST_BRACE = re.compile(r"([^{]*)\{([^}]+)\}(.*)")


def path_patterns(value: Json) -> tuple[str, ...] | None:
    """The patterns of `paths`: a text with commas, or a list. None where they name everything: none, or `**` alone."""
    items = value if isinstance(value, list) else [value]
    found = tuple(part for item in items for part in split_outside_braces(_as_text(item)) if part)[:MAX_PATTERNS]
    return found if any(pattern != "**" for pattern in _prepared(found)) else None


def path_matcher(patterns: tuple[str, ...], base: str) -> Callable[[str], bool]:
    """Whether an absolute path matches, as in an ignore file in `base`: `*.ts` at any depth, `./x` never [recorded]."""
    folder, read = base.rstrip("/") + "/", _read(patterns)
    return lambda path: path.startswith(folder) and read.hides(path[len(folder) :])


def path_matcher_of_many(patterns: tuple[str, ...], base: str) -> Callable[[Sequence[str]], list[int]]:
    """The indices of the paths that match, all of which are below `base`."""
    start, read = len(base.rstrip("/")) + 1, _read(patterns)
    return lambda paths: read.hidden_among(paths, start)


def names_any(pattern: str, paths: Iterable[str], real_path: Callable[[str], str]) -> bool:
    """Whether a pattern names one of a file's absolute paths, as picomatch has it.

    The folder before the pattern's first sign is looked up: with `link` leading to `docs`, `/w/link/a.md` is
    `/w/docs/a.md` as well, and so are `/w//docs/./a.md` and the like.
    """
    from promptscope_engine.javascript.picomatch import names  # 5 ms, and few exclude files by patterns

    pattern = pattern.replace("\\", "/")
    choices = [pattern]
    folder = _SIGNS.split(pattern, maxsplit=1)[0].rstrip("/").rpartition("/")[0]
    if pattern.startswith("/") and folder and (found := real_path(posixpath.normpath(folder))) != folder:
        choices.append(found.rstrip("/") + pattern[len(folder) :])
    return any(names(choice, path) for choice in choices for path in paths)


def first_braces(pattern: str) -> list[str]:
    """`{src,lib}/*.{ts,tsx}` as four patterns: from the first `{` to the first `}` behind it, then the next ones.

    So `{a}` is `a`, and braces in braces come apart at the wrong place, as the agent has it.
    """
    done: list[str] = []
    pending = [pattern]
    while pending and len(done) < MAX_EXPANSIONS:
        current = pending.pop()
        found = _FIRST_BRACE.fullmatch(current) if len(current) <= MAX_PATTERN_CHARS else None
        if found is None:
            done.append(current)
            continue
        options = found[2].split(",")[:MAX_EXPANSIONS]
        pending += [found[1] + option.strip() + found[3] for option in reversed(options)]
    return done


def _as_text(item: Json) -> str:
    """A list in the list counts as its items [recorded]."""
    if isinstance(item, list):
        return ",".join(map(_as_text, item))
    return item if isinstance(item, str) else ""


def _prepared(patterns: tuple[str, ...]) -> list[str]:
    """As they reach the library: `src/**` is `src`, which names a folder (or a file) of that name at any depth."""
    written_out = (choice for pattern in patterns for choice in first_braces(pattern))
    return [kept for choice in written_out if (kept := choice.removesuffix("/**"))]


@lru_cache(maxsize=2048)
def _read(patterns: tuple[str, ...]) -> IgnorePatterns:
    return read_patterns(_prepared(patterns))
