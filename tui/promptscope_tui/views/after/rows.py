"""The words and rows of the prompt after; no terminal is needed."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from promptscope_engine.insight.afterwards import WORDS, Afterwards, Part, Verdict
from promptscope_tui.text import words

EVENTS: Mapping[str, str] = {
    "compact": "after /compact",
    "auto": "after a compaction of its own",
    "clear": "after /clear",
    "resume": "after a resume",
    "turn": "at the next turn",
}
SIGNS: Mapping[Verdict, str] = {"stays": "=", "returns": "↺", "returns-as-file": "↺", "cut": "✂", "lost": "✗"}


def headline(found: Afterwards) -> Iterator[str]:
    """What is left in a sentence, then what to take care of."""
    stays = sum(part.tokens for part in found.parts if part.verdict == "stays")
    back = found.after - stays
    line = f"{EVENTS[found.event]}: {found.after:,} tokens = {stays:,} that stay + {back:,} sent anew"
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
    """The parts; neighbours that stay and are no file of their own are one row."""
    for (plain, _), group in groupby(parts, key=lambda part: (_is_plain(part), part.verdict)):
        found = list(group)
        if not plain or len(found) == 1:
            yield from found
        else:
            title = f"{found[0].title} … {found[-1].title} ({words.many(len(found), 'section')})"
            tokens = sum(part.tokens for part in found)
            yield Part(found[0].id, title, found[0].verdict, tokens, found[0].why)


def _is_plain(part: Part) -> bool:
    return part.verdict == "stays" and not part.file and part.id != "tools"


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
    rows = [(path, *(of.get(each.agent, "not read") for each in found)) for path, of in sorted(cells.items())]
    return names, rows


def cell(part: Part) -> str:
    """`comes back 1,204`, `lost`."""
    return WORDS[part.verdict] + (f" {part.tokens:,}" if part.tokens else "")
