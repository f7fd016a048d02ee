"""Each stretch of the sent texts with the file that it is in: byte for byte, or indented, wrapped or cut.

Texts and files are compared word by word, so that white space may differ; a stretch whose white space is the same is
one match of the file, otherwise each line is. The work is proportional to the size of the file.
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from msgspec import Struct

from promptscope_engine.prompt.drafts import Span
from promptscope_engine.prompt.model import Origin
from promptscope_engine.prompt.spans import Spans

from .materials import FromFile

_NEAR = 400
"""Characters in front of a stretch in which the name of its file may be."""

_HEAD = 5
"""Lines within which the beginning of a file is: front matter names it and describes it."""

_LONG = 160
"""Characters of a stretch that is no coincidence anywhere in a file."""

_OWN_SECTION = 60
"""Characters of a file's text from which on it is a part of its own."""


_SENT = Origin("sent")


class Candidate(Struct, frozen=True):
    """A file. `kind` as CONTRACT has it, "" for one that is no instruction file."""

    path: str
    kind: str


class LocatedFile(Struct, frozen=True):
    """A file's matches in the texts, in order, and whether they hold its first and its last word."""

    candidate: Candidate
    text: str
    matches: tuple[Match, ...]

    @property
    def has_start(self) -> bool:
        """Whether it has the beginning of the file."""
        lead = self.text[: len(self.text) - len(self.text.lstrip())]
        return any(match.start_line <= 1 + lead.count("\n") for match in self.matches)

    @property
    def has_end(self) -> bool:
        """Whether it has the end of the file."""
        return any(match.end_line >= 1 + self.text.rstrip().count("\n") for match in self.matches)

    @property
    def lines(self) -> list[tuple[int, int]]:
        """The stretches of lines, joined where only blank lines are between them."""
        numbered = self.text.split("\n")
        joined: list[tuple[int, int]] = []
        for start, end in sorted({(match.start_line, match.end_line) for match in self.matches}):
            last = joined[-1] if joined else None
            if last and not "".join(numbered[last[1] : start - 1]).strip():
                joined[-1] = (last[0], max(last[1], end))
            else:
                joined.append((start, end))
        return joined


class _Claim(Struct, frozen=True):
    """A stretch that a file could be the origin of: its matches in one text, and how well they fit."""

    candidate: Candidate
    file: str
    matches: tuple[Match, ...]
    weight: tuple[object, ...]


def locate(texts: Sequence[str], files: Iterable[tuple[Candidate, str]]) -> list[LocatedFile]:
    """The files in which text was found: the longest match wins, then a file named nearby, then an instruction file."""
    index = Texts(texts)
    claims = [claim for candidate, text in files for claim in _claims(index, candidate, text)]
    claims.sort(key=lambda claim: claim.weight)
    taken: list[list[tuple[int, int]]] = [[] for _ in texts]
    won: dict[str, tuple[Candidate, str, list[Match]]] = {}
    for claim in claims:
        free = [
            match
            for match in claim.matches
            if not any(match.start < end and start < match.end for start, end in taken[match.text])
        ]
        if sum(match.end - match.start for match in free) * 2 < sum(p.end - p.start for p in claim.matches):
            continue  # what is left over of a stretch that belongs to another file is a coincidence
        for match in free:
            taken[match.text].append((match.start, match.end))
        won.setdefault(claim.candidate.path, (claim.candidate, claim.file, []))[2].extend(free)
    return [
        LocatedFile(candidate, text, tuple(sorted(matches, key=lambda match: (match.text, match.start))))
        for candidate, text, matches in won.values()
    ]


def _claims(index: Texts, candidate: Candidate, text: str) -> Iterator[_Claim]:
    runs = index.runs(text, INSTRUCTIONS if candidate.kind else ANY_FILE)
    found = list(index.matches(text, dict.fromkeys(runs)))
    if not found and candidate.kind:
        found = [(match,) for match in index.verbatim(text)]
    if not any(_is_meant(index, candidate, text, matches) for matches in found):
        return
    for matches in found:
        chars = sum(match.end - match.start for match in matches)
        named = _named(index.texts[matches[0].text][: matches[0].start][-_NEAR:], candidate.path)
        unnamed = tuple(not each for each in named)
        weight = (-chars, unnamed, not candidate.kind, len(candidate.path), candidate.path)
        yield _Claim(candidate, text, matches, weight)


