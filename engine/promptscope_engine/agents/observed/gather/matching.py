"""Which stretches of texts stand in a file: byte for byte, or indented, wrapped or cut.

Texts and files are compared word by word, so that white space may differ; a stretch whose white space is the same is
one piece of the file, otherwise each line is. The work is proportional to the size of the file.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from promptscope_engine.frozen import frozen

_WORD = re.compile(r"\S+")
_SPACES = re.compile(r"\s*")
_GRAM = 4
"""Words by which a place is found."""
_PLACES = 8
"""Places of a gram that are looked at: words that are repeated all over tell nothing."""
_STRIDE_FROM = 4_000
"""Words of a file from which on only every fourth gram is looked up; a run of seven words is still found."""


@frozen
class Significance:
    """How long a run must be to be no coincidence: in words and in characters, and in characters for a whole file."""

    words: int
    chars: int
    whole: int


INSTRUCTIONS = Significance(words=4, chars=24, whole=3)
ANY_FILE = Significance(words=10, chars=80, whole=40)
_SHORT = 24
"""Characters below which a whole file has to fill its lines: `hi` stands everywhere."""


@frozen
class Run:
    """Words of the texts, from `start` to before `end`, that stand in the file at its word `at`. `chars` is its
    length without white space, `whole` whether it is all of the file."""

    start: int
    end: int
    at: int
    chars: int
    whole: bool


@frozen
class Piece:
    """Characters `start` to `end` of one text that stand in the file, byte for byte, in its 1-based lines."""

    text: int
    start: int
    end: int
    start_line: int
    end_line: int


@dataclass(eq=False, repr=False)
class _Alike:
    """Characters `start` to `end` of a text that are those from `first` to `last` of a file."""

    start: int
    end: int
    first: int
    last: int


class FileWords:
    """Where the words of a file's text begin and end, and where its lines begin."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.places = [(found.start(), found.end()) for found in _WORD.finditer(text)]
        self.lines = [0, *(found.end() for found in re.finditer("\n", text))]


