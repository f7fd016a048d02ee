"""A draft while it is edited: its sections and tools, how they are found, and how texts are put in and taken out."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from msgspec.structs import replace

from promptscope_engine.prompt.conditions import Condition, Facts
from promptscope_engine.prompt.drafts import Choice, Draft, SectionDraft, Span, ToolDraft
from promptscope_engine.prompt.model import Diagnostic, Origin
from promptscope_engine.prompt.spans import Spans, cut, joined

from .wording import Wordings

_PARTED = "\n\n"
"""What parts two texts where neither ends or begins with a line feed."""

Side = Literal["before", "after"]


class Bullet(NamedTuple):
    """The spans `start` to `stop` of the section at an index."""

    section: int
    start: int
    stop: int


class EditedDraft:
    """Sections and tools by index. Whatever changes them keeps the agent's own text in `unedited`."""

    def __init__(self, draft: Draft, wordings: Wordings) -> None:
        self.sections, self.tools, self.facts = list(draft.sections), list(draft.tools), draft.facts
        self.diagnostics: list[Diagnostic] = []
        self._draft, self._wordings = draft, wordings
        self._inserted: dict[int, str] = {}
        """Ids of the bullets whose text comes from an edit, by the edit's index."""

    # --- finding --------------------------------------------------------------------------------------------------

    def section_at(self, section_id: str | None) -> int | None:
        """The index of the section with this id."""
        return next((n for n, section in enumerate(self.sections) if section.id == section_id), None)

    def tool_at(self, name: str) -> int | None:
        """The index of the tool with this name."""
        return next((n for n, tool in enumerate(self.tools) if tool.name == name), None)

    def section_of(self, anchor: str) -> int | None:
        """The section with this id, or the one that describes the tool with this name."""
        at = self.section_at(anchor)
        tool = self.tool_at(anchor) if at is None else None
        section = self.tools[tool].section if tool is not None else None
        return self.section_at(section) if section else at

    def bullets(self, bullet_id: str) -> list[Bullet]:
        """The bullets with this id, the last ones first: cutting moves what is behind."""
        found = [
            Bullet(at, start, stop)
            for at, section in enumerate(self.sections)
            for start, stop in _ranges(section.spans, self._bullet_id, bullet_id)
        ]
        return found[::-1]

    def bullet_ids(self) -> list[str]:
        """The ids of all bullets."""
        return [found for section in self.sections for span in section.spans if (found := self._bullet_id(span))]

    def _bullet_id(self, span: Span) -> str | None:
        origin = span.origin
        return self._inserted.get(origin.index) if origin.index is not None else origin.id

    def had_bullet(self, bullet_id: str) -> bool:
        """Whether the agent has such a bullet: if it is gone, it was replaced together with its section."""
        return any(span.origin.id == bullet_id for section in self._draft.sections for span in section.spans)

    def family(self, at: int) -> list[int]:
        """A section and everything nested in it."""
        inside = {self.sections[at].id}
        found = [at]
        for number, section in enumerate(self.sections):
            if number != at and section.parent in inside:
                inside.add(section.id)
                found.append(number)
        return found

    # --- what is there --------------------------------------------------------------------------------------------

    def spans_of(self, bullet: Bullet) -> Sequence[Span]:
        """The spans of a bullet."""
        return self.sections[bullet.section].spans[bullet.start : bullet.stop]

    def is_present(self, section: SectionDraft) -> bool:
        """Whether a section is present."""
        return section.when.holds(self.facts)

    def has_present(self, bullets: Iterable[Bullet]) -> bool:
        """Whether any text of the bullets is present."""
        return any(
            self.is_present(self.sections[bullet.section])
            and any(span.when.holds(self.facts) for span in self.spans_of(bullet))
            for bullet in bullets
        )

    def text_of(self, target: str) -> str | None:
        """The text of the section, tool or bullet with this id, without the line feeds around it."""
        if (at := self.section_at(target)) is not None:
            spans = self.worded(target, self.sections[at].spans)
        elif (tool := self.tool_at(target)) is not None:
            spans = self.worded(f"tools.{target}", self.tools[tool].description)
        elif bullets := self.bullets(target):
            spans = standing(self.spans_of(bullets[0]), self.facts)
        else:
            return None
        return between_line_feeds(joined(spans))[1]

    def worded(self, part: str, spans: Sequence[Span]) -> Sequence[Span]:
        """The spans of a part as they are in the prompt."""
        return self._wordings.put_in(part, standing(spans, self.facts))

    # --- changing -------------------------------------------------------------------------------------------------

    def put(self, bullet: Bullet, spans: Sequence[Span], *, closes: bool = False) -> None:
        """Put spans in a bullet's place; with `closes` the text around it does not keep two line feeds."""
        section = self.sections[bullet.section]
        head, tail = section.spans[: bullet.start], tuple(section.spans[bullet.stop :])
        is_line = joined(head[-1:]).endswith("\n") and joined(tail[:1]).startswith("\n")
        if closes and is_line and not joined(self.spans_of(bullet)).endswith("\n"):
            tail = cut(tail, 1, len(joined(tail)))
        self.sections[bullet.section] = _with_spans(section, (*head, *spans, *tail))

    def name_bullet(self, edit: int, bullet_id: str) -> None:
        """The text of this edit is a bullet with this id from now on."""
        self._inserted[edit] = bullet_id

    def put_beside(self, spans: list[Span], beside: Bullet, side: Side, origin: Origin) -> None:
        """Put spans before or after a bullet, on lines of their own."""
        section = self.sections[beside.section]
        at = beside.start if side == "before" else beside.stop
        head, tail = section.spans[:at], section.spans[at:]
        if _runs_on(joined(head), joined(spans)):
            spans = [Span("\n", origin), *spans]
        if _runs_on(joined(spans), joined(tail)):
            spans = [*spans, Span("\n", origin)]
        self.put(Bullet(beside.section, at, at), spans)

    def set_text(self, at: int, text: str, origin: Origin) -> None:
        """Give a section another text, in the line feeds of the old one."""
        section = self.sections[at]
        old = self.worded(section.id, section.spans)
        spans = aligned(old, in_place_of(joined(old or section.spans), text), origin)
        heading = section.heading.under(self.facts) if isinstance(section.heading, Choice) else section.heading
        kept = heading if heading is not None and heading in text else None
        self.sections[at] = replace(_with_spans(section, spans), heading=kept)

    def set_description(self, at: int, description: Sequence[Span]) -> None:
        """Give a tool another description."""
        tool = self.tools[at]
        unedited = tool.unedited or tool.description
        self.tools[at] = replace(tool, description=description, edited=True, unedited=unedited)

    def change_within(self, tool: ToolDraft, change: Callable[[Sequence[Span]], Sequence[Span]]) -> None:
        """Change the description of a tool where it is part of another tool's."""
        outer = self.tool_at(tool.section) if tool.section else None
        if outer is None:
            return
        spans = self.tools[outer].description
        start = _find(spans, tool.description)
        if start is not None:
            stop = start + len(tool.description)
            self.set_description(outer, (*spans[:start], *change(spans[start:stop]), *spans[stop:]))

    def drop_listed(self, tool: ToolDraft, dropped: Condition) -> None:
        """Take out of the sections what lists a tool."""
        for number, section in enumerate(self.sections):
            if tool.listed and (start := _find(section.spans, tool.listed)) is not None:
                listed = Bullet(number, start, start + len(tool.listed))
                self.put(listed, [span.under(dropped) for span in self.spans_of(listed)])

    def new_section(self, beside: SectionDraft, section_id: str, title: str, text: str, origin: Origin) -> SectionDraft:
        """A section to be put in beside another: with its line feeds, and in its block."""
        old = joined(standing(beside.spans, self.facts) or beside.spans)
        span = Span(in_place_of(old, text), origin)
        return SectionDraft(section_id, title or section_id, (span,), place=beside.place, edited=True)

    def put_sections(self, new: list[SectionDraft], at: int, side: Side, origin: Origin) -> None:
        """Put sections before the one at an index, or behind everything nested in it."""
        place = at if side == "before" else max(self.family(at)) + 1
        before, behind = self.sections[place - 1 : place], self.sections[place : place + 1]
        for neighbour in before:
            if self._touch(neighbour, new[0]):
                new[0] = replace(new[0], spans=(Span(_PARTED, origin), *new[0].spans))
        for neighbour in behind:
            if self._touch(new[-1], neighbour):
                new[-1] = replace(new[-1], spans=(*new[-1].spans, Span(_PARTED, origin)))
        self.sections[place:place] = new

    def _touch(self, first: SectionDraft, second: SectionDraft) -> bool:
        """Whether two sections of one block run on without anything between them."""
        if second.place.gap or not second.place.joins(first.place):
            return False
        texts = [joined(standing(each.spans, self.facts)) for each in (first, second)]
        return _runs_on(texts[0], texts[1])


