"""A prediction compared with what was really sent.

Blocks are paired by channel and order, tools by name. In a pair of blocks equal lines are anchors, headings, labels and
files' text among them; what is between them is an agent's fixed prose, of which sizes are compared, not words.
"""

from __future__ import annotations

import json
import re
from collections import Counter as Counts
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Literal

from msgspec import Struct

from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.captures.content import Content, SentTool
from promptscope_engine.captures.model import Capture, Recorded
from promptscope_engine.captures.protocols import content_of
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.drafts import UNPREDICTABLE
from promptscope_engine.prompt.model import Assembly, Channel, Fragment, Section, to_json
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.wire.request import ChatRequest, ResponsesRequest, wire_json
from promptscope_engine.workspace import Workspace

from .by_heading import Cut, Heading, by_heading
from .captured_scenario import alternatives, scenario_of
from .sent_blocks import Block, SentLine, Unpredictable, blocks_of, lines_of, paired
from .text_difference import line_runs

SCHEMA = "promptscope.verify.v1"

PartVerdict = Literal["equal", "other words", "not sent", "not predicted"]

_TOLERANCE = 1.5
_SLACK = 80
"""So much longer than expected, in characters, prose may be: what is beyond is not explained by it."""
_HEAD = 80
"""Characters of a text that name it."""


class Part(Struct, frozen=True):
    """A section or tool (`tools.NAME`): the characters that were `predicted` and `sent`.

    For a stand-in, the expected size of the real wording is predicted. `title` is for reading: the first words of what
    was not predicted. `moved`: it is elsewhere in a pasted text, behind the section of this title ("": at the start).
    """

    id: str
    title: str
    verdict: PartVerdict
    predicted: int
    sent: int
    moved: str | None = None


class ToolNames(Struct, frozen=True):
    """Tools that were predicted and not sent, and those that were sent and not predicted."""

    missing: tuple[str, ...]
    unpredicted: tuple[str, ...]


class VerifiedFile(Struct, frozen=True):
    """A file whose text the prediction puts into the request; `found`: all of it was sent."""

    path: str
    found: bool


class Unexplained(Struct, frozen=True):
    """Text that no predicted part accounts for.

    `index` is the block's (or the tool's) in its channel, from 0; `offset` and `length` are characters in it, for a
    tool in its description and its schema joined.
    """

    channel: Channel
    index: int
    offset: int
    length: int
    text: str


class PartTexts(Struct, frozen=True):
    """The texts of a part on both sides, "" where it has none."""

    predicted: str
    sent: str


class Verification(Struct, frozen=True):
    """The comparison. `explained` and `equal` are shares of `characters`, from 0 to 1.

    `version` is the captured one, `predicted_version` the modelled one that it was compared with. `notes` say what
    limits the comparison. Unpredictable and masked characters are in no number.
    """

    agent: str
    version: str | None
    predicted_version: str
    characters: int
    explained: float
    equal: float
    parts: tuple[Part, ...]
    tools: ToolNames
    files: tuple[VerifiedFile, ...]
    unexplained: tuple[Unexplained, ...]
    notes: tuple[str, ...] = ()
    schema: str = SCHEMA

    @property
    def differs(self) -> bool:
        """Whether anything but the words of stand-ins differs from the prediction."""
        named = self.tools.missing or self.tools.unpredicted or self.unexplained
        return bool(named) or any(
            part.verdict in ("not sent", "not predicted") or part.moved is not None for part in self.parts
        )

    def to_dict(self) -> dict[str, Json]:
        """The comparison as JSON values (`promptscope schema verify`)."""
        plain = to_json(self)
        assert isinstance(plain, dict)
        return {"schema": plain.pop("schema"), "differs": self.differs, **plain}


def verify(capture: Capture, request: Recorded, base: Scenario, counter: Counter, workspace: Workspace) -> Verification:
    """The prediction of a captured request against the request. `base` says what the capture does not tell.

    Raises ScenarioError for an agent that is not modelled or a scenario that cannot be assembled.
    """
    return best_fit(capture, request, base, counter, workspace).result


