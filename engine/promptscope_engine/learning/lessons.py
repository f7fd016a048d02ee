"""What several runs teach, put together: wordings, parts that ended, tools that are new; each with its runs."""

import re
from collections import Counter as Counts
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.captures.model import SentTool
from promptscope_engine.formats.document import Json
from promptscope_engine.insight.client_sections import ClientSections
from promptscope_engine.insight.tally import Part
from promptscope_engine.learned import (
    CHANCE,
    LABEL,
    AddedSection,
    AddedTool,
    Ended,
    Holes,
    Key,
    LearnedVersion,
    Moved,
    Wording,
)
from promptscope_engine.wire.request import wire_json

from .corrections import MARKED, Corrections, places, unchanged
from .moves import NewText


class Lesson(Struct, frozen=True):
    """What one run taught: `parts` are those of the prediction without learned wording, `tools` those that were sent.

    `start` are the inputs that its way to start gives, `place` says what its folder has (see `given_in`), `flip` is the
    input that was another one than usual.
    """

    number: int
    title: str
    start: Mapping[str, Json]
    flip: Mapping[str, Json]
    wordings: tuple[Wording, ...]
    parts: tuple[Part, ...]
    tools: tuple[SentTool, ...]
    holes: Holes
    moved: tuple[Moved, ...] = ()
    blocks: tuple[NewText, ...] = ()
    names: Mapping[str, tuple[str, ...]] = {}
    """The client's own names of sections, by our ids."""
    place: Mapping[str, Json] = {}

    @property
    def facts(self) -> Mapping[str, Json]:
        """What it has without its flip."""
        return {**self.start, **self.place}

    @property
    def placed(self) -> frozenset[str]:
        """The parts whose words were found between what is exact, with all labels of theirs."""
        labelled = {wording.part for wording in self.wordings if wording.ids == LABEL}
        return frozenset(wording.part for wording in self.wordings) - labelled

    @property
    def inputs(self) -> Mapping[str, Json]:
        """All that it was given."""
        return {**self.start, **self.flip}


