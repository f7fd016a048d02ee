"""Hints on how instructions are worded: nothing is wrong with the files, and nothing here ever fails a check.

Blocks of code, inline code, front matter, tables and quotations are not looked at. Each rule goes by what is there
word by word: it would rather miss something than find what is not there.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .context import Context, Passage
from .findings import ADVICE, Finding
from .references import Line, read_lines, without_code
from .settings import CheckSettings

MAX_PARAGRAPH = 1_000
"""Characters of a paragraph or bullet."""

LEAST_EMPHASIS = 5
"""Emphasised words of a file from which on they are counted,"""
MAX_EMPHASIS = 0.02
"""and the share of its words that they may have."""

_NO_PROSE = re.compile(r"[ \t]*[|>]| {4,}\S(?<![-*+])|\t+[^\s\-*+\d]")
_BULLET = re.compile(r"[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")


def is_advised(settings: CheckSettings) -> bool:
    """Whether any hint is asked for."""
    return settings.advice or any(settings.rules.get(rule, "off") != "off" for rule in ADVICE)


def advice(context: Context) -> Iterator[Finding]:
    """All hints on the files that are loaded."""
    files: dict[str, list[Passage]] = {}
    for passage in context.passages:
        files.setdefault(passage.path, []).append(passage)
    prose = {path: [line for each in passages for line in _prose(each)] for path, passages in files.items()}
    yield from _contradictions(context, prose)
    for path, lines in prose.items():
        yield from _long_paragraphs(context, path, lines)
        yield from _emphasis(context, path, lines)
        yield from _vague(context, path, lines)


def _prose(passage: Passage) -> Iterator[Line]:
    """The lines of prose, "" where something else is between paragraphs."""
    for line in read_lines(passage.text, passage.start):
        text = line.text.rstrip()
        is_prose = line.fence is None and not _NO_PROSE.match(text) and not text.lstrip().startswith("#")
        yield Line(line.number, text if is_prose else "")


# --- always and never ------------------------------------------------------------------------------------------------

_SENTENCE = re.compile(r"(?<=[.!?;])\s+")
_LEAD = re.compile(r"^(?:[\s*_>]|(?:important|note|critical|warning|remember)\s*[:!-])+", re.IGNORECASE)
_YOU = r"(?:you\s+)?(?:please\s+)?"
_ALWAYS = re.compile(rf"{_YOU}(?:(?:must|should)\s+)?always\s+(?P<what>\S.*)", re.IGNORECASE)
_NEVER = re.compile(
    rf"{_YOU}(?:(?:must|should)\s+never|never|(?:do\s+not|don['’]t)\s+ever|(?:must|should)\s+not\s+ever)\s+(?P<what>\S.*)",
    re.IGNORECASE,
)
_SMALL = frozenset(["a", "an", "the", "any", "all", "your", "our", "this", "these", "those", "ever", "please"])
_LEAST_WORDS = 2
"""Words of what is always or never to be done: `always.` says nothing."""


class _Said(NamedTuple):
    path: str
    line: int
    text: str


def _contradictions(context: Context, prose: dict[str, list[Line]]) -> Iterator[Finding]:
    """What one sentence always wants and another never, told at the later one. Conditions belong to what is wanted."""
    always: dict[tuple[str, ...], _Said] = {}
    never: dict[tuple[str, ...], _Said] = {}
    for path, lines in prose.items():
        for line, sentence in _sentences(lines):
            for pattern, mine, others in ((_ALWAYS, always, never), (_NEVER, never, always)):
                found = pattern.fullmatch(sentence)
                what = _normalised(found["what"]) if found else ()
                if len(what) < _LEAST_WORDS:
                    continue
                said = _Said(path, line, _short(sentence))
                mine.setdefault(what, said)
                if other := others.get(what):
                    place = f"{context.relative(other.path)}:{other.line}"
                    text = f"“{said.text}” here, “{other.text}” in {place}: which of them holds?"
                    yield context.finding("contradiction", text, path, line)


def lasting(passage: Passage) -> tuple[int, str] | None:
    """The first sentence of a passage that is to hold always or never, with its line; None without one."""
    for line, sentence in _sentences([*_prose(passage)]):
        if _ALWAYS.fullmatch(sentence) or _NEVER.fullmatch(sentence):
            return line, _short(sentence)
    return None


def _sentences(lines: Iterable[Line]) -> Iterator[tuple[int, str]]:
    """The sentences of paragraphs and bullets, each with the line on which it begins."""
    for paragraph in _paragraphs(lines):
        starts: list[int] = []
        text = ""
        for line in paragraph:
            starts.append(len(text))
            text += line.text.strip() + " "
        at = 0
        for sentence in _SENTENCE.split(text):
            number = bisect_right(starts, at) - 1
            plain = _BULLET.sub("", sentence, count=1).replace("**", "").replace("__", "")
            yield paragraph[number].number, _LEAD.sub("", plain).strip(" .!;*_")
            at = text.find(sentence, at) + len(sentence) + 1


def _normalised(what: str) -> tuple[str, ...]:
    words = re.findall(r"[\w./@+#-]+", what.casefold().replace("`", "").replace("*", ""))
    return tuple(word.strip(".-") for word in words if word not in _SMALL and word.strip(".-"))


_SHOWN = 60
"""Characters of a sentence in a finding."""


def _short(sentence: str) -> str:
    return sentence if len(sentence) <= _SHOWN else f"{sentence[: _SHOWN - 1].rstrip()}…"


# --- paragraphs ------------------------------------------------------------------------------------------------------


def _paragraphs(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """Lines that belong together: up to a blank one or the next bullet."""
    here: list[Line] = []
    for line in lines:
        if here and (not line.text.strip() or _BULLET.match(line.text) or line.number != here[-1].number + 1):
            yield here
            here = []
        if line.text.strip():
            here.append(line)
    if here:
        yield here


def _long_paragraphs(context: Context, path: str, lines: list[Line]) -> Iterator[Finding]:
    for paragraph in _paragraphs(lines):
        length = len(" ".join(line.text.strip() for line in paragraph))
        if length > MAX_PARAGRAPH:
            text = (
                f"a paragraph of {length:,} characters: what it asks for is easier to follow in several, or as a list"
            )
            yield context.finding("long-paragraph", text, path, paragraph[0].number)


# --- emphasis --------------------------------------------------------------------------------------------------------

_LOUD = frozenset(
    ("ABSOLUTELY", "ALWAYS", "CRITICAL", "CRUCIAL", "IMPORTANT", "MANDATORY", "MUST", "NEVER", "REQUIRED", "STRICTLY")
) | {"WARNING"}
_SHOUTED = 3
"""So many words in capitals one after the other are no abbreviations."""


def _emphasis(context: Context, path: str, lines: list[Line]) -> Iterator[Finding]:
    """A file in which so many words raise their voice that none stands out."""
    loud: Counter[str] = Counter()
    words = shouted = first = 0
    for line in lines:
        here = _WORD.findall(without_code(line.text))
        words += len(here)
        run: list[str] = []
        for word in [*here, ""]:
            if word.isupper() and len(word) > 1:
                run.append(word)
                continue
            named = [each for each in run if each in _LOUD]
            loud.update(named)
            shouted += len(run) if len(run) >= _SHOUTED else len(named)
            first = first or (line.number if named or len(run) >= _SHOUTED else 0)
            run = []
    if shouted >= LEAST_EMPHASIS and shouted > words * MAX_EMPHASIS:
        counts = "".join(f", {word} {count} ×" for word, count in loud.most_common(3))
        text = (
            f"{shouted} of {words:,} words are emphasised with capitals{counts}: what matters most does not stand out"
        )
        yield context.finding("emphasis", text, path, first)


# --- when? -----------------------------------------------------------------------------------------------------------

_VAGUE = re.compile(
    r"\b(?:(?:if|when|where|whenever|wherever|as)\s+(?:appropriate|needed|necessary|applicable|suitable|you\s+see\s+fit)"
    r"|(?:if|when|where|whenever|wherever)\s+it\s+(?:makes\s+sense|seems\s+(?:right|sensible|appropriate))"
    r"|use\s+your\s+(?:best\s+)?judge?ment)\b"
    r"(?!\s+(?:to|by|for|because|since|due|in\s+order)\b)",  # then it says when
    re.IGNORECASE,
)


def _vague(context: Context, path: str, lines: list[Line]) -> Iterator[Finding]:
    """Lines that leave it to the model when they hold."""
    for line in lines:
        if found := _VAGUE.search(without_code(line.text)):
            words = " ".join(found[0].split())
            text = f"“{words}” leaves open when this holds: name the case that you have in mind"
            yield context.finding("vague-trigger", text, path, line.number)
