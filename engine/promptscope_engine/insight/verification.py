"""A prediction compared with what was really sent.

Blocks are paired by channel and order, tools by name. In a pair of blocks equal lines are anchors, headings, labels and
files' text among them; what is between them is an agent's fixed prose, of which sizes are compared, not words.
"""

import json
from collections import Counter as Counts
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, groupby
from math import inf

from msgspec import Struct, structs

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.captures.model import Capture, Content, SentTool
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.model import Assembly, Channel, to_json
from promptscope_engine.wire.request import wire_json

from .alignment import Cut, Heading, by_heading
from .predicted_lines import Owned, changing_lines, headings_of, owned_lines, predicted_content, prompt_lines
from .sent_blocks import Block, SentLine, Unpredictable, blocks_of, lines_of, paired
from .tally import (
    NamedDifference,
    Part,
    PartTexts,
    PartVerdict,
    Tally,
    Unexplained,
    body_differences,
    listed_differences,
    properties,
    tool_differences,
)
from .text_difference import LineRun, line_runs

SCHEMA = "promptscope.verify.v1"

_TOLERANCE = 1.5
_SLACK = 80
"""So much longer than expected, in characters, prose may be: what is beyond is not explained by it."""


class ToolNames(Struct, frozen=True):
    """Tools that were predicted and not sent, and those that were sent and not predicted."""

    missing: tuple[str, ...]
    unpredicted: tuple[str, ...]


class VerifiedFile(Struct, frozen=True):
    """A file whose text the prediction puts into the request; `found`: all of it was sent."""

    path: str
    found: bool


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
    named: tuple[NamedDifference, ...] = ()
    schema: str = SCHEMA

    @property
    def differs(self) -> bool:
        """Whether anything but the words of stand-ins differs from the prediction."""
        named = self.named or self.tools.missing or self.tools.unpredicted or self.unexplained
        parts = any(part.verdict in ("not sent", "not predicted") or part.moved is not None for part in self.parts)
        return bool(named) or parts or not all(file.found for file in self.files)

    def to_dict(self) -> dict[str, Json]:
        """The comparison as JSON values (`promptscope schema verify`)."""
        plain = to_json(self)
        return {"schema": plain.pop("schema"), "differs": self.differs, **plain}


class Sides:
    """A prediction and the content of a request, in blocks and lines."""

    def __init__(self, assembly: Assembly, content: Content, capture: Capture) -> None:
        header = capture.header
        self.assembly, self.content, self.capture = assembly, content, capture
        folders = (assembly.workspace, assembly.home, header.cwd, header.home)
        versions = {assembly.agent_version, header.agent_version or assembly.agent_version}
        self.unpredictable = Unpredictable(folders, changing_lines(assembly), versions if len(versions) > 1 else ())
        self.predicted = predicted_content(assembly)
        self.ours, self.theirs = (blocks_of(each, self.unpredictable) for each in (self.predicted, content))

    def compared(self) -> tuple[Verification, Mapping[str, PartTexts]]:
        """How they compare, but for what differs by name, and the texts of each part by its id."""
        assembly, predicted, tally = self.assembly, self.predicted, Tally()
        header = self.capture.header
        channels: tuple[Channel, ...] = ("system", "messages")
        notes = list(_notes(assembly, self.capture))
        if self.capture.is_prompt:
            notes += _compare_prompt(assembly, self.theirs["system"], self.unpredictable, tally)
            predicted, channels = Content(predicted.protocol), ("system",)
        else:
            for our, their, mine in self.pairs():
                _compare(our, their, mine, tally)
        tools = _tools(predicted.tools, self.content.tools, self.unpredictable, tally)
        found = Verification(
            agent=assembly.agent,
            version=header.agent_version,
            predicted_version=assembly.agent_version,
            characters=tally.characters,
            explained=tally.explained / tally.characters if tally.characters else 1.0,
            equal=tally.equal / tally.characters if tally.characters else 1.0,
            parts=tally.parts(),
            tools=tools,
            files=_files(assembly, self.theirs, self.unpredictable, channels),
            unexplained=tuple(tally.unexplained),
            notes=tuple(notes),
        )
        return found, {**tally.texts(), **_tool_texts(predicted.tools, self.content.tools)}

    def named(self) -> Iterator[NamedDifference]:
        """What differs by name."""
        if self.capture.is_prompt:
            return
        for _, their, mine in self.pairs():
            if mine and their:
                yield from listed_differences(mine, their.lines)
        yield from tool_differences(self.predicted.tools, self.content.tools)
        yield from body_differences(load_agent(self.assembly.agent).body(self.assembly), self.content.keys)

    def pairs(self) -> Iterator[tuple[Block | None, Block | None, Sequence[Owned]]]:
        """The blocks that belong together, with the lines of ours."""
        for channel, blocks in self.ours.items():
            owned = owned_lines(self.assembly, channel, blocks)
            for our, their in paired(blocks, self.theirs[channel]):
                yield our, their, next(owned) if our else []