class Fit(Struct, frozen=True):
    """A scenario of a captured request, its prediction, and how that compares."""

    scenario: Scenario
    assembly: Assembly
    result: Verification


_FITS = 0.99
"""A prediction that explains so much is of the right scenario: no other one is tried."""


def best_fit(capture: Capture, request: Recorded, base: Scenario, counter: Counter, workspace: Workspace) -> Fit:
    """The scenario that explains most of a request: some of what decides over a prompt is in no request."""
    assert request.protocol is not None
    content = content_of(request.protocol, request.path, request.body)
    scenario = scenario_of(capture, request, content, base)
    best: Fit | None = None
    for each in (scenario, *alternatives(scenario, content, base)):
        assembly = assemble(each, workspace, counter)
        found = Fit(each, assembly, against(assembly, content, capture))
        if best is None or _fit(found.result, capture) > _fit(best.result, capture):
            best = found
        if _fit(best.result, capture) >= _FITS:
            break
    assert best is not None
    return best


def _fit(result: Verification, capture: Capture) -> float:
    """How well a prediction fits.

    A pasted prompt names what it has by its headings: what is predicted and not in it counts against the prediction as
    much as what is not explained.
    """
    if not capture.is_prompt:
        return result.explained
    sections = [part for part in result.parts if part.predicted]
    while sections and sections[-1].verdict == "not sent":  # where the text is cut off, all is missing
        sections.pop()
    lost = sum(part.predicted for part in sections if part.verdict == "not sent")
    return result.explained - lost / max(result.characters, 1)


def against(assembly: Assembly, content: Content, capture: Capture) -> Verification:
    """An assembly against the content of a request."""
    return side_by_side(assembly, content, capture)[0]


def side_by_side(
    assembly: Assembly, content: Content, capture: Capture
) -> tuple[Verification, Mapping[str, PartTexts]]:
    """An assembly against the content of a request, and the texts of each part by its id."""
    header = capture.header
    folders = (assembly.workspace, assembly.home, header.cwd, header.home)
    unpredictable = Unpredictable(folders, changing_lines(assembly))
    predicted = predicted_content(assembly)
    ours, theirs = blocks_of(predicted, unpredictable), blocks_of(content, unpredictable)
    tally = _Tally()
    notes = list(_notes(assembly, capture))
    if capture.is_prompt:
        notes += _compare_prompt(assembly, theirs["system"], unpredictable, tally)
        predicted = Content(predicted.protocol)
    else:
        for channel in ours:
            owners = _Owners(assembly, channel)
            for our, their in paired(ours[channel], theirs[channel]):
                _compare(our, their, owners.of(our) if our else [], tally)
    tools = _tools(predicted.tools, content.tools, unpredictable, tally)
    found = Verification(
        agent=assembly.agent,
        version=header.agent_version,
        predicted_version=assembly.agent_version,
        characters=tally.characters,
        explained=tally.explained / tally.characters if tally.characters else 1.0,
        equal=tally.equal / tally.characters if tally.characters else 1.0,
        parts=tally.parts(),
        tools=tools,
        files=_files(assembly, theirs, unpredictable, ("system",) if capture.is_prompt else ("system", "messages")),
        unexplained=tuple(tally.unexplained),
        notes=tuple(notes),
    )
    return found, {**tally.texts(), **_tool_texts(predicted.tools, content.tools)}


def changing_lines(assembly: Assembly) -> Iterator[list[tuple[str, bool]]]:
    """The predicted lines that hold values which differ from run to run: their stretches, and which are such."""
    for section in assembly.sections:
        marks = [_changes(part) for part in section.fragments]
        if not any(marks):
            continue
        line: list[tuple[str, bool]] = []
        for part, changes in zip(section.fragments, marks, strict=True):
            first, *others = part.text.split("\n")
            line.append((first, changes))
            for other in others:
                yield line
                line = [(other, changes)]
        yield line


