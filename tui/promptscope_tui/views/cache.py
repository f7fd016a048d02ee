"""A cache's miss in words and as rows: how much was written again, where requests part, and why."""

from collections.abc import Iterator

from promptscope_engine.insight.cache_causes import span
from promptscope_engine.insight.cache_miss import CacheMiss, Crossing
from promptscope_tui.text.spans import Row, Span, Tone, paragraph
from promptscope_tui.text.words import many

OK = "nothing was written again"


def headline(found: CacheMiss) -> str:
    """`cache: 41,203 tokens written again; parts at tools › Bash: the tool Bash is described otherwise`."""
    if not found.missed:
        return f"cache: {OK}"
    why = found.causes[0].says if found.causes else ""
    return f"cache: {again(found)}; " + ": ".join(filter(None, (place(found), why)))


def again(found: CacheMiss) -> str:
    """`41,203 tokens written again`."""
    return f"{'≈' if found.estimated else ''}{many(found.again, 'token')} written again"


def place(found: CacheMiss) -> str:
    """Where they part, or up to where was read."""
    return f"parts at {found.place}" if found.parting else found.place


def reported(found: CacheMiss) -> str:
    """What the service says, and how much it could have read."""
    if found.read is None:
        return f"≈{found.held:,} tokens were marked to be kept; the capture has no account of the service"
    written = "" if found.written is None else f", {found.written:,} written"
    return f"{found.read:,} of {found.held:,} tokens read{written}"


def cache_lines(found: CacheMiss) -> Iterator[tuple[str, str]]:
    """Everything in lines, each with its sign: `-` and `+` for the lines that differ, "" for others."""
    yield "", headline(found) if not found.missed else f"cache: {again(found)}"
    if found.missed and place(found):
        line = f", line {found.parting.line:,}" if found.parting else ""
        yield "", f"{place(found)}{line}"
    for sign, text in (
        (("-", found.parting.before), ("+", found.parting.after)) if found.missed and found.parting else ()
    ):
        if text:
            yield sign, text
    for cause in found.causes:
        yield "", f"cause: {cause.says}"
    waited = f"; {span(found.seconds)} between the requests" if found.seconds is not None else ""
    yield "", f"{reported(found)}{waited}"


def cache_rows(found: CacheMiss, *, short: bool = False) -> Iterator[Row]:
    """The same for a screen; `short` in one line."""
    for sign, text in [("", headline(found))] if short else cache_lines(found):
        if sign:
            yield paragraph(Span(f"    {sign} {text}", "error" if sign == "-" else "good"), indent=6)
        else:
            tone: Tone = "warn" if found.missed and text.startswith(("cache:", "cause:")) else "dim"
            yield paragraph(Span(f"  {text}", tone), indent=4)


def crossed(found: Crossing) -> Iterator[str]:
    """`the cache boundary moved: SOUL.md, USER.md are no longer cached (310 tok)`."""
    tokens = "" if found.tokens is None else f" ({found.tokens:,} tok)"
    for titles, said in ((found.lost, "no longer cached"), (found.won, "cached from now on")):
        if titles:
            yield f"the cache boundary moved: {', '.join(titles)} {'are' if len(titles) > 1 else 'is'} {said}{tokens}"


def boundary_rows(found: Crossing) -> Iterator[Row]:
    """The same in rows."""
    for words in crossed(found):
        yield paragraph("  ", Span(words, "warn" if found.lost else "good"), indent=4)