def side_by_side(
    assembly: Assembly, content: Content, capture: Capture
) -> tuple[Verification, Mapping[str, PartTexts]]:
    """An assembly against the content of a request, and the texts of each part by its id."""
    sides = Sides(assembly, content, capture)
    found, texts = sides.compared()
    return structs.replace(found, named=tuple(sides.named())), texts


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


# --- blocks -----------------------------------------------------------------------------------------------------------


def _compare(our: Block | None, their: Block | None, owned: Sequence[Owned], tally: Tally) -> None:
    """Two blocks, or one that has no counterpart."""
    if our is None or their is None:
        for each in owned:
            tally.predicted(each, differs=True)
        if their is not None:
            tally.rest(their, their.lines, None)
        return
    last = owned[0].id
    tally.section(owned[0])
    for run in _anchored(line_runs(our.masked, their.masked), owned):
        mine = [owned[at] for at in run.before]
        its = [their.lines[at] for at in run.after]
        if run.equal:
            for one, line in zip(mine, its, strict=True):
                tally.same(one, line)
        else:
            _region(their, mine, its, last, tally)
        last = mine[-1].id if mine else last


# --- a pasted prompt -------------------------------------------------------------------------------------------------


def cut_at_headings(
    assembly: Assembly, owned: Sequence[Owned], lines: Sequence[SentLine], unpredictable: Unpredictable
) -> Cut:
    """The lines of the system prompt and of a pasted one, cut at the headings that both have."""
    headings = {heading.section: heading for heading in headings_of(assembly, unpredictable)}
    both = {heading.section: heading for heading in _beginnings(owned)} | headings

    def alike(section: str, span: tuple[int, int]) -> bool:
        return _is_alike([each for each in owned if each.id == section], lines[slice(*span)], both[section].line)

    return by_heading(
        [both[section.id] for section in assembly.sections if section.id in both],
        [(each.id, each.line.masked) for each in owned],
        [line.masked for line in lines],
        alike,
    )


_NAMES = 24
"""Characters of a line by which a section without a heading is known."""


def _beginnings(owned: Sequence[Owned]) -> Iterator[Heading]:
    """The first lines of sections, as far as they are known word for word and are nowhere else."""
    often = Counts(each.line.masked for each in owned)
    for section, lines in groupby(owned, key=lambda each: each.id):
        first = next((each for each in lines if each.line.masked.strip()), None)
        if first and not first.stand_in and len(first.line.masked.strip()) >= _NAMES and often[first.line.masked] == 1:
            yield Heading(section, first.line.masked, is_text=True)


def _is_alike(ours: Sequence[Owned], theirs: Sequence[SentLine], heading: str) -> bool:
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
    tally: Tally,
) -> Iterator[str]:
    """The blocks of the system prompt as the one text that a person copies, section by section. Yields notes."""
    (block,) = theirs
    owned = prompt_lines(assembly, unpredictable)
    cut = cut_at_headings(assembly, owned, block.lines, unpredictable)
    sections = {section.id: section for section in assembly.sections}
    for each in owned:
        tally.section(each)
        if each.id in cut.missing:
            tally.predicted(each, differs=True)
    for moved, behind in cut.moved.items():
        tally.sections[moved].moved = sections[behind].title if behind else ""
    for (first, last), (start, end) in cut.pairs:
        mine = [each for each in owned[first:last] if each.id not in cut.missing]
        its = block.lines[start:end]
        our = Block("system", block.index, tuple(each.line for each in mine)) if mine else None
        their = Block("system", block.index, its) if any(line.text for line in its) else None
        _compare(our, their, mine, tally)
    for name, (start, end) in cut.extra:
        section = sections[name]
        tally.extra(name, section.title, section.heading or section.title, block, block.lines[start:end])
    order = [each.id for each in owned]
    if cut.last is not None and (after := set(order[order.index(cut.last) :]) & cut.missing):
        many = f"{len(after)} predicted section{'s' * (len(after) > 1)}"
        yield f"the text ends in {sections[cut.last].title}: is it cut off? {many} behind it would follow"


def _region(block: Block, mine: Sequence[Owned], its: Sequence[SentLine], before: str, tally: Tally) -> None:
    """What is between two anchors, shared out such that each section's lines come closest to its expected length."""
    groups = [list(group) for _, group in groupby(mine, key=lambda each: (each.id, each.stand_in))]
    for each in mine:
        tally.predicted(each, differs=bool(each.line.masked.strip()))
    expected = [sum(each.expected for each in group) for group in groups]
    for group, size, share in zip(groups, expected, _shares(expected, its), strict=True):
        before = group[0].id
        if not group[0].stand_in:
            if share:
                tally.rest(block, share, before)
            continue
        limit = size * _TOLERANCE + _SLACK
        sizes = accumulate(line.size for line in share)
        fits = sum(1 for total in sizes if total <= limit) or min(len(share), 1)
        for line in share[:fits]:
            tally.other(before, line)
        if share[fits:]:
            tally.rest(block, share[fits:], before)
    if not groups and its:
        tally.rest(block, its, before)


