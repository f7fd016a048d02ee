"""How bootstrap files share their budget (specs/openclaw.md 4, "Algorithm per file"): pure, on texts alone.

All lengths are UTF-16 units, and head and tail are plain slices that may split a surrogate pair; only the clamp to
what is left of the total avoids that. Every quirk of the algorithm is here on purpose.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from promptscope_engine.agents.openclaw.materials import Injection, Part
from promptscope_engine.javascript.text import js_trim_end, splits_pair, utf16_len, utf16_slice

DEFAULT_MAX_CHARS = 20_000
DEFAULT_TOTAL_CHARS = 150_000
MIN_REMAINING = 64
"""With less than this left no further file is started; a missing file's marker still is."""


def inject(files: Iterable[tuple[str, str, str | None]], max_chars: int, total_chars: int) -> Iterator[Injection]:
    """What is injected of each (name, path, content); content None: the file is missing."""
    remaining = max(1, total_chars)
    stopped = False
    for name, path, content in files:
        missing = content is None
        stopped = stopped or remaining <= 0 or (not missing and remaining < MIN_REMAINING)
        if stopped:
            lost = bool(content and js_trim_end(content))
            yield Injection(reached=False, lost=lost, used=max(1, total_chars) - remaining)
            continue
        whole: tuple[Part, ...]
        kept: tuple[int, int, int] | None
        if content is None:
            whole, kept = (Part(f"[MISSING] Expected at: {path}"),), None
        else:
            whole, kept = _cut(name, js_trim_end(content), max(1, min(max_chars, remaining)))
        parts, clamped = _clamp(whole, remaining)
        lost = kept is not None  # what fits under the limit of a file is never clamped
        injection = Injection(parts, kept=kept, clamped=clamped, lost=lost, used=max(1, total_chars) - remaining)
        remaining -= injection.chars
        yield injection


def _cut(name: str, text: str, limit: int) -> tuple[tuple[Part, ...], tuple[int, int, int] | None]:
    """The text, or 70 % and 20 % of the limit of its head and tail around a marker that the limit does not count."""
    length = utf16_len(text)
    if length <= limit:
        return ((Part(text, 0, length),) if text else ()), None
    head, tail = math.floor(0.7 * limit), math.floor(0.2 * limit)  # in floating point, as the agent
    # slice(-0) is slice(0): below a limit of 5 the whole text follows the marker
    start = length - tail if tail else 0
    marker = (
        f"\n\n[...truncated, read {name} for full content...]\n"
        f"…(truncated {name}: kept {head}+{tail} chars of {length})…\n\n"
    )
    parts = (_part(text, 0, head), Part(marker), _part(text, start, length))
    return tuple(p for p in parts if p.text), (head, tail, length)


def _part(text: str, start: int, end: int) -> Part:
    return Part(utf16_slice(text, start, end), start, end)


def _clamp(parts: tuple[Part, ...], budget: int) -> tuple[tuple[Part, ...], bool]:
    """The parts cut to the budget with an ellipsis at the end, a bare cut where no more than three units are left."""
    if sum(map(_length, parts)) <= budget:
        return parts, False
    left = budget if budget <= 3 else budget - 1
    kept: list[Part] = []
    for part in parts:
        length = _length(part)
        if length <= left:
            kept.append(part)
            left -= length
            continue
        if splits_pair(part.text, left):
            left -= 1
        if left > 0:
            end = None if part.start is None else part.start + left
            kept.append(Part(utf16_slice(part.text, 0, left), part.start, end))
        break
    return (*kept, *([] if budget <= 3 else [Part("…")])), True


def _length(part: Part) -> int:
    return utf16_len(part.text)