def _changes(part: Fragment) -> bool:
    return part.origin.kind == "computed" and (part.origin.name or "").startswith(UNPREDICTABLE)


def _notes(assembly: Assembly, capture: Capture) -> Iterable[str]:
    version = capture.header.agent_version
    if version is None:
        what = "text" if capture.is_prompt else "capture"
        yield f"the {what} tells no version: compared with {assembly.agent_version}"
    elif version != assembly.agent_version:
        yield f"{version} is not modelled: compared with {assembly.agent_version}, the nearest"
    logged_out = "logged out: account settings may differ"
    if capture.header.login == "dummy" and not any(n.startswith(logged_out) for n in capture.header.fidelity.notes):
        yield logged_out
    yield from capture.header.fidelity.notes


def predicted_content(assembly: Assembly) -> Content:
    """The prediction as if it had been captured."""
    sent = assembly.request
    plain = to_json(sent)
    assert isinstance(plain, dict)
    body = {key: value for key, value in plain.items() if value is not None}
    match sent:
        case ResponsesRequest():
            return content_of("responses", "", body)
        case ChatRequest():
            return content_of("chat", "", body)
    return content_of("anthropic", "", body)


# --- blocks -----------------------------------------------------------------------------------------------------------


class _Owned(Struct, frozen=True):
    """A predicted line with the section that it belongs to, and how long the real one is expected to be."""

    line: SentLine
    id: str
    title: str
    stand_in: bool
    expected: float


class _Owners:
    """The sections of a channel's blocks, block by block in order."""

    def __init__(self, assembly: Assembly, channel: Channel) -> None:
        self._fragments = [
            (section, fragment.text, fragment.origin.kind == "builtin")
            for section in assembly.sections
            if section.present and section.channel == channel
            for fragment in section.fragments
            if fragment.text
        ]
        self._next = 0
        self._factors: dict[str, float] = {}

    def of(self, block: Block) -> list[_Owned]:
        """The lines of the next block; of one that no sections make up, the block itself is the owner."""
        spans: list[tuple[int, int, Section, bool]] = []
        text, at, number = "\n".join([line.text for line in block.lines]), 0, self._next
        while number < len(self._fragments):
            section, part, stand_in = self._fragments[number]
            if not text.startswith(part, at):
                break
            spans.append((at, at + len(part), section, stand_in))
            at, number = at + len(part), number + 1
        if at < len(text):
            name = f"{block.channel}.{block.index}"
            return [_Owned(line, name, name, False, line.size) for line in block.lines]
        self._next = number
        return list(self._owned(block, spans))

    def _owned(self, block: Block, spans: Sequence[tuple[int, int, Section, bool]]) -> Iterable[_Owned]:
        first = 0
        for line in block.lines:
            end = line.offset + max(len(line.text), 1)
            while first + 1 < len(spans) and spans[first][1] <= line.offset:
                first += 1
            touched = []
            for span in spans[first:]:
                if span[0] >= end:
                    break
                touched.append(span)
            if not touched:  # a block of nothing
                yield _Owned(line, f"{block.channel}.{block.index}", "", False, line.size)
                continue
            section = max(touched, key=lambda span: min(span[1], end) - max(span[0], line.offset))[2]
            stand_in = any(span[3] for span in touched)
            expected = line.size * self._factor(section) if stand_in else float(line.size)
            yield _Owned(line, section.id, section.title, stand_in, expected)

    def _factor(self, section: Section) -> float:
        """How much longer the real wording of a section's stand-ins is."""
        if section.id not in self._factors:
            self._factors[section.id] = factor_of(section)
        return self._factors[section.id]


def factor_of(section: Section) -> float:
    """The real size of a section's built-in wording by ours; 1 where it was not measured."""
    ours = sum(len(part.text) for part in section.fragments if part.origin.kind == "builtin")
    whole = sum(len(part.text) for part in section.fragments)
    if not ours or not section.tokens or section.expected_tokens is None:
        return 1.0
    tokens = section.tokens * ours / whole
    return max((section.expected_tokens - section.tokens + tokens) / tokens, 0.1)


