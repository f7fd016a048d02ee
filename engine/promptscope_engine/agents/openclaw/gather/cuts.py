"""What is left of a bootstrap file under its limit: head and tail around a marker, or a digest of its rules.

All lengths are UTF-16 units. Up to 2026.2.24 the limit counts neither the marker nor halves of surrogate pairs; later
on it counts everything, and pairs stay whole. Every quirk of the algorithms is here on purpose.
"""

import math
import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from promptscope_engine.agents.openclaw.materials import Excerpt
from promptscope_engine.javascript.text import js_trim, splits_pair, utf16_len, utf16_slice

Cut = tuple[tuple[Excerpt, ...], tuple[int, ...] | None]
"""The parts, and what was kept: head, tail and length, of a digest the policy in second place; None: all of it."""


def whole(text: str) -> tuple[Excerpt, ...]:
    """All of a text."""
    return (Excerpt(text, 0, utf16_len(text)),) if text else ()


def head_and_tail(name: str, text: str, limit: int) -> Cut:
    """70 % and 20 % of the limit around a marker that the limit does not count [2026.2.24]."""
    length = utf16_len(text)
    head, tail = math.floor(0.7 * limit), math.floor(0.2 * limit)  # in floating point, as the agent
    # slice(-0) is slice(0): below a limit of 5 the whole text follows the marker
    start = length - tail if tail else 0
    marker = (
        f"\n\n[...truncated, read {name} for full content...]\n"
        f"…(truncated {name}: kept {head}+{tail} chars of {length})…\n\n"
    )
    parts = (stretch(text, 0, head), Excerpt(marker), stretch(text, start, length))
    return tuple(p for p in parts if p.text), (head, tail, length)


def stretch(text: str, start: int, end: int) -> Excerpt:
    """A stretch of a text, halves of pairs at its ends or not."""
    return Excerpt(utf16_slice(text, start, end), start, end)


def piece(text: str, start: int, end: int) -> Excerpt:
    """A stretch with its surrogate pairs whole: halves at either end are left out."""
    start, end = start + splits_pair(text, start), end - splits_pair(text, end)
    return stretch(text, start, max(start, end))


LEAST_CONTENT = 16
"""Units of the text that have to be left beside the long marker; with less the short one is taken."""
TRIES = 3


def within(name: str, text: str, limit: int) -> Cut:
    """75 % and 25 % of what the marker leaves of the limit [2026.9.6]."""
    length = utf16_len(text)

    def long(head: int, tail: int) -> str:
        kept = f"…(truncated {name}: kept {head}+{tail} chars of {length})…"
        return f"\n[...truncated, read {name} for full content...]\n{kept}\n"

    def short(head: int, tail: int) -> str:
        return f"[…truncated {head}+{tail}/{length}]"

    marker = long if limit - utf16_len(long(0, 0)) - 2 >= LEAST_CONTENT else short
    breaks = "\n" if marker is long else ""

    def around(head: int, tail: int, head_of: int, tail_of: int) -> int:
        return utf16_len(marker(head, tail)) + (bool(head_of) + bool(tail_of) if breaks else 0)

    head = tail = 0
    for _ in range(TRIES):  # the numbers in the marker change its length
        left = max(0, limit - around(head, tail, head, tail))
        following = (math.floor(0.75 * left), math.floor(0.25 * left))
        if following == (head, tail):
            break
        head, tail = following
    while (over := head + tail + around(head, tail, head, tail) - limit) > 0 and (head or tail):
        head, tail = (head, max(0, tail - over)) if tail else (max(0, head - over), 0)
    if not head and not tail and 1 + around(1, 0, 1, 0) <= limit:
        head = 1
    parts = [piece(text, 0, head), Excerpt(marker(head, tail)), piece(text, length - tail, length)]
    return limited(_joined([part for part in parts if part.text], breaks), limit), (head, tail, length)


def _joined(parts: Sequence[Excerpt], breaks: str) -> tuple[Excerpt, ...]:
    found: list[Excerpt] = []
    for part in parts:
        if found and breaks:
            found.append(Excerpt(breaks))
        found.append(part)
    return tuple(found)


