"""The real wording of an agent's fixed prose, learned from a request that it sent.

Prediction and request are laid side by side, block by block. What the prediction knows exactly (headings, files' text,
values of the scenario) is found in what was sent; the prose between two such places is the wording of the stand-ins
that the prediction has there. Where a neighbour is not found, nothing is learned: the part stays a stand-in.
"""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.assembly.assembler import descriptions
from promptscope_engine.assembly.knowledge import NO_KNOWLEDGE, Knowledge
from promptscope_engine.assembly.wording import ids, is_weak, listed_in, schema_variant, stretches, variant
from promptscope_engine.captures.model import Capture, Content, Recorded, SentTool
from promptscope_engine.captures.protocols import content_of
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.learned import LABEL, LISTED, MAX_TEXT, SCHEMA, Holes, Key, LearnedVersion, Wording, variant_of
from promptscope_engine.prompt.model import Assembly, Channel, Fragment, Section
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.wire.request import wire_json
from promptscope_engine.workspace import Workspace

from .alignment import Item, aligned
from .client_sections import ClientSections
from .fitting import best_fit
from .predicted_lines import Pieces, changing_lines, factor_of, pieces_of, predicted_content, prompt_lines
from .sent_blocks import Unpredictable, blocks_of, paired
from .verification import cut_at_headings

_UNNAMED = ClientSections()

_LONGEST = 8
"""So many times longer than expected the wording of a stretch may be, and this much more:"""
_LONGER = 4_000

_COMPLETE = 0.7
"""Prose at an end of a pasted text is taken for complete from this share of its expected size on,"""
_CLOSING = tuple(".:!?)`>\"'")
"""and if it ends with one of these."""


class PartLearned(Struct, frozen=True):
    """A section or tool with fixed prose, and what kept it from being learned ("": nothing did)."""

    id: str
    title: str
    flaw: str = ""


class Calibration(Struct, frozen=True):
    """What one request taught. `agent_version` is the captured one, modelled or not; `run` is how it was started."""

    agent: str
    agent_version: str
    wordings: tuple[Wording, ...]
    parts: tuple[PartLearned, ...]
    run: str = ""

    @property
    def learned(self) -> int:
        """How many parts are known as a whole."""
        return sum(not part.flaw for part in self.parts)

    @property
    def taught(self) -> LearnedVersion:
        """What is kept of it."""
        seen = tuple(replace(wording, runs=(1,)) for wording in self.wordings)
        return LearnedVersion(self.agent, self.agent_version, seen, runs=(self.run or "a capture",))


def calibrate(
    capture: Capture,
    request: Recorded,
    base: Scenario,
    counter: Counter,
    workspace: Workspace,
    *,
    knowledge: Knowledge = NO_KNOWLEDGE,
) -> Calibration:
    """The wording of the agent's fixed prose in a captured request. `base` says what the capture does not tell.

    Raises ScenarioError for an agent that is not modelled or a scenario that cannot be assembled.
    """
    assert request.protocol is not None
    content = content_of(request.protocol, request.path, request.body)
    fit = best_fit(
        capture, request, base.model_copy(update={"learned": False}), counter, workspace, knowledge=knowledge
    )
    return wording_in(content, capture, fit.assembly, descriptions(fit.scenario, workspace, counter, knowledge))


def wording_in(
    content: Content,
    capture: Capture,
    assembly: Assembly,
    described: Mapping[str, tuple[Fragment, ...]],
    named: ClientSections = _UNNAMED,
) -> Calibration:
    """What the content of a request teaches, beside its prediction and the descriptions of that one's tools.

    `named` are the client's own sections, whose boundaries hold.
    """
    header = capture.header
    holes = Holes(header.cwd or assembly.workspace, header.home or assembly.home)
    lesson = _Lesson(holes)
    if capture.is_prompt:
        _learn_prompt(assembly, content, (header.cwd, header.home), lesson)
    else:
        for channel, our, their in _blocks(assembly, content):
            for pieces, sent in _by_name(our, their, named):
                _learn_block(channel, pieces, sent, lesson)
        _learn_tools(assembly, described, content, lesson)
    version = header.agent_version or assembly.agent_version
    run = shlex.join(header.command or ())
    return Calibration(assembly.agent, version, lesson.wordings(), tuple(lesson.parts()), run)