class Texts:
    """The words of all texts in a row, with a gap between texts that matches nothing."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts
        self.words: list[str] = []
        self.places: list[tuple[int, int, int]] = []
        for number, text in enumerate(texts):
            for found in _WORD.finditer(text):
                self.words.append(found[0])
                self.places.append((number, found.start(), found.end()))
            self.words.append("")
            self.places.append((number, len(text), len(text)))
        self._grams: dict[tuple[str, ...], list[int]] = {}
        self._firsts: dict[str, list[int]] = {}
        for place, word in enumerate(self.words):
            self._firsts.setdefault(word, []).append(place)
            places = self._grams.setdefault(tuple(self.words[place : place + _GRAM]), [])
            if len(places) < _PLACES:
                places.append(place)

    def runs(self, text: str, significance: Significance) -> list[Run]:
        """The stretches of a file's text that stand in the texts; they may overlap."""
        words = text.split()
        if not words:
            return []
        if len(words) < _GRAM:
            return self._short(words, significance)
        step = _GRAM if len(words) > _STRIDE_FROM else 1
        found: list[Run] = []
        at = 0
        while at <= len(words) - _GRAM:
            following = at + step
            for place in self._grams.get(tuple(words[at : at + _GRAM]), ()):
                run = self._grown(words, at, place)
                following = max(following, at + run.end - place - _GRAM + 1)
                if self._counts(run, significance):
                    found.append(run)
            at = following
        return found

    def _grown(self, words: Sequence[str], at: int, place: int) -> Run:
        first, start = at, place
        while first and words[first - 1] == self.words[start - 1]:  # the gap behind the last text is in front of all
            first, start = first - 1, start - 1
        last, end = at, place
        while last < len(words) and words[last] == self.words[end]:
            last, end = last + 1, end + 1
        return Run(start, end, first, sum(map(len, words[first:last])), last - first == len(words))

    def _short(self, words: Sequence[str], significance: Significance) -> list[Run]:
        """A file of so few words only where it stands whole."""
        runs: list[Run] = []
        for place in self._firsts.get(words[0], ()):
            if self.words[place : place + len(words)] == list(words):
                run = Run(place, place + len(words), 0, sum(map(len, words)), whole=True)
                runs += [run] if self._counts(run, significance) else []
        return runs[:_PLACES]

    def _counts(self, run: Run, significance: Significance) -> bool:
        if run.whole and run.chars >= significance.whole:
            return run.chars >= _SHORT or self._fills_lines(run)
        return run.end - run.start >= significance.words and run.chars >= significance.chars

    def verbatim(self, text: str) -> list[Piece]:
        """A short file's text where it stands between signs that are not its own, a tag for one."""
        text = text.rstrip()
        lead = len(text) - len(text.lstrip())
        wanted = text.strip()
        if not INSTRUCTIONS.whole <= len(wanted) <= _LONGEST_WORD:
            return []
        found: list[Piece] = []
        whole = re.compile(rf"(?<![\w\s]){re.escape(wanted)}(?![\w\s])")
        first = 1 + text[:lead].count("\n")
        for number, sent in enumerate(self.texts):
            places = islice(whole.finditer(sent), _PLACES)
            found += (Piece(number, at.start(), at.end(), first, first + wanted.count("\n")) for at in places)
        return found

    def _fills_lines(self, run: Run) -> bool:
        number, start, _ = self.places[run.start]
        text, end = self.texts[number], self.places[run.end - 1][2]
        before, behind = text[:start].rpartition("\n")[2], text[end:].partition("\n")[0]
        return not before.strip() and not behind.strip()

    def pieces(self, run: Run, file: FileWords) -> list[Piece]:
        """A run as characters and lines of the file: one piece as long as white space is the same in both."""
        text = file.text
        number, _, _ = self.places[run.start]
        sent = self.texts[number]
        found: list[_Alike] = []
        here, there = self.places[run.start : run.end], file.places[run.at : run.at + run.end - run.start]
        for (_, start, end), (first, last) in zip(here, there, strict=True):
            if found and sent[found[-1].end : start] == text[found[-1].last : first]:
                found[-1].end, found[-1].last = end, last
            else:
                found.append(_Alike(start, end, first, last))
        head, tail = found[0], found[-1]
        before = _before(sent, head.start, text, head.first)
        head.start, head.first = head.start - before, head.first - before
        behind = _behind(sent, tail.end, text, tail.last)
        tail.end, tail.last = tail.end + behind, tail.last + behind
        lines = file.lines
        return [
            Piece(number, each.start, each.end, bisect_right(lines, each.first), bisect_left(lines, each.last))
            for each in found
        ]


def _behind(sent: str, at: int, text: str, there: int) -> int:
    """How much of the next word belongs to the run: where the sent text is cut within a word, or goes on without a
    space (a closing tag)."""
    gap = _spaces(sent, at)
    if gap != _spaces(text, there):
        return 0
    at, there = at + len(gap), there + len(gap)
    length = _alike(sent[at : at + _LONGEST_WORD], text[there : there + _LONGEST_WORD])
    here, its = _sign(sent, at + length), _sign(text, there + length)
    fits = here in ("", "\n") if its.strip() else not here.isalnum()
    return len(gap) + length if length and fits else 0


def _before(sent: str, at: int, text: str, there: int) -> int:
    """The same for the word in front."""
    sent, text = sent[max(at - _LONGEST_WORD, 0) : at][::-1], text[max(there - _LONGEST_WORD, 0) : there][::-1]
    return _behind(sent, 0, text, 0)


_LONGEST_WORD = 2_000


def _sign(text: str, at: int) -> str:
    return text[at] if at < len(text) else ""


def _spaces(text: str, at: int) -> str:
    found = _SPACES.match(text, at)
    return found.group() if found else ""


def _alike(one: str, other: str) -> int:
    """How many characters are equal, up to a space."""
    length = 0
    for mine, its in zip(one, other, strict=False):
        if mine != its or mine.isspace():
            break
        length += 1
    return length