def limited(parts: Sequence[Excerpt], limit: int, mark: str = "") -> tuple[Excerpt, ...]:
    """The parts cut bare to the limit, `mark` behind what is left."""
    if sum(utf16_len(part.text) for part in parts) <= limit:
        return tuple(parts)
    left, found = limit - utf16_len(mark), []
    for part in parts:
        length = utf16_len(part.text)
        if length > left:
            left -= splits_pair(part.text, left)
            end = None if part.start is None else part.start + left
            found += [replace(part, text=utf16_slice(part.text, 0, left), end=end)] if left > 0 else []
            break
        found.append(part)
        left -= length
    return (*found, *([Excerpt(mark)] if mark else ()))


# --- the digest of AGENTS.md ------------------------------------------------------------------------------------------

LONGEST_LINE = 240
_HIGH = r"AGENTS\.md|scoped|required|must|never|do not|before subtree|read scoped|security|secret|credential"
_LOW = r"owner|test|validation|command|commit|push|github|pr"
_SIGNS = "🔴|禁止|嚴禁|不得|絕不|絕對不|切勿"
_FURTHER = "必須|務必|一律|紅線"
_WORDS = re.compile(rf"\b(?:{_HIGH}|{_LOW})\b|(?:{_SIGNS}|{_FURTHER})", re.I | re.A)
_URGENT = re.compile(rf"\b(?:{_HIGH})\b|(?:{_SIGNS})", re.I | re.A)
_LISTED = re.compile(r"(?:#{1,6}|\s*[-*+]|\s*[0-9]+[.)])\s+\S")
_FENCE = re.compile(r"`{3,}|~{3,}")


def policies(text: str) -> Iterator[tuple[str, bool]]:
    """Each line that looks like a rule, with the prose right before it, and whether it is urgent."""
    prose: str | None = None
    for source in re.split(r"\r?\n", text):
        line = re.sub(r"\s+", " ", js_trim(source))
        if utf16_len(line) > LONGEST_LINE:
            line = piece(line, 0, LONGEST_LINE - 1).text + "…"
        if not line or _FENCE.match(line):
            prose = None
        elif _LISTED.match(line) or _WORDS.search(line):
            yield line if prose is None else f"{prose}\n{line}", bool(_URGENT.search(line))
            prose = None
        else:
            prose = line


def chosen(rules: Sequence[tuple[str, bool]], room: int) -> tuple[str, int]:
    """The rules that fit, the urgent ones first, in the order of the file; and how many were left out."""
    taken: set[int] = set()
    used = 0
    for urgent in (True, False):
        for at, (rule, is_urgent) in enumerate(rules):
            length = bool(taken) + utf16_len(rule)
            if room > 0 and at not in taken and (is_urgent or not urgent) and used + length <= room:
                taken.add(at)
                used += length
    left = len(rules) - len(taken) if room > 0 else 0
    return "\n".join(rules[at][0] for at in sorted(taken)), left


def digested(text: str, limit: int) -> Cut:
    """45 % of the limit of its head, a digest of its rules in 35 %, 15 % of its tail [AGENTS.md, 2026.9.6]."""
    length = utf16_len(text)
    head, tail, room = (math.floor(limit * share) for share in (0.45, 0.15, 0.35))
    rules = list(policies(text)) if room > 0 else []
    while True:
        policy, left = chosen(rules, room)
        kept = (head, utf16_len(policy), tail, length)
        parts = [
            piece(text, 0, head),
            Excerpt("[...truncated, read AGENTS.md for full content...]"),
            *([Excerpt("[Policy digest from AGENTS.md]"), Excerpt(policy, of_file=True)] if policy else ()),
            Excerpt(f"[...{left} more policy lines omitted...]" if left else ""),
            Excerpt(f"…(truncated AGENTS.md: kept {head}+policy {kept[1]}+{tail} chars of {length})…"),
            piece(text, length - tail, length),
        ]
        made = _joined([part for part in parts if part.text], "\n")
        over = sum(utf16_len(part.text) for part in made) - limit
        if over <= 0 or not (tail > 0 or head > 1 or room > 0):
            return limited(made, limit), kept
        if tail > 0:
            tail = max(0, tail - over)
        elif head > 1:
            head = max(1, head - over)
        else:
            room = max(0, room - over)