class _Tally:
    """What was found so far."""

    def __init__(self) -> None:
        self.characters = 0
        self.explained = 0.0
        self.equal = 0
        self.unexplained: list[Unexplained] = []
        self._sections: dict[str, _Counts] = {}
        self._alone: list[Part] = []
        self._lines: dict[str, _Lines] = {}

    def begin(self, owned: _Owned) -> None:
        """Know the section that a block begins with: something else may have been sent in front of it."""
        self._sections.setdefault(owned.id, _Counts(owned.title))
        self._lines.setdefault(owned.id, _Lines())

    def predicted(self, owned: _Owned) -> _Counts:
        """Count a predicted line."""
        counts = self._sections.setdefault(owned.id, _Counts(owned.title))
        counts.predicted += owned.expected
        self._lines.setdefault(owned.id, _Lines()).predicted.append(owned.line.text)
        return counts

    def same(self, owned: _Owned, line: SentLine) -> None:
        counts = self.predicted(owned)
        counts.sent += line.size
        counts.touched = counts.touched or bool(line.masked.strip())
        self._lines[owned.id].sent.append(line.text)
        self._sent(line.size, line.size, line.size)

    def other(self, owner: str, line: SentLine) -> None:
        """A line that was sent with other words than predicted."""
        counts = self._sections[owner]
        counts.sent += line.size
        if line.masked.strip():
            counts.differs = counts.touched = True
        self._lines[owner].sent.append(line.text)
        self._sent(line.size, line.size, 0)

    def rest(self, block: Block, lines: Sequence[SentLine], owner: str | None) -> None:
        """Lines that nothing predicted explains; those at the end that are blank are no news."""
        size = sum(line.size for line in lines)
        written = [line for line in lines if line.masked.strip()]
        if owner is not None:
            counts = self._sections[owner]
            counts.sent += size
            if written:
                counts.differs = counts.touched = True
            self._lines[owner].sent += [line.text for line in lines]
        self._sent(size, 0 if written else size, 0)
        if not written:
            return
        length = written[-1].offset + len(written[-1].text) - written[0].offset
        head = " ".join(written[0].text.split())[:_HEAD]
        self.unexplained.append(Unexplained(block.channel, block.index, written[0].offset, length, head))
        if owner is None or _HEADING.match(written[0].text):
            whole = owner is None and written[0].offset == 0
            place = f"{block.channel}.{block.index}" + ("" if whole else f".{written[0].offset}")
            self._alone.append(Part(place, head, "not predicted", 0, size))
            self._lines[place] = _Lines(sent=[line.text for line in lines])

    def extra(self, section: Section, block: Block, lines: Sequence[SentLine]) -> None:
        """A section that is not predicted and was sent."""
        size = sum(line.size for line in lines)
        written = [line for line in lines if line.masked.strip()]
        length = written[-1].offset + len(written[-1].text) - written[0].offset
        head = " ".join((section.heading or section.title).split())[:_HEAD]
        self.unexplained.append(Unexplained(block.channel, block.index, written[0].offset, length, head))
        self._alone.append(Part(section.id, section.title, "not predicted", 0, size))
        self._lines[section.id] = _Lines(sent=[line.text for line in lines])
        self._sent(size, 0, 0)

    def tool(self, part: Part, size: int, explained: int, equal: int) -> None:
        self._alone.append(part)
        self._sent(size, explained, equal)

    def _sent(self, size: int, explained: float, equal: int) -> None:
        self.characters += size
        self.explained += explained
        self.equal += equal

    def moved(self, section: str, behind: str) -> None:
        """A section that is elsewhere in the text."""
        self._sections[section].moved = behind

    def parts(self) -> tuple[Part, ...]:
        """The sections in the order of the prompt, then the tools and what was not predicted."""
        found = [
            Part(name, counts.title, counts.verdict, round(counts.predicted), counts.sent, counts.moved)
            for name, counts in self._sections.items()
            if counts.predicted
        ]
        return (*found, *self._alone)

    def texts(self) -> dict[str, PartTexts]:
        """The texts of all that is not a tool."""
        return {
            part: PartTexts("\n".join(lines.predicted), "\n".join(lines.sent)) for part, lines in self._lines.items()
        }