# --- what is learned, and what is not --------------------------------------------------------------------------------


class _Lesson:
    """What was learned so far."""

    def __init__(self, holes: Holes) -> None:
        self._holes = holes
        self._found: dict[Key, Wording] = {}
        self._several: set[Key] = set()
        self._titles: dict[str, str] = {}
        self._flaws: dict[str, str] = {}
        self._keys: dict[str, set[Key]] = {}

    def part(self, name: str, title: str) -> None:
        self._titles.setdefault(name, title)

    def flaw(self, part: str, why: str) -> None:
        self._flaws.setdefault(part, why)

    def add(self, part: str, of: str, names: tuple[str, ...], text: str, expected: float) -> None:
        """A stretch's wording; what is far too long is no wording of it."""
        if len(text) > min(expected * _LONGEST + _LONGER, MAX_TEXT):
            self.flaw(part, f"{len(text):,} characters are where {expected:,.0f} were expected")
            return
        wording = Wording(part, of, names, self._holes.cut(text))
        if self._found.setdefault(wording.key, wording) != wording:
            self._several.add(wording.key)
        self._keys.setdefault(part, set()).add(wording.key)

    def add_schema(self, part: str, ours: Json, sent: str) -> None:
        """A tool's schema, with a hole for the names of the scenario that an enum of ours lists."""
        listed, of = listed_in(ours), schema_variant(ours)
        self.add(part, of, SCHEMA, sent, MAX_TEXT)
        found = self._found.get((part, of))
        if not listed or found is None:
            return
        places = [at for at, each in enumerate(found.text) if at % 2 == 0 and listed in each]
        if len(places) == 1 == found.text[places[0]].count(listed):
            at = places[0]
            before, _, behind = found.text[at].partition(listed)
            text = (*found.text[:at], f'{before}["', LISTED, f'"]{behind}', *found.text[at + 1 :])
            self._found[found.key] = replace(found, text=text)
        else:
            del self._found[found.key]
            self.flaw(part, "its parameters list other names")

    def label(self, part: str, text: str) -> None:
        """A label of ours that was sent otherwise."""
        wording = Wording(part, variant_of([(LABEL[0], text)]), LABEL, (text,))
        self._found.setdefault(wording.key, wording)

    def wordings(self) -> tuple[Wording, ...]:
        return tuple(wording for key, wording in self._found.items() if key not in self._several)

    def parts(self) -> Iterator[PartLearned]:
        for name, title in self._titles.items():
            unclear = self._keys.get(name, set()) & self._several
            flaw = self._flaws.get(name) or ("it has several wordings" if unclear else "")
            yield PartLearned(name, title, flaw)


# --- blocks ----------------------------------------------------------------------------------------------------------


def _blocks(assembly: Assembly, content: Content) -> Iterator[tuple[Channel, Pieces, str | None]]:
    """Each predicted block by the pieces it is made of, with the text that was sent in its place."""
    unpredictable = Unpredictable((assembly.workspace, assembly.home), changing_lines(assembly))
    ours, theirs = blocks_of(predicted_content(assembly), unpredictable), blocks_of(content, unpredictable)
    for channel, blocks in ours.items():
        pieces = pieces_of(assembly, channel, blocks)
        for our, their in paired(blocks, theirs[channel]):
            if our is not None:
                yield channel, next(pieces), None if their is None else unpredictable.as_predicted(their.text)


