"""What could be saved, and what the prompt has more than once."""

from collections.abc import Hashable, Iterator

from msgspec import Struct

from promptscope_engine.checks.paid_twice import PaidTwice
from promptscope_engine.insight.costs import Saving, is_another_session
from promptscope_engine.insight.passages import MAX_CHARS
from promptscope_engine.insight.repeats import Repeat, paid_twice
from promptscope_engine.prompt.model import Assembly, Lever
from promptscope_tui.session.snapshot import ApplyLevers, GoTo, Intent
from promptscope_tui.text.findings import MOST, finding_lines
from promptscope_tui.text.spans import BLANK, Row, Span, Tone, fit, paragraph, row
from promptscope_tui.text.words import copy_place, excerpt, many, number, percent, short_text, total
from promptscope_tui.views.subjects import FileSubject, ToolSubject

_TONES: dict[str, Tone] = {"switch": "accent", "file": "file", "section": "text", "tool": "tool", "passage": "warn"}
_NUMBERS = 24
"""Cells for what is saved, its share, and the kind."""


class FoundSaving(Struct, frozen=True):
    """What was found out about an assembly; without `switches` what they do is still being found out."""

    assembly: Assembly
    savings: tuple[Saving, ...]
    repeats: tuple[Repeat, ...]
    switches: bool

    def saving(self, key: Hashable) -> Saving | None:
        """The one whose row has this key."""
        return next((each for each in self.savings if _key(each) == key), None)


def _key(saving: Saving) -> Hashable:
    """What a saving is, whatever it saves: the list is sorted again while more is found out."""
    return saving.kind, saving.id, saving.line


def savings_rows(found: FoundSaving, width: int) -> list[Row]:
    """A row for each saving."""
    whole = found.assembly.tokens.expected
    words = "each on its own; savings overlap, so don't add them up"
    rows = [paragraph(Span(words if found.switches else f"{words}; … switches", "dim")), BLANK]
    room = max((len(f"−{each.tokens:,}") for each in found.savings), default=0)
    title = [BLANK, row(Span("ANOTHER KIND OF SESSION", "title"), Span("  leaves less than half of it", "faint"))]
    for each in found.savings:
        if is_another_session(each, whole or 0):
            rows, title = [*rows, *title], []
        name = fit(short_text(each.title, found.assembly), max(width - _NUMBERS, 8))
        right = [Span(f"{percent(each.tokens, whole):>6}  ", "faint"), Span(f"−{each.tokens:,}".rjust(room), "fewer")]
        rows.append(row(Span(f"{each.kind:<8} ", "dim"), Span(name, _TONES[each.kind]), right=right, key=_key(each)))
    if not found.savings:
        rows.append(paragraph(Span("There is nothing to save.", "dim")))
    return rows


def leads_to(saving: Saving) -> Intent:
    """What choosing it does: a switch is set, anything else is shown where it is."""
    match saving.kind:
        case "switch":
            return ApplyLevers((Lever(saving.param, saving.value),))
        case "file":
            return GoTo("files", FileSubject(saving.id))
        case "section":
            return GoTo("prompt", saving.id)
        case "tool":
            return GoTo("tools", ToolSubject(saving.id))
        case "passage":
            return GoTo("prompt", saving.id, (saving.line or 0) + 1)


def saving_rows(found: FoundSaving, saving: Saving) -> Iterator[Row]:
    """One of them: what it is, and where its text stands."""
    yield paragraph(Span(short_text(saving.title, found.assembly), "strong"))
    share = percent(saving.tokens, found.assembly.tokens.expected)
    yield paragraph(Span(f"−{saving.tokens:,} tok", "fewer"), Span(f"  {share} of the prompt", "dim"))
    if saving.detail:
        yield paragraph(short_text(saving.detail, found.assembly))
    if saving.kind == "switch":
        yield paragraph(Span("enter sets it; u takes it back", "dim"))
    for each in found.repeats:
        if saving.kind != "passage" or (each.copies[0].section, each.copies[0].line) != (saving.id, saving.line):
            continue
        yield BLANK
        for copy in each.copies:
            where = Span(copy_place(copy, found.assembly), "file" if copy.path else "text")
            yield row(Span(" "), where, right=[Span(f"{number(copy.tokens)} tok", "dim")])
        yield BLANK
        yield from (paragraph(line) for line in each.text.split("\n"))
        return


WORDS = 72
"""Characters of a passage in a line."""


def summary(assembly: Assembly, paid: PaidTwice) -> Iterator[str]:
    """Lines for the whole prompt: what is paid twice, and what it says again in other words.

    What only the agent's makers could change comes apart.
    """
    if paid.findings:
        yield f"paid twice in your files: {number(total(each.tokens for each in paid.findings))} tok"
        yield from finding_lines(paid.findings)
    if own := paid.agents_own:
        passages = f"{many(len(own), 'passage')} with the same words"
        yield f"paid twice in the agent's own text alone: {number(paid_twice(own))} tok, {passages}"
        for each in own[:MOST]:
            yield f"  {number(each.tokens)} tok  {excerpt(each.text, WORDS)}"
            yield f"    {_places(assembly, each)}"
        if len(own) > MOST:
            yield f"  … {len(own) - MOST} more: promptscope tokens --savings"
    for each in paid.repeats:
        if each.kind == "other words":
            cost = number(each.tokens)
            yield f"{each.about} is insisted on {len(each.copies)} times in other words, {cost} tok more than once"
            yield f"  {_places(assembly, each)}"
    if sum(section.chars for section in assembly.sections if section.present) > MAX_CHARS:
        yield f"other words are looked for in the first {MAX_CHARS:,} characters only"


def _places(assembly: Assembly, repeat: Repeat) -> str:
    return ", ".join(copy_place(copy, assembly) for copy in repeat.copies)