@dataclass
class _Lines:
    """The lines of a part on both sides."""

    predicted: list[str] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)


class _Counts:
    """Of a section."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.predicted = 0.0
        self.sent = 0
        self.differs = False
        self.touched = False
        self.moved: str | None = None

    @property
    def verdict(self) -> PartVerdict:
        if not self.differs:
            return "equal"
        return "other words" if self.touched else "not sent"


_HEADING = re.compile(r"#{1,6} |<[a-z][\w-]*>")


def _compare(our: Block | None, their: Block | None, owned: Sequence[_Owned], tally: _Tally) -> None:
    """Two blocks, or one that has no counterpart."""
    if our is None or their is None:
        for each in owned:
            tally.predicted(each).differs = True
        if their is not None:
            tally.rest(their, their.lines, None)
        return
    last = owned[0].id
    tally.begin(owned[0])
    for run in line_runs(our.masked, their.masked):
        mine = [owned[at] for at in run.before]
        its = [their.lines[at] for at in run.after]
        if run.equal:
            for one, line in zip(mine, its, strict=True):
                tally.same(one, line)
        else:
            _region(their, mine, its, last, tally)
        last = mine[-1].id if mine else last


# --- a pasted prompt -------------------------------------------------------------------------------------------------


def cut_at_headings(assembly: Assembly, lines: Sequence[SentLine], unpredictable: Unpredictable) -> Cut:
    """The system prompt and the lines of a pasted one, cut at the headings that both have."""
    return _cut(assembly, _owned_lines(assembly, unpredictable), lines, unpredictable)


def headings_of(assembly: Assembly, unpredictable: Unpredictable) -> list[Heading]:
    """The headings of the system prompt's sections in their order, also of those that are absent."""
    return [
        Heading(section.id, unpredictable.line(section.heading.strip("\n")), section.present)
        for section in assembly.sections
        if section.channel == "system" and section.heading and section.heading.strip()
    ]


def _owned_lines(assembly: Assembly, unpredictable: Unpredictable) -> list[_Owned]:
    owners = _Owners(assembly, "system")
    blocks = blocks_of(predicted_content(assembly), unpredictable)["system"]
    return [owned for block in blocks for owned in owners.of(block)]


def _cut(assembly: Assembly, owned: Sequence[_Owned], lines: Sequence[SentLine], unpredictable: Unpredictable) -> Cut:
    headings = {heading.section: heading for heading in headings_of(assembly, unpredictable)}
    beginnings = {heading.section: heading for heading in _beginnings(owned) if heading.section not in headings}
    both = headings | beginnings
    theirs = [line.masked for line in lines]

    def alike(section: str, span: tuple[int, int]) -> bool:
        return _is_alike([each for each in owned if each.id == section], lines[slice(*span)], both[section].line)

    return by_heading(
        [both[section.id] for section in assembly.sections if section.id in both],
        [(each.id, each.line.masked) for each in owned],
        theirs,
        alike,
    )


_NAMES = 24
"""Characters of a line by which a section without a heading is known."""


def _beginnings(owned: Sequence[_Owned]) -> Iterator[Heading]:
    """The first lines of sections, as far as they are known word for word and are nowhere else."""
    often = Counts(each.line.masked for each in owned)
    for section, lines in groupby(owned, key=lambda each: each.id):
        first = next((each for each in lines if each.line.masked.strip()), None)
        if first and not first.stand_in and len(first.line.masked.strip()) >= _NAMES and often[first.line.masked] == 1:
            yield Heading(section, first.line.masked, is_text=True)