def _with_spans(section: SectionDraft, spans: Sequence[Span]) -> SectionDraft:
    return replace(section, spans=spans, edited=True, unedited=section.unedited or section.spans)


def _runs_on(first: str, second: str) -> bool:
    return bool(first) and bool(second) and not first.endswith("\n") and not second.startswith("\n")


def _ranges(spans: Sequence[Span], id_of: Callable[[Span], str | None], bullet_id: str) -> Iterator[tuple[int, int]]:
    """The indices of a bullet's first span, and behind the last span that belongs to it.

    A sentence of ours is often cut by a value (a path, a number) or by a part with a condition of its own: what
    follows belongs to it up to a line break or the next wording.
    """
    start: int | None = None
    stop = 0
    for number, span in enumerate(spans):
        found = id_of(span)
        if found == bullet_id:
            if start is None:
                start = number
            stop = number + 1
        elif start is None:
            continue
        elif found is not None:
            if not found.startswith(f"{bullet_id}."):
                yield start, stop
                start = None
        elif stop == number and not span.text.startswith("\n") and not spans[number - 1].text.endswith("\n"):
            stop = number + 1
    if start is not None:
        yield start, stop


def _find(spans: Sequence[Span], wanted: Sequence[Span]) -> int | None:
    """The index at which the wanted spans follow each other, whatever conditions they have there."""
    alike = [(span.text, span.origin) for span in wanted]
    if not alike:
        return None
    given = [(span.text, span.origin) for span in spans]
    starts = range(len(given) - len(alike) + 1)
    return next((start for start in starts if given[start : start + len(alike)] == alike), None)


