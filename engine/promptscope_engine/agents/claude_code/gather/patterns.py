"""The `paths` of rules and skills (specs/claude-code.md 3.5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.glob import expand_braces
from promptscope_engine.javascript.ignore import IgnorePatterns, read_patterns

_MAX_PATTERNS = 256


def parse_paths(value: Json) -> tuple[str, ...] | None:
    """The patterns of a frontmatter's `paths`: a string with commas, or a list. None where they match everything.

    Empty `paths` and `**` make a rule unconditional [recorded].
    """
    items = value if isinstance(value, list) else [value]
    found = [part for item in items for part in _split(_as_text(item))]
    found = [part for part in found if part][:_MAX_PATTERNS]
    if not found or all(part == "**" for part in found):
        return None
    return tuple(found)


def _as_text(item: Json) -> str:
    """A list in the list counts as its items [recorded]."""
    if isinstance(item, list):
        return ",".join(map(_as_text, item))
    return item if isinstance(item, str) else ""


def _split(text: str) -> Iterator[str]:
    """The parts between commas that stand outside of braces."""
    depth = start = 0
    for at, character in enumerate(text):
        if character == "{":
            depth += 1
        elif character == "}":
            depth = max(depth - 1, 0)
        elif character == "," and not depth:
            yield text[start:at].strip()
            start = at + 1
    yield text[start:].strip()


@lru_cache(maxsize=2048)
def _read(patterns: tuple[str, ...]) -> IgnorePatterns:
    return read_patterns(line for pattern in patterns for line in expand_braces(pattern))


def matches(patterns: tuple[str, ...], base: str, path: str) -> bool:
    """Whether an absolute path matches, gitignore-like and relative to `base`: `*.ts` at any depth, `lib/` a tree.

    A pattern with `./` in front never matches [recorded]: gitignore has no such form.
    """
    return matcher(patterns, base)(path)


def matcher(patterns: tuple[str, ...], base: str) -> Callable[[str], bool]:
    """`matches` for one rule, made once for a whole repository's files."""
    folder = base.rstrip("/") + "/"
    read = _read(patterns)
    return lambda path: path.startswith(folder) and read.hides(path[len(folder) :])


def matcher_of_many(patterns: tuple[str, ...], base: str) -> Callable[[Sequence[str]], list[int]]:
    """The indices of the paths that match, all of which lie below `base`."""
    start, read = len(base.rstrip("/")) + 1, _read(patterns)
    return lambda paths: read.hidden_among(paths, start)