def _is_alike(ours: Sequence[_Owned], theirs: Sequence[SentLine], heading: str) -> bool:
    """Whether lines may be a section that is elsewhere.

    Half of what is known of it besides its heading is in them, and they are about as long as expected.
    """
    known = {each.line.masked for each in ours if not each.stand_in and each.line.masked.strip()} - {heading}
    expected, size = sum(each.expected for each in ours), sum(line.size for line in theirs)
    shared = known & {line.masked for line in theirs}
    return len(shared) * 2 >= len(known) and expected / _FAR <= size + _SLACK and size <= expected * _FAR + _SLACK


_FAR = 4
"""So many times longer or shorter than expected a section that is elsewhere may be."""


def _compare_prompt(
    assembly: Assembly,
    theirs: Sequence[Block],
    unpredictable: Unpredictable,
    tally: _Tally,
) -> Iterator[str]:
    """The blocks of the system prompt as the one text that a person copies, section by section. Yields notes."""
    (block,) = theirs
    owned = _owned_lines(assembly, unpredictable)
    cut = _cut(assembly, owned, block.lines, unpredictable)
    sections = {section.id: section for section in assembly.sections}
    for each in owned:
        tally.begin(each)
        if each.id in cut.missing:
            tally.predicted(each).differs = True
    for moved, behind in cut.moved.items():
        tally.moved(moved, sections[behind].title if behind else "")
    for (first, last), (start, end) in cut.pairs:
        mine = [each for each in owned[first:last] if each.id not in cut.missing]
        its = block.lines[start:end]
        our = Block("system", block.index, tuple(each.line for each in mine)) if mine else None
        their = Block("system", block.index, its) if any(line.text for line in its) else None
        _compare(our, their, mine, tally)
    for section, (start, end) in cut.extra:
        tally.extra(sections[section], block, block.lines[start:end])
    order = [each.id for each in owned]
    if cut.last is not None and (after := set(order[order.index(cut.last) :]) & cut.missing):
        many = f"{len(after)} predicted section{'s' * (len(after) > 1)}"
        yield f"the text ends in {sections[cut.last].title}: is it cut off? {many} behind it would follow"


def _region(block: Block, mine: Sequence[_Owned], its: Sequence[SentLine], before: str, tally: _Tally) -> None:
    """What is between two anchors: each section takes as many lines as it is expected to be long."""
    groups = [list(group) for _, group in groupby(mine, key=lambda each: (each.id, each.stand_in))]
    for each in mine:
        counts = tally.predicted(each)
        counts.differs = counts.differs or bool(each.line.masked.strip())
    left = list(its)
    for number, group in enumerate(groups):
        before = group[0].id
        expected = sum(each.expected for each in group)
        is_last = number == len(groups) - 1
        limit = expected * _TOLERANCE + _SLACK if group[0].stand_in and is_last else expected
        taken: list[SentLine] = []
        size = 0
        while left and (not taken or size + left[0].size <= limit):
            size += left[0].size
            taken.append(left.pop(0))
        if group[0].stand_in:
            for line in taken:
                tally.other(before, line)
        elif taken:
            tally.rest(block, taken, before)
    if left:
        tally.rest(block, left, before)


# --- tools ------------------------------------------------------------------------------------------------------------


def _tools(
    ours: Sequence[SentTool], theirs: Sequence[SentTool], unpredictable: Unpredictable, tally: _Tally
) -> ToolNames:
    predicted = {tool.name: tool for tool in ours}
    sent = {tool.name for tool in theirs}
    for index, tool in enumerate(theirs):
        _tool(index, tool, predicted.get(tool.name), unpredictable, tally)
    missing = tuple(name for name in predicted if name not in sent)
    for name in missing:
        tally.tool(Part(f"tools.{name}", name, "not sent", _size(predicted[name], unpredictable), 0), 0, 0, 0)
    return ToolNames(missing, tuple(tool.name for tool in theirs if tool.name not in predicted))


