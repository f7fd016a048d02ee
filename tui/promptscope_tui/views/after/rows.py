"""The words and rows of the prompt after; no terminal is needed."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from msgspec.structs import replace
from rich.cells import cell_len

from promptscope_engine.inputs.after import EVENTS, After
from promptscope_engine.insight.afterwards import WORDS, Afterwards, Budget, Part, Verdict
from promptscope_engine.prompt.model import Assembly
from promptscope_tui.session.snapshot import GoTo, InvokeSkill, NextEvent, Snapshot
from promptscope_tui.text import words
from promptscope_tui.text.short_names import ShortNames
from promptscope_tui.text.spans import BLANK, Row, Span, Tone, pad, paragraph, row

SIGNS: Mapping[Verdict, str] = {"stays": "=", "returns": "↺", "returns-as-file": "↺", "cut": "✂", "lost": "✗"}


def headline(found: Afterwards) -> Iterator[str]:
    """What is left in a sentence, then what to take care of."""
    stays = sum(part.tokens for part in found.parts if part.verdict == "stays")
    back = found.after - stays
    line = f"after {EVENTS[found.event]}: {found.after:,} tokens = {stays:,} that stay + {back:,} sent again"
    lost = sum(part.verdict == "lost" for part in found.parts)
    yield f"{line}; now {found.now:,}" + (f"; {words.many(lost, 'part')} lost" if lost else "")
    yield f"room until {_limit(found)}: {found.room:,}; {found.written:,} tokens are in no cache"
    yield from (f"! {warning}" for warning in found.warnings)


def _limit(found: Afterwards) -> str:
    tokens = found.assembly.tokens
    if tokens.compact_at is not None:
        return f"the next compaction (at {tokens.compact_at:,})"
    return f"the end of the window ({tokens.window:,})"


def gathered(parts: Sequence[Part]) -> Iterator[Part]:
    """The parts; neighbours of one verdict and reason that are no file of their own are one row."""
    for (name, verdict, why), group in groupby(parts, key=lambda part: (_alone(part), part.verdict, part.why)):
        found = list(group)
        if name or len(found) == 1:
            yield from (replace(part, title=part.file or part.title) for part in found)
        else:
            title = f"{found[0].title} … {found[-1].title} ({words.many(len(found), 'part')})"
            yield Part(found[0].id, title, verdict, sum(part.tokens for part in found), why)


def _alone(part: Part) -> str:
    """What keeps a part from being told with its neighbours; "" for one of many of the agent's own."""
    return part.id if part.file or part.id == "tools" or part.verdict in ("cut", "lost") else ""


def because(part: Part) -> str:
    """The reason, and what brings back what is lost."""
    return f"{part.why}; to bring it back: {part.back}" if part.back else part.why


