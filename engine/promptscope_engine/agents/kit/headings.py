"""A long text as sections, one for each of its headings."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from promptscope_engine.prompt.drafts import SectionDraft, Span, label


def by_headings(parts: Iterable[tuple[str, Sequence[Span]]]) -> Iterator[SectionDraft]:
    """The sections of parts, each an id and spans: the first line of one is its heading, or it is an introduction.

    What is below a heading of the first level belongs to its section.
    """
    above = None
    for part, (first, *rest) in parts:
        line = first.text.partition("\n")[0]
        if not line.startswith("#"):
            yield SectionDraft(part, "Introduction", (first, *rest), stability="static")
            continue
        above = None if line.startswith("# ") else above
        spans = (label(f"{line}\n"), replace(first, text=first.text[len(line) + 1 :]), *rest)
        yield SectionDraft(part, line.lstrip("# "), spans, line, stability="static", parent=above)
        above = part if line.startswith("# ") else above