class Lessons:
    """Those of all runs so far.

    A text that differs between the ways to start or the kinds of folder, or in a run with another input, is kept with
    these inputs.
    """

    def __init__(self) -> None:
        self._found: dict[int, Lesson] = {}
        self._lines: dict[int, Corrections] = {}
        self._places: dict[int, tuple[Wording, ...]] = {}

    def add(self, lesson: Lesson) -> None:
        """Take what a run taught."""
        self._found[lesson.number] = lesson

    def reword(self, number: int, wordings: tuple[Wording, ...]) -> None:
        """Take the words of a run once it is known which parts ended and which moved."""
        self._found[number] = replace(self._found[number], wordings=wordings)

    def correct(self, number: int, found: Corrections) -> None:
        """Take the lines that were sent otherwise, once the words of all runs are known; to those from before."""
        before = self._lines.get(number)
        rows = before.wordings if before else ()
        self._lines[number] = Corrections((*rows, *found.wordings), found.right)

    def place(self, number: int, found: tuple[Wording, ...]) -> None:
        """Take the places of lines in lists, once all else of the run is as it was sent."""
        self._places[number] = found

    @property
    def runs(self) -> int:
        """How many runs taught something."""
        return len(self._found)

    def wordings(self) -> Iterator[Wording]:
        """The wording of each text. A label is prose where most runs with its part lack it.

        Without its labels, a text that is another one in several runs is none of this part.
        """
        seen: dict[Key, dict[int, Wording]] = defaultdict(dict)
        for lesson in self._found.values():
            for wording in lesson.wordings:
                if not any(MARKED in text.lower() for text in wording.text):
                    seen[wording.key][lesson.number] = wording
        parts = self._predicted()
        labels = {key for key, found in seen.items() if any(each.ids == LABEL for each in found.values())}
        lost = {key for key in labels if len(seen[key]) * 2 > parts[key[0]]}
        gone = {part for part, _ in lost}
        for key, found in seen.items():
            if key in lost:
                yield replace(next(iter(found.values())), runs=self._places_of(found))
            elif key not in labels and not (key[0] in gone and _differ(found.values())):
                yield from self._by_inputs(found)

    def corrected(self) -> Iterator[Wording]:
        """The lines that were sent otherwise; where a run had them as predicted, they are so with its input."""
        seen: dict[Key, dict[int, Wording]] = defaultdict(dict)
        for number, lines in self._lines.items():
            for wording in lines.wordings:
                seen[wording.key][number] = wording
        for found in seen.values():
            first = with_chance([*found.values()])
            if first is not None:
                found = dict.fromkeys(found, first)
            ours = next(iter(found.values()))
            as_predicted = replace(ours, text=unchanged(ours))
            where = places(ours)
            right = {number: as_predicted for number, lines in self._lines.items() if where <= lines.right}
            words = self._by_inputs({**right, **found})
            yield from (each for each in words if each.only or each.text != as_predicted.text)

    def placed(self) -> Iterator[Wording]:
        """The places of lines, for each form those of the run that has most: a line that is not there has none."""
        seen: dict[Key, dict[int, Wording]] = defaultdict(dict)
        for number, found in self._places.items():
            for wording in found:
                seen[wording.key][number] = wording
        for each in seen.values():
            longest = max(each.values(), key=lambda wording: sum(map(len, wording.text)))
            yield replace(longest, runs=self._places_of(each))

    def _by_inputs(self, found: Mapping[int, Wording]) -> Iterator[Wording]:
        """The wordings of one text by run, as few as say it: one for all, by what decides, by a run's input."""
        names = self._deciding({number: wording.text for number, wording in found.items()})
        by_facts: dict[str, dict[int, Wording]] = defaultdict(dict)
        for number, wording in found.items():
            by_facts[repr(self._some(number, names))][number] = wording
        usual = {key: _most([*each.values()]) for key, each in by_facts.items()}
        whole = _most([*usual.values()])
        yield replace(whole, runs=self._places_of(n for n, wording in found.items() if wording == whole))
        for key, each in by_facts.items():
            if usual[key] != whole:
                runs = self._places_of(n for n, wording in each.items() if wording == usual[key])
                yield replace(usual[key], only=self._some(next(iter(each)), names), runs=runs)
            for number, wording in each.items():
                if wording != usual[key] and self._found[number].flip:
                    yield replace(wording, only=self._found[number].inputs, runs=self._places_of((number,)))

    def _some(self, number: int, names: Iterable[str]) -> dict[str, Json]:
        """Some facts of a run."""
        return {name: self._found[number].facts.get(name) for name in names}

    def _deciding(self, values: Mapping[int, object]) -> tuple[str, ...]:
        """The fewest facts that decide over a value, by the runs without a flip if there are any; all if none do."""
        usual = [number for number in values if not self._found[number].flip] or [*values]
        names = sorted({name for number in usual for name in self._found[number].facts})
        for count in range(len(names)):
            for some in combinations(names, count):
                seen = {(repr(self._some(number, some)), repr(values[number])) for number in usual}
                if len(seen) == len({facts for facts, _ in seen}):
                    return some
        return tuple(names)

    def _places_of(self, numbers: Iterable[int]) -> tuple[int, ...]:
        """The places of runs among those that taught something, from 1."""
        places = {number: place for place, number in enumerate(sorted(self._found), 1)}
        return tuple(sorted(places[number] for number in numbers))

    def _predicted(self) -> Counts[str]:
        """In how many runs a part was predicted."""
        parts = (part for lesson in self._found.values() for part in lesson.parts)
        return Counts(part.id for part in parts if part.verdict != "not predicted")

    def learned(self, agent: str, version: str, base: str) -> LearnedVersion:
        """Everything together."""
        return LearnedVersion(
            agent=agent,
            agent_version=version,
            wordings=(*self.wordings(), *self.corrected(), *self.placed()),
            base=base,
            ended=tuple(self._ended(version)),
            moved=tuple(self._moved()),
            added=tuple(self._added()),
            sections=tuple(self._sections()),
            names=self._names(),
            runs=tuple(self._found[number].title for number in sorted(self._found)),
        )

    def _ended(self, version: str) -> Iterator[Ended]:
        """The parts that were predicted, and sent in no run, or in few of a way to start.

        One without a heading is known by its place alone: it was sent where words were found there.
        """
        moved = {each.part for each in self._moved()}
        starts = {repr(each.start): each.start for each in self._found.values()}
        lost, sent = defaultdict[str, Counts[str]](Counts), defaultdict[str, Counts[str]](Counts)
        for lesson in self._found.values():
            for part in lesson.parts:
                if part.id not in moved and part.verdict != "not predicted":
                    is_lost = part.verdict == "not sent" and part.id not in lesson.placed
                    (lost if is_lost else sent)[part.id][repr(lesson.start)] += 1
        for name, counts in lost.items():
            if not sent[name]:
                yield Ended(name, _in_few(version, 0, counts.total()))
                continue
            for start, count in counts.items():
                if count > sent[name][start]:
                    yield Ended(name, _in_few(version, sent[name][start], count + sent[name][start]), starts[start])

    def _moved(self) -> Iterator[Moved]:
        """The sections that most runs have elsewhere of those in which they were predicted."""
        predicted = self._predicted()
        for moved, count in Counts(each for lesson in self._found.values() for each in lesson.moved).items():
            if count * 2 > predicted[moved.part]:
                yield moved

    def _added(self) -> Iterator[AddedTool]:
        """The tools that were sent, and predicted in no run."""
        known = self._predicted()
        seen: dict[str, list[tuple[Lesson, SentTool, str]]] = defaultdict(list)
        for lesson in self._found.values():
            before = ""
            for tool in lesson.tools:
                if f"tools.{tool.name}" not in known and MARKED not in tool.name.lower():
                    seen[tool.name].append((lesson, tool, before))
                before = tool.name
        for name, where in seen.items():
            lesson, tool, before = where[0]
            yield AddedTool(
                name=name,
                description=lesson.holes.cut(tool.description),
                schema=lesson.holes.cut(wire_json(tool.schema)),
                after=before,
                only=self._ways([each for each, *_ in where]),
                runs=self._places_of(each.number for each, *_ in where),
            )

    def _sections(self) -> Iterator[AddedSection]:
        """What was sent, and predicted in no run; a section by its name and text where most runs have it."""
        seen: dict[tuple[str, ...], list[tuple[NewText, Lesson]]] = defaultdict(list)
        for lesson in self._found.values():
            for block in dict.fromkeys(lesson.blocks):
                seen[block.name, "" if block.name else block.beside, *block.text].append((block, lesson))
        for found in seen.values():
            new = Counts(block for block, _ in found).most_common(1)[0][0]
            had = [lesson for _, lesson in found]
            places = self._places_of(each.number for each in had)
            ways = self._ways(had)
            yield AddedSection(new.text, new.beside, ways, places, name=new.name, is_before=new.is_before)

    def _names(self) -> Mapping[str, tuple[str, ...]]:
        """The client's own names of sections, by our ids: those of runs as usual, if such a run had the part."""
        found: dict[str, tuple[str, ...]] = {}
        for lesson in sorted(self._found.values(), key=lambda each: bool(each.flip)):
            found = {**lesson.names, **found}
        return found

    def _ways(self, had: Sequence[Lesson]) -> tuple[Mapping[str, Json], ...]:
        """The inputs with which something was sent; () if with any: most runs of the same facts had it."""
        with_it = {each.number for each in had}
        names = self._deciding({number: number in with_it for number in self._found})
        groups: dict[str, list[int]] = defaultdict(list)
        for number in self._found:
            groups[repr(self._some(number, names))].append(number)
        usual = [each for each in groups.values() if len(with_it.intersection(each)) * 2 > len(each)]
        if len(usual) == len(groups):
            return ()
        known = {number for each in usual for number in each}
        return (
            *(self._some(each[0], names) for each in usual),
            *(each.inputs for each in had if each.flip and each.number not in known),
        )