def _tool(index: int, tool: SentTool, our: SentTool | None, unpredictable: Unpredictable, tally: _Tally) -> None:
    size = _size(tool, unpredictable)
    text = tool.description + _schema(tool)
    if our is None:
        tally.unexplained.append(Unexplained("tools", index, 0, len(text), tool.name))
        tally.tool(Part(f"tools.{tool.name}", tool.name, "not predicted", 0, size), size, 0, 0)
        return
    unknown = list(_unpredicted(tool.schema, our.schema))
    for name, value in unknown:
        written = f"{wire_json(name)}:{wire_json(value)}"
        offset = max(text.find(written, len(tool.description)), len(tool.description))
        tally.unexplained.append(Unexplained("tools", index, offset, len(written), f"{tool.name}: {name}"))
    rest = sum(len(name) + 3 + len(wire_json(value)) for name, value in unknown)
    same = [
        sum(line.size for line in lines_of(one, unpredictable)) if one == other else 0
        for one, other in ((tool.description, our.description), (_schema(tool), _schema(our)))
    ]
    verdict: PartVerdict = "equal" if sum(same) == size else "other words"
    part = Part(f"tools.{tool.name}", tool.name, verdict, _size(our, unpredictable), size)
    tally.tool(part, size, max(size - rest, 0), sum(same))


def _tool_texts(ours: Sequence[SentTool], theirs: Sequence[SentTool]) -> dict[str, PartTexts]:
    predicted, sent = ({tool.name: _tool_text(tool) for tool in tools} for tools in (ours, theirs))
    return {f"tools.{n}": PartTexts(predicted.get(n, ""), sent.get(n, "")) for n in (*predicted, *sent)}


def _tool_text(tool: SentTool) -> str:
    """The description and the schema, a line for each value."""
    schema = json.dumps(tool.schema, indent=2, ensure_ascii=False) if tool.schema is not None else ""
    return "\n\n".join(text for text in (tool.description, schema) if text)


def _schema(tool: SentTool) -> str:
    return wire_json(tool.schema) if tool.schema is not None else ""


def _size(tool: SentTool, unpredictable: Unpredictable) -> int:
    lines = (*lines_of(tool.description, unpredictable), *lines_of(_schema(tool), unpredictable))
    return sum(line.size for line in lines)


def _unpredicted(theirs: Json, ours: Json) -> Iterable[tuple[str, Json]]:
    """The parameters that were sent and not predicted, or with another form; descriptions are words."""
    sent, predicted = _properties(theirs), _properties(ours)
    for name, value in sent.items():
        if name not in predicted or _bare(value) != _bare(predicted[name]):
            yield name, value


def _properties(schema: Json) -> Mapping[str, Json]:
    found = schema.get("properties") if isinstance(schema, dict) else None
    return found if isinstance(found, dict) else {}


def _bare(schema: Json) -> Json:
    """A schema without its words."""
    if isinstance(schema, dict):
        return {
            key: _bare(value) for key, value in schema.items() if not (key == "description" and isinstance(value, str))
        }
    return [_bare(each) for each in schema] if isinstance(schema, list) else schema


# --- files ------------------------------------------------------------------------------------------------------------


def _files(
    assembly: Assembly,
    theirs: Mapping[Channel, Sequence[Block]],
    unpredictable: Unpredictable,
    channels: Sequence[Channel],
) -> tuple[VerifiedFile, ...]:
    sent = "\n".join(block.masked for blocks in theirs.values() for block in blocks)
    found: dict[str, bool] = {}
    for section in assembly.sections:
        for part in section.fragments if section.present and section.channel in channels else ():
            if part.origin.kind == "file" and part.origin.path and part.text.strip():
                masked = "\n".join(line.masked for line in lines_of(part.text.strip(), unpredictable))
                found[part.origin.path] = found.get(part.origin.path, True) and masked in sent
    return tuple(VerifiedFile(path, ok) for path, ok in found.items())