def _is_meant(index: Texts, candidate: Candidate, text: str, matches: Sequence[Match]) -> bool:
    """Whether a stretch shows that the file itself was sent: its start, a long part, or one with its name nearby."""
    chars = sum(match.end - match.start for match in matches)
    before = index.texts[matches[0].text][: matches[0].start]
    begins = not "".join(text.split("\n")[: matches[0].start_line - 1][_HEAD:]).strip()
    return begins or chars >= _LONG or any(_named(before[-_NEAR:], candidate.path))


def _named(before: str, path: str) -> tuple[bool, bool, bool]:
    """Whether the text in front names the file: by its path, by its last two names, by its name."""
    folder, name = posixpath.split(path)
    near = f"{posixpath.basename(folder)}/{name}"
    return path in before, near in before, name in before


def traced(texts: Sequence[str], found: Sequence[LocatedFile]) -> list[Spans]:
    """Each text as spans that join to it, each with the file it comes from; the rest was sent as it is."""
    made: list[list[Span]] = [[] for _ in texts]
    at = [0] * len(texts)
    for match, path in _in_order(found):
        text = texts[match.text]
        if at[match.text] < match.start:
            made[match.text].append(Span(text[at[match.text] : match.start], _SENT))
        origin = Origin("file", path=path, start_line=match.start_line, end_line=match.end_line)
        made[match.text].append(Span(text[match.start : match.end], origin))
        at[match.text] = match.end
    for number, text in enumerate(texts):
        if at[number] < len(text):
            made[number].append(Span(text[at[number] :], _SENT))
    return [tuple(spans) for spans in made]


def stretches(number: int, found: Sequence[LocatedFile]) -> tuple[FromFile, ...]:
    """Where the text of a file begins and ends in one text; neighbouring matches of a file are one, short ones none."""
    joined: list[FromFile] = []
    for match, path in _in_order(found):
        if match.text != number:
            continue
        last = joined[-1] if joined else None
        if last and last.path == path and match.start - last.end < _NEAR:
            joined[-1] = FromFile(last.start, match.end, path)
        else:
            joined.append(FromFile(match.start, match.end, path))
    return tuple(each for each in joined if each.end - each.start >= _OWN_SECTION)


def _in_order(found: Iterable[LocatedFile]) -> list[tuple[Match, str]]:
    """Every match with the path of its file, in the order of the texts."""
    matches = ((match, file.candidate.path) for file in found for match in file.matches)
    return sorted(matches, key=lambda pair: (pair[0].text, pair[0].start))


# --- words ------------------------------------------------------------------------------------------------------------

_WORD = re.compile(r"\S+")
_SPACES = re.compile(r"\s*")
_GRAM = 4
"""Words by which a place is found."""
_PLACES = 8
"""Places of a gram that are looked at: words that are repeated all over tell nothing."""
_STRIDE_FROM = 4_000
"""Words of a file from which on only every fourth gram is looked up; a run of seven words is still found."""


class Significance(Struct, frozen=True):
    """How long a run must be to be no coincidence: in words and in characters, and in characters for a whole file."""

    words: int
    chars: int
    whole: int


INSTRUCTIONS = Significance(words=4, chars=24, whole=3)
ANY_FILE = Significance(words=10, chars=80, whole=40)
_SHORT = 24
"""Characters below which a whole file has to fill its lines: `hi` is everywhere."""


class WordRun(Struct, frozen=True):
    """Words of the texts, from `start` to before `end`, found in the file at its word `at`.

    `chars` is their length without white space, `whole` whether they are the whole file.
    """

    start: int
    end: int
    at: int
    chars: int
    whole: bool