def by_names(parts: Iterable[Part], system: Collection[str], named: ClientSections) -> Iterator[Part]:
    """The parts of a run with what the client says of those of its `system` prompt: whether each was sent."""
    for part in parts:
        known = named and part.id in system and named.is_known(part.id) and part.verdict != "not predicted"
        is_sent = bool(named.names_of(part.id))
        if known and is_sent is (part.verdict == "not sent"):
            part = replace(part, verdict="other words" if is_sent else "not sent")
        yield part


def _in_few(version: str, sent: int, of: int) -> str:
    runs = f"{of:,} run{'s' * (of != 1)}"
    return f"{version} sent it in {sent or 'none'} of the {runs} in which it was expected"


_SEVERAL = 4


def _differ(wordings: Iterable[Wording]) -> bool:
    """Whether a text is so often another one that, without the labels around it, it is text of other parts."""
    return len({each.text for each in wordings}) >= _SEVERAL


def _most(wordings: Sequence[Wording]) -> Wording:
    """The one that is there most often, the first of those that are even."""
    return max(wordings, key=wordings.count)


_WORD = re.compile(r"(\w+)")


def with_chance(wordings: Sequence[Wording]) -> Wording | None:
    """Wordings of one shape as one, with a hole for each word that is another one in some: `chance:` and a sample.

    None if they have several shapes, or are all the same.
    """
    sides = [_tokens(each.text) for each in wordings]
    shapes = {tuple([(kind, token * (kind != "word")) for kind, token in side]) for side in sides}
    if len(shapes) > 1 or all(side == sides[0] for side in sides):
        return None
    text = [""]
    for place, (kind, token) in enumerate(sides[0]):
        if kind == "hole":
            text += [token, ""]
        elif any(side[place] != sides[0][place] for side in sides):
            text += [f"{CHANCE}{token}", ""]
        else:
            text[-1] += token
    return replace(wordings[0], text=tuple(text))


def _tokens(text: Sequence[str]) -> list[tuple[str, str]]:
    """The words of a text that was cut, what is between them, and its holes."""
    found: list[tuple[str, str]] = []
    for place, each in enumerate(text):
        if place % 2:
            found.append(("hole", each))
        else:
            found += [("word" if at % 2 else "between", token) for at, token in enumerate(_WORD.split(each))]
    return found