def _by_name(pieces: Pieces, sent: str | None, named: ClientSections) -> Iterator[tuple[Pieces, str | None]]:
    """A block cut where the client's sections begin; one without any as it is.

    Ours that the client has a name for, and did not send, are beside nothing; those without a name beside what is left.
    """
    stretches = named.cut(sent, [section.id for section, _ in pieces]) if sent is not None else ()
    if not any(each.ours for each in stretches):
        yield pieces, sent
        return
    found = {part for each in stretches for part in each.ours}
    for each in stretches:
        if each.ours:
            yield [(section, fragment) for section, fragment in pieces if section.id in each.ours], each.text
    others = [piece for piece in pieces if piece[0].id not in found]
    for is_known in (True, False):
        own = [piece for piece in others if named.is_known(piece[0].id) is is_known]
        if own:
            yield own, None if is_known else "".join(each.text for each in stretches if not each.ours)


def _learn_prompt(
    assembly: Assembly, content: Content, folders: tuple[str | None, str | None], lesson: _Lesson
) -> None:
    """A pasted prompt without the sections that only one side has, in the order of the prediction.

    An end that may be cut off is left out.
    """
    unpredictable = Unpredictable((assembly.workspace, assembly.home, *folders), changing_lines(assembly))
    (block,) = blocks_of(content, unpredictable)["system"]
    cut = cut_at_headings(assembly, prompt_lines(assembly, unpredictable), block.lines, unpredictable)
    unsure = cut.end if cut.end in cut.moved else None
    pairs = sorted(cut.pairs[:-1] if unsure else cut.pairs)
    sent = "\n".join([line.text for _, span in pairs for line in block.lines[slice(*span)]])
    sections = [s for s in assembly.sections if s.present and s.channel == "system"]
    found = [section for section in sections if section.id not in cut.missing and section.id != unsure]
    lost = [section for section in sections if section.id in cut.missing or section.id == unsure]
    for number, section in enumerate((*lost, *found)):
        if not _has_prose(section.fragments):
            continue
        lesson.part(section.id, section.title)
        if number < len(lost):
            is_missing = section.id in cut.missing
            lesson.flaw(section.id, "its heading is not in the text" if is_missing else "the text may be cut off in it")
    parts = [(section.id, section.fragments, factor_of(section)) for section in found]
    _learn(parts, unpredictable.as_predicted(sent), lesson, whole=False)


class _Passage(Struct, frozen=True):
    """Fixed prose of a part (`exact` False), or what is between."""

    part: str
    exact: bool
    fragments: tuple[Fragment, ...]
    expected: float = 0.0

    @property
    def text(self) -> str:
        return "".join([fragment.text for fragment in self.fragments])


def _learn_block(channel: Channel, pieces: Pieces, sent: str | None, lesson: _Lesson) -> None:
    parts: list[_Fragments] = []
    for section, fragments in _by_section(pieces):
        parts.append((section.id, fragments, factor_of(section)))
        if _has_prose(fragments):
            lesson.part(section.id, section.title)
            if sent is None:
                lesson.flaw(section.id, f"no block of its {channel} was sent")
    if sent is not None:
        _learn(parts, sent, lesson)


def _by_section(pieces: Pieces) -> Iterator[tuple[Section, tuple[Fragment, ...]]]:
    found: dict[int, tuple[Section, list[Fragment]]] = {}
    for section, fragment in pieces:
        found.setdefault(id(section), (section, []))[1].append(fragment)
    for section, own in found.values():
        yield section, tuple(own)


_Fragments = tuple[str, tuple[Fragment, ...], float]
"""A part, those of its fragments that are in one block, and how much longer the real wording of its prose is."""