class Match(Struct, frozen=True):
    """Characters `start` to `end` of one text that are in the file, byte for byte, in its 1-based lines."""

    text: int
    start: int
    end: int
    start_line: int
    end_line: int


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

    def runs(self, text: str, significance: Significance) -> list[WordRun]:
        """The stretches of a file's text that are in the texts; they may overlap."""
        words = text.split()
        if not words:
            return []
        if len(words) < _GRAM:
            return self._short(words, significance)
        step = _GRAM if len(words) > _STRIDE_FROM else 1
        found: list[WordRun] = []
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

    def _grown(self, words: Sequence[str], at: int, place: int) -> WordRun:
        first, start = at, place
        while first and words[first - 1] == self.words[start - 1]:  # the gap behind the last text is in front of all
            first, start = first - 1, start - 1
        last, end = at, place
        while last < len(words) and words[last] == self.words[end]:
            last, end = last + 1, end + 1
        return WordRun(start, end, first, sum(map(len, words[first:last])), last - first == len(words))

    def _short(self, words: Sequence[str], significance: Significance) -> list[WordRun]:
        """A file of so few words only where it is whole."""
        runs: list[WordRun] = []
        for place in self._firsts.get(words[0], ()):
            if self.words[place : place + len(words)] == list(words):
                run = WordRun(place, place + len(words), 0, sum(map(len, words)), whole=True)
                runs += [run] if self._counts(run, significance) else []
        return runs[:_PLACES]

    def _counts(self, run: WordRun, significance: Significance) -> bool:
        if run.whole and run.chars >= significance.whole:
            return run.chars >= _SHORT or self._fills_lines(run)
        return run.end - run.start >= significance.words and run.chars >= significance.chars

    def verbatim(self, text: str) -> list[Match]:
        """A short file's text where it is between signs that are not its own, a tag for one."""
        text = text.rstrip()
        lead = len(text) - len(text.lstrip())
        wanted = text.strip()
        if not INSTRUCTIONS.whole <= len(wanted) <= _LONGEST_WORD:
            return []
        found: list[Match] = []
        whole = re.compile(rf"(?<![\w\s]){re.escape(wanted)}(?![\w\s])")
        first = 1 + text[:lead].count("\n")
        for number, sent in enumerate(self.texts):
            places = islice(whole.finditer(sent), _PLACES)
            found += (Match(number, at.start(), at.end(), first, first + wanted.count("\n")) for at in places)
        return found

    def _fills_lines(self, run: WordRun) -> bool:
        number, start, _ = self.places[run.start]
        text, end = self.texts[number], self.places[run.end - 1][2]
        before, behind = text[:start].rpartition("\n")[2], text[end:].partition("\n")[0]
        return not before.strip() and not behind.strip()

    def matches(self, text: str, runs: Iterable[WordRun]) -> Iterator[tuple[Match, ...]]:
        """The runs of a file as characters and lines of it: one match as long as white space is the same in both."""
        words = [(found.start(), found.end()) for found in _WORD.finditer(text)] if runs else []
        lines = [0, *(found.end() for found in re.finditer("\n", text))] if runs else []
        for run in runs:
            number, _, _ = self.places[run.start]
            sent = self.texts[number]
            found: list[list[int]] = []
            """Where equal characters begin and end, in the text and in the file."""
            here, there = self.places[run.start : run.end], words[run.at : run.at + run.end - run.start]
            for (_, start, end), (first, last) in zip(here, there, strict=True):
                if found and sent[found[-1][1] : start] == text[found[-1][3] : first]:
                    found[-1][1::2] = end, last
                else:
                    found.append([start, end, first, last])
            head, tail = found[0], found[-1]
            before = _before(sent, head[0], text, head[2])
            head[::2] = head[0] - before, head[2] - before
            behind = _behind(sent, tail[1], text, tail[3])
            tail[1::2] = tail[1] + behind, tail[3] + behind
            yield tuple(
                Match(number, start, end, bisect_right(lines, first), bisect_left(lines, last))
                for start, end, first, last in found
            )


def _spaces(text: str, at: int) -> str:
    found = _SPACES.match(text, at)
    return found.group() if found else ""


def _behind(sent: str, at: int, text: str, there: int) -> int:
    """How much of the next word belongs to the run: text may be cut in a word or go on without a space."""
    gap = _spaces(sent, at)
    if gap != _spaces(text, there):
        return 0
    at, there = at + len(gap), there + len(gap)
    alike = posixpath.commonprefix([sent[at : at + _LONGEST_WORD], text[there : there + _LONGEST_WORD]])
    length = len(alike.split()[0]) if alike[:1].strip() else 0
    here, its = sent[at + length : at + length + 1], text[there + length : there + length + 1]
    fits = here in ("", "\n") if its.strip() else not here.isalnum()
    return len(gap) + length if length and fits else 0


def _before(sent: str, at: int, text: str, there: int) -> int:
    """The same for the word in front."""
    sent, text = sent[max(at - _LONGEST_WORD, 0) : at][::-1], text[max(there - _LONGEST_WORD, 0) : there][::-1]
    return _behind(sent, 0, text, 0)


_LONGEST_WORD = 2_000
