"""Glob patterns as the agents' JavaScript libraries have them: braces written out, and paths that a pattern names."""

from __future__ import annotations

import re
from functools import lru_cache

MAX_EXPANSIONS = 256

MAX_PATTERN_CHARS = 4_096
"""No path is longer; braces in a longer pattern stay as they are."""

_CHOICE = re.compile(r"\{([^{}]*,[^{}]*)\}")
_GROUP = re.compile(r"\{([^{}]*)\}")
_SIGN = re.compile(r"(?:\*\*/)+|\*\*|\*|\?|[^*?]+")  # `**/` once is enough, and twice would take ages to fail
_SIGNS = {"**": ".*", "*": "[^/]*", "?": "[^/]"}


def expand_braces(pattern: str, most: int = MAX_EXPANSIONS, *, single: bool = False) -> list[str]:
    """`{src,lib}/*.{ts,tsx}` as four patterns, the first `most` of them. With `single`, `{a}` is `a` as well."""
    if len(pattern) > MAX_PATTERN_CHARS:
        return [pattern]
    group = _GROUP if single else _CHOICE
    done: list[str] = []
    pending = [pattern]
    while pending and len(done) < most:
        current = pending.pop()
        found = group.search(current)
        if found is None:
            done.append(current)
            continue
        before, after = current[: found.start()], current[found.end() :]
        # No more of the options than could be taken, the first one on top.
        pending += [before + option + after for option in reversed(found[1].split(",")[:most])]
    return done


def is_pattern(text: str) -> bool:
    """Whether a part of a path is anything but a name."""
    return any(sign in text for sign in "*?{[")


def glob_matches(pattern: str, path: str) -> bool:
    """Whether a path is one that the pattern names; `*` and `?` stay within a folder, `**` does not."""
    return any(_expression(expanded).match(path) for expanded in expand_braces(pattern))


@lru_cache(maxsize=2048)
def _expression(pattern: str) -> re.Pattern[str]:
    parts = (
        "(?:[^/]*/)*" if sign[:3] == "**/" else _SIGNS.get(sign) or re.escape(sign) for sign in _SIGN.findall(pattern)
    )
    return re.compile("".join(parts) + r"\Z", re.DOTALL)