# --- a text in another's place: lines that both have keep their origin, and the line feeds around it stay -------------


_MOST_COMPARED = 4_000
"""Lines of either text that are compared: more would take seconds."""


def between_line_feeds(text: str) -> tuple[str, str, str]:
    """The line feeds before a text, the text, and those behind it; of nothing but line feeds all are before."""
    start = len(text) - len(text.lstrip("\n"))
    end = max(len(text.rstrip("\n")), start)
    return text[:start], text[start:end], text[end:]


def in_place_of(old: str, text: str) -> str:
    """A text with the line feeds that are around the one whose place it takes."""
    before, _, behind = between_line_feeds(old)
    return before + text.strip("\n") + behind


def standing(spans: Sequence[Span], facts: Facts) -> Spans:
    """The spans that the facts let through."""
    return tuple(span for span in spans if span.text and span.when.holds(facts))


def aligned(old: Sequence[Span], text: str, origin: Origin) -> Spans:
    """The text as spans: of the new origin, but for lines that was in the old one, where they are most of it.

    So one corrected word does not make the wording around it a stranger's; a text that is new is new as a whole.
    """
    before, after = joined(old).splitlines(keepends=True), text.splitlines(keepends=True)
    if max(len(before), len(after)) > _MOST_COMPARED:
        return (Span(text, origin),)
    blocks = list(_same(before, after))
    kept = sum(len("".join(after[to : to + size])) for _, to, size in blocks)
    if kept * 2 < len(text):
        return (Span(text, origin),)
    starts = [0]
    for line in before:
        starts.append(starts[-1] + len(line))
    found: list[Span] = []
    at = 0
    for first, to, size in blocks:
        found.append(Span("".join(after[at:to]), origin))
        found += cut(old, starts[first], starts[first + size])
        at = to + size
    found.append(Span("".join(after[at:]), origin))
    return tuple(span for span in found if span.text)


def _same(before: list[str], after: list[str]) -> Iterator[tuple[int, int, int]]:
    """Stretches of lines that both have: where they begin in either, and how many lines they are."""
    from difflib import SequenceMatcher  # only where something is edited

    for block in SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks():
        if any(line.strip() for line in before[block.a : block.a + block.size]):
            yield block.a, block.b, block.size
