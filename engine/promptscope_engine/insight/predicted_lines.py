"""A prediction as lines that can be compared with what was sent: each with its section, and which parts may change."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from promptscope_engine.captures.model import Content
from promptscope_engine.captures.protocols import content_of
from promptscope_engine.prompt.drafts import UNPREDICTABLE
from promptscope_engine.prompt.model import Assembly, Channel, Fragment, Section, to_json
from promptscope_engine.wire.request import BodyRequest, ChatRequest, ResponsesRequest

from .alignment import Heading
from .sent_blocks import Block, SentLine, Unpredictable, blocks_of


def predicted_content(assembly: Assembly) -> Content:
    """The prediction as if it had been captured."""
    sent = assembly.request
    body = {key: value for key, value in to_json(sent).items() if value is not None}
    own = sent.protocol if isinstance(sent, BodyRequest | ResponsesRequest | ChatRequest) else "anthropic"
    return content_of(own, "", body)


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


def headings_of(assembly: Assembly, unpredictable: Unpredictable) -> list[Heading]:
    """The headings of the system prompt's sections in their order, also of those that are absent."""
    return [
        Heading(section.id, unpredictable.line(section.heading.strip("\n")), section.present)
        for section in assembly.sections
        if section.channel == "system" and section.heading and section.heading.strip()
    ]


def factor_of(section: Section) -> float:
    """The real size of a section's built-in wording by ours; 1 where it was not measured."""
    ours = sum(len(part.text) for part in section.fragments if part.origin.kind == "builtin")
    whole = sum(len(part.text) for part in section.fragments)
    if not ours or not section.tokens or section.expected_tokens is None:
        return 1.0
    tokens = section.tokens * ours / whole
    return max((section.expected_tokens - section.tokens + tokens) / tokens, 0.1)


Pieces = Sequence[tuple[Section, Fragment]]


def pieces_of(assembly: Assembly, channel: Channel, blocks: Iterable[Block]) -> Iterator[Pieces]:
    """The fragments that make up each block of a channel; none for a block that something else makes up."""
    sections = (section for section in assembly.sections if section.present and section.channel == channel)
    pieces = [(section, fragment) for section in sections for fragment in section.fragments]
    first = 0
    for block in blocks:
        text, at, last = block.text, 0, first
        while last < len(pieces) and text.startswith(pieces[last][1].text, at):
            at, last = at + len(pieces[last][1].text), last + 1
        is_whole = at == len(text)
        yield pieces[first:last] if is_whole else ()
        first = last if is_whole else first


class Owned(Struct, frozen=True):
    """A predicted line with the section that it belongs to, and how long the real one is expected to be.

    `exact`: so many characters at its beginning are neither words of ours nor a file's text. `pieces` are those that
    it has a part of, the first of them from `before` characters in front of it on.
    """

    line: SentLine
    id: str
    title: str
    stand_in: bool
    expected: float
    exact: int = 0
    pieces: tuple[Fragment, ...] = ()
    before: int = 0


def owned_lines(assembly: Assembly, channel: Channel, blocks: Sequence[Block]) -> Iterator[list[Owned]]:
    """The lines of each block of a channel; of one that no sections make up, the block itself is the owner."""
    for block, pieces in zip(blocks, pieces_of(assembly, channel, blocks), strict=True):
        yield list(_owned(block, [(section, part) for section, part in pieces if part.text]))


def _owned(block: Block, pieces: Pieces) -> Iterator[Owned]:
    factors = {name: factor_of(section) for name, section in {each.id: each for each, _ in pieces}.items()}
    starts: list[int] = []
    at = 0
    for _, part in pieces:
        starts.append(at)
        at += len(part.text)
    ends = [*starts[1:], at]
    for line in block.lines:
        end = line.offset + max(len(line.text), 1)
        touched = range(len(pieces))[bisect_right(starts, line.offset) - 1 : bisect_left(starts, end)]
        if not touched:
            name = f"{block.channel}.{block.index}"
            yield Owned(line, name, name if block.length else "", False, line.size)
            continue
        most = max(touched, key=lambda n: min(ends[n], end) - max(starts[n], line.offset))
        section = pieces[most][0]
        stand_in = any(pieces[n][1].origin.kind == "builtin" for n in touched)
        expected = line.size * factors[section.id] if stand_in else float(line.size)
        exact = 0
        if pieces[touched[0]][1].origin.kind != "file":
            words = next((starts[n] for n in touched if pieces[n][1].origin.kind == "builtin"), end)
            exact = max(words - line.offset, 0)
        parts = tuple([pieces[n][1] for n in touched])
        before = line.offset - starts[touched[0]]
        yield Owned(line, section.id, section.title, stand_in, expected, exact, parts, before)


def prompt_lines(assembly: Assembly, unpredictable: Unpredictable) -> list[Owned]:
    """The lines of the whole system prompt."""
    blocks = blocks_of(predicted_content(assembly), unpredictable)["system"]
    return [owned for lines in owned_lines(assembly, "system", blocks) for owned in lines]