def _anchored(runs: Iterable[LineRun], owned: Sequence[Owned]) -> Iterator[LineRun]:
    """The runs, where blank lines between two different stretches are no anchor: either side has some of its own."""
    found: list[LineRun] = []
    for run in runs:
        if not run.equal and len(found) > 1 and not found[-2].equal and _is_blank(found[-1], owned):
            before, _ = found[-2:]
            found[-2:] = [LineRun(False, _from(before.before, run.before), _from(before.after, run.after))]
        else:
            found.append(run)
    yield from found


def _is_blank(run: LineRun, owned: Sequence[Owned]) -> bool:
    return run.equal and not any(owned[at].line.masked.strip() for at in run.before)


def _from(first: range, last: range) -> range:
    return range(first.start, last.stop)


_MOST_CUTS = 200
"""Places at which a region may be cut; in one of more lines only some of them are looked at."""


def _shares(expected: Sequence[float], lines: Sequence[SentLine]) -> list[Sequence[SentLine]]:
    """The lines of each of some sections in their order, cut where a paragraph begins if there are as many of them."""
    ends = [0, *accumulate(line.size for line in lines)]
    places = [at for at in range(1, len(lines)) if not lines[at - 1].masked.strip()]
    if len(places) < len(expected) - 1:
        places = list(range(1, len(lines)))
    places = [0, *places[:: len(places) // _MOST_CUTS + 1], len(lines)]
    costs = [0.0, *[inf] * (len(places) - 1)]  # of the sections so far, by the place up to which they reach
    back: list[list[int]] = []
    for size in expected:
        best = [
            min((costs[start] + abs(ends[places[end]] - ends[places[start]] - size), start) for start in range(end + 1))
            for end in range(len(places))
        ]
        costs = [cost for cost, _ in best]
        back.append([start for _, start in best])
    at, found = len(places) - 1, list[Sequence[SentLine]]()
    for starts in reversed(back):
        found.append(lines[places[starts[at]] : places[at]])
        at = starts[at]
    return found[::-1]


# --- tools ------------------------------------------------------------------------------------------------------------


def _tools(
    ours: Sequence[SentTool], theirs: Sequence[SentTool], unpredictable: Unpredictable, tally: Tally
) -> ToolNames:
    predicted = {tool.name: tool for tool in ours}
    sent = {tool.name for tool in theirs}
    for index, tool in enumerate(theirs):
        _tool(index, tool, predicted.get(tool.name), unpredictable, tally)
    missing = tuple(name for name in predicted if name not in sent)
    for name in missing:
        tally.tool(Part(f"tools.{name}", name, "not sent", _size(predicted[name], unpredictable), 0), 0, 0)
    return ToolNames(missing, tuple(tool.name for tool in theirs if tool.name not in predicted))


def _tool(index: int, tool: SentTool, our: SentTool | None, unpredictable: Unpredictable, tally: Tally) -> None:
    size, texts = _size(tool, unpredictable), _texts(tool)
    if our is None:
        tally.unexplained.append(Unexplained("tools", index, 0, len("".join(texts)), tool.name))
        tally.tool(Part(f"tools.{tool.name}", tool.name, "not predicted", 0, size), 0, 0)
        return
    rest = 0
    for name, value in _unpredicted(tool.schema, our.schema):
        written = f"{wire_json(name)}:{wire_json(value)}"
        offset = max("".join(texts).find(written, len(tool.description)), len(tool.description))
        tally.unexplained.append(Unexplained("tools", index, offset, len(written), f"{tool.name}: {name}"))
        rest += len(name) + 3 + len(wire_json(value))
    alike = [one for one, other in zip(texts, _texts(our), strict=True) if one == other]
    same = sum(line.size for text in alike for line in lines_of(text, unpredictable))
    verdict: PartVerdict = "equal" if same == size else "other words"
    part = Part(f"tools.{tool.name}", tool.name, verdict, _size(our, unpredictable), size)
    tally.tool(part, max(size - rest, 0), same)


def _texts(tool: SentTool) -> tuple[str, str]:
    return tool.description, wire_json(tool.schema) if tool.schema is not None else ""


def _size(tool: SentTool, unpredictable: Unpredictable) -> int:
    return sum(line.size for text in _texts(tool) for line in lines_of(text, unpredictable))


def _tool_texts(ours: Sequence[SentTool], theirs: Sequence[SentTool]) -> dict[str, PartTexts]:
    """The description and the schema of each, a line for each value."""
    predicted, sent = (
        {tool.name: "\n\n".join(filter(None, (tool.description, _indented(tool.schema)))) for tool in tools}
        for tools in (ours, theirs)
    )
    return {f"tools.{n}": PartTexts(predicted.get(n, ""), sent.get(n, "")) for n in (*predicted, *sent)}


def _indented(schema: Json) -> str:
    return "" if schema is None else json.dumps(schema, indent=2, ensure_ascii=False)


def _unpredicted(theirs: Json, ours: Json) -> Iterable[tuple[str, Json]]:
    """The parameters that were sent and not predicted, or with another form; descriptions are words."""
    sent, predicted = properties(theirs), properties(ours)
    for name, value in sent.items():
        if name not in predicted or _bare(value) != _bare(predicted[name]):
            yield name, value


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
