"""Passages that a prompt has more than once, in built-in and in own text: each further copy is paid for again.

Three kinds: files that are sent as a whole, sentences with the same words, and bullets that insist in other words on
the use of the same tool.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, groupby
from operator import attrgetter
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.prompt.model import Assembly, Origin, Section

from .repeats import Copy, Repeat, but_one, units
from .whole_files import whole_files

MAX_CHARS = 200_000
"""Characters of a prompt that are looked through for other words; of a larger one the rest is not."""

LEAST = 25
"""Characters of a sentence, white space collapsed, from which on an equal one is no coincidence."""

SHARED = 6
"""Words of content that a bullet shares with one that insists, to say the same in other words."""

# Both kinds of an end begin with one of a few characters, for which `re` looks fastest: of 20 MB it takes a fifth.
_SENTENCE = re.compile(
    r"""[.!?:\n](?:(?<!\n)["')*_]*\s+(?=["'(*_`\[]*[A-Z0-9])|(?<=\n)(?:\s*\n|(?=[ \t]*(?:[-*•#>]|\d+[.)]) )))"""
)
_WORD = re.compile(r"[^\W_]\w*")
_LEAD = re.compile(r"[\s>*_#•-]+|\d+[.)]\s+")
_EMPHASIS = re.compile(r"\b(?:CRITICAL|IMPORTANT|MUST|ALWAYS|NEVER|ANY|FIRST|ONLY|REQUIRED|MANDATORY|WARNING)\b")
_EMPTY = frozenset(  # words that say nothing of what a sentence is about
    re.findall(
        r"\w+",
        """about after again also and any are been before being both but can does each else even every for from had has
        have how into its itself just like make makes many may more most must need needs not now once one only other
        others out over own same should some such than that the their them then there these they this those through thus
        too unless until upon use used uses using very was way were what when where whether which while who will with
        within without would yet you your""",
    )
)


def _do_nothing() -> None:
    pass


class Divided(NamedTuple):
    """A text in its sentences: how many there are, and of the long ones the number, start, end, and bare words."""

    total: int
    sentences: tuple[tuple[int, int, int, str], ...]


def divided(text: str) -> Divided:
    """The text in its sentences; the words of equal ones are the same, however they are marked up."""
    ends = [found.start() + (text[found.start()] != "\n") for found in _SENTENCE.finditer(text)]
    if not ends or ends[-1] != len(text):
        ends.append(len(text))
    is_marked = "**" in text or "`" in text
    folded = text.lower() if text.isascii() else ""  # as long as the text, and much faster at once
    found: list[tuple[int, int, int, str]] = []
    start = 0
    for number, end in enumerate(ends):
        if end - start >= LEAST:
            words = " ".join((folded[start:end] if folded else text[start:end].casefold()).split())
            lead = _LEAD.match(words)
            words = words[lead.end() :] if lead else words
            words = (words.replace("**", "").replace("`", "") if is_marked else words).strip(" .:;!*_")
            if len(words) >= LEAST:
                found.append((number, start, end, words))
        start = end
    return Divided(len(ends), tuple(found))


def find_repeats(
    assembly: Assembly,
    count: Callable[[str], int | None],
    check_cancelled: Callable[[], None] = _do_nothing,
    divide: Callable[[str], Divided] = divided,
) -> tuple[Repeat, ...]:
    """The repeated passages of a prompt, the dearest first. Sentences of one passage are told together.

    `check_cancelled` is called for each section, and may raise to stop. `divide` may know texts of other prompts.
    """
    whole = list(whole_files(assembly, count))
    same_as_before = {copy.path for each in whole for copy in each.copies if copy.path != each.copies[0].path}
    passages = list(_passages(list(_sentences(assembly, check_cancelled, divide))))
    equal = [*whole, *_by_people(_equal(passages, count), same_as_before)]
    told = {(copy.section, copy.line) for repeat in equal for copy in repeat.copies}
    tools = {tool.name: tool.section for tool in assembly.tools if tool.present}
    said_again = [r for r in _said_again(assembly, tools, count) if not {(c.section, c.line) for c in r.copies} <= told]
    return tuple(sorted((*equal, *said_again), key=lambda each: (-(each.tokens or 0), each.text)))


# --- the same words --------------------------------------------------------------------------------------------------


class _Found(NamedTuple):
    """A sentence: its words without what marks them up, and its place. Two of one section have adjacent numbers."""

    words: str
    section: Section
    start: int
    end: int
    number: int


class _Passage(NamedTuple):
    """A sentence that is there more than once."""

    words: str
    text: str
    section: Section
    offset: int
    line: int
    number: int

    @property
    def end(self) -> int:
        """The line in which it ends."""
        return self.line + self.text.count("\n")


def _sentences(
    assembly: Assembly, check_cancelled: Callable[[], None], divide: Callable[[str], Divided]
) -> Iterator[_Found]:
    before = 0
    for section in assembly.sections:
        if not section.present:
            continue
        check_cancelled()
        at = 0
        for text in _texts(section):
            found = divide(text)
            for number, start, end, words in found.sentences:
                yield _Found(words, section, at + start, at + end, before + number)
            at += len(text)
            before += found.total
        before += 1  # sentences of two sections are no neighbours


def _texts(section: Section) -> Iterator[str]:
    """The text of a section in pieces that no sentence goes beyond: those of files, and what is between them."""
    for is_file, pieces in groupby(section.fragments, key=lambda each: each.origin.kind == "file"):
        texts = [piece.text for piece in pieces if piece.text]
        yield from texts if is_file else ["".join(texts)]


def _passages(sentences: Sequence[_Found]) -> Iterator[_Passage]:
    """Those with words that are there more than once: of most sentences nobody needs the line."""
    copies = Counter(each.words for each in sentences)
    repeated = (each for each in sentences if copies[each.words] > 1 and any(map(str.isalpha, each.words)))
    for section, there in groupby(repeated, key=attrgetter("section")):
        text, seen, line = section.text, 0, 0
        for found in there:
            span = text[found.start : found.end]
            offset = found.start + len(span) - len(span.lstrip())
            line, seen = line + text.count("\n", seen, offset), offset
            yield _Passage(found.words, span.strip(), section, offset, line, found.number)


def _equal(passages: Sequence[_Passage], count: Callable[[str], int | None]) -> Iterator[Repeat]:
    by_words: dict[str, list[_Passage]] = {}
    for passage in passages:
        by_words.setdefault(passage.words, []).append(passage)
    by_number = {passage.number: passage for passage in passages}
    done: set[int] = set()
    for passage in passages:
        copies = by_words[passage.words]
        if len(copies) == 1 or passage.number in done:
            continue
        numbers = [copy.number for copy in copies]
        length = 1  # with the next sentences, as long as they are the same in all places and are nowhere else
        while following := by_number.get(passage.number + length):
            if [each.number for each in by_words[following.words]] != [number + length for number in numbers]:
                break
            length += 1
        places = [range(number, number + length) for number in numbers]
        done.update(*places)
        texts = [" ".join(by_number[number].text for number in place) for place in places]
        ends = [by_number[place[-1]].end for place in places]
        found = tuple(
            _copy(copy.section, copy.offset, (copy.line, end), text, count)
            for copy, text, end in zip(copies, texts, ends, strict=True)
        )
        yield Repeat("same words", texts[0], found, but_one(found))


def _by_people(repeats: Iterable[Repeat], same_as_before: Collection[str | None]) -> Iterator[Repeat]:
    """The repeats without the copies that the agent makes of a file's text: nobody wrote them.

    These are the same lines once more, as in a digest or in a file that is sent twice, lines that were folded or
    shortened, and those of the files that are the `same_as_before`.
    """
    for each in repeats:
        if not each.is_own:
            yield each
            continue
        places: dict[object, Copy] = {}
        for copy in each.copies:
            if not copy.derived and copy.path not in same_as_before:
                places.setdefault((copy.path, copy.file_line) if copy.path else copy, copy)
        copies = tuple(places.values())
        if copies == each.copies:
            yield each
        elif len(copies) > 1:
            yield replace(each, copies=copies, tokens=but_one(copies))


def _copy(section: Section, offset: int, lines: tuple[int, int], text: str, count: Callable[[str], int | None]) -> Copy:
    first, last = lines
    tokens = section.expected_of(count(text))
    origin, line = _origin(section, offset, first)
    if origin.kind != "file" or origin.path is None:
        return Copy(section.id, section.title, first, tokens, derived=origin.kind == "computed")
    start = (origin.start_line or 1) + line
    return Copy(section.id, section.title, first, tokens, origin.path, start, start + last - first)


def _origin(section: Section, offset: int, line: int) -> tuple[Origin, int]:
    """What an offset in a line of a section's text comes from, and in which line of that piece it is."""
    at = 0
    for fragment in section.fragments:
        if offset < at + len(fragment.text):
            break
        at += len(fragment.text)
        line -= fragment.text.count("\n")
    return fragment.origin, line


# --- the same in other words -----------------------------------------------------------------------------------------


class _Bullet(Struct, frozen=True):
    """A bullet or paragraph that names a tool; `insists`: one of its sentences raises its voice over it."""

    section: Section
    offset: int
    line: int
    text: str
    words: frozenset[str]
    insists: bool


def _said_again(
    assembly: Assembly, tools: dict[str, str | None], count: Callable[[str], int | None]
) -> Iterator[Repeat]:
    """For each tool the bullets that insist on it, outside of its own description, and those that say so again."""
    named: dict[str, list[_Bullet]] = {}
    names = [name for name in tools if "_" in name]
    left = MAX_CHARS
    for section in assembly.sections:
        if not section.present:
            continue
        left -= section.chars
        if left < 0:
            break
        text = section.text
        there = [name for name in names if name in text and section.id != tools[name]]
        if not there:
            continue
        starts = list(accumulate((len(line) + 1 for line in text.split("\n")), initial=0))
        for unit in units(text):
            words = set(_WORD.findall(unit.text))
            for name in words.intersection(there):
                content, insists = _content(unit.text), _insists(unit.text, name)
                bullet = _Bullet(section, starts[unit.first], unit.first, unit.text, content, insists)
                named.setdefault(name, []).append(bullet)
    for name, bullets in named.items():
        insisting = [each for each in bullets if each.insists]
        loud = {each.section.id for each in insisting}
        same = [
            b
            for b in bullets
            if b.insists or (b.section.id not in loud and any(len(b.words & i.words) >= SHARED for i in insisting))
        ]
        if not insisting[1:]:
            continue
        copies = tuple(_copy(b.section, b.offset, (b.line, b.line + b.text.count("\n")), b.text, count) for b in same)
        yield Repeat("other words", insisting[0].text.strip(), copies, but_one(copies), name)


def _insists(text: str, name: str) -> bool:
    """Whether one of its sentences names the tool and raises its voice."""
    return any(name in sentence and _EMPHASIS.search(sentence) for sentence in _SENTENCE.split(text))


_SHORT_WORD = 3
"""Letters up to which a word carries no meaning of its own."""


@lru_cache(maxsize=4_096)
def _content(text: str) -> frozenset[str]:
    """The words that carry meaning, without endings that make no difference."""
    found = {_stem(word.casefold()) for word in _WORD.findall(text)}
    return frozenset(word for word in found if len(word) > _SHORT_WORD and word not in _EMPTY)


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) > _SHORT_WORD:
            return word.removesuffix(ending)
    return word