def across(found: Sequence[Afterwards]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """A row for each file that any of them loses or brings back, a column for each agent."""
    cells: dict[str, dict[str, str]] = {}
    for each in found:
        for part in each.parts:
            if part.file:
                cells.setdefault(part.file, {}).setdefault(each.agent, cell(part))
    names = ("file", *(each.agent for each in found))
    rows = [(path, *(of.get(each.agent, _NOT_READ) for each in found)) for path, of in sorted(cells.items())]
    return names, rows


_SHORT: Mapping[Verdict, str] = {**WORDS, "returns": "back", "returns-as-file": "as file"}
_NOT_READ = "not read"


def cell(part: Part) -> str:
    """`back 1,204`, `lost`."""
    return _SHORT[part.verdict] + (f" {part.tokens:,}" if part.tokens else "")


_TONES: Mapping[Verdict, Tone] = {
    "stays": "dim",
    "returns": "text",
    "returns-as-file": "warn",
    "cut": "warn",
    "lost": "error",
}
_SIGN, _TOKENS, _VERDICT = 4, 9, 21
_LEAST = 18
"""Cells of a title at least."""
_SKILLS = 12


def after_rows(snapshot: Snapshot, wanted: After, width: int) -> Iterator[Row]:
    """The page: the event, the figures, what is left, and which file survives where."""
    yield BLANK
    yield row(
        " ",
        Span(f"after {EVENTS[wanted.event]}".upper(), "title"),
        Span("   enter: the next event", "faint"),
        key=NextEvent(),
    )
    found = snapshot.after
    if snapshot.after_error:
        yield paragraph(Span(f" {snapshot.after_error}", "warn"), indent=1)
        return
    if found is None or found.event != wanted.event:
        yield row(" ", Span("finding out what is left …", "faint"))
        return
    for number, line in enumerate(headline(found)):
        yield paragraph(Span(f" {line}", "warn" if line.startswith("!") else "text" if not number else "dim"), indent=1)
    yield BLANK
    yield from _part_rows(found, width)
    yield from _budget_rows(found.budgets, width)
    yield from _skill_rows(snapshot, wanted)
    yield from _across_rows(snapshot.after_elsewhere, width)


def _part_rows(found: Afterwards, width: int) -> Iterator[Row]:
    """A row for each part, with its reason below unless nothing happens to it; what is lost is below a line."""
    parts, is_lost = [*gathered(found.parts)], False
    names = ShortNames([part.title for part in parts])
    room = max(width - _SIGN - _TOKENS - _VERDICT - 1, _LEAST)
    title = min(max((cell_len(part.title) for part in parts), default=0) + 1, room)
    for part in parts:
        if part.verdict == "lost" and not is_lost:
            is_lost = True
            yield row(" ", Span(f"{'─' * 3} lost ", "faint"), Span("─" * max(width - 12, 0), "faint"))
        tone = _TONES[part.verdict]
        yield row(
            Span(f" {SIGNS[part.verdict]}  ", tone),
            Span(pad(names.cut(part.title, title - 1), title), "dim" if part.verdict == "stays" else "text"),
            Span(f"{part.tokens:>{_TOKENS - 1},} " if part.tokens else " " * _TOKENS, tone),
            Span(WORDS[part.verdict], tone),
            key=GoTo("prompt", part.id) if part.verdict in ("stays", "returns") else ("after", part.id),
        )
        if part.verdict in ("returns-as-file", "cut", "lost"):
            yield paragraph(Span(" " * _SIGN), Span(because(part), "faint"), indent=_SIGN)
    yield BLANK


def _budget_rows(budgets: Sequence[Budget], width: int) -> Iterator[Row]:
    """How full each budget is."""
    for each in budgets:
        cells = min(width - 50, 40)
        bar = words.bar(each.used, each.of, cells) if cells > 0 else ""
        figures = f"{each.used:,} of {each.of:,} {each.unit}"
        yield row(" ", Span(pad(each.name, _LEAST), "dim"), Span(f"{figures:<24} "), Span(bar, "accent"))
    if budgets:
        yield BLANK


def _skill_rows(snapshot: Snapshot, wanted: After) -> Iterator[Row]:
    """The skills, those that were invoked with a mark."""
    names = _skills_of(snapshot.assembly)
    if not names:
        return
    yield row(" ", Span("INVOKED SKILLS", "title"), Span("   enter marks one; reads come from the controls", "faint"))
    for name in [*wanted.skills, *(name for name in names if name not in wanted.skills)][:_SKILLS]:
        mark = "●" if name in wanted.skills else "○"
        yield row(" ", Span(f"{mark} ", "accent" if name in wanted.skills else "faint"), name, key=InvokeSkill(name))
    yield BLANK


def _skills_of(assembly: Assembly | None) -> list[str]:
    files = assembly.files if assembly else ()
    paths = (file.path for file in files if file.kind == "skill" and file.present and file.path.endswith("/SKILL.md"))
    return list(dict.fromkeys(path.split("/")[-2] for path in paths))


def _across_rows(found: Sequence[Afterwards], width: int) -> Iterator[Row]:
    """Which file survives where."""
    if not found:
        return
    names, told = across(found)
    rows = [tuple("·" if said == _NOT_READ else said for said in cells) for cells in told]
    longest, *widths = (1 + max(map(cell_len, column)) for column in zip(names, *rows, strict=True))
    first = min(max(width - 2 - sum(widths), _LEAST), longest)
    paths = ShortNames([path for path, *_ in rows])
    yield row(" ", Span("IN EVERY AGENT", "title"), Span("   · not read", "faint"))
    heads = (Span(pad(name, each), "faint") for name, each in zip(names, (first, *widths), strict=True))
    yield row(" ", *heads)
    for path, *cells in rows:
        said = (Span(pad(cell, each), _tone_of(cell)) for cell, each in zip(cells, widths, strict=True))
        yield row(" ", Span(pad(paths.cut(path, first - 1), first), "file"), *said, key=("across", path))


def _tone_of(said: str) -> Tone:
    return "faint" if said == "·" else "error" if said == "lost" else "text"