def _learn(parts: Sequence[_Fragments], sent: str, lesson: _Lesson, *, whole: bool = True) -> None:
    """Learn the prose between what is exact.

    A label that was not sent is not exact, but prose like its neighbours. A text that may not be `whole` teaches
    nothing with an end that is shorter than expected.
    """
    found: list[_Passage] = []
    for part, fragments, factor in parts:
        texts = {each.text for each in fragments if each.origin.kind == "label" and not is_weak(each)}
        prose = {text for text in texts if text not in sent} if _has_prose(fragments) else set()
        for label in sorted(prose):
            lesson.label(part, label)
        for fixed, stretch in stretches(fragments, prose):
            size = sum(len(each.text) for each in stretch) * factor
            found.append(_Passage(part, not fixed, tuple(stretch), size))
    findable = list(_findable(found, sent))
    items = [Item(part.text) if part.exact else Item(None, part.expected) for part in findable]
    spans = aligned(items, sent)
    for number, (each, span) in enumerate(zip(findable, spans, strict=True)):
        if each.exact:
            continue
        if span is None:
            beside = [n for n in (number - 1, number + 1) if 0 <= n < len(findable)]
            lost = [findable[n] for n in beside if findable[n].exact and spans[n] is None]
            lesson.flaw(each.part, _not_found(lost))
        elif not whole and _may_be_cut(span, sent, each.expected):
            lesson.flaw(each.part, "the text may be cut off in it")
        else:
            lesson.add(each.part, variant(each.fragments), ids(each.fragments), sent[slice(*span)], each.expected)


def _may_be_cut(span: tuple[int, int], sent: str, expected: float) -> bool:
    """Whether prose is at an end of a text that may be a part of another, and is not known to be complete."""
    start, end = span
    short = end - start < expected * _COMPLETE
    return (start == 0 and short) or (end == len(sent) and (short or sent.rstrip()[-1:] not in _CLOSING))


def _has_prose(fragments: Sequence[Fragment]) -> bool:
    return any(fragment.origin.kind == "builtin" for fragment in fragments)


def _not_found(lost: Sequence[_Passage]) -> str:
    named = [f.origin.name or f.origin.path or "" for part in lost for f in part.fragments]
    shown = list(filter(None, named)) or [repr(part.text.strip()) for part in lost if part.text.strip()]
    return f"beside it, {shown[0]} was not found" if shown else "its place is not certain"


def _findable(found: Sequence[_Passage], sent: str) -> Iterator[_Passage]:
    """Neighbours that are exact joined, as long as they are in the text as one; else each on its own."""
    for exact, run in groupby(found, key=lambda each: each.exact):
        passages = list(run)
        if exact:
            whole = tuple(fragment for each in passages for fragment in each.fragments)
            yield from _split(passages[0].part, whole, sent)
        else:
            yield from passages


def _split(part: str, fragments: tuple[Fragment, ...], sent: str) -> Iterator[_Passage]:
    """As few stretches as are in the text, each as long as can be; a fragment that does not stays alone."""
    first = 0
    while first < len(fragments):
        last = len(fragments)
        while last > first + 1 and "".join([each.text for each in fragments[first:last]]) not in sent:
            last -= 1
        yield _Passage(part, True, fragments[first:last])
        first = last


# --- tools -----------------------------------------------------------------------------------------------------------


def _learn_tools(
    assembly: Assembly, described: Mapping[str, tuple[Fragment, ...]], content: Content, lesson: _Lesson
) -> None:
    sent = {tool.name: tool for tool in content.tools}
    predicted = {tool.name: tool for tool in predicted_content(assembly).tools}
    for tool in assembly.tools_beside:
        if tool.confidence != "stand-in":
            continue
        part = f"tools.{tool.name}"
        lesson.part(part, tool.name)
        name = tool.name if tool.name in predicted else tool.name.rpartition(".")[2]  # one of a namespace
        ours, theirs = predicted.get(name), sent.get(name)
        if ours is None or theirs is None:
            lesson.flaw(part, "it was not sent")
            continue
        _learn_description(part, described[tool.name], ours, theirs, lesson)
        if tool.input_schema is None or ours.schema == tool.input_schema:
            lesson.add_schema(part, tool.input_schema, wire_json(theirs.schema))
        elif ours.schema != theirs.schema:
            lesson.flaw(part, "its parameters are sent in another form")


def _learn_description(
    part: str, fragments: tuple[Fragment, ...], ours: SentTool, theirs: SentTool, lesson: _Lesson
) -> None:
    text = "".join([fragment.text for fragment in fragments])
    if text != ours.description:
        lesson.flaw(part, "its description is sent in another form")
        return
    factor = len(theirs.description) / len(text) if text else 0.0
    _learn([(part, fragments, factor)], theirs.description, lesson)
